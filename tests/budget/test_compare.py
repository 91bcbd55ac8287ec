"""The falls that `make bench-compare` reports, on invented times."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from compare import LEAST, PRICES, ROUNDS, Times, fallen, interval, prices, verdict

STEADY = [100.0] * ROUNDS


def times(middle: float, spread: float, seed: int) -> list[float]:
    """Returns the times of ten rounds. Their noise has the standard deviation `spread`, relative to `middle`."""
    chance = random.Random(seed)
    return [middle * (1 + chance.gauss(0, spread)) for _ in range(ROUNDS)]


@pytest.mark.parametrize("seed", range(20))
def test_a_tenth_slower_falls_amid_noise(seed: int) -> None:
    assert fallen({"row": times(100, 0.02, seed)}, {"row": times(110, 0.02, seed + 100)}) == ["row"]


@pytest.mark.parametrize("seed", range(200))
def test_noise_alone_does_not_fall(seed: int) -> None:
    assert fallen({"row": times(100, 0.05, seed)}, {"row": times(100, 0.05, seed + 1000)}) == []


@pytest.mark.parametrize(
    ("again", "rows"),
    [(STEADY, []), ([time * 0.8 for time in STEADY], []), ([time * 1.2 for time in STEADY], ["slow"])],
)
def test_what_falls_is_measured_again_and_fails_if_it_falls_again(again: list[float], rows: list[str]) -> None:
    asked: list[list[str]] = []

    def measure(rows: list[str]) -> tuple[Times, Times]:
        asked.append(rows)
        if rows:
            return {"slow": STEADY}, {"slow": again}
        return {"slow": STEADY, "same": STEADY}, {"slow": [time * 1.2 for time in STEADY], "same": STEADY}

    assert verdict(measure) == rows
    assert asked == [[], ["slow"]]


def test_nothing_is_measured_again_where_nothing_falls() -> None:
    asked: list[list[str]] = []

    def measure(rows: list[str]) -> tuple[Times, Times]:
        asked.append(rows)
        return {"row": STEADY}, {"row": STEADY}

    assert verdict(measure) == [] and asked == [[]]


def test_a_fall_within_the_tolerance_is_none() -> None:
    slower = [time / 0.975 for time in STEADY]
    found = interval(STEADY, slower)
    assert found is not None and found.middle == pytest.approx(0.975) and not found.falls()
    beyond = [time / 0.965 for time in STEADY]
    assert fallen({"row": STEADY}, {"row": beyond}) == ["row"]


def test_a_mean_below_is_not_enough_where_the_interval_reaches_above() -> None:
    uneven = [100.0, 125.0] * (ROUNDS // 2)
    found = interval(STEADY, uneven)
    assert found is not None and found.middle < LEAST < found.high and not found.falls()


def test_one_round_that_was_disturbed_is_no_fall() -> None:
    assert fallen({"row": STEADY}, {"row": [*STEADY[1:], 900.0]}) == []


def test_what_disturbs_both_builds_of_a_round_cancels_out() -> None:
    busy = [100.0, 300.0, 100.0, 200.0, 100.0, 100.0, 150.0, 400.0, 100.0, 120.0]
    assert fallen({"row": busy}, {"row": [time * 1.05 for time in busy]}) == ["row"]
    assert fallen({"row": busy}, {"row": busy}) == []


def test_faster_rises() -> None:
    found = interval(STEADY, [time / 2 for time in STEADY])
    assert found is not None and found.low == pytest.approx(2)


def test_rows_of_one_build_alone_and_rows_without_a_ratio_are_not_compared() -> None:
    assert fallen({"gone": STEADY}, {"new": [time * 9 for time in STEADY]}) == []
    assert interval([-1.0, *STEADY[1:]], STEADY) is None


def test_another_number_of_rounds_is_refused() -> None:
    with pytest.raises(ValueError, match="9 rounds, not 10"):
        interval(STEADY[1:], STEADY[1:])


def test_a_row_whose_mechanism_was_removed_falls_below_its_own_least_ratio() -> None:
    for ratio, rows in ((0.85, []), (0.75, ["row"])):
        assert fallen({"row": STEADY}, {"row": [time / ratio for time in STEADY]}, {"row": 0.8}) == rows


def test_a_removed_mechanism_excuses_only_comparisons_with_builds_that_had_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compare.contains", lambda commit, earlier: (commit, earlier) == ("new", PRICES[0].commit))
    (language, row) = PRICES[0].row.split(": ", 1)
    assert prices(language, "old") == {row: PRICES[0].least} and prices(language, "new") == {}

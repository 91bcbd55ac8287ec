"""The verdicts of a budget, on invented counts; these tests count nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import budget
import pytest
from budget import COMMITTED, HERE, ROOT, Host, judge, output, profile

WITH = {
    "machine": "x86_64, AVX2",
    "profile": "release",
    "interpreter": "GCC, optimised",
    "rustc": "1.95.0",
    "python": "3.11.7",
}


def section(count: int, row: str = "encode text", **others: str) -> dict[str, Any]:
    return {"with": WITH | others, "counts": {row: count}}


@pytest.mark.parametrize(
    ("count", "others", "fails"),
    [
        (1_030, {}, False),
        (1_031, {}, True),
        (500, {}, False),
        (1_100, {"rustc": "1.96.0"}, False),
        (1_101, {"rustc": "1.96.0"}, True),
        (1_101, {"python": "3.11.9"}, True),
        (9_999, {"machine": "aarch64"}, False),
        (9_999, {"profile": "release CARGO_PROFILE_RELEASE_LTO=off"}, False),
        (9_999, {"interpreter": "Clang, plain"}, False),
    ],
)
def test_a_row_fails_above_the_budget_and_its_tolerance(count: int, others: dict[str, str], fails: bool) -> None:
    lines, failures = judge("Rust", section(count, **others), section(1_000))
    assert bool(failures) is fails, (lines, failures)
    said = [line for line in lines if line.startswith("-- ")]
    assert len(said) == bool(others)
    for key, value in others.items():
        assert f"{key} {value} (budget: {WITH[key]})" in said[0] and "`make budget`" in said[0]


@pytest.mark.parametrize(
    ("counts", "budgeted", "least", "times"),
    [
        ([1_100, 1_050, 1_000, 900], 1_000, 1_000, 3),
        ([1_000, 1_010, 900, 900], 1_000, 1_000, 2),
        ([1_100, 1_040, 1_050, 1_060], 1_000, 1_040, 4),
        ([1_100, 1_040, 1_050, 900], None, 900, 4),
    ],
)
def test_a_row_beyond_its_budget_is_counted_again_and_the_least_counts(
    monkeypatch: pytest.MonkeyPatch, counts: list[int], budgeted: int | None, least: int, times: int
) -> None:
    left = iter(counts)
    monkeypatch.setattr(budget, "output", lambda *_: "10 encode text")
    monkeypatch.setattr(budget, "between_marks", lambda *_: [next(left) * 10])
    counted = Host("Rust", ["it"], "mark", WITH).count(budgeted and section(budgeted))
    assert counted == section(least)
    assert len(counts) - len(list(left)) == times


def test_a_failure_names_row_count_budget_and_percentage() -> None:
    _, failures = judge("Rust", section(1_250_000), section(1_000_000))
    assert failures == ["Rust: encode text: 1,250,000 instructions, the budget is 1,000,000: +25.0%, allowed +3%"]


def test_a_row_that_is_new_is_not_judged_and_one_that_is_gone_fails() -> None:
    lines, failures = judge("Rust", section(1_000, "decode text"), section(1_000))
    assert "new Rust: decode text" in lines[0]
    assert failures == ["Rust: encode text: in the budget, and counted no longer"]


def test_a_version_without_a_budget_is_printed() -> None:
    lines, failures = judge("Python 3.14", section(1_000), None)
    assert "1,000" in lines[0] and "nothing is judged" in lines[-1] and not failures


def test_the_committed_budget_is_of_release_builds_and_has_a_row_for_each_operation(tmp_path: Path) -> None:
    committed = json.loads(COMMITTED.read_text("utf-8"))
    assert {name.split()[0] for name in committed} == {"Python", "Node", "Rust"}
    assert {section["with"]["profile"] for section in committed.values()} == {"release"}
    subprocess.run([sys.executable, str(ROOT / "bench" / "scenarios.py"), str(tmp_path)], check=True)
    programs = {"Python": [sys.executable, str(HERE / "operations.py")], "Node": ["node", str(HERE / "operations.mjs")]}
    for name, section in committed.items():
        # Rust's are not built for tests.
        if (program := programs.get(name.split()[0])) is not None:
            lines = output(*program, str(tmp_path)).splitlines()
            assert [line.partition(" ")[2] for line in lines] == list(section["counts"]), name


def test_a_profile_is_what_the_surroundings_change_of_it() -> None:
    assert profile("") == "release"
    assert profile("PATH=/bin\nCARGO_PROFILE_RELEASE_LTO=off\nHOME=/\n") == "release CARGO_PROFILE_RELEASE_LTO=off"

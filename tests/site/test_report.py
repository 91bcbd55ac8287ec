"""The report of `make bench`: which rows come first, and the reasons of rows below their goals."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
for folder in ("report", "python"):
    sys.path.append(str(ROOT / "bench" / folder))

import plots
import table
import whole_requests

REPORT = ROOT / "bench" / "report"
GOALS, FIRST, REASONS = (
    json.loads((REPORT / f"{name}.json").read_text("utf-8")) for name in ("goals", "first", "reasons")
)
LANGUAGES = list(table.PEERS)


def operations(language: str) -> set[str]:
    """The rows that have been measured, and those that have a goal or will be measured."""
    results = json.loads((ROOT / "bench/results" / f"{language.lower()}.json").read_text("utf-8"))
    requests = whole_requests.operations() if language == "Python" else []
    return {row["operation"] for row in results["rows"]} | set(GOALS[language]) | set(requests)


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_rows_and_reasons_are_of_rows_that_exist(language: str) -> None:
    first = [operation for group in FIRST[language].values() for operation in group]
    assert set(first) <= operations(language) and len(first) == len(set(first))
    assert set(REASONS[language]) <= operations(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_have_a_group_of_the_plot(language: str) -> None:
    first = {operation for group in FIRST[language].values() for operation in group}
    for operation in first | set(GOALS[language]):
        assert plots.group_of(operation) in plots.GROUPS


def row(ratio: float, **more: object) -> dict:
    return {"operation": "do it", "unit": "ns", "times": {"ours": 1.0, "official": ratio}, **more}


@pytest.mark.parametrize(
    ("measured", "goal", "expected"),
    [
        (row(2.9), {"must": 3}, True),
        (row(3.0), {"must": 3}, False),
        (row(3.0), {"must": 3, "aim": 4}, True),
        (row(0.9), {}, False),
        (row(0.9, replaced=True), {}, True),
        (row(9.0) | {"times": {"ours": 41.0}}, {"at most": 40}, True),
        (row(9.0) | {"times": {"ours": 1.0}}, {"must": 3}, False),
    ],
)
def test_a_row_below_its_goal_or_its_aim_needs_a_reason(measured: dict, goal: dict, expected: bool) -> None:
    assert table.is_missed(measured, goal, "Python") == expected
    assert (
        any(
            "The floor." in line for line in table.below([measured], {"do it": goal}, "Python", {"do it": "The floor."})
        )
        == expected
    )
    if expected:
        with pytest.raises(ValueError, match=r"Python: do it is below its goal: say why in bench/report/reasons\.json"):
            table.below([measured], {"do it": goal}, "Python", {})
    else:
        assert table.below([measured], {"do it": goal}, "Python", {}) == []


def test_first_rows_come_first_by_group_and_the_rest_is_folded() -> None:
    rows = [row(2.0) | {"operation": name} for name in ("a", "b", "c", "d")]
    result = {"language": "Python", "versions": {"CPython": "3.11"}, "rounds": 3, "rows": rows}
    lines = table.section(result, {}, {"dumps": ["d", "b"], "copies": ["a"]}, {}).splitlines()
    cells = [line.split("|") for line in lines if line.startswith("|") and "**2.00x**" in line]
    assert [each[1].strip() for each in cells] == ["dumps", "", "copies", "c"]
    assert [each[2].strip() for each in cells[:3]] == ["d", "b", "a"]
    folds = [line for line in lines if "details" in line]
    assert folds == ["<details open>", "</details>", "<details>", "</details>"]
    assert lines.index("<details>") < lines.index(next(line for line in lines if line.startswith("| c ")))

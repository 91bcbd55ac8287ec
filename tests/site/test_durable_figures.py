"""docs/durable-performance.md has the numbers of the committed results."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench" / "durable"))

import durable_table as table


def test_the_page_is_that_of_the_results() -> None:
    text = (ROOT / "docs" / "durable-performance.md").read_text("utf-8")
    machine = re.search(r"^Machine: (.*?)\. Redis", text, re.MULTILINE)
    assert machine
    groups = table.from_json((ROOT / "bench" / "results" / "durable.json").read_text("utf-8"))
    assert table.page(groups, machine[1]) == text


def test_an_aim_is_the_most_or_the_least() -> None:
    assert [table.Row("a", value, "ms", 2.0).is_reached for value in (1.9, 2.0, 2.1)] == [True, True, False]
    assert [table.Row("a", value, "events/s", 2.0, True).is_reached for value in (1.9, 2.0, 2.1)] == [False, True, True]
    assert "**not reached**" in table.Row("a", 3, "ms", 2.0).line()

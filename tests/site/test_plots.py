"""docs/performance.md and its plots have the numbers of the committed results."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"


def run(script: str, *arguments: str) -> None:
    subprocess.run(
        [sys.executable, str(ROOT / "bench/report" / script), str(ROOT / "bench/results"), *arguments],
        check=True,
        timeout=60,
    )


def test_the_page_is_that_of_the_results(tmp_path: Path) -> None:
    machine = re.search(r"^Machine: (.*)\.$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert machine
    run("table.py", str(tmp_path / "page.md"), machine[1])
    assert (tmp_path / "page.md").read_text("utf-8") == PAGE.read_text("utf-8")


@pytest.mark.parametrize("name", ["python", "node", "rust"])
def test_the_plots_are_those_of_the_results(name: str, tmp_path: Path) -> None:
    run("plots.py", str(tmp_path))
    drawn = (ROOT / "docs" / "plots" / f"{name}.svg").read_text("utf-8")
    assert (tmp_path / f"{name}.svg").read_text("utf-8") == drawn
    texts = [
        "".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter() if element.tag.endswith("}text")
    ]
    # The plot has the most and the least of all operations, as computed from the results.
    rows = json.loads((ROOT / "bench/results" / f"{name}.json").read_text("utf-8"))["rows"]
    ratios = [
        peer / row["times"]["ours"]
        for row in rows
        if (peer := row["times"].get("official", row["times"].get("ag-ui-core")))
    ]
    for end in (min(ratios), max(ratios)):
        said = f"{end:.1f}" if end < 10 else f"{end:,.0f}"
        assert any(re.search(rf"(?<![\d.,]){re.escape(said)}(?![\d.,])", text) for text in texts), said

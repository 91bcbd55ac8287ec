"""Each row of the tables of docs/client/ that say what other clients do names tests that there are."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NODE = sorted((ROOT / "tests" / "node").glob("*/client*.test.mjs"))
PYTHON = sorted((ROOT / "tests" / "python").glob("*/test_client_*.py"))


def rows(page: str, heading: str) -> list[str]:
    """The rows of the table behind a heading."""
    text = (ROOT / "docs" / "client" / page).read_text("utf-8")
    table = text.partition(f"# {heading}\n")[2].partition("\n## ")[0]
    return [line for line in table.splitlines() if line.startswith("|")][2:]


def named(row: str) -> list[str]:
    """Returns the names in the last cell of a row."""
    return re.findall("`(.+?)`", row.rstrip(" |").rpartition(" | ")[2])


@pytest.fixture(scope="module")
def titles() -> dict[str, list[str]]:
    """The tests of Node's client, by file."""
    command = ["node", str(Path(__file__).with_name("titles.mjs")), *map(str, NODE)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=300)
    return {Path(file).name: found for file, found in json.loads(done.stdout).items()}


@pytest.fixture(scope="module")
def functions() -> set[str]:
    """The tests of Python's client, as pytest finds them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *map(str, PYTHON)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300, cwd=ROOT)
    return set(re.findall(r"::(\w+)", done.stdout))


def test_the_chat_client_of_dotnet(functions: set[str]) -> None:
    table = rows("dotnet.md", "What the .NET chat client does")
    assert len(table) >= 13
    for row in table:
        assert named(row) and functions.issuperset(named(row)), row


def test_the_agents_of_the_official_client(titles: dict[str, list[str]]) -> None:
    table = rows("official-client.md", "What the agents of `@ag-ui/client` do")
    assert len(table) >= 12
    all_titles = [title for found in titles.values() for title in found]
    for row in table:
        assert named(row), row
        for name in named(row):
            # A file, a title, or the beginning of several.
            start = name.removesuffix("...")
            shown = titles.get(name) or [t for t in all_titles if t == name or (start != name and t.startswith(start))]
            assert shown, (name, row)

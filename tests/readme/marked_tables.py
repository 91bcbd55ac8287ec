"""The tables of docs/ that list the members and options of classes. Before each stands `<!-- table: name -->`; the columns
Python, Node and Rust have names, or code that has them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
MARKED = re.compile(r"^<!-- table: ([\w-]+) -->\n\n((?:\|.*\n)+)", re.MULTILINE)
MARK = re.compile(r"<!-- table:")
NAME = {
    "Python": re.compile(
        r"^(?:await )?(?:async for \w+ in )?(?:(?:agent|run|reply|result|message|call|step|activity|subagent)\.)?(\w+)"
    ),
    "Node": re.compile(
        r"^(?:await )?(?:for await \(const \w+ of )?(?:(?:agent|run|reply|result|message|call|step|activity|subagent)\.)?(\w+)"
    ),
    "Rust": re.compile(r"^(\w+)"),
}
LANGUAGES = tuple(NAME)


def spans(cell: str) -> list[str]:
    """Returns the pieces of code in a cell."""
    return [code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", cell)]


@cache
def _found() -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        marked = MARKED.findall(text)
        assert len(marked) == len(MARK.findall(text)), (
            f"{page}: a mark stands before a table, with an empty line between"
        )
        for name, table in marked:
            assert name not in found, f"two tables have the name {name}"
            head, _, *rows = [
                [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])] for line in table.splitlines()
            ]
            found[name] = []
            for row in rows:
                cells = dict(zip(head, row, strict=True))
                # One column may be about two languages.
                for title, cell in [*cells.items()]:
                    cells.update({language: cell for language in LANGUAGES if language in title})
                found[name].append(cells)
    return found


def rows_of(table: str) -> list[dict[str, str]]:
    """Returns the rows of a table; the cells of each by language, and by the other titles of columns."""
    return _found()[table]


def tables() -> set[str]:
    return {*_found()}


def codes(table: str, language: str) -> list[str]:
    """Returns the code in a column of a table."""
    return [code for row in rows_of(table) for code in spans(row.get(language, ""))]


def name_of(code: str, language: str) -> str:
    """Returns the name that a piece of code is about."""
    found = NAME[language].match(code)
    assert found, code
    return found[1]


def names(table: str, language: str) -> list[str]:
    """Returns the names in a column of a table."""
    return [name_of(code, language) for code in codes(table, language)]

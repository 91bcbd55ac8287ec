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
def tables() -> dict[str, dict[str, list[str]]]:
    """Returns the code in each table's columns, by language."""
    found: dict[str, dict[str, list[str]]] = {}
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
            columns = {
                language: column for column, title in enumerate(head) for language in LANGUAGES if language in title
            }
            found[name] = {
                language: [code for row in rows for code in spans(row[column])] for language, column in columns.items()
            }
    return found


def names(table: str, language: str) -> list[str]:
    """Returns the names in a column of a table."""
    listed = [NAME[language].match(code) for code in tables()[table].get(language, [])]
    assert all(listed), (table, language, tables()[table][language])
    return [match[1] for match in listed if match]

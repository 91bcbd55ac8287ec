"""The Python column of docs/names.md names things that exist."""

import json
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "names.md"
DOCUMENTS = json.loads((PAGE.parents[1] / "tests" / "fixtures" / "types/names.json").read_text("utf-8"))


def names() -> list[str]:
    rows = [line.split("|") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    return sorted({cells[3].strip().strip("`") for cells in rows} - {"\u2013"})


def find(name: str) -> object:
    """The object that a dotted name stands for: modules first, then attributes; a pydantic field counts as one."""
    parts = name.split(".")
    found: object = import_module("ag_ui_native")
    for index, part in enumerate(parts):
        if part in getattr(found, "model_fields", {}):
            return found
        if not hasattr(found, part):
            import_module(".".join(["ag_ui_native", *parts[: index + 1]]))
        found = getattr(found, part)
    return found


def test_the_table_is_read() -> None:
    assert len(names()) > 50


@pytest.mark.parametrize("name", names())
def test_the_name_exists(name: str) -> None:
    assert find(name) is not None


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_name_of_a_document_is_in_its_table(document: str) -> None:
    section = PAGE.read_text("utf-8").split(f"## {document}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip().strip("`") for line in section.splitlines() if line.startswith("| `")]
    assert [name for name in DOCUMENTS[document] if name not in rows] == []
    assert [name for name in rows if rows.count(name) > 1] == []


def test_a_missing_name_is_noticed() -> None:
    with pytest.raises(ModuleNotFoundError):
        find("core.NoSuchMessage")

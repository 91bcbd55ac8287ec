"""The Python column of docs/names.md names things that exist."""

from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "names.md"


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


def test_a_missing_name_is_noticed() -> None:
    with pytest.raises(ModuleNotFoundError):
        find("core.NoSuchMessage")

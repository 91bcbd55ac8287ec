"""The public names of the crate, and the examples of their documentation, read from its sources.

The names are those of core/public-api.txt. `cargo test --doc` runs the examples.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "core" / "src"
ITEM = re.compile(r"\bpub (?:struct|enum|trait|type|(?:const |async )*fn) (\w+)")
DOCUMENTATION = re.compile(
    r"((?:^[ \t]*(?:///|#\[).*\n)+)^[ \t]*pub (?:struct|enum|trait|type|(?:const |async )*fn) (\w+)", re.MULTILINE
)
# The generated examples of the declared types, and of the forms that borrow.
GENERATED = re.compile(r"^    \((\w+)\) => \{", re.MULTILINE)


def public_names() -> list[str]:
    """Returns the paths of the public types, and of the functions that are no methods."""
    found = []
    for line in (ROOT / "core/public-api.txt").read_text("utf-8").splitlines():
        path, _, item = line.partition(": ")
        declared = ITEM.search(item)
        if declared and declared[1] == path.rpartition("::")[2]:
            found.append(path)
    return sorted(set(found))


@cache
def documented(folder: Path) -> dict[str, str]:
    """Returns the documentation of the items in a folder, by their names; of several with one name, all."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob("*.rs")):
        for text, name in DOCUMENTATION.findall(file.read_text("utf-8")):
            found[name] = found.get(name, "") + text
    return found


@cache
def generated() -> tuple[set[str], set[str]]:
    owned, _, borrowed = (SOURCES / "schema/examples.rs").read_text("utf-8").partition("macro_rules! borrowed_example")
    return set(GENERATED.findall(owned)), set(GENERATED.findall(borrowed))


def methods() -> list[str]:
    """Returns the public methods of the types that are written by hand, but those named `with_...`: each sets the option of
    its name.
    """
    found = []
    for line in (ROOT / "core/public-api.txt").read_text("utf-8").splitlines():
        path, _, item = line.partition(": ")
        declared = ITEM.search(item)
        if declared and "fn " in declared[0] and not path.startswith("types::") and not declared[1].startswith("with_"):
            found.append(f"{path}::{declared[1]}")
    return sorted({each for each in found if each.split("::")[-1] != each.split("::")[-2]})


def shown() -> str:
    """Returns the code of all examples."""
    pages = [*sorted(SOURCES.rglob("*.rs")), ROOT / "core/README.md"]
    blocks = (re.findall(r"```[a-z_,]*\n(.*?)```", page.read_text("utf-8"), re.DOTALL) for page in pages)
    return "\n".join(block for found in blocks for block in found)


def has_example(path: str) -> bool:
    *modules, name = path.split("::")
    owned, borrowed = generated()
    if modules == ["types"] and (name in owned or name.removesuffix("Ref") in borrowed):
        return True
    folder = SOURCES.joinpath(*modules[:1])
    texts = [documented(each).get(name, "") for each in (folder, SOURCES) if each.is_dir()]
    return "```" in next(filter(None, texts), "")

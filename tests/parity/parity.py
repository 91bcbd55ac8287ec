"""Compares the public names of the three languages, and writes the differences into docs/names.md: `make docs-sync`
writes, `make docs` checks.

`concepts.json` lists the classes that are one concept, the members that have another name in a language (`names`:
the language's name to the common one), and those that only some languages have, with the reason (`aside`; `alone`
if that is the whole concept). A name that is neither in all languages nor in this list is a failure, and so is a
reason for a name that does not differ. Common names are those of Python. A builder of Rust, `with_x`, is the member
`x`; `A without B` are members of A that B has not.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
PAGE = ROOT / "docs/names.md"
HEADING = "## Names that not every language has\n"

Names = dict[str, dict[str, list[str]]]
"""By module and class."""


def names_of_node() -> Names:
    printed = subprocess.run(["node", str(HERE / "node_names.mjs")], capture_output=True, text=True, check=True).stdout
    return {module: dict(classes) for module, classes in json.loads(printed).items()}


def names_of_python() -> Names:
    command = [sys.executable, str(HERE / "python_names.py")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {module: dict(classes) for module, classes in json.loads(printed).items()}


def names_of_rust() -> dict[str, set[str]]:
    """Returns the names by path, from the list of public items with which lint compares the crate."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / "core/public-api.txt").read_text("utf-8").splitlines():
        path, _, declaration = line.partition(": ")
        declaration = re.sub(r"^#\[.*?\] ?", "", declaration)
        named = re.match(r"(?:pub )?(?:async |const )*(?:fn )?(\w+)(?:[(:<]|$)", declaration)
        if named and named[1] not in ("impl", "new", "pub"):
            builder = named[1].startswith("with_")
            found.setdefault(f"{path} with_" if builder else path, set()).add(named[1].removeprefix("with_"))
    return found


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda capital: f"_{capital[1].lower()}", name)


def members(concept: dict[str, Any], rust: dict[str, set[str]], python: Names, node: Names) -> dict[str, set[str]]:
    """The concept's common names, by language."""

    def of(names: Names, path: str) -> list[str]:
        module, _, name = path.rpartition(".")
        name, _, without = name.partition(" without ")
        inherited = names[module][without] if without else []
        return [one for one in names[module][name] if one not in inherited]

    own = {
        "Rust": {name for path in concept["rust"] for name in rust[path]},
        "Python": {name for path in concept["python"] for name in of(python, path)},
        "Node": {snake(name) for path in concept["node"] for name in of(node, path)},
    }
    renamed: dict[str, str] = concept.get("names", {})
    return {language: {renamed.get(name, name) for name in names} for language, names in own.items() if names}


def compared(name: str, found: dict[str, set[str]], aside: dict[str, str]) -> tuple[list[str], list[str]]:
    """Returns the rows of the page, and the faults."""
    rows, wrong = [], []
    reasons = {one: reason for names, reason in aside.items() for one in names.split()}
    everything = set().union(*found.values())
    for member in sorted(everything | reasons.keys()):
        having = [language for language in found if member in found[language]]
        if len(having) in (0, len(found)):
            if member in reasons:
                wrong.append(f"{name}: {member} does not differ: its reason goes")
        elif member not in reasons:
            wrong.append(f"{name}: {member} is in {' and '.join(having)} alone: concepts.json has no reason for it")
    for names, reason in aside.items():
        by_languages: dict[str, list[str]] = {}
        for one in names.split():
            languages = ", ".join(language for language in found if one in found[language])
            by_languages.setdefault(languages, []).append(f"`{one}`")
        rows += [f"| {name} | {', '.join(ones)} | {languages} | {reason} |" for languages, ones in by_languages.items()]
    return rows, wrong


def main() -> int:
    concepts: dict[str, dict[str, Any]] = json.loads((HERE / "concepts.json").read_text("utf-8"))
    rust, python, node = names_of_rust(), names_of_python(), names_of_node()
    rows: list[str] = []
    wrong: list[str] = []
    for name, concept in concepts.items():
        found = members(concept, rust, python, node)
        if "alone" in concept:
            rows.append(f"| {name} | all | {', '.join(found)} | {concept['alone']} |")
        more, faults = compared(name, found, concept.get("aside", {}))
        rows, wrong = rows + more, wrong + faults
    before = PAGE.read_text("utf-8").partition(f"\n{HEADING}")[0]
    table = "| concept | names | in | why |\n| --- | --- | --- | --- |\n" + "\n".join(rows)
    written = f"{before}\n{HEADING}\nWhat is compared stands in `tests/parity/concepts.json`. Names are those of Python.\n\n{table}\n"
    if "--write" in sys.argv:
        PAGE.write_text(written, encoding="utf-8")
    elif PAGE.read_text("utf-8") != written:
        wrong.append("docs/names.md is stale: `make docs-sync` writes it")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

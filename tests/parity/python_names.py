"""The public names of the package for Python, by module and class: those that are imported, and those that its stubs
and sources declare.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, is_typeddict

MODULES = (
    "",
    "client",
    "encoder",
    "patch",
    "proto",
    "server",
    "durable",
    "stream",
    "compat",
    "testing",
    "ids",
    "content",
    "adapters.openai",
    "adapters.anthropic",
)


@cache
def declared(path: str) -> dict[str, set[str]]:
    """Returns the annotated members of the classes of a file, and the members that their constructors set."""
    stub = Path(path).with_suffix(".pyi")
    tree = ast.parse((stub if stub.exists() else Path(path)).read_text("utf-8"))
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names = found.setdefault(node.name, set())
            for part in ast.walk(node):
                if not isinstance(part, ast.AnnAssign):
                    continue
                if isinstance(part.target, ast.Name) and part in node.body:
                    names.add(part.target.id)
                if isinstance(part.target, ast.Attribute) and ast.unparse(part.target.value) == "self":
                    names.add(part.target.attr)
    return found


def members(value: Any) -> list[str]:
    if not inspect.isclass(value):
        return []
    names = set(value.__annotations__) if is_typeddict(value) else set()
    for base in value.__mro__:
        if base.__module__.partition(".")[0] != "ag_ui_native" or is_typeddict(value):
            continue
        names |= set(vars(base))
        source = getattr(sys.modules.get(base.__module__), "__file__", None)
        if source and source.endswith(".py"):
            names |= declared(source).get(base.__name__, set())
    return sorted(name for name in names if not name.startswith("_"))


def main() -> None:
    found: dict[str, dict[str, list[str]]] = {}
    for name in MODULES:
        module = importlib.import_module(f"ag_ui_native.{name}" if name else "ag_ui_native")
        names = getattr(module, "__all__", [name for name in dir(module) if not name.startswith("_")])
        found[name] = {public: members(getattr(module, public)) for public in names}
    print(json.dumps(found))


if __name__ == "__main__":
    main()

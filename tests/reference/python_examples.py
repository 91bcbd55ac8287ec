"""The public names of the Python package, and the examples of their documentation, read from sources and stubs.

`python_examples.py FOLDER` writes the examples as functions into FOLDER, to be type-checked.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "site"))

from python_pages import documented, names_of, public_modules

PACKAGE = ROOT / "python"
PARSER = doctest.DocTestParser()

# The classes that programs call: each of their methods is in an example. Others are given to programs, or implemented
# by them: their own example shows that.
CALLED = """
ag_ui_native.adapters.openai: ModelCall
ag_ui_native.client: Agent SyncAgent HttpAgent SyncHttpAgent LocalAgent SyncLocalAgent RunStream SyncRunStream ReplyStream
    SyncReplyStream Reply RunResult Subscription
ag_ui_native.durable: Log MemoryLog RedisLog SQLiteLog
ag_ui_native.encoder: EventEncoder
ag_ui_native.ids: IdGenerator
ag_ui_native.server: Run Scope Subagent TextMessage Reasoning ToolCall Step Activity Coalescer StateTracker
ag_ui_native.stream: ChunkExpander EventDecoder EventPipeline EventVerifier PartialArguments Reducer
ag_ui_native.testing: AgentRun
"""
# What an engine of logs implements; programs give the engine to a server, which calls it.
IMPLEMENTED = {"execute", "watch"}


def files_of(module: str) -> list[Path]:
    """Returns the stub and the source of a module."""
    base = PACKAGE.joinpath(*module.split("."))
    files = (base.with_suffix(".pyi"), base.with_suffix(".py"), base / "__init__.py")
    return [file for file in files if file.exists()]


def flat(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str | None]]:
    """Yields the statements of a module or class, also those of conditions, each with the text behind it."""
    for statement, after in zip(body, [*body, None][1:], strict=True):
        if isinstance(statement, ast.If):
            yield from flat([*statement.body])
            yield from flat([*statement.orelse])
        text = after.value if isinstance(after, ast.Expr) else None
        yield statement, text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else None


@cache
def statements(file: Path) -> list[tuple[ast.stmt, str | None]]:
    return list(flat(ast.parse(file.read_text("utf-8")).body))


def assigned(statement: ast.stmt) -> str | None:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return targets[0].id if isinstance(targets[0], ast.Name) else None


Definition = tuple[str, ast.stmt, str]
"""The module, the statement and the documentation of a name."""


def definitions(module: str, name: str, visited: frozenset[tuple[str, str]] = frozenset()) -> Iterator[Definition]:
    """Yields where a name of a module is defined, in stubs first. An import and an alias lead on."""
    if (module, name) in visited:
        return
    visited |= {(module, name)}
    for statement, behind in (each for file in files_of(module) for each in statements(file)):
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == name:
            yield module, statement, ast.get_docstring(statement) or ""
        elif isinstance(statement, ast.ImportFrom) and (source := statement.module or "").startswith("ag_ui_native"):
            for each in statement.names:
                if each.name == "*" or (each.asname or each.name) == name:
                    yield from definitions(source, name if each.name == "*" else each.name, visited)
        elif assigned(statement) == name:
            value = getattr(statement, "value", None)
            if behind is None and isinstance(value, ast.Name):
                yield from definitions(module, value.id, visited)
            else:
                yield module, statement, inspect.cleandoc(behind or "")


def definition(module: str, name: str) -> Definition:
    """Returns the definition of a name that documents it."""
    found = list(definitions(module, name))
    assert found, f"{module}.{name} is defined nowhere"
    return max(found, key=lambda each: (has_example(each[2]), bool(each[2])))


def has_example(documentation: str) -> bool:
    return ">>> " in documentation


def public_names() -> list[tuple[str, str]]:
    """Returns each public name with a module that exports it; of several, the first that has a page."""
    pages = [(page, name) for page, _, name in (place.rpartition(".") for place in documented())]
    others = [(page, name) for page, module in public_modules().items() for name in names_of(module)]
    modules, found = public_modules(), dict[object, tuple[str, str]]()
    for page, name in [*pages, *others]:
        value = getattr(modules[page], name)
        key: object = id(value) if hasattr(value, "__module__") and callable(value) else name
        found.setdefault(key, (page, name))
    return list(found.values())


def members(module: str, name: str) -> Iterator[tuple[str, str]]:
    """Yields the public methods and properties of a class and of its bases in this package, by the place of their definition, with
    their documentation.
    """
    home, statement, _ = definition(module, name)
    assert isinstance(statement, ast.ClassDef), name
    for each in statement.body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and not each.name.startswith("_"):
            yield f"{home}.{name}.{each.name}", ast.get_docstring(each) or ""
    for base in statement.bases:
        base = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(base, ast.Name) and next(definitions(home, base.id), None):
            yield from members(home, base.id)


def documentation() -> dict[str, str]:
    """Returns the documentation of every public name."""
    return {f"{module}.{name}": definition(module, name)[2] for module, name in public_names()}


def methods() -> dict[str, str]:
    """Returns the documentation of the methods of the classes that programs call."""
    found: dict[str, str] = {}
    for line in CALLED.replace("\n    ", " ").strip().splitlines():
        module, _, names = line.partition(": ")
        for method, text in (each for name in names.split() for each in members(module, name)):
            # Of an overloaded method, one part is documented.
            found[method] = found.get(method) or text
    return {name: text for name, text in found.items() if name.rpartition(".")[2] not in IMPLEMENTED}


def sources(documentation: str) -> list[str]:
    return [each.source for each in PARSER.get_examples(documentation)]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for name, text in {**documentation(), **methods()}.items():
        if has_example(text):
            body = textwrap.indent("".join(sources(text)), "    ")
            out.append(f"def example_{name.replace('.', '_')}() -> None:\n{body}\n\n")
    (folder / "docstrings.py").write_text("".join(out), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

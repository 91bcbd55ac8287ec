"""Checks the layout of the sources: no circle between files, no file written by hand too long.

A file depends on another if its code names an item that the other defines: in Rust by a `use` or a path (a macro's
text counts for the files that use the macro), in TypeScript by an `import` or `require`, of types too, in Python by
an `import` anywhere but for types. In Rust, a name that a file only declares or exports again (`mod`, `pub use`)
counts for the file that defines it: so a parent that only declares its children and exports their names is in no
circle; it is in one if a child uses an item that the parent defines and the parent uses the child. Tests inside a
file do not count. `--sizes` prints the lengths.
"""

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST, MEDIAN = 500, 150

Module = tuple[str, ...]
USE = re.compile(r"^[ \t]*(pub(?:\([^)]*\))? )?use ([^;]+);", re.MULTILINE)
MOD = re.compile(r"^[ \t]*(?:pub(?:\([^)]*\))? )?mod \w+;", re.MULTILINE)
MACRO = re.compile(r"macro_rules! (\w+) \{.*?^\}", re.MULTILINE | re.DOTALL)
TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{.*?^\}\n", re.MULTILINE | re.DOTALL)
NOISE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"', re.DOTALL)
DEFINITION = r"\b(?:fn|struct|enum|trait|const|static|type|union) {0}\b|^    {0}\b(?!::|\()"


def leaves(tree: str) -> Iterator[tuple[list[str], str]]:
    """Returns the paths of a `use` tree, and the name of each."""
    head, brace, rest = tree.strip().partition("{")
    if not brace:
        path, _, alias = head.partition(" as ")
        parts = path.strip().removesuffix("::self").split("::")
        yield parts, alias.strip() or parts[-1]
    for branch in re.findall(r"(?:[^,{}]|\{(?:[^{}]|\{[^{}]*\})*\})+", rest.rstrip()[:-1]):
        yield from leaves(head + branch.strip()) if branch.strip() else ()


class Crate:
    """The files of a crate, by their modules."""

    def __init__(self, source: Path) -> None:
        self.files: dict[Module, Path] = {}
        self.code: dict[Module, str] = {}
        self.macros: dict[str, tuple[Module, str]] = {}
        for file in sorted(source.rglob("*.rs")):
            parts = file.relative_to(source).with_suffix("").parts
            module = parts[:-1] if parts[-1] in ("lib", "mod") else parts
            code = NOISE.sub("", TESTS.sub("", file.read_text()))
            self.macros |= {found[1]: (module, found[0]) for found in MACRO.finditer(code)}
            self.files[module], self.code[module] = file, MACRO.sub("", code)
        self.uses = {
            module: [(path, name, bool(pub)) for pub, tree in USE.findall(code) for path, name in leaves(tree)]
            for module, code in self.code.items()
        }

    def find(self, module: Module, path: list[str], hops: int = 9) -> tuple[Module, bool] | None:
        """Returns the module that defines the item of a path, and True if the item is that module itself."""
        ups = path.count("super")
        at = () if path[0] == "crate" else module[: len(module) - ups]
        rest = path[max(ups, 1) :] if path[0] in ("crate", "self", "super") else path
        if rest is path and (*module, path[0]) not in self.files:
            return None
        while rest and (*at, rest[0]) in self.files:
            at, rest = (*at, rest[0]), rest[1:]
        if not rest or rest[0] == "*":
            return at, True
        for target, name, _ in self.uses[at] if hops else ():
            named = target + rest[1:] if name == rest[0] else target[:-1] + rest if name == "*" else None
            found = self.find(at, named, hops - 1) if named else None
            if found and (name != "*" or re.search(DEFINITION.format(rest[0]), self.code[found[0]], re.MULTILINE)):
                return found
        return at, False

    def dependencies(self, module: Module) -> Iterator[Module]:
        """The modules that a module's code names."""
        code, seen, modules = MOD.sub("", USE.sub("", self.code[module])), set[str](), dict[str, list[str]]()
        while new := {name for name in re.findall(r"\b(\w+)! ?[({\[]", code) if name in self.macros} - seen:
            seen |= new
            code += "".join(self.macros[name][1] for name in new)
        yield from (self.macros[name][0] for name in seen)
        for path, name, pub in self.uses[module]:
            found = self.find(module, path)
            if found and found[1] and name != "*":
                modules[name] = path
            elif found and (not pub or re.search(rf"\b{name}\b", code) if name != "*" else not pub):
                yield found[0]
        for first, *rest in (text.split("::") for text in re.findall(r"(?<![\w:])\w+(?:::\w+)+", code)):
            found = self.find(module, modules.get(first, [first]) + rest)
            if found:
                yield found[0]

    def graph(self) -> dict[Path, set[Path]]:
        return {file: {self.files[to] for to in self.dependencies(at)} - {file} for at, file in self.files.items()}


def typescript(source: Path) -> dict[Path, set[Path]]:
    """Returns the files that each file of a folder imports, for types too."""
    graph = {}
    for file in sorted(source.rglob("*.?ts")):
        code = file.read_text()
        names = re.findall(r"(?:require|import)\('(\.[^']*)js'\)", code)
        names += re.findall(r"^(?:im|ex)port [^;']*?(?: from )?'(\.[^']*)js'", code, re.MULTILINE)
        graph[file] = {(file.parent / f"{to}ts").resolve() for to in names}
    return graph


def imported(body: list[ast.stmt]) -> Iterator[tuple[str, str | None]]:
    """Yields the modules that statements import, and the imported names, except imports for types."""
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from ((name.name, None) for name in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield from ((statement.module or "", name.name) for name in statement.names)
        elif not (isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"):
            for part in ("body", "orelse", "handlers", "finalbody"):
                yield from imported(getattr(statement, part, []))


def python(package: Path) -> dict[Path, set[Path]]:
    """Returns the files that each file of a package imports, within functions too."""

    def file_of(module: str) -> Path | None:
        path = package.parent.joinpath(*module.split("."))
        return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)

    graph = {}
    for file in sorted(package.rglob("*.py")):
        names = imported(ast.parse(file.read_text()).body)
        found = {file_of(f"{module}.{name}") or file_of(module) for module, name in names}
        graph[file] = {to for to in found if to is not None and to != file}
    return graph


def circles(graph: dict[Path, set[Path]]) -> list[list[Path]]:
    """The sets of files that all depend on each other (those of Tarjan, by plain reachability)."""
    reached = {}
    for file in graph:
        reached[file], waiting = set[Path](), [file]
        while waiting:
            new = graph.get(waiting.pop(), set()) - reached[file]
            reached[file] |= new
            waiting += new
    found = {
        tuple(sorted(other for other in reached[file] if other == file or file in reached.get(other, ())))
        for file in graph
        if file in reached[file]
    }
    return [list(each) for each in sorted(found)]


def lengths() -> dict[str, int]:
    """The lines of each file written by hand, without the tests in it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = {}
    for name in listed:
        text = (ROOT / name).read_text() if re.search(r"\.(rs|py|pyi|[cm]?ts|mjs)$", name) else ""
        if text and not re.search(
            r"^\W*(Made|Generated) from (the declaration in|core and) ", text[:400], re.MULTILINE
        ):
            found[name] = re.sub(TESTS, "", text).count("\n")
    return found


def main() -> int:
    faults = []
    graphs = {folder: Crate(ROOT / folder).graph() for folder in ("core/src", "python/src", "node/src")}
    graphs["node/lib"] = typescript(ROOT / "node/lib")
    graphs["python/ag_ui_native"] = python(ROOT / "python/ag_ui_native")
    for folder, graph in graphs.items():
        base = ROOT / folder
        found = {frozenset(str(file.relative_to(base)) for file in circle) for circle in circles(graph)}
        for circle in found:
            faults.append(f"{folder}: a circle: {' '.join(sorted(circle))}")
            faults += [
                f"    {file} uses {' '.join(sorted(circle & {str(to.relative_to(base)) for to in graph[base / file]}))}"
                for file in sorted(circle)
            ]
    sizes = lengths()
    median = statistics.median(sizes.values())
    if "--sizes" in sys.argv:
        print(*(f"{lines:6} {name}" for name, lines in sorted(sizes.items(), key=lambda each: -each[1])), sep="\n")
        print(f"{len(sizes)} files, median {median:g} lines")
    if median > MEDIAN:
        faults.append(f"the median file has {median:g} lines, more than {MEDIAN}")
    for name, lines in sizes.items():
        if lines > LONGEST:
            faults.append(f"{name}: {lines} lines, more than {LONGEST}")
    print(*faults, sep="\n", end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

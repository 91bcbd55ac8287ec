"""The check of the layout finds all circles that are not allowed, and no others."""

from pathlib import Path

import pytest
from check_layout import Crate, circles, typescript

RUST: dict[str, tuple[dict[str, str], list[str]]] = {
    "two files": ({"a": "use crate::b::B;", "b": "use crate::a::A;"}, ["a b"]),
    "three files": ({"a": "use crate::b::B;", "b": "use crate::c::C;", "c": "fn c() { crate::a::a() }"}, ["a b c"]),
    "one way": ({"a": "use crate::b::B;", "b": ""}, []),
    "a path in code": ({"a": "use crate::b;\nfn a() { b::b() }", "b": "fn b(_: crate::a::A) {}"}, ["a b"]),
    "a module that is only imported": ({"a": "use crate::b::{self, B};", "b": ""}, []),
    "a parent that hands on": ({"a/mod": "mod b;\npub use b::B;", "a/b": "use super::C;"}, []),
    "a parent that uses": ({"a/mod": "mod b;\nfn a() { b::b() }", "a/b": "use super::C;"}, ["a/b a/mod"]),
    "what is handed on": (
        {"lib": "mod a;\nmod b;\npub use b::B;", "a": "use crate::B;", "b": "use crate::a::A;"},
        ["a b"],
    ),
    "a glob that hands on": (
        {"a/mod": "pub use c::*;", "a/c": "pub struct C;\nuse crate::b::B;", "b": "use crate::a::C;"},
        ["a/c b"],
    ),
    "a macro's text": (
        {
            "a": "macro_rules! a {\n    () => { crate::b::B }\n}",
            "b": "fn b() { crate::c::c() }",
            "c": "fn c() { a!() }",
        },
        ["b c"],
    ),
    "tests": ({"a": "use crate::b::B;", "b": "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"}, []),
    "comments and strings": ({"a": "use crate::b::B;", "b": '// crate::a::A\nconst B: &str = "crate::a::A";'}, []),
}

TYPESCRIPT: dict[str, tuple[dict[str, str], list[str]]] = {
    "imports": ({"a": "import { b } from './b.cjs';", "b": "import { a, type A } from './a.cjs';"}, ["a b"]),
    "one way": ({"a": "import { b } from './b.cjs';", "b": "const a = 1;"}, []),
    "types": ({"a": "import { b } from './b.cjs';", "b": "import type {\n  A,\n} from './a.cjs';"}, ["a b"]),
    "a type in place": ({"a": "import { b } from './b.cjs';", "b": "type A = import('./a.cjs').A;"}, ["a b"]),
    "exported types": ({"a": "export type * from './b.cjs';", "b": "export type { A } from './a.cjs';"}, ["a b"]),
    "exports": ({"a": "export { b } from './b.cjs';", "b": "import './a.cjs';"}, ["a b"]),
    "require": ({"a": "import { b } from './b.cjs';", "b": "const a = () => require('./a.cjs');"}, ["a b"]),
}


def found(graph: dict[Path, set[Path]], source: Path) -> list[str]:
    return [" ".join(str(file.relative_to(source).with_suffix("")) for file in circle) for circle in circles(graph)]


def write(source: Path, files: dict[str, str], ending: str) -> None:
    for name, text in files.items():
        file = source / f"{name}.{ending}"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)


@pytest.mark.parametrize("name", RUST)
def test_rust(name: str, tmp_path: Path) -> None:
    files, expected = RUST[name]
    write(tmp_path, files, "rs")
    assert found(Crate(tmp_path).graph(), tmp_path) == expected


@pytest.mark.parametrize("name", TYPESCRIPT)
def test_typescript(name: str, tmp_path: Path) -> None:
    files, expected = TYPESCRIPT[name]
    write(tmp_path, files, "cts")
    assert found(typescript(tmp_path), tmp_path) == expected

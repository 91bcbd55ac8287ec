"""Every program in docs/ comes from a file that the tests run, and what stands there else is no program."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "readme"))
from test_server_examples import running

PAGES = sorted((ROOT / "docs").rglob("*.md"))
PROGRAMS = sorted(path for path in Path(__file__).with_name("snippets").iterdir() if path.suffix in (".py", ".mjs"))
# What may stand in a page itself: commands, what is printed, configuration of others. JSON and TOML are parsed.
IN_PLACE = {"sh", "text", "json", "toml", "http", "ini", "nginx", "dockerfile", "yaml", "mermaid"}
LANGUAGES = {"python": [".py"], "js": [".mjs", ".cjs", ".js"], "ts": [".mts"], "rust": [".rs"]}
# Who runs the programs of a folder: the files that must name each.
RUN_BY = {
    "examples": [*(ROOT / "tests" / "readme").glob("*.py"), ROOT / "tests" / "node" / "examples.test.mjs"],
    "examples/bundlers": [*(ROOT / "tests" / "packages").glob("*.mjs")],
    "examples/next": [ROOT / "tests" / "packages" / "next.test.mjs"],
    "examples/next/app/api/agent": [ROOT / "tests" / "packages" / "next.test.mjs"],
    "core/examples": [
        ROOT / "Makefile",
        *(ROOT / "core" / "tests").glob("*.rs"),
        *(ROOT / "tests/interop").glob("*.py"),
    ],
    "core/tests": [],
    "tests/site/snippets": [],
}
INCLUDE = re.compile(r'--8<-- "([^":]+)(?::([\w-]+))?"')


def blocks(page: Path) -> Iterator[tuple[str, int, str, str]]:
    """The code blocks of a page: where each stands, its language, its text."""
    text = page.read_text("utf-8")
    for found in re.finditer(r"^( *)```([^\n`]*)\n(.*?)^\1```$", text, re.DOTALL | re.MULTILINE):
        line = text.count("\n", 0, found.start()) + 1
        yield str(page.relative_to(ROOT)), line, (found[2].split() or [""])[0], found[3]


def fault(language: str, text: str) -> str | None:
    """What is wrong with a block."""
    if language in IN_PLACE:
        {"json": json.loads, "toml": tomllib.loads}.get(language, str)(text)
        return None
    if language not in LANGUAGES:
        return f"`{language}` is none of {sorted({*IN_PLACE, *LANGUAGES})}"
    for line in filter(str.strip, text.splitlines()):
        included = INCLUDE.fullmatch(line.strip())
        if not included:
            return f"a program stands in place: {line.strip()!r}; include it from a file that is run"
        path, section = Path(included[1]), included[2]
        if str(path.parent) not in RUN_BY or path.suffix not in LANGUAGES[language]:
            return f"{path} is no {language} program of {', '.join(RUN_BY)}"
        if not (ROOT / path).is_file():
            return f"there is no {path}"
        runners = RUN_BY[str(path.parent)]
        if runners and not any(path.stem in file.read_text("utf-8") for file in runners):
            return f"no test runs {path}"
        if section and f"--8<-- [start:{section}]" not in (ROOT / path).read_text("utf-8"):
            return f"{path} has no section {section}"
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_programs_are_included(page: Path) -> None:
    found = [f"{where}:{line}: {told}" for where, line, *block in blocks(page) if (told := fault(*block))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("sh", "make docs\n", None),
        ("json", '{"a": 1}\n', None),
        ("", "what is this?\n", "none of"),
        ("python", "print(1)\n", "stands in place"),
        ("python", '--8<-- "examples/approval.py"\nprint(1)\n', "stands in place"),
        ("python", '--8<-- "examples/approval.py"\n', None),
        ("js", '--8<-- "examples/approval.py"\n', "no js program"),
        ("python", '--8<-- "demo/run.py"\n', "no python program"),
        ("python", '--8<-- "examples/not_there.py"\n', "there is no"),
        ("python", '--8<-- "examples/approval.py:nowhere"\n', "no section"),
    ],
)
def test_what_the_check_refuses(language: str, text: str, told: str | None) -> None:
    found = fault(language, text)
    assert (found is None) if told is None else told in str(found)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running("asgi_server.py") as url:
        yield url


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_snippets_run(program: Path, url: str) -> None:
    command = [sys.executable if program.suffix == ".py" else "node", str(program)]
    done = subprocess.run(
        command, env={**os.environ, "URL": url}, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr

"""Every program in docs/ is that of a file that the tests run, as the file is now; what stands there else is no program."""

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
sys.path[:0] = [str(ROOT / "tests" / "readme"), str(ROOT / "site")]
from test_server_examples import running

import programs
from programs import PAGES, program, synced

SNIPPETS = Path(__file__).with_name("snippets")
PROGRAMS = sorted(path for path in SNIPPETS.rglob("*") if path.suffix in (".py", ".mjs"))
# Languages whose blocks may stand in a page itself: commands, output, configuration of other programs. JSON and TOML
# are parsed.
IN_PLACE = {"sh", "text", "json", "toml", "http", "ini", "nginx", "dockerfile", "yaml", "diff"}
LANGUAGES = {
    "python": [".py"],
    "js": [".mjs", ".cjs", ".js"],
    "ts": [".mts"],
    "html": [".html"],
    "jsx": [".jsx"],
    "nginx": [".conf"],
    "rust": [".rs"],
    "rust,ignore": [".rs"],
}
# The files that run the programs of a folder, and so must name each of them.
RUN_BY = {
    **{
        f"examples/{folder}": [
            *(ROOT / "tests" / "readme").glob("*.py"),
            ROOT / "tests" / "node" / "package" / "examples.test.mjs",
        ]
        for folder in ("agents", "clients", "durable", "protocol", "servers")
    },
    "examples/browser": [ROOT / "tests" / "readme" / "test_browser_page.py"],
    "examples/bundlers": [*(ROOT / "tests" / "packages").glob("*.mjs")],
    "examples/next": [ROOT / "tests" / "packages" / "next.test.mjs"],
    "examples/next/app/api/agent": [ROOT / "tests" / "packages" / "next.test.mjs"],
    "examples/recipes": [
        *(ROOT / "tests" / "recipes").glob("*.py"),
        ROOT / "tests" / "readme" / "test_peer_examples.py",
    ],
    "examples/start": [ROOT / "tests" / "readme" / "test_start_pages.py"],
    "core/examples": [
        ROOT / "Makefile",
        *(ROOT / "core" / "tests").glob("**/*.rs"),
        *(ROOT / "tests/interop").glob("*.py"),
    ],
    "core/tests": [],
    **{f"tests/site/snippets{folder}": [] for folder in ("", "/client", "/server", "/durable")},
}
FENCED = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
SOURCES = re.compile(r"<!-- code: ([^\n]+) -->\n$")


def blocks(page: Path) -> Iterator[tuple[str, int, str, str, list[str]]]:
    """The code blocks of a page: the line of each, its language, its text, and the file that its comment names."""
    text = page.read_text("utf-8")
    for found in FENCED.finditer(text):
        sources = SOURCES.search(text[: found.start()])
        line = text.count("\n", 0, found.start()) + 1
        yield str(page.relative_to(ROOT)), line, found[2], found[3], sources[1].split() if sources else []


def fault(language: str, text: str, sources: list[str]) -> str | None:
    """Returns the fault of a block; None if there is none."""
    if language in IN_PLACE and not (sources and language in LANGUAGES):
        {"json": json.loads, "toml": tomllib.loads}.get(language, str)(text)
        return f"`{language}` is no program" if sources else None
    if language not in LANGUAGES:
        return f"`{language}` is none of {sorted({*IN_PLACE, *LANGUAGES})}"
    if not sources:
        return "a program stands in place: name the file that the tests run, `<!-- code: examples/x.py -->`"
    for source in sources:
        path = Path(source.partition(":")[0])
        if str(path.parent) not in RUN_BY or path.suffix not in LANGUAGES[language]:
            return f"{path} is no {language} program of {', '.join(RUN_BY)}"
        if not (ROOT / path).is_file():
            return f"there is no {path}"
        runners = RUN_BY[str(path.parent)]
        if runners and not any(path.stem in file.read_text("utf-8") for file in runners):
            return f"no test runs {path}"
    try:
        now = "\n".join(map(program, sources))
    except ValueError as error:
        return str(error)
    return None if text == now else "the program is not as its file is now: `make docs-sync` writes it"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_block_asks_a_server_that_it_has_just_begun(page: Path) -> None:
    """A reader who pastes the whole block is refused a connection: a server that starts in the background is not ready."""
    commands = [text for _, _, language, text, _ in blocks(page) if language == "sh"]
    assert not [text for text in commands if re.search(r"server\S* &$", text, re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_programs_are_those_of_files(page: Path) -> None:
    # rustdoc runs the blocks in the crate's README.
    run = "rust" if page == ROOT / "core" / "README.md" else None
    found = [
        f"{where}:{line}: {told}" for where, line, *block in blocks(page) if block[0] != run and (told := fault(*block))
    ]
    assert not found, "\n".join(found)
    # `make docs-sync` has nothing to do, and understands every comment.
    assert synced(page.read_text("utf-8")) == page.read_text("utf-8")


@pytest.mark.parametrize(
    ("language", "text", "sources", "told"),
    [
        ("sh", "make docs\n", "", None),
        ("sh", "make docs\n", "examples/agents/approval.py", "no program"),
        ("json", '{"a": 1}\n', "", None),
        ("", "what is this?\n", "", "none of"),
        ('python title="x.py"', "print(1)\n", "", "none of"),
        ("python", "print(1)\n", "", "stands in place"),
        ("python", program("examples/agents/approval.py"), "examples/agents/approval.py", None),
        (
            "python",
            program("examples/agents/approval.py") + "print(1)\n",
            "examples/agents/approval.py",
            "make docs-sync",
        ),
        ("python", program("examples/agents/weather.py:text"), "examples/agents/weather.py:tool", "make docs-sync"),
        ("js", "", "examples/agents/approval.py", "no js program"),
        ("python", "", "demo/run.py", "no python program"),
        ("python", "", "examples/agents/not_there.py", "there is no"),
        ("python", "", "examples/agents/approval.py:nowhere", "no section"),
    ],
)
def test_what_the_check_refuses(language: str, text: str, sources: str, told: str | None) -> None:
    found = fault(language, text, sources.split())
    assert (found is None) if told is None else told in str(found)


def test_what_is_written() -> None:
    source = "tests/site/snippets/server/run.mjs"
    before = f"Before.\n\n<!-- code: {source}:testing_imports {source}:testing -->\n```js\n"
    page = synced(before + "stale()\n```\n\nAfter.\n")
    imports, rest = page.removeprefix(before).split("\n\n", 1)
    assert imports.startswith("import ") and rest.startswith("const ") and rest.endswith("\n```\n\nAfter.\n")
    assert "stale" not in page and "--8<--" not in page and synced(page) == page
    with pytest.raises(ValueError, match="right before a block"):
        synced("<!-- code: examples/agents/approval.py -->\n\n```python\n```\n")


def test_a_page_that_is_not_current_fails_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "start" / "first-agent.md"
    stale = tmp_path / "page.md"
    stale.write_text(page.read_text("utf-8").replace("async def agent", "async def another"), "utf-8")
    monkeypatch.setattr(programs, "PAGES", [page, stale])
    assert programs.main(check=True) == 1 and stale.read_text("utf-8") != page.read_text("utf-8")
    assert programs.main(check=False) == 0 and stale.read_text("utf-8") == page.read_text("utf-8")
    assert programs.main(check=True) == 0


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running("asgi_server.py") as url:
        yield url


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(SNIPPETS)))
def test_snippets_run(path: Path, url: str) -> None:
    command = [sys.executable if path.suffix == ".py" else "node", str(path)]
    done = subprocess.run(
        command, env={**os.environ, "URL": url}, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr

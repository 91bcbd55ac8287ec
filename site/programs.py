"""Writes programs into the pages of docs/ and into the crate's README, from the files that the tests run. `programs.py
[--check]`

A comment before a code block names its source: `<!-- code: examples/x.py -->` is the whole file, `<!-- code:
examples/x.py:section -->` is the text between `--8<-- [start:section]` and `--8<-- [end:section]`. If a comment
names several, they follow each other after an empty line.
"""

import re
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "core" / "README.md"]
BLOCK = re.compile(r"^<!-- code: ([^\n]+) -->\n```([\w,]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BEGUN = re.compile(r"<!-- code:")
MARK = re.compile(r"^.*--8<-- \[(?:start|end):[\w-]+\].*\n", re.MULTILINE)


def program(source: str) -> str:
    """Returns a file, or a section of it, without the marks of sections."""
    path, _, section = source.partition(":")
    text = (ROOT / path).read_text("utf-8")
    if section:
        marked = rf"--8<-- \[start:{section}\].*?\n(.*?)^[^\n]*--8<-- \[end:{section}\]"
        found = re.search(marked, text, re.DOTALL | re.MULTILINE)
        if not found:
            raise ValueError(f"{path} has no section {section}")
        text = found[1]
    return re.sub(r"\n{4,}", "\n\n\n", dedent(MARK.sub("", text)).strip("\n")) + "\n"


def synced(page: str) -> str:
    """Returns a page with the current programs."""

    def block(found: re.Match[str]) -> str:
        return found[0][: found.start(3) - found.start()] + "\n".join(map(program, found[1].split())) + "```"

    done, blocks = BLOCK.subn(block, page)
    if blocks != len(BEGUN.findall(page)):
        raise ValueError("a comment `<!-- code: ... -->` stands right before a block of code, and nowhere else")
    return done


def main(check: bool) -> int:
    stale = 0
    for path in PAGES:
        page = path.read_text("utf-8")
        try:
            now = synced(page)
        except (OSError, ValueError) as error:
            sys.exit(f"{path}: {error}")
        if now != page and check:
            print(f"{path} does not hold the programs as they are: `make docs-sync` writes it")
        elif now != page:
            path.write_text(now, "utf-8")
        stale += now != page
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

"""Pages as the repository's site shows them, which is plain Markdown: nothing stands there raw, and every link leads somewhere."""

from __future__ import annotations

import html
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [*ROOT.glob("*.md"), ROOT / "core" / "README.md", *DOCS.rglob("*.md"), *(ROOT / "tests").glob("*/README.md")]
)
# What PyPI, npm and crates.io show has no repository around it.
ALONE = [ROOT / "README.md", ROOT / "core" / "README.md"]
REPOSITORY = re.compile(
    r"https://(?:github\.com/ag-ui-native/ag-ui-native/(?:blob|tree|raw)|raw\.githubusercontent\.com/ag-ui-native/ag-ui-native)/main/?"
)
# What generators of sites read, and the repository's site shows as it is; and the other way round.
RAW = {
    "an inclusion": r"--8<--",
    "a tab": r"^===[!+]? [\"']",
    "an admonition": r"^(!!!|\?\?\?)",
    "an alert, which the built site shows as it is": r"^\[!\w+\]",
    "an attribute list": r"\{:? ?[.#:][\w-]+[^}]*\}",
    "an icon": r":(material|octicons|fontawesome|simple)-[\w-]+:",
    "a name for mkdocstrings": r"^:::",
    "a macro": r"\{[{%]",
    "a table of contents": r"^\[TOC\]",
    "an abbreviation or a footnote": r"^(\*\[.+\]:|\[\^.+\])",
    "a definition": r"^:   ",
    "marked text": r"==[\w ]+==|\+\+[\w+]+\+\+|\^\^[\w ]+\^\^",
    "a reference that is not defined": r"\]\[|\[`[^`]*`\]",
}


@cache
def tokens(page: Path) -> list[Token]:
    return parsed(page.read_text("utf-8"))


def parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def shown(inline: Token) -> str:
    """The text of a paragraph, with its code as such."""
    return "".join(
        f"`{each.content}`" if each.type == "code_inline" else each.content or "\n" * (each.type == "softbreak")
        for each in inline.children or []
    )


def raw(text: str) -> Iterator[tuple[int, str]]:
    """What a page shows raw, and in which line."""
    for token in parsed(text):
        line = (token.map or [0])[0] + 1
        if token.type == "inline":
            said = "".join(
                "`x`" if each.type == "code_inline" else shown(Token("", "", 0, children=[each]))
                for each in token.children or []
            )
            yield from (
                (line, f"{what}: {found[0]!r}")
                for what, pattern in RAW.items()
                if (found := re.search(pattern, said, re.MULTILINE))
            )
        elif token.type == "code_block":
            yield line, "text that is indented, and so a block of code"
        elif token.type == "fence":
            if len(token.info.split()) > 1:
                yield line, f"options of a block of code: {token.info!r}"
            if "--8<--" in token.content:
                yield line, "an inclusion"
            if token.info.startswith("rust") and re.search(r"^\s*# ", token.content, re.MULTILINE):
                yield line, "a line that rustdoc hides"
        elif token.type == "html_block":
            left = re.sub(r"<!--.*?-->|<summary>.*?</summary>|<[^>]+>", "", token.content, flags=re.DOTALL).strip()
            if left:
                yield line, f"Markdown within HTML, without an empty line before it: {left[:40]!r}"
            if re.search(r"<\w+[^>]*\bmarkdown\b", token.content):
                yield line, "an attribute of md_in_html"


@cache
def anchors(page: Path) -> set[str]:
    """The places of a page that links can name, by the repository's site's rule for headings."""
    found: set[str] = set()
    for before, token in zip(tokens(page), tokens(page)[1:], strict=False):
        if before.type == "heading_open":
            text = "".join(each.content for each in token.children or [])
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            found.add(next(each for n in range(1000) if (each := f"{slug}-{n}" if n else slug) not in found))
        found |= {
            name
            for name in re.findall(r'\b(?:id|name)="([^"]+)"', token.content)
            if token.type in ("html_block", "inline")
        }
    return found


def links(page: Path) -> Iterator[tuple[int, str]]:
    for token in tokens(page):
        line = (token.map or [0])[0] + 1
        for each in [token, *(token.children or [])]:
            for name in ("href", "src"):
                if value := each.attrGet(name):
                    yield line, str(value)
            if each.type in ("html_block", "html_inline"):
                yield from (
                    (line, html.unescape(found)) for found in re.findall(r'\b(?:href|src)="([^"]*)"', each.content)
                )


def target(page: Path, link: str, root: Path = ROOT) -> Path | None:
    """The file of the project that a link leads to; None if it leads elsewhere."""
    own = REPOSITORY.match(link)
    to = urlsplit(link[own.end() :] if own else link)
    if to.scheme or to.netloc:
        return None
    path = unquote(to.path)
    return root / path if own else page.parent / path if path else page


def dead(page: Path, link: str, root: Path = ROOT) -> str | None:
    """Why a link of a page leads nowhere."""
    to, fragment = target(page, link, root), unquote(urlsplit(link).fragment)
    if to is None:
        return None
    if not to.exists():
        return f"there is no {link}"
    if not to.resolve().is_relative_to(root):
        return f"{link} is outside of the project"
    if fragment and (to.suffix != ".md" or fragment not in anchors(to)):
        return f"{link} has no such place"
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nothing_is_raw(page: Path) -> None:
    found = [f"{page.relative_to(ROOT)}:{line}: {what}" for line, what in raw(page.read_text("utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    found = [f"{page.relative_to(ROOT)}:{line}: {why}" for line, link in links(page) if (why := dead(page, link))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", ALONE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_package_s_page_stands_alone(page: Path) -> None:
    found = [f"{page.relative_to(ROOT)}:{line}: {link}" for line, link in links(page) if not urlsplit(link).scheme]
    assert not found, "\n".join(found)


def test_every_page_is_reached() -> None:
    """There is no navigation in the repository but the links of pages."""
    reached, found = set[Path](), [DOCS / "index.md"]
    while found:
        page = found.pop()
        reached.add(page)
        to = {at.resolve() for _, link in links(page) if (at := target(page, link))}
        found += [each for each in to if each.suffix == ".md" and each.is_file() and each not in reached]
    assert not {str(page.relative_to(ROOT)) for page in DOCS.rglob("*.md")} - {
        str(page.relative_to(ROOT)) for page in reached
    }

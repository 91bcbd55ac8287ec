"""The repository's own rendering of a page, which is plain Markdown: its text, the markup that is shown raw, its
links, and the targets of links.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

SITE_URL = "https://ag-ui-native.github.io/ag-ui-native/"
# The address of the site in one of its versions.
VERSIONED = re.compile(rf"{re.escape(SITE_URL)}(?:(?:latest|dev|[\d.]+x)/)?")

# Markup that one generator of sites reads and others show as it is.
RAW = {
    "an inclusion": r"--8<--",
    "a tab": r"^ *===[!+]? [\"'“‘]",
    "an admonition": r"^ *(?:!!!|\?\?\?\+?) *\w",
    "an alert, which the built site shows as it is": r"^ *\[!\w+\]",
    "an attribute list": r"\{:? ?[.#][\w-]+[^}]*\}|\{: ?\w+=",
    "an icon": r":(?:material|octicons|fontawesome|simple)-[\w-]+:",
    "a name for mkdocstrings": r"^ *::: ?\w",
    "a comment that is shown": r"<!--",
    "a macro": r"\{\{.*\}\}|\{%.*%\}",
    "a table of contents": r"^ *\[TOC\]",
    "an abbreviation or a footnote": r"^ *\*\[.+\]:|\[\^.+\]",
    "a definition": r"^ *:   ",
    "marked text": r"==\w[\w ]*==|\+\+\w[\w+]*\+\+|\^\^\w[\w ]*\^\^",
    "a reference that is not defined": r"\]\[\w*\]|\[`[^`]*`\]",
}
# Others are taken out, with what reads like one: `List<String>` in a sentence.
TAGS = {"a", "b", "br", "code", "details", "i", "img", "kbd", "picture", "source", "sub", "summary", "sup"}
TAG = re.compile(r"</?([A-Za-z][\w-]*)[^>]*>")


def parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


@cache
def tokens(page: Path) -> list[Token]:
    return parsed(page.read_text("utf-8"))


def shown(token: Token) -> str:
    """Returns the visible text of an inline token; code is in quotes of its own."""
    if token.type == "code_inline":
        return f"`{token.content}`"
    return "\n" if token.type in ("softbreak", "hardbreak") else token.content if token.type == "text" else ""


def raw_text(text: str) -> list[str]:
    """Returns the parts of a paragraph's text that are meant for another generator."""
    text = re.sub(r"`[^`]*`", "`x`", text)
    return [f"{what}: {found[0]!r}" for what, rule in RAW.items() if (found := re.search(rule, text, re.MULTILINE))]


def raw_fence(info: str, code: str) -> list[str]:
    found = [f"options of a block of code: {info}"] if len(info.split()) > 1 else []
    if "--8<--" in code:
        found.append("an inclusion, or the mark of a section")
    if re.search(r"^<!-- code:", code, re.MULTILINE) and info != "md":
        found.append("a comment that is shown")
    if info.startswith("rust") and re.search(r"^\s*# ", code, re.MULTILINE):
        found.append("a line that rustdoc hides")
    return found


def raw_html(text: str) -> list[str]:
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    found = [f"a tag that is taken out: {tag[0]}" for tag in TAG.finditer(text) if tag[1].lower() not in TAGS]
    if re.search(r"<[^>]*\smarkdown\b", text):
        found.append("an attribute of md_in_html")
    if left := TAG.sub("", re.sub(r"<summary>.*?</summary>", "", text, flags=re.DOTALL)).strip():
        found.append(f"Markdown within HTML, without an empty line before it: {left[:40]!r}")
    return found


def raw_row(line: str, cells: int) -> list[str]:
    """A bar within code ends a cell, too, and cells that the head does not have are left out."""
    found = len(re.findall(r"(?<!\\)\|", line.strip().strip("|"))) + 1
    return [f"{found} cells in a table of {cells}"] if found > cells else []


def raw(text: str) -> Iterator[tuple[int, str]]:
    """Yields the markup that a page shows raw, or not at all, with its line."""
    lines, cells = text.split("\n"), 0
    for token in parsed(text):
        line = (token.map or [0])[0]
        found: list[str] = []
        if token.type == "inline":
            children = token.children or []
            found = raw_text("".join(map(shown, children)))
            found += [why for each in children if each.type == "html_inline" for why in raw_html(each.content)]
        elif token.type == "code_block":
            found = ["text that is indented, and so a block of code"]
        elif token.type == "fence":
            found = raw_fence(token.info, token.content)
        elif token.type == "html_block":
            found = raw_html(token.content)
        elif token.type == "tr_open":
            cells = cells or len(re.findall(r"(?<!\\)\|", lines[line].strip().strip("|"))) + 1
            found = raw_row(lines[line], cells)
        elif token.type == "table_open":
            cells = 0
        yield from ((line + 1, each) for each in found)


def anchors(page: Path) -> set[str]:
    """The places of a page that links can name: headings, by the rule of the repository's site, and HTML's own."""
    found: set[str] = set()
    for before, token in zip(tokens(page), tokens(page)[1:], strict=False):
        if before.type == "heading_open":
            text = "".join(each.content for each in token.children or [] if each.type in ("text", "code_inline"))
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            found.add(next(each for n in range(len(found) + 1) if (each := f"{slug}-{n}" if n else slug) not in found))
    for token in tokens(page):
        for each in (token, *(token.children or [])):
            if each.type in ("html_block", "html_inline"):
                found |= set(re.findall(r'\b(?:id|name)="([^"]+)"', each.content))
    return found


def links(page: Path) -> Iterator[tuple[int, str]]:
    """The links and pictures of a page, and in which line each is, or its paragraph begins."""
    for token in tokens(page):
        line = (token.map or [0])[0] + 1
        for each in (token, *(token.children or [])):
            for name in ("href", "src"):
                if (value := each.attrGet(name)) is not None:
                    yield line, str(value)
            if each.type in ("html_block", "html_inline"):
                found = re.findall(r'\b(?:href|src|srcset)="([^"]*)"', each.content)
                yield from ((line, html.unescape(value)) for value in found)

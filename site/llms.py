"""The site as text, for programs that read it (https://llmstxt.org): `llms.txt` lists the pages, `llms-full.txt` holds
them all, and the Markdown of each page stands beside its HTML.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

FENCED = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
SUMMARY = re.compile(r"^<details(?: open)?>\n<summary><b>([^\n]+)</b></summary>\n", re.MULTILINE)
COMMENT = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
# What a first paragraph does not begin with: a heading, a table, HTML, a list, a directive.
OTHER = re.compile(r"[#|<>!:-]|```")
SENTENCE = re.compile(r".+?[.:!?](?=\s+[^a-z]|$)", re.DOTALL)


class Entry(NamedTuple):
    """A page in the list."""

    section: str
    title: str
    url: str
    about: str


def as_text(page: str, address: Callable[[str], str]) -> str:
    """Returns a page of plain Markdown without comments. Sections that are folded stand under their names, and
    `address` returns where each link leads.
    """
    page = page.replace("\n</details>\n<details", "\n<details").replace("\n</details>\n", "")
    parts = FENCED.split(COMMENT.sub("", SUMMARY.sub(r"**\1**\n", page)))
    parts[::2] = [LINK.sub(lambda found: f"]({address(found[1])})", part) for part in parts[::2]]
    return "".join(parts)


def first_line(page: str) -> str:
    """Returns the first sentence of a page as plain text; empty if a page begins with anything else."""
    for paragraph in re.split(r"\n\s*\n", COMMENT.sub("", page).partition("\n")[2].strip()):
        if paragraph.startswith("**") or not OTHER.match(paragraph):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(paragraph.split())).replace("**", "")
            found = SENTENCE.match(text)
            return found[0] if found else text
        return ""
    return ""


def listing(name: str, summary: str, full: str, entries: Iterable[Entry]) -> str:
    """Returns the text of llms.txt."""
    text = f"# {name}\n\n> {summary}\n\nEach link leads to the Markdown of a page. [All pages in one file]({full}).\n"
    section = ""
    for entry in entries:
        if entry.section != section:
            section = entry.section
            text += f"\n## {section}\n\n"
        text += f"- [{entry.title}]({entry.url})" + (f": {entry.about}\n" if entry.about else "\n")
    return text


def joined(pages: Iterable[tuple[str, str]]) -> str:
    """Returns the text of llms-full.txt, of addresses and pages. Each page names its address below its title."""
    return "\n".join(re.sub(r"\A(# .*\n)", rf"\1\nSource: {url}\n", page.strip() + "\n") for url, page in pages)

"""The site that `make docs` has built: every link leads somewhere, and every public name is on a page of the reference."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
SITE = ROOT / ".build" / "site"
REFERENCE = SITE / "reference"
sys.path.append(str(ROOT / "site"))
from plain import SITE_URL, VERSIONED, raw_text
from python_pages import documented, names_of, public_modules

# rustdoc checks its links itself; those that remain come from the documentation of dependencies, which is not here.
RUSTDOC = REFERENCE / "rust"


# A link from the root leads there, as the server has it.
BASE = urlsplit(SITE_URL).path


@cache
def ids(page: Path) -> set[str]:
    """The places of a page that links can name."""
    return set(map(html.unescape, re.findall(r'\b(?:id|name)="([^"]+)"', page.read_text("utf-8"))))


def arrives(link: str, page: Path, site: Path = SITE) -> bool:
    """Whether a link of a page leads to a file of the site, and to a place of it; true if it leads elsewhere."""
    to = urlsplit(VERSIONED.sub(BASE, link))
    if to.scheme or to.netloc:
        return True
    path = unquote(to.path)
    target = (
        (site / path.removeprefix(BASE).lstrip("/") if path.startswith("/") else page.parent / path) if path else page
    )
    target = target / "index.html" if target.is_dir() else target
    # Markdown has the places of the HTML beside it.
    beside = target.with_suffix(".html")
    places = {to.fragment, unquote(to.fragment)} if beside.is_file() else {""}
    return target.is_file() and ("" in places or bool(places & ids(beside)))


def broken(page: Path, site: Path = SITE) -> list[str]:
    """The links of a page that lead nowhere."""
    text = re.sub(r"<script[^>]*>.*?</script>", "", page.read_text("utf-8"), flags=re.DOTALL)
    links = set(map(html.unescape, re.findall(r'\b(?:href|src)="([^"]*)"', text)))
    return [f"{page.relative_to(site)}: {link}" for link in links if not arrives(link, page, site)]


def test_every_link_leads_somewhere() -> None:
    pages = [page for page in SITE.rglob("*.html") if not page.is_relative_to(RUSTDOC)]
    assert len(pages) > 40
    found = [link for page in pages for link in broken(page)]
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize(
    ("link", "fine"),
    [
        ("other.html", True),
        ("other.html#there", True),
        ("other.html#nowhere", False),
        ("#here", True),
        ("#nowhere", False),
        ("sub/", True),
        ("none.html", False),
        ("https://example.org/none", True),
        (f"{SITE_URL}other.html#there", True),
        (f"{SITE_URL}latest/other.html#there", True),
        (f"{SITE_URL}0.1.x/sub/", True),
        (f"{SITE_URL}latest/other.html#nowhere", False),
        (f"{SITE_URL}latest/none/", False),
        ("/ag-ui-native/other.html", True),
        ("/ag-ui-native/none.html", False),
    ],
)
def test_what_the_check_of_links_finds(link: str, fine: bool, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "index.html").write_text("")
    (tmp_path / "other.html").write_text('<p id="there">')
    page = tmp_path / "page.html"
    page.write_text(f'<p id="here"><a href="{link}">a link</a>')
    assert (not broken(page, tmp_path)) == fine


def text_of(page: Path) -> str:
    """Returns the visible text of a page, without code."""
    content = page.read_text("utf-8").partition("<article")[2].partition("</article>")[0]
    content = re.sub(r"<(pre|code|svg|style)\b.*?</\1>", "`x`", content, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", content))


def raw(page: Path) -> list[str]:
    """Returns the markup of Markdown, or of the repository's site, that a page shows raw."""
    text = text_of(page)
    found = raw_text(text)
    for what in (r"^ *```", r"^ *\|.*\|$", r"^ *#+ ", r"^ *[-*] ", r"\]\(", r"</?(?:details|summary)>", r"<!--"):
        found += re.findall(what, text, re.MULTILINE)
    return [f"{page.relative_to(SITE)}: {each!r}" for each in found]


def test_nothing_is_raw() -> None:
    written = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    pages = [SITE / path.parent / ("" if path.stem == "index" else path.stem) / "index.html" for path in written]
    found = [each for page in pages for each in raw(page)]
    assert not found, "\n".join(found)
    # Folded sections are tabs.
    assert not [page for page in pages if "<details" in page.read_text("utf-8").partition("<article")[2]]


def test_nothing_is_raw_in_the_reference() -> None:
    pages = [page for page in REFERENCE.rglob("*.html") if not page.is_relative_to(RUSTDOC)]
    # Brackets are parts of types there.
    found = [each for page in pages for each in raw(page) if not re.search(r"\[`|\]\(", each)]
    assert not found, "\n".join(found)


def test_modules_lead_to_the_reference() -> None:
    modules = re.findall(r'<td><a href="([^"]*)"><code>', (SITE / "modules" / "index.html").read_text("utf-8"))
    assert len(modules) > 20 and all(link.startswith("../reference/") for link in modules)


def test_no_backslash_is_shown() -> None:
    """The generator of the reference escapes by other rules than those of the site's Markdown."""
    pages = [page for page in SITE.rglob("*.html") if not page.is_relative_to(RUSTDOC)]
    assert not [str(page.relative_to(SITE)) for page in pages if re.search(r"\\[^\w\s]", text_of(page))]


def test_python() -> None:
    modules, places = public_modules(), documented()
    assert len(places) > 200
    for place, found in places.items():
        page = place.rpartition(".")[0]
        assert found in ids(REFERENCE / "python" / page / "index.html"), f"{page}: {found}"
    # Names that other modules define are exported again by a module that has a page.
    values = [getattr(modules[page], name) for page, _, name in (place.rpartition(".") for place in places)]
    for name, module in modules.items():
        missing = [each for each in names_of(module) if not any(getattr(module, each) is value for value in values)]
        assert not missing, f"{name}: {missing}"


def headings(page: Path) -> set[str]:
    found = re.findall(r"<h[1-6][^>]*>(.*?)</h[1-6]>", page.read_text("utf-8"), re.DOTALL)
    return {
        html.unescape(re.sub(r"<[^>]+>|\(\)|¶|&para;", "", each)).strip().removeprefix("abstract ") for each in found
    }


def test_node() -> None:
    script = Path(__file__).with_name("exports.mjs")
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, check=True, timeout=120)
    entrances = json.loads(done.stdout)
    assert len(entrances) > 10 and all(entrances.values())
    for entrance, names in entrances.items():
        shown = headings(REFERENCE / "node" / entrance / "index.html")
        missing = [name for name in names if name not in shown]
        assert not missing, f"{entrance}: {missing}"


def test_rust() -> None:
    lines = (ROOT / "core" / "public-api.txt").read_text("utf-8").splitlines()[1:]
    names = {line.partition(": ")[0] for line in lines}
    assert len(names) > 100
    for name in names:
        *modules, last = name.split("::")
        folder = REFERENCE.joinpath("rust", "ag_ui_native", *modules)
        assert list(folder.glob(f"*.{last}.html")), name

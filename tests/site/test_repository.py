"""Pages as the repository shows them, and PyPI, npm and crates.io: nothing stands there raw, and every link leads somewhere."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from plain import SITE_URL, VERSIONED, anchors, links, raw

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [*ROOT.glob("*.md"), ROOT / "core" / "README.md", *DOCS.rglob("*.md"), *(ROOT / "tests").glob("*/README.md")]
)
# Packages show these, without the files around them: the first on PyPI and npm, the second on crates.io.
ALONE = [ROOT / "README.md", ROOT / "core" / "README.md"]
OWN = re.compile(r"https://github\.com/ag-ui-native/ag-ui-native/(blob|tree|raw)/main(?:/|$)")

# Links to items of the crate, and the crate's public items.
ITEM = re.compile(r"https://docs\.rs/ag-ui-native/.*?/(?:\w+\.)?(\w+)(?:/index)?\.html$")
PUBLIC = (ROOT / "core" / "public-api.txt").read_text("utf-8")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def committed() -> frozenset[Path]:
    """The files that the repository has, or will have with the next commit, and their folders."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    files = {ROOT / path for path in done.stdout.split("\0") if path and (ROOT / path).is_file()}
    return frozenset(files | {folder for file in files for folder in file.parents})


def source(link: str) -> Path | None:
    """The page of docs/ that a page of the built site is made from; None if that page is generated."""
    path = urlsplit(VERSIONED.sub("", link)).path.rstrip("/")
    generated = path.startswith("reference/") or path in ("llms.txt", "llms-full.txt")
    alone, within = DOCS / f"{path or 'index'}.md", DOCS / path / "index.md"
    return None if generated else alone if alone in committed() else within


def target(page: Path, link: str) -> Path | None:
    """The file or folder of the project that a link leads to; None if it leads elsewhere."""
    if VERSIONED.match(link):
        return source(link)
    own = OWN.match(link)
    to = urlsplit(link[own.end() :] if own else link)
    if to.scheme or to.netloc:
        return None
    if not (to.path or own):
        return page
    return ((ROOT if own else page.parent) / unquote(to.path)).resolve()


def dead(page: Path, link: str) -> str | None:
    """Returns why a link leads nowhere; None if it leads somewhere."""
    to, fragment = target(page, link), unquote(urlsplit(link).fragment)
    if to is None:
        item = ITEM.match(link)
        return f"the crate has no {item[1]}" if item and not re.search(rf"\b{item[1]}\b", PUBLIC) else None
    if to != page and to not in committed():
        return f"there is no {link}"
    if (own := OWN.match(link)) and (own[1] == "tree") != to.is_dir():
        return f"{link} is {'a folder, `tree`' if to.is_dir() else 'a file, `blob`'}"
    if fragment and (to.suffix != ".md" or fragment not in anchors(to)):
        return f"{link} has no such place"
    return None


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_nothing_is_raw(page: Path) -> None:
    found = [f"{name(page)}:{line}: {what}" for line, what in raw(page.read_text("utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    found = [f"{name(page)}:{line}: {why}" for line, link in links(page) if (why := dead(page, link))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", ALONE, ids=name)
def test_a_page_of_a_package_stands_alone(page: Path) -> None:
    found = [f"{name(page)}:{line}: {link}" for line, link in links(page) if not link.startswith("https://")]
    assert not found, "\n".join(found)


def test_every_page_is_reached() -> None:
    """The repository has no navigation but the links of pages: what packages link to leads to all of them."""
    ways_in = {target(ROOT / "README.md", link) for _, link in links(ROOT / "README.md")}
    assert DOCS / "index.md" in ways_in
    reached, next_ones = set[Path](), [DOCS / "index.md"]
    while next_ones:
        page = next_ones.pop()
        reached.add(page)
        to = {at for _, link in links(page) if (at := target(page, link)) and at.suffix == ".md"}
        next_ones += to & committed() - reached
    assert {*map(name, DOCS.rglob("*.md"))} <= {*map(name, reached)}
    for manifest in ("pyproject.toml", "node/package.json", "Cargo.toml"):
        assert f'"{SITE_URL}latest/"' in (ROOT / manifest).read_text("utf-8"), manifest


def test_every_module_is_named() -> None:
    """docs/modules.md, in the order of the navigation of the built site."""
    page = (DOCS / "modules.md").read_text("utf-8")
    modules = re.findall(r"^\| \[`([^`]+)`\]\(", page, re.MULTILINE)
    nav = (ROOT / "site" / "mkdocs.yml").read_text("utf-8")
    pages = re.findall(r"reference/(?:python/([\w.]+)\.md|node/((?:adapters/)?[\w-]+)(?:/README)?\.md)", nav)
    shown = [python or ("ag-ui-native" if node == "index" else f"ag-ui-native/{node}") for python, node in pages]
    assert modules == shown


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('=== "Python"\n\n    ```python\n    --8<-- "examples/servers/asgi_server.py"\n    ```\n', "a tab"),
        ('=== "Python"\n\n    ```python\n    --8<-- "examples/servers/asgi_server.py"\n    ```\n', "indented"),
        ('```python\n--8<-- "examples/servers/asgi_server.py"\n```\n', "an inclusion"),
        ('```python title="x.py"\nx\n```\n', "options"),
        ("```rust\n# hidden();\nshown();\n```\n", "rustdoc hides"),
        ("```python\n# A comment.\n```\n", None),
        ("!!! note\n\n    Mind.\n", "an admonition"),
        ('??? tip "Mind"\n', "an admonition"),
        ("> [!NOTE]\n> Mind.\n", "an alert"),
        ("> **Note**: mind.\n", None),
        ("# Title {#place}\n", "an attribute list"),
        ("[x](y.md){: .button }\n", "an attribute list"),
        ("`{...}` and {name} stay.\n", None),
        ("It is :material-check: done.\n", "an icon"),
        ("::: ag_ui_native.stream\n", "mkdocstrings"),
        ("{{ version }}\n", "a macro"),
        ("&lt;!-- code: examples/x.py -->\n", "a comment that is shown"),
        ("```text\n<!-- code: examples/x.py -->\n```\n", "a comment that is shown"),
        ("<!-- code: examples/x.py -->\n```python\n```\n", None),
        ("[TOC]\n", "a table of contents"),
        ("Said[^1].\n", "a footnote"),
        ("Press ++ctrl+c++.\n", "marked text"),
        ("See [`Event`] and [that][here].\n", "not defined"),
        ("See [`Event`].\n\n[`Event`]: https://example.org\n", None),
        ("A List<String> of words.\n", "a tag that is taken out: <String>"),
        ('<div markdown="1">\n', "md_in_html"),
        ("<details>\n<summary>**Python**</summary>\n**bold**\n</details>\n", "without an empty line"),
        ("<details open>\n<summary><b>Python</b></summary>\n\n**bold**\n\n</details>\n<details>\n", None),
        ("| a | b |\n| --- | --- |\n| `x | y` | z |\n", "3 cells in a table of 2"),
        ("| a | b |\n| --- | --- |\n| `x \\| y` | z |\n| | |\n", None),
        ("Write `=== \"Python\"` or `!!! note` or `--8<--` or `[x][y]`.\n", None),
    ],
)  # fmt: skip
def test_what_is_raw(text: str, told: str | None) -> None:
    found = [what for _, what in raw(text)]
    assert any(told in what for what in found) if told else not found


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("index.md", None),
        ("../README.md", None),
        ("../CONTRIBUTING.md#adding-a-page", None),
        ("../CONTRIBUTING.md#no-such-place", "no such place"),
        ("#subagents-1", None),
        ("#subagents-2", "no such place"),
        ("#a--b-options-in-node", None),
        ("#a-b-options-in-node", "no such place"),
        ("#here", None),
        ("reference/python/ag_ui_native.md", "there is no"),
        ("plots/python.svg", None),
        ("../.build/python", "there is no"),
        ("../../elsewhere.md", "there is no"),
        ("https://example.org/none", None),
        ("https://github.com/ag-ui-native/ag-ui-native/issues", None),
        ("https://docs.rs/ag-ui-native/latest/ag_ui_native/stream/struct.EventDecoder.html", None),
        ("https://docs.rs/ag-ui-native/latest/ag_ui_native/stream/struct.NoDecoder.html", "the crate has no NoDecoder"),
        ("https://docs.rs/ag-ui-native/latest/ag_ui_native/types/index.html", None),
        ("https://docs.rs/ag-ui-native/latest/ag_ui_native/no_types/index.html", "the crate has no no_types"),
        ("https://github.com/ag-ui-native/ag-ui-native/blob/main/docs/errors.md#limits", None),
        ("https://github.com/ag-ui-native/ag-ui-native/blob/main/docs/errors.md#none", "no such place"),
        ("https://github.com/ag-ui-native/ag-ui-native/blob/main/docs/none.md", "there is no"),
        (f"{SITE_URL}latest/", None),
        (f"{SITE_URL}latest/errors/#limits", None),
        (f"{SITE_URL}latest/errors/#V13", None),
        (f"{SITE_URL}latest/errors/#none", "no such place"),
        (f"{SITE_URL}latest/none/", "there is no"),
        (f"{SITE_URL}1.x/start/install/", None),
        (f"{SITE_URL}latest/recipes/", None),
        (f"{SITE_URL}latest/reference/python/ag_ui_native.stream/", None),
        ("https://github.com/ag-ui-native/ag-ui-native/blob/main/docs", "a folder"),
        ("https://github.com/ag-ui-native/ag-ui-native/tree/main/docs/", None),
        ("https://github.com/ag-ui-native/ag-ui-native/tree/main", None),
    ],
)
def test_what_is_dead(link: str, told: str | None, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        f'## Subagents\n\n## A & B: *options* in `Node`\n\n## Subagents\n\n<a id="here"></a>\n[x]({link})\n'
    )
    ((_, found),) = links(page)
    why = dead(page if found.startswith("#") else DOCS / "page.md", found)
    assert told in str(why) if told else why is None

"""The site that `make docs` has built, as text: `llms.txt`, `llms-full.txt`, and the Markdown of each page."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from plain import SITE_URL, VERSIONED, links, raw
from test_site import ROOT, SITE, arrives

CONFIG = (ROOT / "site" / "mkdocs.yml").read_text("utf-8")
# What the navigation names, in order.
NAMED = re.findall(r"[:-] (\S+\.(?:md|html))$", CONFIG.partition("\nnav:\n")[2], re.MULTILINE)
LISTED = re.findall(
    rf"^- \[([^\]]+)\]\({re.escape(SITE_URL)}([^)]+)\)(?:: (.*))?$",
    (SITE / "llms.txt").read_text("utf-8"),
    re.MULTILINE,
)
FULL = (SITE / "llms-full.txt").read_text("utf-8")


def text_of(path: str) -> str:
    """Returns where the Markdown of a page stands."""
    page = Path(path)
    if page.suffix == ".html" or page.stem in ("index", "README"):
        return str(page if page.suffix == ".html" else page.with_name("index.md"))
    return str(page.with_suffix("") / "index.md")


def test_the_site_is_where_links_say() -> None:
    assert f"\nsite_url: {SITE_URL}\n" in CONFIG


def test_a_page_has_what_readers_need() -> None:
    (text,) = re.findall(r'<script id="__config"[^>]*>(.*?)</script>', (SITE / "index.html").read_text("utf-8"))
    config = json.loads(text)
    assert {"content.code.copy", "search.highlight", "search.suggest"} <= {*config["features"]}
    assert config["version"]["provider"] == "mike"
    assert '<meta name="description"' in (SITE / "start" / "install" / "index.html").read_text("utf-8")


def test_the_list_has_every_page() -> None:
    assert len(NAMED) > 60 and {path for _, path, _ in LISTED} == {*map(text_of, NAMED)}
    assert len(LISTED) == len(NAMED)
    # rustdoc has no first lines.
    assert [path for _, path, about in LISTED if not about] == [path for path in NAMED if path.endswith(".html")]
    assert not [path for _, path, _ in LISTED if not (SITE / path).is_file()]


def test_the_list_has_the_form_of_llmstxt_org() -> None:
    title, _, summary, _, *lines = (SITE / "llms.txt").read_text("utf-8").splitlines()
    assert title.startswith("# ") and summary.startswith("> ")
    assert [line for line in lines if line.startswith("#")][:3] == ["## Overview", "## Start", "## Guides"]
    assert all(not line or line.startswith(("## ", "- [", "Each link")) for line in lines)


def test_the_file_of_all_pages_has_them_in_order() -> None:
    sources = re.findall(rf"^Source: {re.escape(SITE_URL)}(\S+)$", FULL, re.MULTILINE)
    assert sources == [text_of(path) for path in NAMED if path.endswith(".md")]
    for path in sources:
        title, text = (SITE / path).read_text("utf-8").strip().split("\n", 1)
        assert f"{title}\n\nSource: {SITE_URL}{path}\n{text}\n" in FULL, path


@pytest.mark.parametrize("path", [text_of(path) for path in NAMED if not path.startswith("reference/")])
def test_a_page_is_plain(path: str) -> None:
    page = SITE / path
    assert not [*raw(page.read_text("utf-8"))]
    assert not [link for _, link in links(page) if not link.startswith(("https://", "http://", "#"))]


@pytest.mark.parametrize("path", [text_of(path) for path in NAMED if path.endswith(".md")])
def test_links_of_a_page_arrive(path: str) -> None:
    page = SITE / path
    assert not re.search(r"^::: ", page.read_text("utf-8"), re.MULTILINE)
    assert not [link for _, link in links(page) if not arrives(link, page)]


def test_what_leads_to_the_site_arrives() -> None:
    """From README, the metadata of packages, and sources."""
    listed = ["git", "grep", "-IhoE", rf"{SITE_URL}[^][:space:]\"'`()<>{{}}[]*", "--", ":!tests"]
    found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout.split()
    assert f"{SITE_URL}latest/errors/" in found
    assert not [link for link in sorted({*found}) if not arrives(link.rstrip("."), SITE / "index.html")]
    assert not [link for link in found if not VERSIONED.match(link)]

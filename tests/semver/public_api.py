"""Compares the crate's public items with a committed list, so that none is removed or changed unnoticed.

`make lint` compares, `make public-api` writes. The list is read from the output of `cargo doc`: the declaration of
every documented item, its methods and constants, its traits. Items that are hidden from the documentation are not
promised. Once a version is released (its heading in CHANGELOG.md no longer says "unreleased"), a line may be
removed only with a version that may break.
"""

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "target/doc/ag_ui_native"
LIST = ROOT / "core/public-api.txt"
VERSION = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
# Traits that a type gets automatically, and that users rely on.
AUTO_TRAITS = ("Send", "Sync", "Unpin")


def text(markup: str) -> str:
    """Returns the visible text of a piece of HTML, on one line."""
    plain = html.unescape(re.sub(r"<[^>]+>", "", markup)).replace("ⓘ", "")
    return re.sub(r"\s+", " ", plain).strip()


def section(page: str, name: str) -> str:
    """The part of a page behind this heading."""
    _, _, behind = page.partition(f'<h2 id="{name}"')
    return behind.partition('<h2 id="')[0]


def lines_of(page: str) -> Iterator[str]:
    declaration = text(page.partition('<pre class="rust item-decl">')[2].partition("</pre>")[0])
    # A member or variant more is a line more.
    yield declaration.partition(" {")[0].replace("]pub", "] pub")
    for member in (
        '<section id="variant.[^>]*>.*?<h3 class="code-header">(.*?)</h3>',
        '<span id="structfield.[^>]*>.*?<code>(.*?)</code>',
    ):
        yield from map(text, re.findall(member, page, re.DOTALL))
    for name in ("implementations", "required-methods", "provided-methods"):
        yield from map(text, re.findall(r'<h4 class="code-header">(.*?)</h4>', section(page, name), re.DOTALL))
    headers = '<h3 class="code-header">(.*?)</h3>'
    for header in map(text, re.findall(headers, section(page, "trait-implementations"), re.DOTALL)):
        if "StructuralPartialEq" not in header:
            yield header
    for header in map(text, re.findall(headers, section(page, "synthetic-implementations"), re.DOTALL)):
        if re.match(rf"impl(<.*>)? ({'|'.join(AUTO_TRAITS)}) for ", header):
            yield header


def public_api() -> list[str]:
    index = (DOCS / "all.html").read_text()
    found = set()
    for path, name in re.findall(r'<li><a href="([^"]+)">([^<]+)</a></li>', index):
        found.update(f"{name}: {line}" for line in lines_of((DOCS / path).read_text()) if line)
    assert len(found) > 500, f"the documentation was read: {len(found)} lines"
    return sorted(found)


def may_break(old: str, new: str) -> bool:
    """Returns True if the new version may lack items of the old one: another major, or before 1.0 another minor."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    old_parts, new_parts = old.split("."), new.split(".")
    kept = 1 if old_parts[0] != "0" else 2
    return f"## {old}, unreleased" in changelog or old_parts[:kept] != new_parts[:kept]


def main() -> str | None:
    heading, *known = LIST.read_text().splitlines() if LIST.exists() else [VERSION]
    found = public_api()
    gone, new = sorted(set(known) - set(found)), sorted(set(found) - set(known))
    changes = "\n".join([f"- {line}" for line in gone] + [f"+ {line}" for line in new])
    if gone and not may_break(heading, VERSION):
        return f"{changes}\n{len(gone)} public lines of {heading} are gone or changed: {VERSION} may not break programs"
    if "--write" in sys.argv:
        LIST.write_text("\n".join([VERSION, *found]) + "\n")
        return None
    return (
        f"{changes}\n{LIST.relative_to(ROOT)} is stale: look at the difference, then `make public-api`"
        if changes
        else None
    )


if __name__ == "__main__":
    sys.exit(main())

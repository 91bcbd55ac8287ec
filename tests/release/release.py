"""A release: one version, and its changes.

`release.py check` fails if a file names another version than Cargo.toml, and with `--tag v1.2.3` also if the tag does, or if the changelog
still calls the version unreleased. `release.py notes` prints the version's section of the changelog, and
`release.py floors` the oldest packages that the Python package promises to work with, and `release.py peers` those of the Node
package.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A date, once it is out.
HEADING = re.compile(r"^## (\S+), (unreleased|\d{4}-\d\d-\d\d)$", re.MULTILINE)
REPOSITORY = "https://github.com/ag-ui-native/ag-ui-native"
CRATES = ("ag-ui-native", "ag-ui-native-python", "ag-ui-native-node")


def version(root: Path = ROOT) -> str:
    """Returns the version that all others must equal."""
    workspace: str = tomllib.loads((root / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]["version"]
    return workspace


def named(root: Path) -> Iterator[tuple[str, object]]:
    """Yields every place that names the version, and the version there."""
    cargo = tomllib.loads((root / "Cargo.toml").read_text("utf-8"))
    yield "Cargo.toml, workspace.dependencies", cargo["workspace"]["dependencies"]["ag-ui-native"]["version"]
    locked = {
        package["name"]: package["version"]
        for package in tomllib.loads((root / "Cargo.lock").read_text("utf-8"))["package"]
    }
    yield from (("Cargo.lock, " + crate, locked.get(crate)) for crate in CRATES)
    yield "node/package.json", json.loads((root / "node/package.json").read_text("utf-8"))["version"]
    heading = HEADING.search((root / "CHANGELOG.md").read_text("utf-8"))
    yield "CHANGELOG.md, first heading", heading and heading[1]
    python = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    # maturin takes it from Cargo.
    if "version" in python or "version" not in python["dynamic"]:
        yield "pyproject.toml", python.get("version")
    for crate in ("core", "python", "node"):
        package = tomllib.loads((root / crate / "Cargo.toml").read_text("utf-8"))["package"]
        if package["version"] != {"workspace": True}:
            yield f"{crate}/Cargo.toml", package["version"]


def faults(root: Path = ROOT, tag: str | None = None) -> list[str]:
    """Returns the places that do not agree with the version in Cargo.toml."""
    expected = version(root)
    found = [f"{place} says {said}, Cargo.toml {expected}" for place, said in named(root) if said != expected]
    if tag is not None:
        if tag != f"v{expected}":
            found.append(f"the tag is {tag}, it should be v{expected}")
        if re.search(
            rf"^## {re.escape(expected)}, unreleased$", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
        ):
            found.append(f"CHANGELOG.md calls {expected} unreleased: give its heading the date")
    return found


def notes(root: Path = ROOT) -> str:
    """Returns the section of the changelog about the version. A release has no files beside it, so links lead to the
    files of its tag.
    """
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    headings = [*HEADING.finditer(changelog)]
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading[1] == version(root):
            section = changelog[heading.end() : following.start() if following else None].strip()
            return re.sub(r"\]\((?=[\w.])(?!\w+:)", f"]({REPOSITORY}/blob/v{version(root)}/", section)
    raise SystemExit(f"CHANGELOG.md says nothing about {version(root)}")


def floors(root: Path = ROOT) -> list[str]:
    """The oldest of each package that an extra of the Python package names, as requirements."""
    extras = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    found = [re.fullmatch(r"(\w+)>=([\d.]+)", name) for names in extras.values() for name in names]
    return [f"{name[1]}=={name[2]}.*" for name in found if name]


def peers(root: Path = ROOT) -> list[str]:
    """The oldest of each package that the Node package names as a peer, as npm installs it."""
    ranges = json.loads((root / "node/package.json").read_text("utf-8"))["peerDependencies"]
    return [f"{name}@{allowed.lstrip('^>=')}" for name, allowed in ranges.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check").add_argument("--tag")
    commands.add_parser("notes")
    commands.add_parser("floors")
    commands.add_parser("peers")
    options = parser.parse_args()
    if options.command == "notes":
        print(notes())
    elif options.command == "floors":
        print("\n".join(floors()))
    elif options.command == "peers":
        print("\n".join(peers()))
    elif found := faults(tag=options.tag):
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()

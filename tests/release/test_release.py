"""Versions agree, and the changelog's section becomes the release's text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from release import ROOT, faults, notes, version

FILES = (
    "Cargo.toml", "Cargo.lock", "CHANGELOG.md", "pyproject.toml", "node/package.json", "core/Cargo.toml", "python/Cargo.toml",
    "node/Cargo.toml",
)  # fmt: skip


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files of this project that name a version."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_every_file_names_the_version_of_the_workspace() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("Cargo.toml", f'core", version = "{version()}"', 'core", version = "9.0.0"'),
        (
            "Cargo.lock",
            f'name = "ag-ui-native-node"\nversion = "{version()}"',
            'name = "ag-ui-native-node"\nversion = "9.0.0"',
        ),
        ("node/package.json", f'"version": "{version()}"', '"version": "9.0.0"'),
        ("CHANGELOG.md", f"## {version()}, ", "## 9.0.0, "),
        ("pyproject.toml", 'dynamic = ["version"]', 'version = "9.0.0"\ndynamic = []'),
        ("core/Cargo.toml", "version.workspace = true", 'version = "9.0.0"'),
    ],
)
def test_another_version_is_found(copy: Path, name: str, old: str, new: str) -> None:
    assert faults(copy) == []
    replace(copy / name, old, new)
    (fault,) = faults(copy)
    assert fault.startswith(name) and "9.0.0" in fault


def test_a_version_raised_in_one_place_only_is_found_everywhere_else(copy: Path) -> None:
    replace(copy / "Cargo.toml", f'version = "{version()}"', 'version = "9.0.0"')
    assert [fault.split(",")[0].split(" says")[0] for fault in faults(copy)] == [
        "Cargo.toml", "Cargo.lock", "Cargo.lock", "Cargo.lock", "node/package.json", "CHANGELOG.md",
    ]  # fmt: skip


def changelog(root: Path, *headings: str) -> None:
    text = "".join(f"\n## {heading}\n\n- What {heading} brings.\n  ## no heading\n" for heading in headings)
    (root / "CHANGELOG.md").write_text(f"# Changelog\n{text}", "utf-8")


def test_a_tag_is_the_version_and_the_changelog_has_its_date(copy: Path) -> None:
    changelog(copy, f"{version()}, unreleased")
    assert faults(copy) == []
    (fault,) = faults(copy, f"v{version()}")
    assert "unreleased" in fault
    changelog(copy, f"{version()}, 2031-02-03", "0.0.9, unreleased")
    assert faults(copy, f"v{version()}") == []
    (fault,) = faults(copy, version())
    assert fault == f"the tag is {version()}, it should be v{version()}"


def test_the_notes_are_one_section(copy: Path) -> None:
    older = ("0.0.9, 2030-01-01", "0.0.8, 2029-01-01")
    for headings in [(f"{version()}, 2031-02-03", *older), (*older, f"{version()}, unreleased")]:
        changelog(copy, *headings)
        said = next(heading for heading in headings if heading.startswith(version()))
        assert notes(copy) == f"- What {said} brings.\n  ## no heading"
    changelog(copy, *older)
    with pytest.raises(SystemExit, match=version()):
        notes(copy)


def test_links_of_the_notes_lead_to_the_tag(copy: Path) -> None:
    text = f"## {version()}, unreleased\n\n- [a](docs/a.md#b), [b](https://example.org/b), [c](mailto:c@d.e), [d](.github/e)\n"
    (copy / "CHANGELOG.md").write_text(text, "utf-8")
    at = f"https://github.com/ag-ui-native/ag-ui-native/blob/v{version()}"
    assert notes(copy) == f"- [a]({at}/docs/a.md#b), [b](https://example.org/b), [c](mailto:c@d.e), [d]({at}/.github/e)"
    assert not [link for link in re.findall(r"\]\(([^)]*)\)", notes()) if not link.startswith("https://")]


def test_the_notes_of_this_version_say_something() -> None:
    assert notes().startswith("- ")

"""Versions of the site, as `mike` writes them onto a branch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "site"))
from publish import deployed


def versions(*names: str) -> list[dict[str, Any]]:
    return [{"version": name, "title": name, "aliases": []} for name in names]


@pytest.mark.parametrize(
    ("ref", "there", "arguments"),
    [
        ("main", [], ["dev", "latest"]),
        ("main", ["dev"], ["dev", "latest"]),
        ("main", ["0.1.x", "dev"], ["dev"]),
        ("v0.1.0", ["dev"], ["--title", "0.1.0", "0.1.x", "latest"]),
        ("v0.1.7", ["0.1.x", "dev"], ["--title", "0.1.7", "0.1.x", "latest"]),
        ("v0.10.0", ["0.9.x"], ["--title", "0.10.0", "0.10.x", "latest"]),
        ("v1.2.3", ["0.10.x", "1.x", "dev"], ["--title", "1.2.3", "1.x", "latest"]),
        ("v0.10.1", ["0.10.x", "1.x"], ["--title", "0.10.1", "0.10.x"]),
        ("v9.0.0", ["10.x"], ["--title", "9.0.0", "9.x"]),
    ],
)
def test_what_is_deployed(ref: str, there: list[str], arguments: list[str]) -> None:
    assert deployed(ref, versions(*there)) == arguments


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_site_grows(tmp_path: Path) -> None:
    config = tmp_path / "mkdocs.yml"
    config.write_text("site_name: A site\nsite_url: https://example.org/a/\nplugins: [mike]\n", "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / ".gitignore").write_text("site\n", "utf-8")
    for command in ("init -q", "config user.name Name", "config user.email name@example.org"):
        run(tmp_path, "git", *command.split())

    def published(ref: str) -> dict[str, list[str]]:
        (tmp_path / "docs" / "index.md").write_text(f"# A page\n\nThis is {ref}.\n", "utf-8")
        run(tmp_path, "git", "add", "--all")
        run(tmp_path, "git", "commit", "-q", "-m", ref)
        python = ROOT / ".build" / "docs" / "bin" / "python"
        run(tmp_path, str(python), str(ROOT / "site" / "publish.py"), "--config", str(config), ref)
        listed = json.loads(run(tmp_path, "git", "show", "gh-pages:versions.json"))
        return {each["version"]: each["aliases"] for each in listed}

    def shown(version: str) -> str:
        return run(tmp_path, "git", "show", f"gh-pages:{version}/index.html")

    assert published("main") == {"dev": ["latest"]}
    assert "This is main." in shown("dev") and 'href="https://example.org/a/dev/"' in shown("dev")
    assert published("v0.1.0") == {"0.1.x": ["latest"], "dev": []}
    assert published("main") == {"0.1.x": ["latest"], "dev": []}
    assert published("v1.0.0") == {"1.x": ["latest"], "0.1.x": [], "dev": []}
    assert published("v0.1.1") == {"1.x": ["latest"], "0.1.x": [], "dev": []}
    assert "This is v0.1.1." in shown("0.1.x") and "This is v1.0.0." in shown("1.x")
    assert run(tmp_path, "git", "show", "gh-pages:latest") == "1.x"
    assert "latest/" in run(tmp_path, "git", "show", "gh-pages:index.html")

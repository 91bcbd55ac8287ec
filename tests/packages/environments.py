"""Interpreters, and empty environments whose packages come only from folders."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"

# Nothing of this process's settings counts, and no tool of the project is at hand: only Rust and what every system has.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "PIP_NO"))}
CLEAN["PATH"] = f"{Path(shutil.which('cargo') or '/').parent}:/usr/bin:/bin"


def interpreter(version: str) -> str | None:
    """A CPython of this version, if there is one that starts."""
    found = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    for candidate in (shutil.which(f"python{version}"), *map(str, found)):
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """Returns the output of a command. Raises an error with the output if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=CLEAN | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def download(python: str, folder: Path, *requirements: str) -> None:
    """Downloads wheels for an interpreter into a folder, with their dependencies."""
    run(
        python,
        "-m",
        "pip",
        "download",
        "-q",
        "--disable-pip-version-check",
        "--only-binary=:all:",
        "-d",
        folder,
        *requirements,
    )


def environment(python: str, path: Path, folder: Path, *requirements: str) -> Path:
    """The interpreter of a new environment with these requirements, installed from dist/ and a folder, without a network."""
    run(python, "-m", "venv", path)
    inside = path / "bin/python"
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": f"{DIST} {folder}", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    # Nothing that was built of an earlier package of the same name.
    run(inside, "-m", "pip", "install", "-q", "--no-cache-dir", *requirements, **offline)
    return inside

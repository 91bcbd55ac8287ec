"""Programs in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path


def run(program: str, *arguments: str, directory: Path | None = None, **environment: str) -> str:
    """Returns the output of a program; it must succeed, without a warning."""
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(program), *arguments]
    return output(command, directory, **environment)


def output(command: list[str], directory: Path | None = None, **environment: str) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        env={**os.environ, **environment},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.strip()


def write(directory: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(textwrap.dedent(text))

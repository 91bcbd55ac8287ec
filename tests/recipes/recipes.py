"""Runs the programs of `examples/recipes` as they stand, in Python and in Node."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from example_files import example
from listening import listening

RUNNERS = {"py": [sys.executable], "mjs": ["node"]}
EACH = pytest.mark.parametrize("language", RUNNERS)
"""In Python, and in Node."""


def pairs(test: Callable[..., None]) -> Callable[..., None]:
    """Runs a test with the servers of both languages, and with the clients of both."""
    return pytest.mark.parametrize("server", RUNNERS)(pytest.mark.parametrize("client", RUNNERS)(test))


def command(name: str, *arguments: str) -> list[str]:
    path = example(f"examples/recipes/{name}")
    assert len(path.read_text("utf-8").splitlines()) <= 60, "a recipe is read on a screen"
    return [*RUNNERS[path.suffix[1:]], str(path), *arguments]


@contextmanager
def serving(name: str, **environment: str) -> Iterator[str]:
    """Runs a server, and yields its address."""
    with pytest.MonkeyPatch.context() as patch:
        for key, value in environment.items():
            patch.setenv(key, value)
        with listening(lambda port: command(name)) as url:
            yield url


def printed(name: str, url: str, *arguments: str, status: int = 0, **environment: str) -> str:
    """Returns what a program prints that ends with this status."""
    done = subprocess.run(
        command(name, *arguments),
        env={**os.environ, "URL": url, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout

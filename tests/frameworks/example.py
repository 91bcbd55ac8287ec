"""Runs a program of examples/ that serves a framework, and talks to it over a socket."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from scenarios import request

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def programs(framework: str) -> list[Path]:
    """Returns the programs that serve a framework: its adapter alone, and behind a server of this package."""
    places = (EXAMPLES / f"servers/{framework}_server.py", EXAMPLES / f"recipes/adapter_{framework}.py")
    return [place for place in places if place.exists()]


def free_port() -> int:
    """Returns a port at which no server listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def ask(port: int, process: subprocess.Popen[str]) -> tuple[str, bytes]:
    """Content type and body of the answer, as soon as the server is up."""
    body = json.dumps(request("hello")).encode()
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/", body, {"content-type": "application/json"})
    until = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(asked, timeout=60) as response:
                return response.headers["content-type"], response.read()
        except ConnectionError as error:
            failed: Any = error
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
            failed = error
        if process.poll() is not None or time.monotonic() > until:
            raise failed
        time.sleep(0.1)


def run(program: Path, python: str = sys.executable, **environment: str) -> tuple[str, bytes]:
    """Returns the answer of a program."""
    port = free_port()
    variables = {**os.environ, **environment, "PORT": str(port)}
    with subprocess.Popen([python, str(program)], env=variables, stderr=subprocess.PIPE, text=True) as process:
        try:
            return ask(port, process)
        except Exception as error:
            process.kill()
            assert process.stderr is not None
            raise AssertionError(process.stderr.read()[-4000:]) from error
        finally:
            process.terminate()

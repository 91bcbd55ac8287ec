"""Programs that listen at a port."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

TRIES = 3
"""Suites run at the same time: another program may take a port that was free."""


@contextmanager
def listening(command_at: Callable[[int], list[str]], log: int | None = None, cwd: Path | None = None) -> Iterator[str]:
    """Runs a program until the block ends, in the folder `cwd`; yields its address. It reads its port from the environment,
    or has it in its command.
    """
    for left in reversed(range(TRIES)):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen(command_at(port), env={**os.environ, "PORT": str(port)}, stderr=log, cwd=cwd)
        try:
            if _listens(process, port):
                yield f"http://127.0.0.1:{port}"
                return
            assert left, "the server ended"
        finally:
            process.terminate()
            process.wait()


def _listens(process: subprocess.Popen[bytes], port: int) -> bool:
    """Waits until it does; False if it has ended before."""
    for _ in range(300):
        if process.poll() is not None:
            return False
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                # Another program may listen at the port: then this one has failed to bind it, and ends.
                return process.poll() is None
        time.sleep(0.1)
    raise AssertionError("the server does not listen")

"""The engines of the processes under test: files of SQLite, and Redis servers of the tests' own that can be killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

PATIENCE = 60.0
"""Seconds after which something that should have happened has not."""


def until(condition: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Waits for a condition, and returns its value."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < deadline, "it has not happened"
        time.sleep(0.005)
    return value


class RedisServer:
    """A Redis server on a free port, whose files outlive it. `REDIS_SERVER` names another program."""

    def __init__(self, folder: Path, *options: str) -> None:
        program = shutil.which(os.environ.get("REDIS_SERVER", "redis-server"))
        assert program, "`redis-server` is needed: install it, on Debian by `apt-get install redis-server`"
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.folder = folder
        self.url = f"redis://127.0.0.1:{self.port}"
        self.client = Redis.from_url(self.url)
        places = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder)]
        self._command = [program, *places, "--save", "", "--maxmemory-policy", "noeviction", *options]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until(self._answers)

    def kill(self) -> None:
        """Ends the server as a crash does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self.client.close()

    def _answers(self) -> bool:
        with suppress(RedisError):
            return bool(self.client.ping())
        return False


@contextmanager
def redis_server(*options: str) -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="ag-ui-redis-") as folder:
        server = RedisServer(Path(folder), *options)
        try:
            yield server
        finally:
            server.kill()


@contextmanager
def place_of(engine: str) -> Iterator[str]:
    """The place of logs that no other test has."""
    if engine == "redis":
        with redis_server() as server:
            yield server.url
    else:
        with tempfile.TemporaryDirectory(prefix="ag-ui-faults-") as folder:
            yield f"{folder}/runs.db"

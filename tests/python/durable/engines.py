"""The engines under test, with a Redis server of the tests' own."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ag_ui_native.durable import Log, MemoryLog, RedisLog, SQLiteLog
from servers import until
from toy_log import ToyLog

ENGINES = ("memory", "sqlite", "redis", "custom", "toy")


class ForwardingLog(Log):
    """An engine as an application writes it: JSON objects in and out. It counts its operations, and fails at will."""

    def __init__(self, log: Log | None = None) -> None:
        self.log = log or MemoryLog()
        self.operations: list[str] = []
        self.fails: Callable[[str], bool] = lambda operation: False
        self.has_hints = True

    async def execute(self, operation: dict[str, Any]) -> dict[str, Any]:
        self.operations.append(operation["operation"])
        if self.fails(operation["operation"]):
            raise ConnectionError("the engine is down")
        return await self.log.execute(operation)

    def watch(self, key: dict[str, Any], callback: Callable[[dict[str, Any]], object]) -> Callable[[], object]:
        return self.log.watch(key, callback) if self.has_hints else lambda: None


@contextmanager
def redis_server(*options: str) -> Iterator[str]:
    """Starts a Redis server, and yields its URL."""
    program = shutil.which("redis-server")
    assert program, "`redis-server` is needed: install it, on Debian by `apt-get install redis-server`"
    with tempfile.TemporaryDirectory(prefix="ag-ui-redis-") as folder:
        path = Path(folder, "socket")
        command = [program, "--port", "0", "--save", "", "--unixsocket", str(path), "--dir", folder, *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            until(path.exists)
            yield f"unix://{path}"
        finally:
            process.kill()
            process.wait()


@cache
def redis_url() -> str:
    """The URL of a server that all tests share."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(redis_server())


@contextmanager
def shared_logs(name: str) -> Iterator[Callable[[], Log]]:
    """Yields a function that makes logs with the same runs, as in several processes if the engine outlives one."""
    with tempfile.TemporaryDirectory(prefix="ag-ui-logs-") as folder:
        if name == "redis":
            prefix = f"{uuid.uuid4()}:"
            yield lambda: RedisLog(redis_url(), prefix=prefix)
        elif name == "sqlite":
            yield lambda: SQLiteLog(Path(folder, "runs.db"))
        else:
            log = {"memory": MemoryLog, "custom": ForwardingLog, "toy": ToyLog}[name]()
            yield lambda: log

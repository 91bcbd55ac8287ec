"""The engines under test, with a Redis server of the tests' own."""

from __future__ import annotations

import atexit
import os
import random
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from redis import Redis

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
    """Starts a Redis server, and yields its URL. `REDIS_SERVER` names another program."""
    program = shutil.which(os.environ.get("REDIS_SERVER", "redis-server"))
    assert program, "`redis-server` is needed: install it, on Debian by `apt-get install redis-server`"
    with tempfile.TemporaryDirectory(prefix="ag-ui-redis-") as folder:
        path = Path(folder, "socket")
        command = [program, "--port", "0", "--save", "", "--unixsocket", str(path), "--dir", folder, *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            until(lambda: _accepts(path))
            yield f"unix://{path}"
        finally:
            process.kill()
            process.wait()


def _accepts(path: Path) -> bool:
    """True if a server listens at a socket: its file is there some moments before."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        return True
    return False


@contextmanager
def redis_cluster(count: int = 3) -> Iterator[list[int]]:
    """Starts a cluster of Redis, and yields the ports of its nodes, which share the slots."""
    with ExitStack() as stack:
        ports = [free_port() for _ in range(count)]
        own = ("--bind", "127.0.0.1", "--cluster-enabled", "yes")
        urls = [stack.enter_context(redis_server("--port", str(port), *own)) for port in ports]
        nodes = [Redis.from_url(url, decode_responses=True) for url in urls]
        for at, node in enumerate(nodes):
            node.execute_command("CLUSTER SET-CONFIG-EPOCH", at + 1)
            node.execute_command("CLUSTER ADDSLOTS", *range(at * 16384 // count, (at + 1) * 16384 // count))
            if at > 0:
                node.execute_command("CLUSTER MEET", "127.0.0.1", ports[0])
        wanted = {"cluster_state": "ok", "cluster_slots_assigned": "16384", "cluster_known_nodes": str(count)}
        until(lambda: all(wanted.items() <= node.cluster("INFO").items() for node in nodes))
        for node in nodes:
            node.close()
        yield ports


def free_port() -> int:
    """A port that is free, as is the one of the nodes among themselves. Systems give ports above 32768 to any connection, so one
    that is free now might be taken before its server starts.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 20_000)
        with (
            suppress(OSError),
            socket.create_server(("127.0.0.1", port)),
            socket.create_server(("127.0.0.1", port + 10_000)),
        ):
            return port


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

"""A Redis server of the benchmark's own, and what it says about itself."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis as redis_package


@contextmanager
def redis_server() -> Iterator[str]:
    """Starts a Redis server on a free port, and yields its URL."""
    program = shutil.which("redis-server")
    assert program, "`redis-server` is needed: install it, on Debian by `apt-get install redis-server`"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="ag-ui-redis-") as folder:
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            try:
                while True:
                    try:
                        socket.create_connection(("127.0.0.1", port)).close()
                        break
                    except ConnectionError:
                        time.sleep(0.01)
                yield f"redis://127.0.0.1:{port}"
            finally:
                process.kill()


class Observer:
    """Asks a Redis server about itself."""

    def __init__(self, url: str) -> None:
        self.client = redis_package.Redis.from_url(url)

    def cpu(self) -> float:
        """Its CPU time so far, in microseconds."""
        info = self.client.info("cpu")
        return (info["used_cpu_user"] + info["used_cpu_sys"]) * 1e6

    def reset(self) -> None:
        self.client.config_resetstat()

    def script(self) -> float:
        """The mean time of a script since `reset`, in microseconds."""
        stats = self.client.info("commandstats")
        return float(stats["cmdstat_evalsha"]["usec_per_call"])

    def connections(self) -> int:
        """The connections of others."""
        return int(self.client.info("clients")["connected_clients"]) - 1

    def stream_bytes(self) -> int:
        """The memory of the only stream, with all of its nodes."""
        (stream,) = self.client.scan_iter(match="*", count=1000, _type="STREAM")
        return int(self.client.memory_usage(stream, samples=0))

    def empty(self) -> None:
        self.client.flushdb()

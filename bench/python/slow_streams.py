"""Many slow clients of one server process: measures the memory for a stream, and checks that every client is served.

``python bench/python/slow_streams.py [STREAMS] [SECONDS]``; ``slow_streams.mjs`` does it for Node. Linux only: it
reads /proc.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import uvicorn

from ag_ui_native.server import Run, asgi_app
from ag_ui_native.server.outlet import Outlet

STREAMS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
SECONDS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
PIECE = "a kilobyte of text " * 54


async def read(path: str) -> None:
    """Runs clients that read a little, then pause. Unix sockets buffer less than TCP sockets."""
    body = b'{"threadId":"t","runId":"r","messages":[]}'
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)

    async def client() -> None:
        reader, writer = await asyncio.open_unix_connection(path, limit=4096)
        writer.write(head + body)
        while await reader.read(4096):
            await asyncio.sleep(0.1)

    await asyncio.gather(*(client() for _ in range(STREAMS)))


async def serve() -> None:
    written: list[int] = []
    outlets: list[Outlet] = []
    transports: set[Any] = set()

    async def agent(run: Run) -> None:
        index = len(written)
        written.append(0)
        outlets.append(run._outlet)
        async with run.text_message() as message:
            while True:
                await message.write(PIECE)
                written[index] += 1

    path = str(Path(tempfile.mkdtemp()) / "socket")
    config = uvicorn.Config(asgi_app(agent), uds=path, backlog=STREAMS, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    before = memory()
    environment = {**os.environ, "SOCKET": path}
    client = await asyncio.create_subprocess_exec(sys.executable, __file__, str(STREAMS), str(SECONDS), env=environment)
    await asyncio.sleep(SECONDS)
    after = memory()
    for connection in server.server_state.connections:
        transports.add(connection.transport)  # type: ignore[union-attr]  # It is connected.
    waiting = [transport.get_write_buffer_size() for transport in transports]
    counts = sorted(written)
    print(f"{len(counts)} streams for {SECONDS} s, {type(asyncio.get_running_loop()).__module__}")
    print(
        f"memory per stream: {(after - before) / len(counts) / 1024:.1f} KiB ({after / (1 << 20):.0f} MiB in all);"
        f" most that waits: {max(waiting)} bytes, and {max(outlet.waiting for outlet in outlets)} in a run"
    )
    print(f"pieces per stream: least {counts[0]}, median {median(counts):g}, most {counts[-1]}")
    sys.stdout.flush()
    client.kill()
    os._exit(0 if serving else 1)


def memory() -> int:
    """Returns the memory of the process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    asyncio.run(read(os.environ["SOCKET"]) if "SOCKET" in os.environ else serve())

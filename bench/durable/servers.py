"""Servers with logs, as processes: `servers.py REDIS_URL FOLDER` serves one agent with each engine, and prints its port."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ag_ui_native.server import Run

ENGINES = ("none", "memory", "SQLite", "Redis")
HERE = Path(__file__).parent
COMMANDS = {"Python": [sys.executable, str(HERE / "servers.py")], "Node": ["node", str(HERE / "servers.mjs")]}
TOKEN = "word"
PATIENCE = 60.0


class Server:
    """A server of another process."""

    def __init__(self, port: int) -> None:
        self.port = port

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def cpu(self) -> float:
        """The CPU time of the process so far, in microseconds."""
        with self.connect() as connection:
            connection.sendall(request("GET", "/cpu"))
            return float(rest(connection).rpartition(b"\r\n\r\n")[2])


@contextmanager
def serving(language: str, redis: str, folder: str) -> Iterator[Server]:
    """Starts a server. Those with the same Redis and folder have the same runs."""
    command = [*COMMANDS[language], redis, folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Server(int(process.stdout.readline()))
        finally:
            process.kill()


def request(method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAG-UI-Resume: 1\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    return f"{head}\r\n".encode() + content


def started(engine: str, run: str, tokens: int, pause: float | None = 0.0) -> bytes:
    """The request that starts a run of so many tokens, with this pause behind each, in seconds; None: without a turn of
    the event loop.
    """
    asked = {"tokens": tokens, "pause": pause}
    body = {"threadId": run, "runId": run, "messages": [], "tools": [], "context": [], "forwardedProps": asked}
    return request("POST", f"/{engine}", {**body, "state": {}})


def rest(connection: socket.socket, received: bytes = b"") -> bytes:
    pieces = [received]
    while piece := connection.recv(1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


async def agent(run: Run[Any]) -> None:
    """Each token has the time at which it was written, for those who read it elsewhere."""
    asked = run.input.forwarded_props
    pause = asked["pause"]
    async with run.text_message() as message:
        for _ in range(asked["tokens"]):
            await message.write(TOKEN if pause is None else f"<{time.monotonic():.6f}>")
            if pause is not None:
                await asyncio.sleep(pause)


def main(redis: str, folder: str) -> None:
    import uvicorn

    from ag_ui_native.durable import Log, MemoryLog, RedisLog, SQLiteLog
    from ag_ui_native.server import asgi_app

    logs: dict[str, Log] = {
        "memory": MemoryLog(),
        "SQLite": SQLiteLog(Path(folder, "runs.db")),
        "Redis": RedisLog(redis),
    }
    apps = {name: asgi_app(agent, log=log, authorize="public") for name, log in logs.items()}
    apps["none"] = asgi_app(agent)

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        name = scope["path"].strip("/")
        if name in apps:
            return await apps[name](scope, receive, send)
        spent = b"%d" % (time.process_time() * 1e6)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(spent))]})
        await send({"type": "http.response.body", "body": spent})

    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        print(listener.getsockname()[1], flush=True)
        config = uvicorn.Config(app, log_level="critical", lifespan="off")
        asyncio.run(uvicorn.Server(config).serve([listener]))


if __name__ == "__main__":
    main(*sys.argv[1:])

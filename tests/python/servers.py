"""Servers on loopback, and clients that read, stop reading, read slowly and disconnect."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import uvicorn

PATIENCE = 30.0
"""Seconds after which something that should have happened has not."""


@contextlib.contextmanager
def asgi_server(app: Any, **options: Any) -> Iterator[int]:
    """Serves an ASGI application with uvicorn and yields the port."""
    config = uvicorn.Config(app, port=0, log_level="critical", lifespan="on", timeout_graceful_shutdown=5, **options)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
        thread.start()
        try:
            until(lambda: server.started)
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


class _ThreadingServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Does not report clients that disconnect."""


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nor is anything else."""

    def get_stderr(self) -> Any:
        return io.StringIO()


@contextlib.contextmanager
def wsgi_server(app: Any) -> Iterator[int]:
    """Serves a WSGI application and yields the port."""
    server = make_server("127.0.0.1", 0, app, server_class=_ThreadingServer, handler_class=_Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class Answer:
    """The answer of a server."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def connect(port: int, request: dict[str, Any], *, whole: bool = True) -> socket.socket:
    """Sends a request, or its first half."""
    body = request["body"].encode()
    lines = [f"{request['method']} / HTTP/1.1", "host: localhost", "connection: close"]
    lines += [f"{name}: {value}" for name, value in request["headers"].items()]
    if request.get("chunked"):
        lines.append("transfer-encoding: chunked")
        half = len(body) // 2
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:half], body[half:])) + b"0\r\n\r\n"
    elif body or request["method"] == "POST":
        lines.append(f"content-length: {len(body)}")
    client = socket.socket()
    # A window of known size: the server keeps the data that is not read.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 18)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", port))
    client.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + (body if whole else body[: len(body) // 2]))
    return client


def read_answer(client: socket.socket) -> Answer:
    """Reads to the end."""
    received = bytearray()
    while piece := client.recv(1 << 16):
        received += piece
    return parse_answer(bytes(received))


def parse_answer(received: bytes) -> Answer:
    """Returns an answer from the received bytes."""
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
    if headers.get("transfer-encoding") == "chunked":
        pieces, at = [], 0
        while at < len(body):
            end = body.find(b"\r\n", at)
            if end < 0:
                break
            length = int(body[at:end], 16)
            pieces.append(body[end + 2 : end + 2 + length])
            at = end + 4 + length
            if length == 0:
                break
        body = b"".join(pieces)
    return Answer(int(lines[0].split()[1]), headers, body)


def reset(client: socket.socket) -> None:
    """Closes a connection by a reset."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def until(condition: Any) -> None:
    """Waits for a condition."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it has not happened"
        time.sleep(0.005)


async def eventually(condition: Callable[[], Any]) -> None:
    """Waits for a condition in an event loop: asks at each turn of the loop at first, and then every two milliseconds."""
    deadline = time.monotonic() + PATIENCE
    turns = itertools.count()
    while not condition():
        assert time.monotonic() < deadline, "it has not happened"
        await asyncio.sleep(0 if next(turns) < 100 else 0.002)


def timers() -> list[asyncio.TimerHandle]:
    """The timers that wait in the running event loop. asyncio has no public list of them."""
    loop: Any = asyncio.get_running_loop()
    return [timer for timer in loop._scheduled if not timer.cancelled()]


def json_body(answer: Answer) -> Any:
    """The body of a refusal."""
    return json.loads(answer.body)

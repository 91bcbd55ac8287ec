"""Clients that never read: they hold up neither a run nor the stop of a server."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ag_ui_native.server import Run, asgi_app, wsgi_app
from ag_ui_native.stream import decode_events
from servers import PATIENCE, asgi_server, connect, read_answer, until, wsgi_server

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
REQUEST = {"method": "POST", "headers": {"content-type": "application/json"}, "body": json.dumps(INPUT)}


class Floods:
    """Agents that write for ever, and a record of their ends."""

    def __init__(self) -> None:
        self.fate: list[str] = []

    async def waits(self, run: Run) -> None:
        with run.text_message() as message:
            try:
                while True:
                    await message.write("x" * 100_000)
            finally:
                self.fate.append("over")

    def plain(self, run: Run) -> None:
        with run.text_message() as message:
            try:
                while True:
                    message.write("x" * 100_000)
            finally:
                self.fate.append("over")


@pytest.mark.parametrize("kind", ["waits", "plain"])
def test_a_run_that_is_stopped_is_over_after_the_grace_time(caplog: pytest.LogCaptureFixture, kind: str) -> None:
    floods, left = Floods(), threading.Event()
    served = asgi_app(getattr(floods, kind), time_limit=0.3)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await served(scope, receive, send)
        if scope["type"] == "http":
            left.set()

    with asgi_server(app) as port, connect(port, REQUEST) as client:
        assert left.wait(PATIENCE)
        assert floods.fate == ["over"]
        assert "the client did not read" in caplog.text
        # A client that reads now receives a cut answer, without an end of the run.
        body = read_answer(client).body
    assert b"RUN_STARTED" in body and b"RUN_ERROR" not in body


@pytest.mark.parametrize("kind", ["waits", "plain"])
def test_wsgi(kind: str) -> None:
    floods = Floods()
    with wsgi_server(wsgi_app(getattr(floods, kind), time_limit=0.3)) as port, connect(port, REQUEST) as client:
        until(lambda: floods.fate)
        until(lambda: not any(thread.name == "run 'r'" for thread in threading.enumerate()))
        assert b"RUN_ERROR" not in read_answer(client).body


def ask_by_websocket(port: int) -> socket.socket:
    """Opens a WebSocket and asks for a run, without a library that reads by itself."""
    head = ["GET / HTTP/1.1", f"host: 127.0.0.1:{port}", "connection: upgrade", "upgrade: websocket"]
    head += ["sec-websocket-version: 13", "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=="]
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 18)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", port))
    client.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += client.recv(1)
    assert answer.startswith(b"HTTP/1.1 101 ")
    text = json.dumps(INPUT).encode()
    assert len(text) < 126
    # A text frame, masked by zeros.
    client.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    return client


@pytest.mark.parametrize("kind", ["waits", "plain"])
def test_a_websocket_whose_run_is_stopped_is_over_after_the_grace_time(
    caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    floods, left = Floods(), threading.Event()
    served = asgi_app(getattr(floods, kind), time_limit=0.3)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await served(scope, receive, send)
        if scope["type"] == "websocket":
            left.set()

    with asgi_server(app) as port, ask_by_websocket(port) as client:
        assert left.wait(PATIENCE)
        assert floods.fate == ["over"]
        assert "the client did not read" in caplog.text
        # The server closes the connection once the client has read the buffered data.
        while client.recv(1 << 16):
            pass


WAYS = {"http": lambda port: connect(port, REQUEST), "websocket": ask_by_websocket}


@pytest.mark.parametrize("way", WAYS)
def test_behind_the_end_of_its_run_no_agent_waits_for_the_client(way: str) -> None:
    done: list[bool] = []

    async def agent(run: Run) -> None:
        run.write("x" * 10_000_000)
        await run.finish()
        done.append(run.is_running)

    with asgi_server(asgi_app(agent)) as port, WAYS[way](port) as client:
        until(lambda: done)
        if way == "websocket":
            # Closes it: else the server waits for that.
            client.sendall(bytes([0x88, 0x80, 0, 0, 0, 0]))
        while client.recv(1 << 16):
            pass
    assert done == [False]


def test_who_reads_late_but_in_time_has_the_end() -> None:
    floods = Floods()
    with asgi_server(asgi_app(floods.waits, time_limit=0.3)) as port, connect(port, REQUEST) as client:
        until(lambda: floods.fate)
        answer = read_answer(client)
    assert list(decode_events([answer.body], as_dicts=True))[-1]["code"] == "run_timeout"


SERVED = """
import socket, sys, uvicorn
sys.path += [".", "server"]
from ag_ui_native.server import asgi_app
from test_server_unread import Floods

limit = None if sys.argv[2] == "none" else float(sys.argv[2])

async def agent(run):
    try:
        await Floods().waits(run)
    finally:
        print("over", flush=True)

app = asgi_app(agent, time_limit=limit)
config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)
uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])
"""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("time_limit", ["none", "0.3"])
def test_uvicorn_stops_with_its_own_option(time_limit: str, way: str) -> None:
    """An application cannot cut a connection: it is uvicorn's ``timeout_graceful_shutdown`` that does. The agent is let go, and the client finds a
    cut answer."""
    # The server gets the socket itself: another process could take the number of a port that is only free.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port, handle = listener.getsockname()[1], listener.fileno()
        command = [sys.executable, "-c", SERVED, str(handle), time_limit]
        tests = Path(__file__).parents[1]
        server = subprocess.Popen(command, cwd=tests, stdout=subprocess.PIPE, text=True, pass_fds=[handle])
    with server:
        try:
            with WAYS[way](port) as client:
                # It has begun, and nothing more is read.
                answer = client.recv(1)
                assert answer
                server.terminate()
                assert server.stdout is not None and server.stdout.readline() == "over\n"
                assert server.wait(PATIENCE) in (0, -signal.SIGTERM)
                with suppress(ConnectionResetError):
                    while piece := client.recv(1 << 16):
                        answer += piece
            assert b"TEXT_MESSAGE_CONTENT" in answer
            assert b"RUN_FINISHED" not in answer and b"RUN_ERROR" not in answer
            if way == "websocket":
                assert CLOSE not in opcodes(answer)
            else:
                assert not answer.endswith(b"0\r\n\r\n")
        finally:
            server.kill()


CLOSE = 8
"""The opcode of the frame that ends a WebSocket."""


def opcodes(frames: bytes) -> list[int]:
    """The opcodes of a server's frames, of which the last may be cut."""
    found = []
    while len(frames) >= 2:
        found.append(frames[0] & 15)
        short = frames[1]
        size = {126: 2, 127: 8}.get(short, 0)
        length = int.from_bytes(frames[2 : 2 + size], "big") if size else short
        frames = frames[2 + size + length :]
    return found

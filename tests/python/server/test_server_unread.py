"""Clients that never read: they keep no run, and no server that is to stop."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ag_ui_native.server import Run, asgi_app, wsgi_app
from ag_ui_native.stream import decode_events
from servers import PATIENCE, asgi_server, connect, read_answer, until, wsgi_server

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
REQUEST = {"method": "POST", "headers": {"content-type": "application/json"}, "body": json.dumps(INPUT)}


class Floods:
    """Agents that write for ever, and what became of them."""

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
        assert "the client does not read" in caplog.text
        # Whoever reads now finds a cut answer, and no end of a run.
        body = read_answer(client).body
    assert b"RUN_STARTED" in body and b"RUN_ERROR" not in body


@pytest.mark.parametrize("kind", ["waits", "plain"])
def test_wsgi(kind: str) -> None:
    floods = Floods()
    with wsgi_server(wsgi_app(getattr(floods, kind), time_limit=0.3)) as port, connect(port, REQUEST) as client:
        until(lambda: floods.fate)
        until(lambda: not any(thread.name == "run 'r'" for thread in threading.enumerate()))
        assert b"RUN_ERROR" not in read_answer(client).body


def test_who_reads_late_but_in_time_has_the_end() -> None:
    floods = Floods()
    with asgi_server(asgi_app(floods.waits, time_limit=0.3)) as port, connect(port, REQUEST) as client:
        until(lambda: floods.fate)
        answer = read_answer(client)
    assert list(decode_events([answer.body], as_dicts=True))[-1]["code"] == "run_timeout"


SERVED = """
import sys, uvicorn
sys.path += [".", "server"]
from ag_ui_native.server import asgi_app
from test_server_unread import Floods

limit = None if sys.argv[2] == "none" else float(sys.argv[2])
app = asgi_app(Floods().waits, time_limit=limit)
uvicorn.run(app, port=int(sys.argv[1]), log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
"""


@pytest.mark.parametrize("time_limit", ["none", "0.3"])
def test_uvicorn_stops_with_its_own_option(time_limit: str) -> None:
    """An application cannot cut a connection: it is uvicorn's ``timeout_graceful_shutdown`` that does."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVED, str(port), time_limit]
    with subprocess.Popen(command, cwd=Path(__file__).parents[1]) as server:
        try:
            until(lambda: listens(port))
            with connect(port, REQUEST) as client:
                # It has begun, and nothing more is read.
                assert client.recv(1)
                server.terminate()
                assert server.wait(PATIENCE) in (0, -signal.SIGTERM)
        finally:
            server.kill()


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True

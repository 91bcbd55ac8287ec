"""Logs behind WebSockets, endpoints of frameworks, and WSGI."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from ag_ui_native.durable import MemoryLog, wsgi
from ag_ui_native.server import asgi_app, respond, wsgi_app
from engines import shared_logs
from logged_servers import RESUMES, Gate, begin, body_of, frames, greet, read, reduced, types
from servers import PATIENCE, asgi_server, until, wsgi_server


def test_a_run_of_a_websocket_is_stored() -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    app = asgi_app(greet, log=MemoryLog(), authorize="public")
    with asgi_server(app) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:

        def converse(body: dict[str, Any], **options: Any) -> tuple[list[Any], tuple[int, str]]:
            with connect(f"ws://127.0.0.1:{port}/", **options) as socket:
                socket.send(json.dumps(body))
                messages = []
                with suppress(ConnectionClosed):
                    while True:
                        messages.append(socket.recv())
                return messages, (socket.close_code or 0, socket.close_reason or "")

        messages, closed = converse(body_of())
        assert closed == (1000, "") and json.loads(messages[-1])["type"] == "RUN_FINISHED"
        assert converse(body_of())[0] == messages, "another WebSocket gets the same run"
        whole = read(client)
        assert reduced(whole.content) == reduced(*(b"data: " + text.encode() + b"\n\n" for text in messages))
        assert converse(body_of(text="other")) == ([], (1008, "run_conflict"))
        proto = {"additional_headers": {"accept": "application/vnd.ag-ui.event+proto"}}
        binary, _ = converse(body_of(), **proto)
        assert len(binary) == len(messages) and all(isinstance(message, bytes) for message in binary)


def test_a_silent_websocket_gets_no_heartbeats_and_ends_after_its_time() -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    gate = Gate()
    app = asgi_app(gate, log=MemoryLog(), authorize="public", heartbeat=0.05, max_connection=1)
    with asgi_server(app) as port, connect(f"ws://127.0.0.1:{port}/") as socket:
        socket.send(json.dumps(body_of()))
        messages = []
        with suppress(ConnectionClosed):
            while True:
                messages.append(json.loads(socket.recv(timeout=PATIENCE)))
        assert socket.close_code == 1001
        assert [message["type"] for message in messages][-1] == "TEXT_MESSAGE_END"
        gate.opened.set()


def test_an_endpoint_responds_with_a_log() -> None:
    app, log, asked = FastAPI(), MemoryLog(), []

    async def authorize(request: Request, action: str, thread_id: str, run_id: str | None) -> str | None:
        asked.append((action, thread_id, run_id))
        return request.headers.get("user")

    @app.api_route("/agent", methods=["GET", "POST"])
    async def agent(request: Request) -> Any:
        return respond(request, greet, log=log, authorize=authorize)

    with (
        asgi_server(app) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"user": "ada"}, timeout=PATIENCE) as client,
    ):
        whole = client.post("/agent", json=body_of())
        assert whole.headers["content-location"] == "?thread=t&run=r"
        place = whole.url.join(whole.headers["content-location"])
        rest = client.get(place, headers={"last-event-id": frames(whole.content)[2][0] or ""})
        assert rest.content == b"\n\n".join(whole.content.split(b"\n\n")[3:])
        assert client.get("/agent?thread=t").json()["lastRunId"] == "r"
        assert client.get("/agent?thread=t&run=r", headers={"user": "bob"}).status_code == 404
        assert asked[:3] == [("start", "t", "r"), ("read", "t", "r"), ("read", "t", None)]


@pytest.mark.parametrize("name", ["memory", "sqlite", "redis"])
def test_wsgi_has_a_log(name: str) -> None:
    gate, asked = Gate(), []

    async def agent(run: Any) -> None:
        await (gate(run) if run.run_id == "wait" else greet(run))

    def authorize(environ: dict[str, Any], action: str, thread_id: str, run_id: str | None) -> str | None:
        asked.append((environ["REQUEST_METHOD"], action, thread_id, run_id))
        return environ.get("HTTP_USER")

    with shared_logs(name) as make:
        log = make()
        app = wsgi_app(agent, log=log, authorize=authorize)
        with (
            wsgi_server(app) as port,
            httpx.Client(base_url=f"http://127.0.0.1:{port}/a b", headers={"user": "ada"}, timeout=PATIENCE) as client,
        ):
            whole = client.post("", json=body_of())
            assert whole.headers["content-location"] == "?thread=t&run=r"
            assert types(whole.content)[-1] == "RUN_FINISHED"
            for number, (ident, _) in enumerate(frames(whole.content)[:-1], 1):
                assert read(client, ident).content == b"\n\n".join(whole.content.split(b"\n\n")[number:])
            assert read(client, frames(whole.content)[-1][0]).status_code == 204
            assert reduced(read(client).content) == reduced(whole.content)
            assert read(client, user="bob").status_code == 404
            assert client.post("", json=body_of(text="other")).json()["code"] == "run_conflict"
            assert client.post("", content=b"{", headers={"content-type": "application/json"}).status_code == 400
            begin(client, b"before", body_of("wait"), RESUMES)
            assert client.get("/threads/t").json()["activeRunId"] == "wait"
            assert client.post("/threads/t/runs/wait/cancel", json={}).status_code == 202
            assert types(read(client, run_id="wait").content)[-1] == "RUN_FINISHED"
            until(lambda: gate.ends == ["cancelled"])
            assert ("GET", "read", "t", None) in asked and ("POST", "cancel", "t", "wait") in asked
        # The loop of WSGI's runs goes on, and with it what the log has opened there.
        asyncio.run_coroutine_threadsafe(log.aclose(), wsgi._runs.start()).result(PATIENCE)


def test_a_client_of_wsgi_that_goes_ends_its_run_behind_the_grace_time() -> None:
    gate = Gate()
    app = wsgi_app(gate, log=MemoryLog(), authorize="public", grace=0.3, heartbeat=0.05)
    with wsgi_server(app) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:
        begin(client, b"before", body_of(), {})
        until(lambda: gate.ends == ["cancelled"])

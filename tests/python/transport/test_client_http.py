"""Agents over HTTP against servers on loopback: requests, other servers, leaving early, slow readers."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from typing import Any

import ag_ui.core
import ag_ui.encoder
import httpx
import pytest
from sse_starlette.sse import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request as StarletteRequest
from starlette.routing import Route

from ag_ui_native import AGUIConnectionError, AGUIValidationError
from ag_ui_native.client import HttpAgent, RunResult, SyncHttpAgent, SyncWebSocketAgent, WebSocketAgent, approve
from ag_ui_native.client.scope.cancel_scope import complete
from ag_ui_native.server import Run, asgi_app, wsgi_app
from raw_peer import CLOSE, END, HEAD, OPEN, WHOLE, peer
from servers import PATIENCE, asgi_server, wsgi_server


async def greet(run: Run) -> dict[str, Any]:
    async with run.text_message() as message:
        for word in ("Hel", "lo"):
            await message.write(word)
    run.state["n"] = len(run.messages)
    return {"asked": [message.content for message in run.messages]}


def head_of(request: bytes) -> dict[str, str]:
    lines = request.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    return {"": lines[0]} | {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}


def body_of(request: bytes) -> Any:
    return json.loads(request.partition(b"\r\n\r\n")[2])


# Requests.


def test_what_is_sent() -> None:
    tokens = iter(["one", "two"])
    with (
        peer(WHOLE, WHOLE, WHOLE) as server,
        SyncHttpAgent(
            server.url + "agent?x=1",
            thread_id="t",
            state={"n": 1},
            messages=[
                {"id": "u", "role": "user", "content": "Hi"},
                {"id": "a", "role": "activity", "activityType": "PLAN", "content": {}},
            ],
            headers=lambda: {"Authorization": next(tokens), "accept": "text/html", "X-Own": "1"},
        ) as agent,
    ):
        agent.run_agent(run_id="r", forwarded_props={"x": 1}, context=[{"description": "d", "value": "v"}])
        head, body = head_of(server.requests[0]), body_of(server.requests[0])
        assert head[""] == "POST /agent?x=1 HTTP/1.1"
        sent = {name: head[name] for name in ("content-type", "accept", "authorization", "x-own")}
        assert sent == {
            "content-type": "application/json",
            "accept": "text/event-stream",
            "authorization": "one",
            "x-own": "1",
        }
        assert body == {
            "threadId": "t",
            "runId": "r",
            "protocolVersion": "1.1",
            "state": {"n": 1},
            "messages": [{"id": "u", "role": "user", "content": "Hi"}],
            "tools": [],
            "context": [{"description": "d", "value": "v"}],
            "forwardedProps": {"x": 1},
        }
        agent.parent_run_id = "r"
        agent.run_agent()
        assert head_of(server.requests[1])["authorization"] == "two"
        assert body_of(server.requests[1])["parentRunId"] == "r"
        assert [message["id"] for message in body_of(server.requests[1])["messages"]] == ["u", "m"]
        agent.headers = {"Authorization": "three"}
        agent.run_agent()
        assert head_of(server.requests[2])["authorization"] == "three"
        with pytest.raises(AGUIValidationError) as caught:
            agent.headers = {"X-Own": "secret\r\nX-Other: 1"}
        assert caught.value.code == "invalid_header" and "secret" not in str(caught.value)


def test_headers_may_come_later() -> None:
    async def token() -> dict[str, str]:
        await asyncio.sleep(0)
        return {"authorization": "later"}

    async def work(url: str) -> None:
        async with HttpAgent(url, headers=token) as agent:
            await agent.run_agent()

    with peer(WHOLE) as server:
        asyncio.run(work(server.url))
        assert head_of(server.requests[0])["authorization"] == "later"
    with pytest.raises(TypeError, match="a sync agent"):
        SyncHttpAgent("http://x", headers=token)


def test_an_old_peer_gets_what_it_can_read() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    with peer(WHOLE) as server, SyncHttpAgent(server.url, peer="0.0.39") as agent:
        agent.ask(parts, parent_run_id="p")
        body = body_of(server.requests[0])
    assert body["messages"][0]["content"] == "ab" and "parentRunId" not in body and "protocolVersion" not in body


def test_another_origin_is_not_told_who_asks() -> None:
    secrets = {"Authorization": "Bearer x", "Cookie": "a=b", "X-Own": "1"}
    with peer(WHOLE) as other:
        moved = {"send": f"HTTP/1.1 307 Moved\r\nlocation: {other.url}\r\ncontent-length: 0\r\n\r\n"}
        client = httpx.Client(auth=("user", "password"))
        with (
            peer([moved, CLOSE]) as server,
            SyncHttpAgent(server.url, headers=secrets, redirects="any", client=client) as agent,
        ):
            assert agent.run_agent().outcome == "success"
            assert head_of(server.requests[0])["x-own"] == "1" and "authorization" in head_of(server.requests[0])
        sent = head_of(other.requests[0])
        assert sent["x-own"] == "1" and not sent.keys() & {"authorization", "cookie"}
        assert body_of(other.requests[0])["messages"] == []
        assert not client.is_closed


# Servers.


@pytest.mark.parametrize("protobuf", [False, True])
def test_our_servers(protobuf: bool) -> None:
    async def work(port: int, client: httpx.AsyncClient | None) -> None:
        url = f"http://127.0.0.1:{port}/"
        async with HttpAgent[dict[str, int]](url, protobuf=protobuf, client=client) as agent:
            for way in ("ask", "stream", "run"):
                if way == "ask":
                    result: RunResult = (await agent.ask("Hi")).result
                else:
                    stream: Any = agent.run() if way == "run" else agent.stream()
                    async for _ in stream:
                        pass
                    result = stream.result
                assert (result.text, result.result["asked"][0], agent.state) == (
                    "Hello",
                    "Hi",
                    {"n": len(agent.messages) - 1},
                )

    app = asgi_app(greet)
    with asgi_server(app) as port:
        asyncio.run(work(port, None))
        with SyncHttpAgent(f"http://127.0.0.1:{port}/", protobuf=protobuf) as agent:
            assert agent.ask("Hi").text == "Hello"
    asyncio.run(work(1, httpx.AsyncClient(transport=httpx.ASGITransport(app))))
    with wsgi_server(wsgi_app(greet)) as port, SyncHttpAgent(f"http://127.0.0.1:{port}/", protobuf=protobuf) as agent:
        assert agent.ask("Hi").text == "Hello"


def test_protobuf_is_what_it_asks_for() -> None:
    kinds: list[str] = []

    class Noting(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            response = super().handle_request(request)
            kinds.append(response.headers["content-type"])
            return response

    with asgi_server(asgi_app(greet)) as port:
        for protobuf in (False, True):
            with httpx.Client(transport=Noting()) as client:
                agent = SyncHttpAgent(f"http://127.0.0.1:{port}/", protobuf=protobuf, client=client)
                assert agent.ask("Hi").text == "Hello"
    assert kinds == ["text/event-stream", "application/vnd.ag-ui.event+proto"]


def test_a_server_of_the_official_package() -> None:
    """sse-starlette ends lines with CRLF, by default."""

    async def answer(request: StarletteRequest) -> EventSourceResponse:
        asked = ag_ui.core.RunAgentInput.model_validate_json(await request.body())
        core = ag_ui.core

        async def events() -> AsyncIterator[dict[str, str]]:
            ids = {"thread_id": asked.thread_id, "run_id": asked.run_id}
            for event in (
                core.RunStartedEvent(type=core.EventType.RUN_STARTED, **ids),
                core.TextMessageStartEvent(type=core.EventType.TEXT_MESSAGE_START, message_id="m", role="assistant"),
                core.TextMessageContentEvent(type=core.EventType.TEXT_MESSAGE_CONTENT, message_id="m", delta="Hello"),
                core.TextMessageEndEvent(type=core.EventType.TEXT_MESSAGE_END, message_id="m"),
                core.RunFinishedEvent(type=core.EventType.RUN_FINISHED, **ids),
            ):
                yield {"data": event.model_dump_json(by_alias=True, exclude_none=True)}

        return EventSourceResponse(events(), ping=1)

    with asgi_server(Starlette(routes=[Route("/", answer, methods=["POST"])])) as port:
        with SyncHttpAgent(f"http://127.0.0.1:{port}/") as agent:
            assert agent.ask("Hi").text == "Hello"

        async def work() -> None:
            async with HttpAgent(f"http://127.0.0.1:{port}/") as agent:
                assert [piece async for piece in agent.ask_stream("Hi")] == ["Hello"]

        asyncio.run(work())


def test_approval() -> None:
    calls: list[str] = []

    async def agent_function(run: Run) -> None:
        answer = run.answer("i")
        if answer is None:
            run.interrupt({"id": "i", "reason": "tool_call", "message": "Delete?"})
        else:
            calls.append(answer.payload)
            await run.write("Gone." if answer.payload == {"approved": True} else "Kept.")

    with asgi_server(asgi_app(agent_function)) as port, SyncHttpAgent(f"http://127.0.0.1:{port}/") as agent:
        assert agent.ask("Delete it").result.outcome == "interrupt"
        assert [interrupt.message for interrupt in agent.pending_interrupts] == ["Delete?"]
        assert agent.run_agent(resume=agent.build_resume({"i": approve()})).text == "Gone."
    assert calls == [{"approved": True}]


# Slow readers, long histories.


def test_a_slow_reader_slows_the_server() -> None:
    sent = [0]
    piece = b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"' + b"x" * 60000 + b'"}\n\n'

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
            connection.recv(1 << 16)
            connection.sendall((HEAD["send"] + OPEN["send"]).encode())
            while True:
                connection.sendall(piece)
                sent[0] += len(piece)

    async def work(port: int) -> None:
        async with HttpAgent(f"http://127.0.0.1:{port}/") as agent, agent.stream() as changes:
            await anext(changes)
            before = -1
            while before != sent[0]:
                before = sent[0]
                await asyncio.sleep(0.2)  # Nothing more is sent in this time.
            # The buffers of the kernel, and one read.
            assert sent[0] < 16 << 20
            async for change in changes:
                if change.kind == "text_appended" and sent[0] > before + (1 << 20):
                    break

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        asyncio.run(work(listener.getsockname()[1]))
        thread.join(PATIENCE)


@pytest.mark.parametrize("way", ["run", "stream", "subscribed"])
def test_an_event_costs_the_same_behind_any_history(way: str) -> None:
    """Counted are the calls of Python and of native functions."""
    from ag_ui_native.client import AgentSubscriber, SyncAgent

    class Hears(AgentSubscriber[Any]):
        def on_event(self, params: Any) -> None:
            assert params.event is not None

        def on_text_message_content_event(self, params: Any) -> None:
            assert params.text_message_buffer is not None

    def calls(history: int, events: int) -> int:
        pieces = [OPEN["send"].encode()]
        pieces += [b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}\n\n'] * events + [
            END["send"].encode()
        ]
        messages = [{"id": f"h{number}", "role": "user", "content": "Hi"} for number in range(history)]
        agent = SyncAgent(
            lambda request: pieces, messages=messages, subscribers=[Hears()] if way == "subscribed" else []
        )
        stream: Any = agent.run() if way == "run" else agent.stream()
        count = 0

        def note(frame: Any, event: str, argument: Any) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        gc.disable()
        sys.setprofile(note)
        try:
            for _ in stream:
                pass
        finally:
            sys.setprofile(None)
            gc.enable()
        return count

    calls(1, 1)
    marginal = {history: calls(history, 300) - calls(history, 100) for history in (10, 20, 40, 1000)}
    assert len(set(marginal.values())) == 1, marginal


# Imports.


def python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_httpx_is_loaded_when_it_is_needed() -> None:
    python(
        "import sys, ag_ui_native, ag_ui_native.client\n"
        "assert not {'httpx', 'websockets', 'httpcore'} & sys.modules.keys()\n"
        "sys.modules['httpx'] = sys.modules['websockets'] = None\n"
        "for make, extra in ((lambda: ag_ui_native.client.HttpAgent('http://x'), 'client'), (lambda: ag_ui_native.client.WebSocketAgent('ws://x'), 'websocket')):\n"
        "    try:\n"
        "        make()\n"
        "    except ImportError as error:\n"
        "        assert f'pip install \"ag-ui-native[{extra}]\"' in str(error), error\n"
        "    else:\n"
        "        raise SystemExit('it was made')\n"
        "ag_ui_native.client.Agent(lambda request: [])\n"
    )


def test_wrong_clients_are_refused() -> None:
    with pytest.raises(AGUIValidationError, match=r"httpx\.AsyncClient"):
        HttpAgent("http://x", client=httpx.Client())  # type: ignore[arg-type]
    with pytest.raises(AGUIValidationError, match=r"httpx\.Client"):
        SyncHttpAgent("http://x", client=httpx.AsyncClient())  # type: ignore[arg-type]
    with (
        httpx.Client() as client,
        SyncHttpAgent("ftp://nowhere", client=client) as agent,
        pytest.raises(AGUIConnectionError) as caught,
    ):
        agent.run_agent()
    assert caught.value.code == "connection_failed"


def test_an_agent_works_in_one_loop_after_another() -> None:
    with peer(WHOLE, WHOLE) as server:
        agent = HttpAgent(server.url)
        for _ in range(2):
            assert asyncio.run(agent.run_agent()).outcome == "success"


@pytest.mark.parametrize("made", [HttpAgent, SyncHttpAgent, WebSocketAgent, SyncWebSocketAgent])
def test_a_clone_has_headers_of_its_own(made: Any) -> None:
    agent = made("ws://x/" if "Socket" in made.__name__ else "http://x/", headers={"a": "1"})
    twin = agent.clone()
    twin.headers["b"] = "2"
    assert (agent.headers, twin.headers) == ({"a": "1"}, {"a": "1", "b": "2"})
    twin.headers = {"c": "3"}
    assert (agent.headers, twin.headers) == ({"a": "1"}, {"c": "3"})


def test_a_clone_sends_its_headers_over_the_same_client() -> None:
    def asked(agent: Any) -> list[str]:
        with pytest.raises(AGUIConnectionError):
            agent.run_agent()
        return server.requests[-1].decode().splitlines()

    refuses = [{"send": "HTTP/1.1 400 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"}]
    with peer(refuses, refuses, refuses) as server:
        agent = SyncHttpAgent(server.url, headers={"x-who": "Ada"})
        twin = agent.clone()
        twin.headers = {"x-who": "Bob"}
        assert "x-who: Bob" in asked(twin) and "x-who: Ada" in asked(agent)
        transports: Any = (agent._transport, twin._transport)
        client = complete(transports[0].client())
        assert complete(transports[1].client()) is client
        agent.close()
        assert client.is_closed
        assert "x-who: Bob" in asked(twin)
        twin.close()

"""Agents over WebSockets: one message is one event."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from ag_ui_native import AGUIError, Limits
from ag_ui_native.client import SyncWebSocketAgent, Timeouts, WebSocketAgent
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import decode_event
from servers import PATIENCE, eventually

EVENTS: list[dict[str, Any]] = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hel"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "lo"},
    {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
]
TEXTS: list[str | bytes] = [json.dumps(event, indent=1) for event in EVENTS]


def binary(event: dict[str, Any]) -> bytes:
    made = decode_event(json.dumps(event))
    assert made is not None
    return EventEncoder(accept="application/vnd.ag-ui.event+proto").encode_protobuf(made)[4:]


@contextlib.asynccontextmanager
async def server(answer: Callable[[ServerConnection], Awaitable[None]], **options: Any) -> AsyncIterator[str]:
    made: Server
    async with serve(answer, "127.0.0.1", 0, **options) as made:
        yield f"ws://127.0.0.1:{next(iter(made.sockets)).getsockname()[1]}/"


def says(messages: list[str | bytes], asked: list[Any] | None = None) -> Callable[[ServerConnection], Awaitable[None]]:
    async def answer(connection: ServerConnection) -> None:
        input = json.loads(await connection.recv())
        if asked is not None:
            assert connection.request is not None
            asked.append((input, connection.request.headers.get("authorization")))
        for message in messages:
            await connection.send(message)

    return answer


async def finished(function: Callable[..., Any], *arguments: Any) -> Any:
    """Returns the result of an agent's method, blocking or not."""
    if isinstance(getattr(function, "__self__", None), SyncWebSocketAgent):
        return await asyncio.to_thread(function, *arguments)
    return await function(*arguments)


FACES = pytest.mark.parametrize("face", [WebSocketAgent, SyncWebSocketAgent], ids=["async", "sync"])


@FACES
@pytest.mark.parametrize("messages", [TEXTS, [binary(event) for event in EVENTS]], ids=["text", "binary"])
def test_a_run(messages: list[str | bytes], face: Any) -> None:
    async def work() -> None:
        asked: list[Any] = []
        async with server(says(messages, asked)) as url:
            agent = face(url, headers={"Authorization": "x"})
            reply = await finished(agent.ask, "Hi")
            assert (reply.text, agent.url) == ("Hello", url)
            agent = face(url)
            stream = agent.run()
            seen = (
                await asyncio.to_thread(list, stream)
                if face is SyncWebSocketAgent
                else [event async for event in stream]
            )
            assert [event.type.value for event in seen] == [event["type"] for event in EVENTS]
        assert [message["content"] for message in asked[0][0]["messages"]] == ["Hi"]
        assert [header for _, header in asked] == ["x", None]

    asyncio.run(work())


def test_it_is_closed_behind_the_end_of_the_run() -> None:
    async def work() -> None:
        closed = asyncio.Event()

        async def answer(connection: ServerConnection) -> None:
            await says([*TEXTS, TEXTS[0]])(connection)
            await connection.wait_closed()
            closed.set()

        async with server(answer) as url:
            assert (await WebSocketAgent(url).run_agent()).text == "Hello"
            await asyncio.wait_for(closed.wait(), PATIENCE)

    asyncio.run(work())


async def refuses(connection: ServerConnection, request: Request) -> Response:
    return connection.respond(401, "no token")  # type: ignore[arg-type]


async def silent(connection: ServerConnection) -> None:
    await connection.wait_closed()


async def breaks(connection: ServerConnection) -> None:
    await says(TEXTS[:3])(connection)
    await (await connection.ping())  # The client has received all of it.
    connection.transport.abort()


FAULTS: list[tuple[str, Any, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("closed before the end", says(TEXTS[:3]), {}, {}, {"code": "stream_truncated", "texts": ["Hel"]}),
    ("closed at once", says([]), {}, {}, {"code": "stream_truncated", "texts": []}),
    ("broken", breaks, {}, {}, {"code": "connection_lost", "texts": ["Hel"]}),
    ("refused", says([]), {"process_request": refuses}, {}, {"code": "http_error", "status": 401, "texts": []}),
    (
        "silent",
        silent,
        {},
        {"timeouts": Timeouts(idle=0.2)},
        {"limit": "idle_timeout", "code": "timed_out", "texts": []},
    ),
    (
        "first",
        silent,
        {},
        {"timeouts": Timeouts(first_byte=0.2)},
        {"limit": "first_byte_timeout", "code": "timed_out", "texts": []},
    ),
    ("no event", says([*TEXTS[:3], "oh"]), {}, {}, {"code": "invalid_json", "texts": ["Hel"]}),
    ("of another kind", says([*TEXTS[:3], b"oh"]), {}, {}, {"code": "wrong_content_type", "texts": ["Hel"]}),
    (
        "too long",
        says([*TEXTS[:3], "x" * 300]),
        {},
        {"limits": Limits(event_bytes=200)},
        {"code": "limit_exceeded", "limit": "event_bytes", "texts": ["Hel"]},
    ),
]


@FACES
@pytest.mark.parametrize(
    ("answer", "serving", "options", "expected"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_faults(
    answer: Any, serving: dict[str, Any], options: dict[str, Any], expected: dict[str, Any], face: Any
) -> None:
    async def work() -> None:
        async with server(answer, **serving) as url:
            agent = face(url, **options)
            with pytest.raises(AGUIError) as caught:
                await finished(agent.run_agent)
            texts = [message.content for message in agent.messages]
            found = {name: getattr(caught.value, name, None) for name in expected if name != "texts"}
            assert found | {"texts": texts} == expected

    asyncio.run(work())


def leads(to: str, seen: list[str]) -> Callable[[ServerConnection, Request], Awaitable[Response | None]]:
    async def answer(connection: ServerConnection, request: Request) -> Response | None:
        seen.append(request.path)
        if len(seen) > 1 and request.path == "/there":
            return None
        response = connection.respond(302, "")  # type: ignore[arg-type]
        response.headers["Location"] = to
        return response

    return answer


def test_redirects_stay_within_the_origin() -> None:
    """Another origin gets nothing: neither headers nor the input."""

    async def work() -> None:
        async def notes(connection: ServerConnection, request: Request) -> None:
            others.append(dict(request.headers))

        others: list[Any] = []
        async with server(says(TEXTS), process_request=notes) as other:
            localhost = other.replace("127.0.0.1", "localhost")
            bad = ("http://[", "ws://x:99999999/", "gopher://x/", other.replace("ws:", "wss:"))
            for to in (other, localhost, *bad, "/round"):
                seen: list[str] = []
                async with server(says(TEXTS), process_request=leads(to, seen)) as url:
                    agent = WebSocketAgent[Any](url, headers={"Authorization": "secret", "X-Api-Key": "secret"})
                    with pytest.raises(AGUIError) as caught:
                        await agent.run_agent()
                assert (to, caught.value.code, others) == (to, "redirect_refused", [])
                assert len(seen) == (6 if to == "/round" else 1) and "secret" not in str(caught.value)
        seen = []
        async with server(says(TEXTS), process_request=leads("there", seen)) as url:
            assert (await WebSocketAgent[Any](url).run_agent()).text == "Hello"
        assert seen == ["/", "/there"]

    asyncio.run(work())


def test_no_server_listens() -> None:
    with pytest.raises(AGUIError) as caught:
        asyncio.run(WebSocketAgent("ws://127.0.0.1:9/").run_agent())
    assert caught.value.code == "connection_failed"


@pytest.mark.parametrize("way", ["abort", "cancel", "leave"])
def test_leaving_closes_the_connection(way: str) -> None:
    async def work() -> None:
        closed = asyncio.Event()

        async def answer(connection: ServerConnection) -> None:
            await says(TEXTS[:3])(connection)
            await connection.wait_closed()
            closed.set()

        async with server(answer) as url:
            agent = WebSocketAgent[Any](url)
            if way == "leave":
                async for _ in agent.stream():
                    break
            else:
                task = asyncio.create_task(agent.run_agent())
                await eventually(lambda: agent.messages and agent.messages[0].content == "Hel")
                if way == "abort":
                    agent.abort_run()
                    assert (await task).outcome == "aborted"
                else:
                    task.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await task
            await asyncio.wait_for(closed.wait(), PATIENCE)

    asyncio.run(work())


def test_a_quiet_agent_is_waited_for() -> None:
    assert WebSocketAgent("ws://x")._settings.timeouts.idle is None
    assert WebSocketAgent("ws://x", timeouts=Timeouts())._settings.timeouts.idle == 60


@FACES
def test_text_that_is_no_utf_8_has_the_code_that_it_has_over_http_too(face: Any) -> None:
    async def answer(connection: ServerConnection) -> None:
        await connection.recv()
        await connection.send(json.dumps(EVENTS[0]))
        await connection.send(b'{"type":"STEP_STARTED","stepName":"\xff"}', text=True)
        await connection.wait_closed()

    async def work() -> None:
        async with server(answer) as url:
            with pytest.raises(AGUIError) as caught:
                await finished(face(url).run_agent)
        assert caught.value.code == "invalid_utf8"

    asyncio.run(work())


BOMB = json.dumps({**EVENTS[2], "delta": "x" * (40 << 20)})
"""Compressed, it is 40 KB."""


@pytest.mark.parametrize("offered", [False, True], ids=["by default", "where the application wants it"])
def test_messages_that_are_compressed(offered: bool) -> None:
    asked: list[str | None] = []

    async def answer(connection: ServerConnection) -> None:
        assert connection.request is not None
        asked.append(connection.request.headers.get("Sec-WebSocket-Extensions"))
        await says([*TEXTS[:2], BOMB] if offered else TEXTS)(connection)

    async def work() -> None:
        connection = {"compression": "deflate"} if offered else {}
        async with server(answer, max_size=None) as url:
            agent = WebSocketAgent[Any](url, connection=connection)
            if not offered:
                assert (await agent.run_agent()).outcome == "success"
                return
            with pytest.raises(AGUIError) as caught:
                await agent.run_agent()
            assert (caught.value.code, caught.value.limit) == ("limit_exceeded", "event_bytes")

    asyncio.run(work())
    assert len(asked) == 1 and (asked[0] is not None) is offered

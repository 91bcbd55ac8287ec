"""One table for all servers of WebSockets, over real connections; and the messages that an application receives when
its server ends.
"""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ag_ui_native.encoder import AGUI_MEDIA_TYPE
from ag_ui_native.proto import decode
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.stream import EventVerifier
from conftest import fixture_cases
from servers import PATIENCE, asgi_server, until
from test_server_cases import Agents, options_of

INPUT = json.dumps({"threadId": "t", "runId": "r", "messages": [{"id": "u", "role": "user", "content": "Hi"}]})


def opened(case: dict[str, Any], port: int) -> ClientConnection:
    """A WebSocket as the case asks for it."""
    headers = {name: value.replace("<host>", f"127.0.0.1:{port}") for name, value in case.get("headers", {}).items()}
    # Its own headers cannot be given twice.
    origin = headers.pop("origin", None)
    return connect(
        f"ws://127.0.0.1:{port}/",
        additional_headers=headers,
        origin=origin,  # type: ignore[arg-type]  # Any text is sent.
        subprotocols=case.get("protocols"),
        compression=None,
        open_timeout=PATIENCE,
        close_timeout=PATIENCE,
    )


def say(client: ClientConnection, what: dict[str, str]) -> None:
    """Sends one message, or bytes of a frame."""
    if "raw" in what:
        client.socket.sendall(bytes.fromhex(what["raw"]))
    else:
        client.send(what["text"] if "text" in what else bytes.fromhex(what["binary"]))


def event_of(message: str | bytes) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(message) if isinstance(message, str) else decode(message, as_dicts=True)
    return made


def read(client: ClientConnection) -> tuple[list[str | bytes], tuple[int, str]]:
    """All messages, and how it was closed."""
    messages: list[str | bytes] = []
    try:
        while True:
            messages.append(client.recv(timeout=PATIENCE))
    except ConnectionClosed as closed:
        assert closed.rcvd is not None, closed
        return messages, (closed.rcvd.code, closed.rcvd.reason)


def carry_out(case: dict[str, Any], port: int, agents: Agents) -> None:
    expect = case["expect"]
    if "status" in expect:
        with pytest.raises(InvalidStatus) as refused:
            opened(case, port)
        response = refused.value.response
        assert (response.status_code, json.loads(response.body or b"")["code"]) == (expect["status"], expect["code"])
        return
    with opened(case, port) as client:
        assert client.subprotocol == expect.get("protocol")
        assert "Sec-WebSocket-Extensions" not in client.response.headers  # type: ignore[union-attr]
        # A run may be over before all is said; `read` tells how it ended.
        with suppress(ConnectionClosed):
            for message in case["send"]:
                say(client, message)
        if case.get("client") in ("close", "cut"):
            first = client.recv(timeout=PATIENCE)
            assert event_of(first)["type"] == "RUN_STARTED"
            if case["client"] == "close":
                client.close()
            else:
                # The client's own thread reads from the descriptor, and closes it then.
                client.socket.shutdown(socket.SHUT_RDWR)
        elif case.get("client") != "close at once":
            check(*read(client), expect)
    if "agent" in expect:
        until(lambda: agents.fate == expect["agent"])


def check(messages: list[str | bytes], closed: tuple[int, str], expect: dict[str, Any]) -> None:
    assert list(closed)[: len(expect["close"])] == expect["close"]
    kind = {"text": str, "binary": bytes, None: ()}[expect.get("kind")]
    assert all(isinstance(message, kind) for message in messages)
    assert bool(messages) is ("kind" in expect)
    events = [event_of(message) for message in messages]
    verifier = EventVerifier()
    for event in events:
        verifier.check(event)
    if "end" in expect:
        verifier.finish()
        assert events[-1] == expect["end"]


@pytest.mark.parametrize("case", fixture_cases("websocket_cases"), ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    agents = Agents()
    given = {"options": {}, **case}
    with asgi_server(asgi_app(getattr(agents, case["agent"]), **options_of(given))) as port:
        carry_out(case, port, agents)


class Server:
    """An ASGI server of one WebSocket, without a socket."""

    def __init__(self, app: Any, **scope: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.changed = asyncio.Event()
        self.said.put_nowait({"type": "websocket.connect"})
        self.scope = {"type": "websocket", "path": "/", "headers": [], "subprotocols": [], **scope}
        self.task = asyncio.get_running_loop().create_task(app(self.scope, self.said.get, self.send))

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)
        self.changed.set()

    async def until(self, kind: str, text: str = "") -> None:
        while not any(message["type"] == kind and text in message.get("text", "") for message in self.sent):
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), PATIENCE)


async def waits(run: Run) -> None:
    await run.write("Hello")
    await asyncio.sleep(3600)


def test_a_server_that_stops_goes_away() -> None:
    async def work() -> None:
        server = Server(asgi_app(waits))
        server.said.put_nowait({"type": "websocket.receive", "text": INPUT})
        await server.until("websocket.send", "Hello")
        server.task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await server.task
        *_, end, close = server.sent
        assert json.loads(end["text"])["outcome"] == {"type": "cancelled"}
        assert close == {"type": "websocket.close", "code": 1001, "reason": ""}

    asyncio.run(work())


def test_a_client_that_says_much_and_goes_is_noticed() -> None:
    async def work() -> None:
        server = Server(asgi_app(waits))
        for _ in range(300):
            server.said.put_nowait({"type": "websocket.receive", "text": INPUT})
        await server.until("websocket.send", "Hello")
        server.said.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await asyncio.wait_for(server.task, PATIENCE)

    asyncio.run(work())


def test_a_server_without_answers_to_handshakes() -> None:
    async def work() -> None:
        server = Server(asgi_app(waits), headers=[(b"origin", b"https://b.example"), (b"host", b"a.example")])
        await server.task
        assert server.sent == [{"type": "websocket.close"}]

    asyncio.run(work())


def test_a_client_that_goes_before_it_asks() -> None:
    async def work() -> None:
        server = Server(asgi_app(waits), headers=[(b"accept", AGUI_MEDIA_TYPE.encode())])
        server.said.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await server.task
        assert server.sent == [{"type": "websocket.accept", "subprotocol": None}]

    asyncio.run(work())

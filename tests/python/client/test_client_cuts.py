"""Answers that are cut off after each byte: the error is the same in every language."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError
from ag_ui_native.client import (
    Agent,
    AgentSubscriber,
    HttpAgent,
    SyncAgent,
    SyncHttpAgent,
    SyncWebSocketAgent,
    WebSocketAgent,
)
from ag_ui_native.stream import EventDecoder

CUTS = json.loads((Path(__file__).parents[2] / "fixtures/client/cuts.json").read_text("utf-8"))
RUN: bytes = CUTS["run"].encode()

HEADS = {
    "length": b"Content-Length: 9000\r\n",
    "chunked": b"Transfer-Encoding: chunked\r\n",
    "close": b"",
}


@contextmanager
def cutting(way: str) -> Iterator[str]:
    """A server whose answers are a byte longer each."""

    def serve() -> None:
        for cut in range(len(RUN) + 1):
            connection, _ = listener.accept()
            with connection:
                received = b""
                while b"\r\n\r\n" not in received:
                    received += connection.recv(1 << 16)
                body = RUN[:cut]
                if way == "chunked" and body:
                    body = b"%x\r\n%s\r\n" % (len(body), body)
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n"
                connection.sendall(head + HEADS[way] + b"\r\n" + body)
                # The sent bytes arrive before the end of the connection does.
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1 << 16)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        thread.join(10)


def expected(way: str) -> list[str]:
    return [CUTS["ways"][way]] * CUTS["ended"] + ["success"] * (len(RUN) + 1 - CUTS["ended"])


@pytest.mark.parametrize("way", HEADS)
def test_blocking(way: str) -> None:
    said = []
    with cutting(way) as url:
        for _ in range(len(RUN) + 1):
            try:
                said.append(SyncHttpAgent(url, reconnect=None).run_agent().outcome)
            except AGUIError as error:
                said.append(error.code)
    assert said == expected(way)


@pytest.mark.parametrize("way", HEADS)
def test_async(way: str) -> None:
    async def main(url: str) -> list[str]:
        said = []
        for _ in range(len(RUN) + 1):
            try:
                said.append((await HttpAgent(url, reconnect=None).run_agent()).outcome)
            except AGUIError as error:
                said.append(error.code)
        return said

    with cutting(way) as url:
        assert asyncio.run(main(url)) == expected(way)


def test_the_decoder_calls_each_of_them_truncated() -> None:
    """Unless it stands between two events, or the last one lacks only its blank line."""
    whole = {0}
    for cut in range(len(RUN)):
        decoder = EventDecoder()
        events = decoder.feed(RUN[:cut])
        try:
            events += decoder.close()
            whole.add(cut)
        except AGUIError as error:
            assert error.code == "stream_truncated", RUN[:cut]
    assert RUN.index(b"\\ude00") not in whole and CUTS["ended"] in whole


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (r'{"type":"CUSTOM","name":"\ud83d', "stream_truncated"),
        (r'{"type":"CUSTOM","name":"\ud83d x', "stream_truncated"),
        (r'{"type":"CUSTOM","name":"\ud83d","value":[', "stream_truncated"),
        (r'{"type":"CUSTOM","name":"\ud83d","value":1', "stream_truncated"),
        (r'{"type":"CUSTOM","name":"\ud83d","value":1}', "lone_surrogate"),
        ('{"type":"CUSTOM","name":"n","value":' + "[" * 300, "stream_truncated"),
        ('{"type":"CUSTOM","name":"n","value":' + "[" * 300 + "]" * 300 + "}", "limit_exceeded"),
        (r'{"type":"CUSTOM","name":"}]\\', "stream_truncated"),
        ('{"type":"CUSTOM"}', "missing_field"),
    ],
)
def test_an_event_that_is_whole_is_judged(text: str, code: str) -> None:
    decoder = EventDecoder(profile="strict")
    decoder.feed(f"data: {text}".encode())
    with pytest.raises(AGUIError) as raised:
        decoder.close()
    assert raised.value.code == code


def frame(text: str, first: int = 0x81) -> bytes:
    """A text frame of a server's; 0x01 has others follow."""
    return bytes([first, len(text)]) + text.encode()


@pytest.mark.parametrize("case", CUTS["sockets"], ids=lambda case: case["name"])
@pytest.mark.parametrize("face", ["async", "blocking"])
def test_a_socket_that_is_closed_before_it_is_read(face: str, case: Any) -> None:
    """The messages that arrived count."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        key = next(line.split(": ")[1] for line in head if line.lower().startswith("sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        upgrade = b"HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        said = b"".join(map(frame, case["messages"])) + (frame(case["half"], 0x01) if "half" in case else b"")
        closing = b"" if case["code"] is None else b"\x88\x02" + case["code"].to_bytes(2, "big")
        writer.write(upgrade + accept + b"\r\n\r\n" + said + closing)
        await writer.drain()
        writer.write_eof()
        # The sent bytes arrive before the connection is reset.
        with suppress(OSError, asyncio.TimeoutError):
            await asyncio.wait_for(reader.read(), 0.2)
        writer.close()

    async def main() -> str:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server:
            try:
                if face == "async":
                    return (await WebSocketAgent(url).run_agent()).outcome
                return (await asyncio.to_thread(SyncWebSocketAgent(url).run_agent)).outcome
            except AGUIError as error:
                return error.code

    assert asyncio.run(main()) == case["expect"]


LOST = AGUIConnectionError("gone", code="connection_lost")


@pytest.mark.parametrize("face", ["async", "blocking"])
@pytest.mark.parametrize("by_event", [False, True], ids=["changes", "events"])
@pytest.mark.parametrize(
    ("last", "reason", "code"),
    [
        ('{"type":"CUSTOM"', LOST, "connection_lost"),
        ('{"type":"CUSTOM"}', LOST, "missing_field"),
        ('{"type":"CUSTOM"', OSError("gone"), None),
        ('{"type":"CUSTOM"}', OSError("gone"), "missing_field"),
        ('{"type":"CUSTOM"', AGUIConnectionError("late", code="timed_out"), "timed_out"),
        ('{"type":"CUSTOM"}', AGUIConnectionError("late", code="timed_out"), "timed_out"),
    ],
)
def test_what_breaks_explains_a_cut_and_who_waits_no_longer_hears_no_more(
    last: str, reason: Exception, code: str | None, by_event: bool, face: str
) -> None:
    begun = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    pieces = [f"data: {json.dumps(begun)}\n\n".encode(), f"data: {last}\n".encode()]

    async def breaks(request: Any) -> Any:
        for piece in pieces:
            yield piece
        raise reason

    def breaks_too(request: Any) -> Any:
        yield from pieces
        raise reason

    class Listens(AgentSubscriber[Any]):
        def on_event(self, params: Any) -> None:
            """Has events come one by one."""

    subscribers: Any = [Listens()] if by_event else []
    with pytest.raises(Exception) as caught:
        if face == "async":
            asyncio.run(Agent(breaks, profile="strict", thread_id="t", subscribers=subscribers).run_agent(run_id="r"))
        else:
            SyncAgent(breaks_too, profile="strict", thread_id="t", subscribers=subscribers).run_agent(run_id="r")
    assert caught.value is reason if code is None else getattr(caught.value, "code", None) == code

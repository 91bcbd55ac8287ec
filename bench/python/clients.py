"""The cost of an event on a client: CPU time of this process, while it reads runs from a server in a separate process.

`clients.py --serve` is the server; it prints its port.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from measure import Choice

ID = "msg-8f14e45f-ceea-467f-a8b2-1a2b3c4d5e6f"
DELTA = "forty characters of text, no more, less."
WAYS = ("one event a chunk", "16 KB a read")

Client = Callable[[str], Awaitable[int]]


def client_rows(rounds: int, choice: Choice, events: int = 20_000) -> list[dict[str, Any]]:
    """Measures the CPU time of clients for each event of a run over HTTP. Ours verify the events and apply them to a
    conversation; the official package only reads them.
    """
    own = (ours, our_whole, our_events, our_subscriber, our_async_subscriber)
    clients = own if choice.ours else (*own, official, httpx_alone)
    times: dict[tuple[str, Client], list[float]] = {(way, client): [] for way in WAYS for client in clients}
    with serving() as port:
        turns = list(times)
        for number in range(-1, rounds):
            random.shuffle(turns)
            for way, client in turns:
                taken, length = asyncio.run(timed(client, f"http://127.0.0.1:{port}/{WAYS.index(way)}/{events}"))
                if client is not httpx_alone and length != events * len(DELTA):
                    sys.exit(f"{length} characters of {events * len(DELTA)} came")
                if number >= 0:
                    times[way, client].append(taken / events)
    return [
        {
            "operation": f"{operation}, {way}",
            "unit": "ns",
            "times": {
                name: statistics.median(times[way, client])
                for name, client in (("ours", one), ("official", official), ("httpx alone", httpx_alone))
                if client in clients
            },
        }
        for operation, one in (
            ("client", ours),
            ("client, a whole run at once", our_whole),
            ("client, told of each event", our_events),
            ("client, one sync subscriber", our_subscriber),
            ("client, one async subscriber", our_async_subscriber),
        )
        for way in WAYS
    ]


async def timed(client: Client, url: str) -> tuple[int, int]:
    """Returns the CPU time, and the length of the received text."""
    before = time.process_time_ns()
    length = await client(url)
    return time.process_time_ns() - before, length


async def ours(url: str) -> int:
    """Reads the text as it arrives, with messages and state."""
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(url) as agent:
        length = 0
        async for text in agent.ask_stream("Hello?"):
            length += len(text)
        return length


async def our_whole(url: str) -> int:
    """Reads the messages at the end of the run, without notifications before."""
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(url) as agent:
        await agent.run_agent()
        return len(agent.messages[-1].content)


async def our_events(url: str) -> int:
    """Reads the messages, with an object for each event."""
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(url) as agent:
        length = 0
        async for event in agent.run():
            if event.type == "TEXT_MESSAGE_CONTENT":
                length += len(event.delta)
        return length


class Counting:
    """A subscriber that is notified of each event and each delta."""

    def __init__(self) -> None:
        self.length = 0

    def on_event(self, params: Any) -> None:
        pass

    def on_text_message_content_event(self, params: Any) -> None:
        self.length += len(params.event.delta)


class CountingLater(Counting):
    """As `Counting`, with async callbacks."""

    # In an async agent a callback may be a coroutine; the callback of the base class is not.
    async def on_event(self, params: Any) -> None:  # type: ignore[override]  # See above.
        pass

    async def on_text_message_content_event(self, params: Any) -> None:  # type: ignore[override]  # See above.
        self.length += len(params.event.delta)


async def our_subscriber(url: str) -> int:
    """Reads the messages, with a subscriber."""
    return await heard(url, Counting())


async def our_async_subscriber(url: str) -> int:
    """Reads the messages, with a subscriber whose callbacks are async."""
    return await heard(url, CountingLater())


async def heard(url: str, subscriber: Counting) -> int:
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(url, subscribers=[subscriber]) as agent:
        await agent.run_agent()
    return subscriber.length


async def official(url: str) -> int:
    """A client as programs with the official package are written: httpx, httpx-sse and its models."""
    import ag_ui.core
    import httpx
    from httpx_sse import aconnect_sse
    from pydantic import TypeAdapter

    read = TypeAdapter(ag_ui.core.Event).validate_json
    length = 0
    # Certificates are not loaded for a server without TLS: that takes as long as thousands of events.
    async with httpx.AsyncClient(timeout=60, verify=False) as client:
        body = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
        async with aconnect_sse(client, "POST", url, json=body) as source:
            async for sse in source.aiter_sse():
                event = read(sse.data)
                if event.type == "TEXT_MESSAGE_CONTENT":
                    length += len(event.delta)
    return length


async def httpx_alone(url: str) -> int:
    """The cost of the transport alone: the bytes are ignored."""
    import httpx

    async with httpx.AsyncClient(timeout=60, verify=False) as client, client.stream("POST", url, json={}) as answer:
        async for _ in answer.aiter_bytes():
            pass
    return 0


@contextmanager
def serving() -> Iterator[int]:
    with subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


def frame(**members: Any) -> bytes:
    return b"data: " + json.dumps(members, separators=(",", ":")).encode() + b"\n\n"


def answer(connection: socket.socket) -> None:
    """Reads the path `/WAY/EVENTS` of a request, and writes a run with EVENTS pieces of text."""
    with connection, suppress(OSError):
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(1 << 16)
        way, events = map(int, received.split()[1].strip(b"/").split(b"/"))
        ids = {"threadId": "t", "runId": "r"}
        frames = [frame(type="RUN_STARTED", **ids), frame(type="TEXT_MESSAGE_START", messageId=ID, role="assistant")]
        frames += [frame(type="TEXT_MESSAGE_CONTENT", messageId=ID, delta=DELTA)] * events
        frames += [frame(type="TEXT_MESSAGE_END", messageId=ID), frame(type="RUN_FINISHED", **ids)]
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
        if way == 0:
            chunks = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in frames]
            connection.sendall(head + b"transfer-encoding: chunked\r\n\r\n" + b"".join(chunks) + b"0\r\n\r\n")
        else:
            connection.sendall(head + b"\r\n" + b"".join(frames))
        # Unread data of the request would break the connection.
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):
            pass


def serve() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=answer, args=(connection,), daemon=True).start()


if __name__ == "__main__" and "--serve" in sys.argv:
    serve()

"""The cost of a token on a server: CPU time of separate uvicorn processes, while one client reads their streams.

`servers.py --serve NAME` is one of them; it prints its port.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from measure import Choice

ID = "msg-8f14e45f-ceea-467f-a8b2-1a2b3c4d5e6f"
DELTA = "forty characters of text, no more, less."
NAMES = ("ours", "official", "msgspec", "pre-encoded", "bare loop")
WAYS = {"one token a write": 1, "bursts of 16 tokens": 16}


def server_rows(rounds: int, choice: Choice, tokens: int = 20_000) -> list[dict[str, Any]]:
    """Measures the CPU time of the server for each token: written one by one, and in bursts between two turns of its
    event loop.
    """
    names = choice.of(NAMES)
    times: dict[str, dict[str, list[float]]] = {way: {name: [] for name in names} for way in WAYS}
    with ExitStack() as stack:
        ports = {name: stack.enter_context(serving(name)) for name in names}
        turns = [(way, name) for way in WAYS for name in names]
        for way, name in turns:
            ask(ports[name], tokens, WAYS[way])
        for _ in range(rounds):
            random.shuffle(turns)
            for way, name in turns:
                times[way][name].append(ask(ports[name], tokens, WAYS[way]) / tokens)
    return [
        {
            "operation": f"server, {way}",
            "unit": "ns",
            "times": {name: statistics.median(values) for name, values in taken.items()},
        }
        for way, taken in times.items()
    ]


@contextmanager
def serving(name: str) -> Any:
    with subprocess.Popen([sys.executable, __file__, "--serve", name], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


def ask(port: int, tokens: int, burst: int) -> float:
    """Reads one stream. Returns the CPU time of its server meanwhile, in nanoseconds."""
    before = cpu(port)
    asked = {"threadId": "t", "runId": "r", "messages": [], "forwardedProps": {"tokens": tokens, "burst": burst}}
    frames = post(port, "/", json.dumps(asked)).count(b'"TEXT_MESSAGE_CONTENT"')
    if frames != tokens:
        sys.exit(f"{frames} tokens of {tokens} came")
    return cpu(port) - before


def cpu(port: int) -> float:
    return float(post(port, "/cpu", "").rpartition(b"\r\n\r\n")[2])


def post(port: int, path: str, body: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        pieces = []
        while piece := connection.recv(1 << 20):
            pieces.append(piece)
    return b"".join(pieces)


# The servers. Every agent yields to the event loop after each burst, as an agent does that waits for a model.


def official() -> Callable[[int, int], AsyncIterator[Any]]:
    from ag_ui.core import (
        RunFinishedEvent,
        RunStartedEvent,
        TextMessageContentEvent,
        TextMessageEndEvent,
        TextMessageStartEvent,
    )
    from ag_ui.encoder import EventEncoder

    async def stream(tokens: int, burst: int) -> AsyncIterator[str]:
        encoder = EventEncoder()
        yield encoder.encode(RunStartedEvent(thread_id="t", run_id="r"))
        yield encoder.encode(TextMessageStartEvent(message_id=ID))
        for at in range(tokens):
            yield encoder.encode(TextMessageContentEvent(message_id=ID, delta=DELTA))
            if at % burst == burst - 1:
                await asyncio.sleep(0)
        yield encoder.encode(TextMessageEndEvent(message_id=ID))
        yield encoder.encode(RunFinishedEvent(thread_id="t", run_id="r"))

    return stream


def msgspec() -> Callable[[int, int], AsyncIterator[Any]]:
    import models_msgspec
    import msgspec

    encode = msgspec.json.Encoder().encode

    async def stream(tokens: int, burst: int) -> AsyncIterator[bytes]:
        for at in range(tokens):
            event = models_msgspec.TextMessageContent(message_id=ID, delta=DELTA)
            yield b"data: " + encode(event) + b"\n\n"
            if at % burst == burst - 1:
                await asyncio.sleep(0)

    return stream


def pre_encoded() -> Callable[[int, int], AsyncIterator[Any]]:
    frame = json.dumps({"type": "TEXT_MESSAGE_CONTENT", "messageId": ID, "delta": DELTA}, separators=(",", ":"))
    piece = f"data: {frame}\n\n".encode()

    async def stream(tokens: int, burst: int) -> AsyncIterator[bytes]:
        for at in range(tokens):
            yield piece
            if at % burst == burst - 1:
                await asyncio.sleep(0)

    return stream


def starlette_app(stream: Callable[[int, int], AsyncIterator[Any]]) -> Any:
    """A server as frameworks build it on the official package."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import StreamingResponse
    from starlette.routing import Route

    async def run(request: Request) -> StreamingResponse:
        asked = (await request.json())["forwardedProps"]
        return StreamingResponse(stream(asked["tokens"], asked["burst"]), media_type="text/event-stream")

    return Starlette(routes=[Route("/", run, methods=["POST"])])


def bare_app() -> Any:
    """The minimum for a server of this kind: existing pieces, passed directly to uvicorn."""
    frame = json.dumps({"type": "TEXT_MESSAGE_CONTENT", "messageId": ID, "delta": DELTA}, separators=(",", ":"))
    piece = f"data: {frame}\n\n".encode()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked = json.loads((await receive())["body"])["forwardedProps"]
        burst = asked["burst"]
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        for _ in range(asked["tokens"] // burst):
            await send({"type": "http.response.body", "body": piece * burst, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})

    return app


def our_app() -> Any:
    from ag_ui_native.server import Run, asgi_app

    async def agent(run: Run) -> None:
        asked = run.input.forwarded_props
        burst = asked["burst"]
        async with run.text_message(id=ID) as message:
            for at in range(asked["tokens"]):
                if burst == 1:
                    await message.write(DELTA)
                else:
                    message.write(DELTA)
                if at % burst == burst - 1:
                    await asyncio.sleep(0)

    return asgi_app(agent)


def serve(name: str) -> None:
    import uvicorn

    streams = {"official": official, "msgspec": msgspec, "pre-encoded": pre_encoded}
    apps = {"ours": our_app, "bare loop": bare_app}
    app = apps[name]() if name in apps else starlette_app(streams[name]())

    async def with_cpu(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == "/cpu":
            body = str(time.process_time_ns()).encode()
            length = (b"content-length", str(len(body)).encode())
            await send({"type": "http.response.start", "status": 200, "headers": [length]})
            await send({"type": "http.response.body", "body": body})
        else:
            await app(scope, receive, send)

    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(with_cpu, log_level="warning", lifespan="off", loop="uvloop", http="httptools")
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    serve(sys.argv[2])

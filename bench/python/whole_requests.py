"""The cost of a whole request: the CPU time of separate processes that answer a body of 58 KB with 200 events, in process
(ASGI alone) and over uvicorn.

`whole_requests.py --serve PROGRAM` is one of them; it prints its port.
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
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from request_programs import EVENTS, PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from measure import Choice

WAYS = ("in process", "over uvicorn")
ROWS = {
    # A row: ours, the official program, and what stands below both.
    "FastAPI, install()": ("FastAPI, install()", "FastAPI", "FastAPI alone"),
    "FastAPI, our classes": ("FastAPI, our classes", "FastAPI", "FastAPI alone"),
    "FastAPI, respond()": ("FastAPI, respond()", "FastAPI", "FastAPI alone"),
    "our server (official: FastAPI)": ("our server", "FastAPI", "bare loop"),
    "pydantic-ai, install()": ("pydantic-ai, install()", "pydantic-ai", "pydantic-ai alone"),
}
REQUESTS = 5
"""The number of requests in a turn."""


def request_rows(rounds: int, input: str, choice: Choice) -> list[dict[str, Any]]:
    """Measures the CPU time of a request, after all programs have been seen to answer with the same events."""
    names = [ours for ours, *_ in ROWS.values()] if choice.ours else list(PROGRAMS)
    body = asked(input)
    times: dict[tuple[str, str], list[float]] = {(way, name): [] for way in WAYS for name in names}
    with ExitStack() as stack:
        ports = {name: stack.enter_context(serving(name)) for name in names}
        agree({name: post(port, "/", body) for name, port in ports.items()})
        turns = list(times)
        for number in range(-1, rounds):
            random.shuffle(turns)
            for way, name in turns:
                taken = in_process(ports[name], body) if way == "in process" else over_uvicorn(ports[name], body)
                if number >= 0:
                    times[way, name].append(taken / REQUESTS)
    return [
        {
            "operation": operation(way, row),
            "unit": "ns",
            "times": {
                ("ours", "official", name)[at]: statistics.median(times[way, name])
                for at, name in enumerate(competitors)
                if name in names
            },
        }
        for way in WAYS
        for row, competitors in ROWS.items()
    ]


def operation(way: str, row: str) -> str:
    return f"request {way}, {row}"


def operations() -> list[str]:
    return [operation(way, row) for way in WAYS for row in ROWS]


def asked(input: str) -> str:
    """The body of the requests: a conversation that ends with a question, since pydantic-ai answers no other."""
    body = json.loads(input)
    body["messages"].append({"id": "msg-question", "role": "user", "content": "What next?"})
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def agree(answers: dict[str, bytes]) -> None:
    """Stops if the programs do not answer with the same events. Programs on pydantic-ai are compared with each other,
    since the ids and times of their events are new in each run.
    """
    first: dict[str, tuple[str, list[Any]]] = {}
    for name, answer in answers.items():
        events = [plain(event) for event in events_of(answer)]
        if len(events) != EVENTS:
            sys.exit(f"{name}: {len(events)} events came: {answer[:300]!r}")
        other, expected = first.setdefault(
            name.partition(",")[0] if name.startswith("pydantic-ai, ") else "", (name, events)
        )
        if events != expected:
            found = next(pair for pair in zip(events, expected, strict=True) if pair[0] != pair[1])
            sys.exit(f"{name} answers {str(found[0])[:300]}, {other} {str(found[1])[:300]}")


def events_of(answer: bytes) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in answer.splitlines() if line.startswith(b"data: ")]


def plain(event: dict[str, Any]) -> dict[str, Any]:
    """An event without what is new in each run, and without what not every server tells."""
    untold = ("messageId", "timestamp", "outcome", "protocolVersion")
    return {key: value for key, value in event.items() if key not in untold}


def over_uvicorn(port: int, body: str) -> float:
    before = int(text_of(post(port, "/cpu", "")))
    for _ in range(REQUESTS):
        post(port, "/", body)
    return int(text_of(post(port, "/cpu", ""))) - before


def in_process(port: int, body: str) -> float:
    return int(text_of(post(port, "/in-process", body)))


def text_of(answer: bytes) -> bytes:
    return answer.rpartition(b"\r\n\r\n")[2]


def post(port: int, path: str, body: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    encoded = body.encode()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(
            f"{head}Accept: text/event-stream\r\nContent-Length: {len(encoded)}\r\n\r\n".encode() + encoded
        )
        pieces = []
        while piece := connection.recv(1 << 20):
            pieces.append(piece)
    return b"".join(pieces)


@contextmanager
def serving(name: str) -> Iterator[int]:
    with subprocess.Popen([sys.executable, __file__, "--serve", name], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


# The process of a program.


def with_clock(app: Any) -> Any:
    """The program; two more paths tell the CPU time of the process, and that of requests without a server."""

    async def clocked(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/":
            await app(scope, receive, send)
            return
        body, is_more = b"", True
        while is_more:
            message = await receive()
            body += message["body"]
            is_more = message["more_body"]
        before = 0 if scope["path"] == "/cpu" else time.process_time_ns()
        if scope["path"] == "/in-process":
            for _ in range(REQUESTS):
                await answered(app, {**scope, "path": "/", "raw_path": b"/"}, body)
        told = str(time.process_time_ns() - before).encode()
        length = (b"content-length", str(len(told)).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": told})

    return clocked


async def answered(app: Any, scope: Any, body: bytes) -> None:
    """Has a program answer a request, and drops the answer."""
    is_read, ended = False, asyncio.Event()

    async def receive() -> dict[str, Any]:
        nonlocal is_read
        if not is_read:
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}
        await ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            ended.set()

    await app(scope, receive, send)


def serve(name: str) -> None:
    import uvicorn

    app = PROGRAMS[name]()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(with_clock(app), log_level="warning", lifespan="off", loop="uvloop", http="httptools")
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    serve(sys.argv[2])

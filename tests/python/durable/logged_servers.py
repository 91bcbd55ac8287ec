"""Servers with a log, their agents, and what clients read of them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from ag_ui_native.durable import Log, MemoryLog
from ag_ui_native.pipeline.reducer import Reducer
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.stream import decode_events
from servers import PATIENCE, asgi_server

RESUMES = {"ag-ui-resume": "1"}


def body_of(run_id: str = "r", thread_id: str = "t", text: str = "Hi") -> dict[str, Any]:
    """The input of a run."""
    messages = [{"id": "m", "role": "user", "content": text}]
    return {"threadId": thread_id, "runId": run_id, "messages": messages, "tools": [], "context": [], "state": {}}


async def greet(run: Run) -> str:
    run.state["step"] = 1
    for word in ("Hello", " ", "world", "!"):
        await run.write(word)
    return "done"


class Gate:
    """An agent that waits in the middle of its run. It counts its runs, and how they ended."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.begun = 0
        self.ends: list[str] = []

    async def __call__(self, run: Run) -> None:
        self.begun += 1
        try:
            await run.write("before")
            while not self.opened.is_set():
                await asyncio.sleep(0.002)
            await run.write("after")
        except asyncio.CancelledError:
            self.ends.append("cancelled")
            raise
        self.ends.append("returned")


@contextmanager
def served(agent: Any, log: Log | None = None, **options: Any) -> Iterator[httpx.Client]:
    """Serves an agent, and yields a client of its address."""
    options = {"authorize": "public", **options}
    app = asgi_app(agent, log=MemoryLog() if log is None else log, **options)
    with (
        asgi_server(app) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}/agent", timeout=PATIENCE) as client,
    ):
        yield client


def frames(body: bytes) -> list[tuple[str | None, dict[str, Any]]]:
    """The id and the event of each frame."""
    found = []
    for block in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if "data" in fields:
            found.append((fields.get("id"), json.loads(fields["data"])))
    return found


def types(body: bytes) -> list[str]:
    return [event["type"] for _, event in frames(body)]


def reduced(*bodies: bytes) -> Any:
    reducer = Reducer()
    for body in bodies:
        for event in decode_events([body], "text/event-stream"):
            reducer.apply(event)
    return reducer.messages, reducer.state


def begin(client: httpx.Client, until_text: bytes, body: dict[str, Any], headers: dict[str, str]) -> tuple[Any, bytes]:
    """Starts a run, reads until a text has come, and disconnects."""
    received = b""
    with client.stream("POST", "", json=body, headers=headers) as response:
        for piece in response.iter_raw():
            received += piece
            if until_text in received:
                break
    return response, received


def read(client: httpx.Client, after: str | None = None, run_id: str = "r", thread_id: str = "t", **kind: Any) -> Any:
    headers = {"last-event-id": after} if after else {}
    return client.get("", params={"thread": thread_id, "run": run_id}, headers={**headers, **kind})

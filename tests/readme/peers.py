"""Servers for the programs of the guides: `python peers.py NAME`, on PORT."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ag_ui_native.server import Run, asgi_app

ENDS = {"threadId": "t", "runId": "r"}
FAULTY = [
    {"type": "RUN_STARTED", **ENDS},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", "name": None},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "n", "delta": "x"},
    {"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/a", "value": 1}]},
    {"type": "NEW_IN_2_0", "n": 12345678901234567890},
    {"type": "RUN_FINISHED", **ENDS},
]
THINKING = [
    {"type": "RUN_STARTED", **ENDS},
    {"type": "THINKING_START"},
    {"type": "THINKING_TEXT_MESSAGE_START"},
    {"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "Hm."},
    {"type": "THINKING_TEXT_MESSAGE_END"},
    {"type": "THINKING_END"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hello."},
    {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    {"type": "RUN_FINISHED", **ENDS, "result": None},
]


def stream(events: list[dict[str, Any]], more: bytes = b"") -> Response:
    body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    return Response(body + more, media_type="text/event-stream")


async def faulty(request: Request) -> Response:
    """A server that breaks nearly every rule, and accepts any body."""
    return stream(FAULTY)


async def broken(request: Request) -> Response:
    """A server whose answer is not an event stream from the third frame on."""
    return stream(FAULTY[:2], b"data: {\n\n: the end\n\n")


async def page(request: Request) -> Response:
    """Is no agent."""
    return Response("<h1>Hello</h1>", media_type="text/html")


async def older(request: Request) -> Response:
    """A server of version 0.0.39: contents are text, all members are present, and it sends THINKING events."""
    sent = await request.json()
    assert {"threadId", "runId", "state", "messages", "tools", "context", "forwardedProps"} == set(sent), sent
    if not all(isinstance(message["content"], str) for message in sent["messages"]):
        return JSONResponse({"detail": "content: str type expected"}, 422)
    asked = {"threadId": sent["threadId"], "runId": sent["runId"]}
    return stream([event | asked if "runId" in event else event for event in THINKING])


async def slow(request: Request) -> Response:
    """Begins a run, sends a text message, calls a tool, and then sends nothing any more."""
    call = {"toolCallId": "c"}
    calling = [
        {"type": "TOOL_CALL_START", **call, "toolCallName": "look"},
        {"type": "TOOL_CALL_ARGS", **call, "delta": "{}"},
        {"type": "TOOL_CALL_END", **call},
    ]

    async def body() -> AsyncIterator[bytes]:
        yield bytes(stream([THINKING[0], *THINKING[6:8], *calling]).body)
        await asyncio.sleep(60)

    return StreamingResponse(body(), media_type="text/event-stream")


async def busy(request: Request) -> Response:
    """Is busy the first time."""
    if not hasattr(request.app.state, "asked"):
        request.app.state.asked = True
        return Response("later", 503, headers={"retry-after": "0"})
    return stream(THINKING)


async def failing(run: Run) -> None:
    """Calls a tool, and fails."""
    run.tool_call("look", {"at": "the sea"})
    run.fail("no model", "no_model")


if __name__ == "__main__":
    application = Starlette(routes=[Route("/", globals()[sys.argv[1]], methods=["POST"])])
    if sys.argv[1] == "failing":
        application = asgi_app(failing)
    uvicorn.run(application, port=int(os.environ["PORT"]), log_level="warning")

"""Scripts of runs for agents of the client side, and a transport that plays them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from ag_ui_native.client import RunRequest


def frame(event: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def run_of(*events: dict[str, Any]) -> list[bytes]:
    """A whole run with these events within."""
    ends = {"threadId": "t", "runId": "r"}
    return [frame(event) for event in ({"type": "RUN_STARTED"} | ends, *events, {"type": "RUN_FINISHED"} | ends)]


def says(text: str, message_id: str = "m") -> list[dict[str, Any]]:
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": text},
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def calls(name: str, arguments: str, call_id: str = "c") -> list[dict[str, Any]]:
    return [
        {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name},
        {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": arguments},
        {"type": "TOOL_CALL_END", "toolCallId": call_id},
    ]


def of_run(piece: Any, request: RunRequest) -> Any:
    """Replaces the ids of the script by those of the request."""
    if not isinstance(piece, bytes):
        return piece
    for member, scripted, asked in (("threadId", "t", request.thread_id), ("runId", "r", request.run_id)):
        piece = piece.replace(
            b'"%s": "%s"' % (member.encode(), scripted.encode()), f'"{member}": {json.dumps(asked)}'.encode()
        )
    return piece


class Script:
    """A transport that gives one answer after the other, and records the requests."""

    def __init__(self, *answers: Any) -> None:
        self.asked: list[dict[str, Any]] = []
        self._answers = iter(answers)

    def __call__(self, request: RunRequest) -> Any:
        self.asked.append(json.loads(request.input_json))
        answer = next(self._answers)
        return [of_run(piece, request) for piece in answer] if isinstance(answer, list) else answer


async def later(pieces: list[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        await asyncio.sleep(0)
        yield piece

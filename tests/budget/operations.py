"""The operations in which programs in Python spend their time: `operations.py DATA` lists them, `operations.py DATA
count` runs them to be counted.

DATA is what `bench/scenarios.py` writes. A line has the number of times that an operation is done between its two
marks, and its name.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from ag_ui_native import core
from ag_ui_native.client import SyncAgent
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.run_input import read_run_input
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.stream import EventDecoder, EventPipeline, Reducer, decode_event

Operations = dict[str, tuple[int, Callable[[], object]]]

# Calls a function of the C library that is not called otherwise: the counting tool recognizes it.
mark = os.getloadavg

EVENTS = 500
WORDS = "a piece of text of forty characters, yes"


def encoding(texts: dict[str, str]) -> Operations:
    encoder, binary = EventEncoder(), EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)
    names = ("text", "state snapshot", "state delta", "messages")
    text, snapshot, delta, messages = (decode_event(texts[name]) for name in names)
    made = json.loads(texts["text"])
    message_id, words = made["messageId"], made["delta"]

    def construct() -> core.TextMessageContentEvent:
        return core.TextMessageContentEvent(message_id=message_id, delta=words)

    return {
        "construct a text event": (200, construct),
        "construct and encode it": (200, lambda: encoder.encode(construct())),
        "encode text": (200, lambda: encoder.encode(text)),
        "encode a state snapshot of 2 KB": (20, lambda: encoder.encode(snapshot)),
        "encode a state delta of 5 operations": (50, lambda: encoder.encode(delta)),
        "encode a snapshot of 100 messages": (10, lambda: encoder.encode(messages)),
        "protobuf, encode text": (100, lambda: binary.encode_binary(text)),
    }


def decoding(texts: dict[str, str]) -> Operations:
    text, messages, run_input = (texts[name].encode() for name in ("text", "messages", "input"))
    message = EventEncoder(AGUI_MEDIA_TYPE, protobuf=True).encode_binary(decode_event(text))

    def protobuf() -> None:
        assert len(EventDecoder(AGUI_MEDIA_TYPE).feed(message * 100)) == 100

    return {
        "decode text": (200, lambda: core.TextMessageContentEvent.model_validate_json(text)),
        "decode a snapshot of 100 messages": (5, lambda: core.MessagesSnapshotEvent.model_validate_json(messages)),
        "read a run input of 57 KB": (5, lambda: read_run_input(run_input)),
        "protobuf, decode 100 texts in one read": (2, protobuf),
    }


def streams(stream: bytes) -> Operations:
    frames = [frame + b"\n\n" for frame in stream.split(b"\n\n")[:EVENTS]]
    whole = b"".join(frames)

    def decode(reads: list[bytes]) -> None:
        decoder = EventDecoder()
        for read in reads:
            decoder.feed(read)

    def pipeline(**options: Any) -> None:
        made = EventPipeline(state={"items": [{"done": False}]}, **options)
        for frame in frames:
            made.feed(frame)

    answer = [
        b"data: " + json.dumps(event).encode() + b"\n\n"
        for event in (
            {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
            {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
            *[{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": WORDS}] * EVENTS,
            {"type": "TEXT_MESSAGE_END", "messageId": "m"},
            {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
        )
    ]
    return {
        f"decode {EVENTS} events in one read": (1, lambda: decode([whole])),
        f"decode {EVENTS} events, one a read": (1, lambda: decode(frames)),
        f"verify {EVENTS} events, one a read": (1, lambda: pipeline(reduce=False)),
        f"make a conversation of {EVENTS} events, one a read": (1, pipeline),
        f"a client's run of {EVENTS} tokens": (1, lambda: SyncAgent(lambda _: answer).run_agent()),
    }


def conversations(texts: dict[str, str]) -> Operations:
    state, changed = (json.loads(texts["input"])["state"] for _ in range(2))
    changed["items"][7]["name"] = "changed"
    change = [{"op": "replace", "path": "/items/7/name", "value": "changed"}]
    reducer = Reducer([core.UserMessage(id=f"m{at}", content="What now?") for at in range(100)])
    reducer.apply(core.TextMessageStartEvent(message_id="m"))
    delta = core.TextMessageContentEvent(message_id="m", delta=WORDS)
    return {
        "reduce a text delta": (200, lambda: reducer.apply(delta)),
        "patch of one operation": (200, lambda: apply_patch(state, change)),
        "diff after one edit": (20, lambda: diff(state, changed)),
    }


def runs() -> Operations:
    """Runs of agents, as servers send them."""

    async def awaited(run: Run[Any]) -> None:
        async with run.text_message() as message:
            for _ in range(EVENTS):
                await message.write(WORDS)

    async def burst(run: Run[Any]) -> None:
        async with run.text_message() as message:
            for _ in range(EVENTS):
                message.write(WORDS)

    async def calls(run: Run[Any]) -> None:
        for _ in range(EVENTS // 10):
            async with run.tool_call("get_weather") as call:
                for piece in ('{"city": ', '"Paris", ', '"days": 2}'):
                    await call.write(piece)

    async def with_a_state(run: Run[Any]) -> None:
        run.state = {"items": [{"name": f"item {at}", "done": False} for at in range(25)]}
        for at in range(25):
            run.state["items"][at]["done"] = True
            await run.flush_state()

    return {
        f"a server's run of {EVENTS} tokens, each awaited": (1, serve(awaited)),
        f"a server's run of {EVENTS} tokens in one burst": (1, serve(burst)),
        f"a server's run of {EVENTS // 10} tool calls": (1, serve(calls)),
        "a server's run of 25 changes of its state": (1, serve(with_a_state)),
    }


LOOP = asyncio.new_event_loop()


def serve(agent: Callable[[Run[Any]], Awaitable[None]]) -> Callable[[], None]:
    """Sends a request to the agent's application, and drops the answer."""
    app = asgi_app(agent)
    body = json.dumps({"threadId": "t", "runId": "r", "state": {}, "messages": []}).encode()
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-type", b"application/json")]}

    async def run() -> None:
        asked = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> dict[str, Any]:
            return next(asked, None) or await asyncio.Event().wait()  # type: ignore[return-value]

        sent: list[bytes] = []

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))

        await app(scope, receive, send)
        assert b"RUN_FINISHED" in b"".join(sent)

    return lambda: LOOP.run_until_complete(run())


def main(data: Path, count: bool) -> None:
    texts = json.loads((data / "documents.json").read_text("utf-8"))
    stream = (data / "stream.sse").read_bytes()
    found = encoding(texts) | decoding(texts) | streams(stream) | conversations(texts) | runs()
    if not count:
        for name, (times, _) in found.items():
            print(times, name)
        return
    # A collection visits all objects at times that differ between runs.
    gc.disable()
    for times, work in found.values():
        # The first calls make the objects that are made only once.
        work()
        work()
        mark()
        for _ in range(times):
            work()
        mark()


if __name__ == "__main__":
    main(Path(sys.argv[1]), "count" in sys.argv)

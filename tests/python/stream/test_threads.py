"""Threads: shared objects give results or a clear error, and long work lets other threads run."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ag_ui_native import AGUIError, core
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.stream import (
    EventDecoder,
    EventPipeline,
    EventVerifier,
    PartialArguments,
    Reducer,
    compact_events,
    decode_event,
)

THREADS = 8
ROUNDS = 150


def together(work: Callable[[int], None]) -> list[BaseException]:
    """Runs `work` in all threads at once. Returns the errors."""
    failures: list[BaseException] = []
    gate = threading.Barrier(THREADS)

    def run(number: int) -> None:
        gate.wait()
        try:
            for _ in range(ROUNDS):
                work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def sse(*events: Any) -> bytes:
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


RUN = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
START = {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"}
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"}
STATE = [{"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/list/-", "value": {"a": [1]}}]}]


def clear(work: Callable[[], Any]) -> Any:
    """Returns the result of `work`, or None if another call was running."""
    try:
        return work()
    except AGUIError as error:
        assert error.code in ("reentrant_call", "decoder_failed"), error
        return None


def share_classes() -> list[BaseException]:
    def work(number: int) -> None:
        event = core.TextMessageContentEvent(message_id="m", delta="d", timestamp=number)
        assert event.model_fields_set == {"message_id", "delta", "timestamp"}
        event.extra = [number]
        again = core.TextMessageContentEvent.model_validate_json(event.model_dump_json(by_alias=True))
        assert again == event
        assert decode_event(event.model_dump_json(by_alias=True), profile="relay")["extra"] == [number]

    return together(work)


def share_encoders() -> list[BaseException]:
    text, binary = EventEncoder(), EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)
    snapshot = core.StateSnapshotEvent(snapshot={"list": [{"n": n, "text": "x" * 50} for n in range(500)]})
    expected = text.encode(snapshot), binary.encode(snapshot)

    def work(number: int) -> None:
        event = core.TextMessageContentEvent(message_id=f"m{number}", delta="d")
        assert f'"m{number}"' in text.encode(event)
        assert EventDecoder(AGUI_MEDIA_TYPE).feed(binary.encode(event)) == [event]
        assert (text.encode(snapshot), binary.encode(snapshot)) == expected

    return together(work)


def share_streams() -> list[BaseException]:
    decoder, pipeline, reducer = EventDecoder(), EventPipeline(state={"list": []}, verify=False), Reducer()
    verifier, arguments = EventVerifier(), PartialArguments()
    pipeline.feed(sse(RUN, START))
    reducer.apply(START)
    verifier.check(RUN)
    arguments.feed('{"a":[')
    counts = {"decoder": [0] * THREADS, "pipeline": [0] * THREADS, "reducer": [0] * THREADS}
    data = sse(*[CONTENT] * 40)

    def work(number: int) -> None:
        counts["decoder"][number] += len(clear(lambda: decoder.feed(data)) or ())
        counts["pipeline"][number] += len(clear(lambda: pipeline.feed(sse(CONTENT, *STATE))) or ()) // 2
        counts["reducer"][number] += len(clear(lambda: reducer.apply(CONTENT)) or ())
        arguments.feed("1,")
        assert decoder.last_event_id == "" and pipeline.messages[0].content.strip("x") == ""
        assert verifier.is_running and isinstance(verifier.open, list)
        assert isinstance(pipeline.state["list"], list) and pipeline.warnings == []

    failures = together(work)
    # Accepted data has been handled, and nothing else.
    if not failures:
        try:
            assert len(pipeline.messages[0].content) == sum(counts["pipeline"]) == len(pipeline.state["list"])
            assert len(reducer.messages[0].content) == sum(counts["reducer"])
            assert sum(counts["decoder"]) % 40 == 0
            assert arguments.value == {"a": [1] * THREADS * ROUNDS}
        except AssertionError as error:
            failures.append(error)
    return failures


def share_lists() -> list[BaseException]:
    events = [RUN, START, *[CONTENT] * 50, {"type": "TEXT_MESSAGE_END", "messageId": "m"}]
    old, new = {"list": list(range(50))}, {"list": list(range(1, 60)), "more": {"a": 1}}

    def work(number: int) -> None:
        assert len(compact_events(events)) == 4
        assert apply_patch(old, diff(old, new)) == new

    return together(work)


ALL = [share_classes, share_encoders, share_streams, share_lists]


def test_results_or_a_clear_error() -> None:
    """Runs with the checks of the development mode: locks, memory, open resources."""
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", __file__],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2_000:] + ran.stderr[-4_000:]
    assert ran.stdout.split() == [f"{work.__name__}:ok" for work in ALL]


def test_others_run_during_a_long_feed() -> None:
    data = sse(*[CONTENT] * 300_000)
    interval = sys.getswitchinterval()
    turns = 0
    done = threading.Event()

    def other() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0)

    thread = threading.Thread(target=other)
    decoder = EventDecoder()
    thread.start()
    sys.setswitchinterval(0.001)
    try:
        before = turns
        decoder.feed(data)
        during = turns - before
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()
    # Without turns it is one or two, before and after.
    assert during >= 5


if __name__ == "__main__":
    import logging

    logging.disable(logging.CRITICAL)
    for share in ALL:
        for failure in share():
            raise failure
        print(f"{share.__name__}:ok", flush=True)

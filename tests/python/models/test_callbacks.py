"""Callbacks are called last: they may read the object that calls them, and they may raise without loss of decoded
events.
"""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIError, AGUIStreamError, AGUIValidationError
from ag_ui_native.proto import decode as decode_protobuf
from ag_ui_native.proto import encode as encode_protobuf
from ag_ui_native.stream import (
    ChunkExpander,
    EventDecoder,
    EventPipeline,
    EventVerifier,
    Reducer,
    adecode_events,
    apply_events,
    compact_events,
    decode_event,
    decode_events,
    enforce_events,
    expand_chunks,
    verify_events,
)


class Raised(Exception):
    """An error that a callback raises."""


def sse(*events: Any) -> bytes:
    return b"".join(b"id: %d\ndata: %s\n\n" % (at, json.dumps(event).encode()) for at, event in enumerate(events))


def step(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "STEP_STARTED", "stepName": name, **more}


RUN = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
START = {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"}
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x", "odd": 1}
CHUNK = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "x", "odd": 1}

CALLS: dict[str, tuple[Any, Callable[[Any], Any], list[str]]] = {
    "EventDecoder": (EventDecoder, lambda it: it.feed(sse(RUN, CONTENT)), ["last_event_id", "retry", "warnings"]),
    "EventPipeline": (
        EventPipeline,
        lambda it: it.feed(sse(RUN, START, CONTENT)),
        ["last_event_id", "messages", "state", "pending_interrupts", "state_in_sync", "warnings"],
    ),
    "Reducer": (Reducer, lambda it: it.apply({**START, "odd": 1}), ["messages", "state", "warnings"]),
    "EventVerifier": (EventVerifier, lambda it: it.check({**RUN, "odd": 1}), ["is_running", "open"]),
    "ChunkExpander": (ChunkExpander, lambda it: it.push(CHUNK), []),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_callback_reads_its_object(name: str) -> None:
    make, call, attributes = CALLS[name]
    seen: list[Any] = []
    it = make(on_warning=lambda warning: seen.append([getattr(it, attribute) for attribute in attributes]))
    call(it)
    assert len(seen) == 1
    if name == "EventDecoder":
        assert seen[0][0] == "1" and len(seen[0][2]) == 1
    if name == "EventPipeline":
        assert seen[0][1][0].content == "x"


@pytest.mark.parametrize("name", CALLS)
def test_a_callback_that_calls_its_object_again(name: str) -> None:
    make, call, _ = CALLS[name]
    codes: list[str] = []

    def again(warning: Any) -> None:
        with pytest.raises(AGUIStreamError, match="still working") as caught:
            call(it)
        codes.append(caught.value.code)

    it = make(on_warning=again)
    call(it)
    assert codes == ["reentrant_call"]
    # It works on as if nothing had been.
    other = make()
    call(other)
    event = RUN if name == "EventVerifier" else {"type": "TEXT_MESSAGE_END", "messageId": "m"}
    step = {"EventDecoder": "feed", "EventPipeline": "feed", "Reducer": "apply", "EventVerifier": "admit"}
    method = step.get(name, "push")
    given = sse(event) if method == "feed" else event
    outcomes = []
    for each in (it, other):
        try:
            outcomes.append(repr(getattr(each, method)(given)))
        except Exception as error:
            outcomes.append(repr(error))
    assert outcomes[0] == outcomes[1]


def boom(warning: Any) -> None:
    raise Raised


@pytest.mark.parametrize("make", [EventDecoder, lambda **named: EventPipeline(verify=False, reduce=False, **named)])
def test_what_was_decoded_comes_with_the_next_call(make: Any) -> None:
    decoder = make(on_warning=boom)
    with pytest.raises(Raised):
        decoder.feed(sse(step("a"), step("b", odd=1), step("c", odd=1), step("d")))
    assert [warning.event_index for warning in decoder.warnings] == [1, 2]
    assert [event.step_name for event in decoder.feed(sse(step("e")))] == ["a", "b", "c", "d", "e"]
    with pytest.raises(Raised):
        decoder.feed(sse(step("f", odd=1)))
    with pytest.raises(Raised):
        decoder.feed(sse(step("g", odd=1)))
    assert [event.step_name for event in decoder.close()] == ["f", "g"]


def test_changes_come_with_the_next_call() -> None:
    pipeline = EventPipeline(on_warning=boom)
    with pytest.raises(Raised):
        pipeline.feed(sse(RUN, START, CONTENT))
    assert pipeline.messages[0].content == "x"
    assert [change.kind for change in pipeline.feed(b"")] == ["message_inserted", "text_appended"]
    reducer = Reducer(on_warning=boom)
    with pytest.raises(Raised):
        reducer.apply({**START, "odd": 1})
    end = {"type": "TEXT_MESSAGE_END", "messageId": "m"}
    assert [change.kind for change in reducer.apply(end)] == ["message_inserted", "message_ended"]


def test_a_callback_that_raises_when_the_call_has_failed() -> None:
    decoder = EventDecoder(on_warning=boom)
    with pytest.raises(AGUIValidationError) as caught:
        decoder.feed(sse(step("a", odd=1)) + b"data: {\n\n")
    assert caught.value.event_index == 1 and isinstance(caught.value.__cause__, Raised)
    assert [event.step_name for event in caught.value.partial] == ["a"]


def test_every_warning_is_handed_over_unless_the_program_is_to_end() -> None:
    for exception, count in ((Raised, 3), (KeyboardInterrupt, 1)):
        seen: list[Any] = []

        def raises(warning: Any, exception: Any = exception, seen: list[Any] = seen) -> None:
            seen.append(warning)
            raise exception(len(seen))

        decoder = EventDecoder(on_warning=raises)
        with pytest.raises(exception, match="1"):
            decoder.feed(sse(*[step("a", odd=1)] * 3))
        assert len(seen) == count and len(decoder.warnings) == 3
        assert len(decoder.feed(b"")) == 3
    decoder = EventDecoder(on_warning=raises)
    with pytest.raises(KeyboardInterrupt):
        decoder.feed(sse(step("a", odd=1)) + b"data: {\n\n")
    with pytest.raises(AGUIError) as caught:
        decoder.feed(b"")
    assert [event.step_name for event in caught.value.partial] == ["a"]


def test_iterators_yield_what_was_decoded_first() -> None:
    chunks = [sse(step("a"), step("b", odd=1)), sse(step("c"))]

    async def pieces() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def collect(into: list[str]) -> None:
        async for event in adecode_events(pieces(), on_warning=boom):
            into.append(event.step_name)

    names: list[str] = []
    with pytest.raises(Raised):
        for event in decode_events(chunks, on_warning=boom):
            names.append(event.step_name)
    later: list[str] = []
    with pytest.raises(Raised):
        asyncio.run(collect(later))
    cut: list[str] = []
    with pytest.raises(AGUIValidationError):
        for event in decode_events([chunks[0] + b"data: {\n\n"], on_warning=boom):
            cut.append(event.step_name)
    assert names == later == cut == ["a", "b"]


BATCHES: dict[str, Callable[..., Any]] = {
    "enforce_events": enforce_events,
    "expand_chunks": expand_chunks,
    "verify_events": verify_events,
    "compact_events": compact_events,
    "apply_events": apply_events,
}


@pytest.mark.parametrize("name", BATCHES)
def test_functions_leave_what_they_made_on_the_exception(name: str) -> None:
    events = [RUN, {**START, "odd": 1}, {"type": "TEXT_MESSAGE_END", "messageId": "m"}]
    whole = BATCHES[name](events)
    with pytest.raises(Raised) as caught:
        BATCHES[name](events, on_warning=boom)
    assert caught.value.partial == (whole.changes if name == "apply_events" else whole)  # type: ignore[attr-defined]


def test_functions_leave_what_they_made_when_the_events_fail() -> None:
    def events() -> Iterator[Any]:
        yield RUN
        raise Raised

    with pytest.raises(Raised) as caught:
        enforce_events(events())
    assert caught.value.partial == [RUN]  # type: ignore[attr-defined]


def test_documents_are_left_on_the_exception() -> None:
    with pytest.raises(Raised) as caught:
        decode_event(json.dumps(step("a", odd=1)), on_warning=boom)
    assert caught.value.partial[0].step_name == "a"  # type: ignore[attr-defined]
    with pytest.raises(Raised) as caught:
        encode_protobuf(step("a", odd=1), profile="tolerant", on_warning=boom)
    message = caught.value.partial[0]  # type: ignore[attr-defined]
    assert decode_protobuf(message).step_name == "a"


# The signal may come in the midst of a finalizer, too.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_leaves_the_rest_to_the_next_call() -> None:
    names = [f"{at:05}" for at in range(40_000)]
    data = b"".join(
        b'id:%s\ndata:{"type":"STEP_STARTED","stepName":"%s"}\n\n' % (n.encode(), n.encode()) for n in names
    )

    codes: list[str] = []

    def alarm(number: int, frame: Any) -> None:
        try:
            decoder.feed(b"")
        except AGUIStreamError as error:
            codes.append(error.code)
        raise Raised

    before = signal.signal(signal.SIGALRM, alarm)
    interrupted = ""
    try:
        # The first signals may come before the work begins, or after it.
        for attempt in range(100):
            decoder = EventDecoder()
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.001 + attempt / 10_000)
                decoder.feed(data)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Raised:
                interrupted = decoder.last_event_id
            if "" < interrupted < names[-1]:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert "" < interrupted < names[-1] and codes[-1] == "reentrant_call"
    assert [event.step_name for event in decoder.feed(b"")] == names


def test_compaction_that_fails_has_what_came_before() -> None:
    text = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"}
    patch = {"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/none"}]}
    before = [RUN, {"type": "STATE_SNAPSHOT", "snapshot": {}}, patch, {**START, "odd": 1}, text, text]
    warnings: list[Any] = []
    with pytest.raises(AGUIValidationError) as caught:
        compact_events([*before, {"type": "TEXT_MESSAGE_START"}], on_warning=warnings.append)
    expected: list[Any] = []
    assert caught.value.event_index == 6
    assert caught.value.partial == compact_events(before, on_warning=expected.append) != []
    assert warnings == expected and {warning.code for warning in warnings} == {"unknown_field", "patch_target_missing"}

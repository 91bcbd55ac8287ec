"""`repr` of stream objects shows counts and flags, and never data that was sent."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.stream import ChunkExpander, EventDecoder, EventPipeline, EventVerifier, PartialArguments, Reducer

STREAM = (
    b'data: {"type":"RUN_STARTED","threadId":"secret","runId":"secret"}\n\n'
    b'data: {"type":"STATE_SNAPSHOT","snapshot":{"secret":1}}\n\n'
    b'data: {"type":"TEXT_MESSAGE_START","messageId":"secret","secret":1}\n\n'
    b'data: {"type":"SECRET"}\n\n'
)
EVENTS: list[dict[str, Any]] = [
    {"type": "RUN_STARTED", "threadId": "secret", "runId": "secret"},
    {"type": "TEXT_MESSAGE_START", "messageId": "secret"},
]


def test_decoders() -> None:
    decoder = EventDecoder()
    assert repr(decoder) == "EventDecoder(events=0, warnings=0)"
    decoder.feed(STREAM)
    assert repr(decoder) == "EventDecoder(events=4, warnings=2)"


def test_conversations() -> None:
    pipeline = EventPipeline(state={"secret": 1}, messages=[{"id": "u", "role": "user", "content": "secret"}])
    pipeline.feed(STREAM)
    counts = "messages=2, pending_interrupts=0, state_in_sync=True, warnings=2"
    assert repr(pipeline) == f"EventPipeline(events=4, {counts})"
    reducer = Reducer(pending_interrupts=[{"id": "i", "reason": "secret"}])
    reducer.apply({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/secret"}]})
    assert repr(reducer) == "Reducer(messages=0, pending_interrupts=1, state_in_sync=False, warnings=1)"


def test_stages() -> None:
    verifier, expander = EventVerifier(), ChunkExpander()
    assert repr(verifier) == "EventVerifier(is_running=False, open=0, warnings=0)"
    for event in EVENTS:
        verifier.check(event)
    assert repr(verifier) == "EventVerifier(is_running=True, open=1, warnings=0)"
    expander.push({"type": "TEXT_MESSAGE_CHUNK", "messageId": "secret", "delta": "secret"})
    assert repr(expander) == "ChunkExpander(open=1, warnings=0)"


def test_partial_arguments() -> None:
    arguments = PartialArguments()
    arguments.feed('{"secret":')
    assert repr(arguments) == "PartialArguments(is_complete=False)"
    arguments.feed("1}")
    assert repr(arguments) == "PartialArguments(is_complete=True)"


class Named(EventEncoder):
    pass


def test_encoders() -> None:
    assert repr(EventEncoder()) == "EventEncoder(content_type='text/event-stream')"
    assert repr(Named(AGUI_MEDIA_TYPE, protobuf=True)) == f"Named(content_type='{AGUI_MEDIA_TYPE}')"


@pytest.mark.parametrize("make", [EventDecoder, EventPipeline])
def test_a_callback_may_ask(make: Any) -> None:
    shown = []
    stream = make(on_warning=lambda _: shown.append(repr(stream)))
    stream.feed(STREAM)
    assert "warnings=2" in shown[0]


def test_a_finalizer_in_the_midst_of_the_work_may_ask() -> None:
    class Garbage:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            shown.append(repr(reducer))

    shown: list[str] = []
    reducer = Reducer(as_dicts=True)
    thresholds = gc.get_threshold()
    try:
        for _ in range(100):
            Garbage()
        gc.set_threshold(1)
        reducer.apply(EVENTS[1])
    finally:
        gc.set_threshold(*thresholds)
        gc.collect()
    assert len(shown) == 100 and all(text.startswith("Reducer(") for text in shown)

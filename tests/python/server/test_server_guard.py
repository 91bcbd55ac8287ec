"""`guard`: the events that leave it are legal, for every kind of agent and every form of events."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import ag_ui.core as official
import ag_ui.encoder
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ag_ui_native import AGUISequenceError, AGUIStreamError, core
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.server import guard
from ag_ui_native.stream import EventDecoder, EventVerifier, decode_events, expand_chunks

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
OPEN = {"type": "TEXT_MESSAGE_START", "messageId": "m"}
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi"}
FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
TYPES = ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]


def types(events: Any) -> list[str]:
    return [event["type"] if isinstance(event, dict) else str(event.type.value) for event in events]


def as_models(events: list[dict[str, Any]], package: Any) -> list[Any]:
    classes = {"".join(word.title() for word in event["type"].split("_")) + "Event" for event in events}
    assert all(hasattr(package, name) for name in classes)
    return [
        getattr(package, "".join(w.title() for w in e["type"].split("_")) + "Event").model_validate(e) for e in events
    ]


@pytest.mark.parametrize("package", [core, official], ids=["ours", "official"])
def test_what_is_made_is_of_the_form_of_what_is_given(package: Any) -> None:
    given_events = as_models([STARTED, OPEN, CONTENT], package)
    out = list(guard(given_events))
    assert types(out) == TYPES
    assert [a is b for a, b in zip(out, given_events, strict=False)] == [True] * 3
    assert all(type(event).__module__.split(".")[0] == package.__name__.split(".")[0] for event in out)


def test_dictionaries_pass_as_they_are() -> None:
    events = [STARTED, OPEN, {**CONTENT, "unknown": 10**30}, {"type": "NEW", "x": None}]
    out = list(guard(events))
    assert all(a is b for a, b in zip(out, events, strict=False))
    assert types(out[4:]) == ["TEXT_MESSAGE_END", "RUN_FINISHED"]


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("wire", [str, bytes])
def test_text_on_the_wire(size: int, wire: Callable[..., Any]) -> None:
    encoder = ag_ui.encoder.EventEncoder()
    text = "".join(encoder.encode(event) for event in as_models([STARTED, OPEN, CONTENT], official))
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    out = list(guard(pieces if wire is str else [piece.encode() for piece in pieces]))
    assert all(isinstance(piece, wire) for piece in out)
    whole = out[0][:0].join(out)
    assert types(decode_events([whole.encode() if wire is str else whole])) == TYPES


def test_protobuf_on_the_wire() -> None:
    encoder = EventEncoder("application/vnd.ag-ui.event+proto", protobuf=True)
    frames = [encoder.encode_binary(event) for event in as_models([STARTED, OPEN], core)]
    kind = encoder.get_content_type()
    out = list(guard(frames, content_type=kind + "; v=1"))
    assert out[:2] == frames
    assert types(decode_events(out, kind)) == ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_FINISHED"]


def test_an_agent_that_raises(caplog: pytest.LogCaptureFixture) -> None:
    def agent() -> Iterator[dict[str, Any]]:
        yield OPEN
        raise RuntimeError("secret")

    with caplog.at_level(logging.ERROR):
        out = list(guard(agent(), input=INPUT))
    assert types(out) == ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_ERROR"]
    assert out[-1]["code"] == "agent_failed" and "secret" not in json.dumps(out)
    assert caplog.records[-1].exc_info and caplog.records[-1].name == "ag_ui_native.server"
    assert list(guard(agent(), input=INPUT, show_errors=True))[-1]["message"] == "secret"
    for mode in ("report", "error", "off"):
        with pytest.raises(RuntimeError, match="secret"):
            list(guard(agent() if mode != "error" else (x for x in _raising()), mode))  # type: ignore[call-overload]


def _raising() -> Iterator[dict[str, Any]]:
    yield STARTED
    raise RuntimeError("secret")


def test_modes() -> None:
    broken = [STARTED, CONTENT, FINISHED, FINISHED]
    warnings: list[Any] = []
    assert types(guard(broken, on_warning=warnings.append)) == ["RUN_STARTED", "RUN_FINISHED"]
    assert [(w.event_index, w.rule) for w in warnings] == [(1, "V13"), (3, "V02")]
    warnings.clear()
    assert list(guard(broken, "report", on_warning=warnings.append)) == broken
    assert [(w.event_index, w.rule) for w in warnings] == [(1, "V13"), (3, "V02")]
    warnings.clear()
    assert list(guard([STARTED], "report", on_warning=warnings.append)) == [STARTED]
    assert [w.code for w in warnings] == ["stream_truncated"]
    checked = guard(broken, "error")
    out = [next(checked)]
    with pytest.raises(AGUISequenceError) as raised:
        next(checked)
    assert (out, raised.value.rule, raised.value.event_index) == ([STARTED], "V13", 1)
    with pytest.raises(AGUIStreamError):
        list(guard([STARTED], "error"))
    assert list(guard(broken, "off")) == broken
    with pytest.raises(ValueError, match="mode"):
        guard([], "mend")  # type: ignore[call-overload]


def test_without_ids_no_run_is_begun() -> None:
    assert types(guard([OPEN])) == ["RUN_ERROR"]
    assert list(guard([])) == []


def test_async_and_what_closes_it() -> None:
    closed = []

    async def agent() -> AsyncIterator[dict[str, Any]]:
        try:
            yield STARTED
            yield OPEN
            raise RuntimeError("secret")
        finally:
            closed.append(True)

    async def main() -> None:
        assert types([event async for event in guard(agent())]) == [*TYPES[:2], TYPES[3], "RUN_ERROR"]
        stopped = guard(agent())
        assert await anext(stopped) == STARTED
        await stopped.aclose()
        assert closed == [True, True]
        cancelled = asyncio.ensure_future(anext(guard(_sleeping())))
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled

    asyncio.run(main())


async def _sleeping() -> AsyncIterator[dict[str, Any]]:
    await asyncio.sleep(60)
    yield STARTED


def test_leaving_early_closes_the_agent() -> None:
    closed = []

    def agent() -> Iterator[dict[str, Any]]:
        try:
            yield STARTED
            yield OPEN
        finally:
            closed.append(True)

    events = guard(agent())
    next(events)
    events.close()
    assert closed == [True]
    # An error that the consumer throws is not a failure of the agent.
    events = guard(agent())
    next(events)
    with pytest.raises(KeyError):
        events.throw(KeyError("mine"))


def test_a_guard_and_its_callback_are_collected() -> None:
    class Holder:
        events: Any = None

        def warned(self, warning: object) -> None: ...

    holder = Holder()
    holder.events = guard([STARTED], on_warning=holder.warned)
    next(holder.events)
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


IDS = st.sampled_from(["a", "b"])
TAGS = st.sampled_from([None, "s"])
KINDS = (
    *("RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "STEP_STARTED", "STEP_FINISHED", "CUSTOM"),
    *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "TEXT_MESSAGE_CHUNK"),
    *("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_CHUNK"),
    *("SUBAGENT_STARTED", "SUBAGENT_FINISHED"),
)


@st.composite
def events(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(KINDS))
    event: dict[str, Any] = {"type": kind}
    if kind in ("RUN_STARTED", "RUN_FINISHED"):
        return {**event, "threadId": "t", "runId": "r"}
    if kind == "RUN_ERROR":
        return {**event, "message": "x"}
    if kind.startswith("SUBAGENT"):
        return {**event, "subagentRunId": "s", **({"name": "n"} if kind == "SUBAGENT_STARTED" else {})}
    if (tag := draw(TAGS)) is not None:
        event["subagentRunId"] = tag
    if kind == "CUSTOM":
        return {**event, "name": "c", "value": 1}
    if kind.startswith("STEP"):
        return {**event, "stepName": draw(IDS)}
    event["messageId" if kind.startswith("TEXT") else "toolCallId"] = draw(IDS)
    if kind in ("TOOL_CALL_START", "TOOL_CALL_CHUNK"):
        event["toolCallName"] = "look"
    if not kind.endswith(("START", "END")):
        event["delta"] = "x"
    return event


@given(st.lists(events(), max_size=25), st.booleans())
def test_what_comes_out_is_legal(given_events: list[dict[str, Any]], fails: bool) -> None:
    def agent() -> Iterator[dict[str, Any]]:
        yield from given_events
        if fails:
            raise RuntimeError

    out = list(guard(agent(), input=INPUT))
    verifier = EventVerifier()
    for event in expand_chunks(out):
        verifier.check(event)
    verifier.finish()
    assert verifier.warnings == []
    decoder = EventDecoder(profile="strict", as_dicts=True)
    decoder.feed("".join(f"data: {json.dumps(event)}\n\n" for event in out).encode())
    assert list(guard(out)) == out

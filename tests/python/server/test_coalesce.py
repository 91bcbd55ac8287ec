"""Coalesced events have the same result as the original events, in the same order."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import time
import weakref
from collections.abc import AsyncIterator
from typing import Any

import ag_ui.core
import pytest

from ag_ui_native import core, to_json
from ag_ui_native.errors import AGUIValidationError
from ag_ui_native.server import Coalescer, coalesce_events
from ag_ui_native.stream import apply_events, verify_events
from servers import PATIENCE

DELTAS = {"TEXT_MESSAGE_CONTENT": "messageId", "TOOL_CALL_ARGS": "toolCallId", "REASONING_MESSAGE_CONTENT": "messageId"}


def a_run(chance: random.Random) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m"},
        {"type": "TEXT_MESSAGE_START", "messageId": "n"},
        {"type": "TOOL_CALL_START", "toolCallId": "m", "toolCallName": "f"},
        {"type": "REASONING_START", "messageId": "q"},
        {"type": "REASONING_MESSAGE_START", "messageId": "q", "role": "reasoning"},
    ]
    for _ in range(40):
        kind = chance.choice([*DELTAS, "CUSTOM"]) if chance.random() < 0.4 else events[-1]["type"]
        if kind in DELTAS:
            id = chance.choice("mn" if kind == "TEXT_MESSAGE_CONTENT" else "m")
            id = "q" if kind == "REASONING_MESSAGE_CONTENT" else id
            event = {"type": kind, DELTAS[kind]: id, "delta": chance.choice(["", "a", "long", "é"])}
            if chance.random() < 0.2:
                event["metadata"] = {chance.choice("xy"): chance.randrange(3)}
            if chance.random() < 0.1:
                event |= chance.choice([{"timestamp": 1}, {"rawEvent": {"a": 1}}])
            events.append(event)
        else:
            events.append({"type": "CUSTOM", "name": "n", "value": len(events)})
    return events


def models(events: list[dict[str, Any]], package: Any) -> list[Any]:
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Any] = TypeAdapter(package.Event)
    return [adapter.validate_python(event) for event in events]


def as_dict(event: Any) -> dict[str, Any]:
    return event if isinstance(event, dict) else json.loads(event.model_dump_json(by_alias=True, exclude_none=True))


FORMS = {
    "dicts": list,
    "ours": lambda events: models(events, core),
    "official": lambda events: models(events, ag_ui.core),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(40))
def test_what_is_coalesced_comes_to_the_same(seed: int, form: str) -> None:
    chance = random.Random(seed)
    events = FORMS[form](a_run(chance))
    delay = chance.choice([0.0, 0.01, 1.0, float("inf")])
    coalescer: Coalescer[Any] = Coalescer(max_bytes=chance.choice([0, 3, 1000]), max_delay=delay)
    now, out = 0.0, []
    for event in events:
        now += chance.choice([0.0, 0.004, 0.02])
        deadline = coalescer.deadline
        if deadline is not None and deadline <= now:
            out += coalescer.flush(deadline)
        out += coalescer.push(event, now)
    out += coalescer.flush(now)
    assert coalescer.flush() == [] and coalescer.deadline is None
    given, made = [as_dict(event) for event in events], [as_dict(event) for event in out]
    assert apply_events(made, as_dicts=True)[:2] == apply_events(given, as_dicts=True)[:2]
    verify_events(made)
    others = [[event for event in some if event["type"] not in DELTAS] for some in (given, made)]
    assert others[0] == others[1]
    assert {type(event).__module__ for event in out} <= {type(event).__module__ for event in events}
    known = {id(event) for event in events}
    assert all(id(event) in known for event in out if as_dict(event)["type"] not in DELTAS)
    if delay == 0:
        assert [id(event) for event in out] == [id(event) for event in events]


def text(delta: str, **more: Any) -> core.TextMessageContentEvent:
    return core.TextMessageContentEvent(message_id="m", delta=delta, **more)


def test_the_first_goes_out_at_once_and_the_rest_together() -> None:
    coalescer: Coalescer[Any] = Coalescer(max_bytes=100, max_delay=1.0)
    first, second = text("a"), text("b", metadata={"x": 1}, timestamp=1)
    assert coalescer.push(first, 1.0) == [first]
    assert coalescer.push(second, 1.25) == [] and coalescer.deadline == 2.0
    assert coalescer.push(text("c", metadata={"y": 2}), 1.5) == []
    (joined,) = coalescer.flush(2.0)
    assert to_json(joined) == to_json(text("bc", metadata={"x": 1, "y": 2}))
    assert coalescer.push(second, 2.5) == []
    other = core.CustomEvent(name="n", value=1)
    out = coalescer.push(other, 2.5)
    assert out[0] is second and out[1] is other and len(out) == 2
    assert coalescer.push(first, 2.5) == [first]


def test_what_is_no_delta_is_refused_and_the_rest_waits_on() -> None:
    coalescer: Coalescer[Any] = Coalescer()
    coalescer.push(text("a"), 1.0)
    coalescer.push(text("b"), 1.0)
    with pytest.raises(AGUIValidationError):
        coalescer.push({"type": "TEXT_MESSAGE_CONTENT", "messageId": 1}, 1.0)
    odd = {"type": "UNHEARD_OF", "x": object()}
    assert [as_dict(event)["type"] for event in coalescer.push(odd, 1.0)] == ["TEXT_MESSAGE_CONTENT", "UNHEARD_OF"]
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError):
            Coalescer(max_delay=wrong)
        with pytest.raises(ValueError):
            coalescer.push(text("a"), wrong)
    assert repr(coalescer) == "Coalescer(waits=False)"


def test_what_waits_is_collected_with_it() -> None:
    class Event(dict[str, Any]):
        pass

    coalescer: Coalescer[Any] = Coalescer(max_delay=float("inf"))
    event = Event(type="TEXT_MESSAGE_CONTENT", messageId="m", delta="a")
    coalescer.push(event, 1.0)
    waiting = Event(event)
    coalescer.push(waiting, 1.0)
    waiting["self"] = coalescer
    gone = weakref.ref(waiting)
    del waiting, coalescer
    gc.collect()
    assert gone() is None


def run(coroutine: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, 30))


def test_deltas_of_an_iterator_go_out_together_and_in_time() -> None:
    async def program() -> list[str]:
        goes_on = asyncio.Event()

        async def events() -> AsyncIterator[Any]:
            for delta in "abc":
                yield text(delta)
            await goes_on.wait()
            yield text("d")

        out = []
        async for event in coalesce_events(events(), max_delay=0.01):
            out.append(event.delta)
            if event.delta == "bc":
                # Sent by the clock: the agent is waiting for us.
                goes_on.set()
        return out

    assert "".join(run(program())) == "abcd" and run(program())[:2] == ["a", "bc"]


def test_what_waits_goes_out_before_an_exception() -> None:
    async def events() -> AsyncIterator[Any]:
        for delta in "abc":
            yield text(delta)
        raise LookupError("on purpose")

    async def program() -> list[str]:
        out = []
        with pytest.raises(LookupError):
            async for event in coalesce_events(events(), max_delay=60.0):
                out.append(event.delta)
        return out

    assert run(program()) == ["a", "bc"]


@pytest.mark.parametrize("how", ["close", "cancel", "at once"])
def test_the_agent_is_closed_with_its_reader(how: str) -> None:
    log: list[Any] = []
    waiting = asyncio.Event()

    async def events() -> AsyncIterator[Any]:
        task = asyncio.current_task()
        try:
            yield text("a")
            yield text("b")
            waiting.set()
            await asyncio.sleep(60)
        finally:
            # Cleanup runs where the rest ran, and may take its time.
            await asyncio.sleep(0)
            log.append(asyncio.current_task() is task)

    async def read() -> None:
        async for _ in coalesce_events(events(), max_delay=60.0):
            pass

    async def program() -> None:
        if how == "cancel":
            reader = asyncio.create_task(read())
            await asyncio.wait_for(waiting.wait(), PATIENCE)
            reader.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reader
            return
        coalesced = coalesce_events(events(), max_delay=60.0)
        if how == "close":
            assert (await anext(coalesced)).delta == "a"
        await coalesced.aclose()  # type: ignore[attr-defined]

    run(program())
    assert log == ([] if how == "at once" else [True])


@pytest.mark.parametrize("goodbyes", [1, 3])
@pytest.mark.parametrize("how", ["cancel", "close"])
def test_an_agent_that_says_goodbye_does_not_delay_the_end(how: str, goodbyes: int) -> None:
    closed = False
    waiting = asyncio.Event()

    async def events() -> AsyncIterator[Any]:
        nonlocal closed
        try:
            yield text("a")
            waiting.set()
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            for _ in range(goodbyes):
                yield text("goodbye")
        finally:
            closed = True

    async def program() -> None:
        coalesced = coalesce_events(events(), max_delay=0.0)
        assert (await anext(coalesced)).delta == "a"
        if how == "cancel":
            reader = asyncio.ensure_future(anext(coalesced))
            await asyncio.wait_for(waiting.wait(), PATIENCE)
            reader.cancel()
            done, _ = await asyncio.wait({reader}, timeout=10)
            assert done and reader.cancelled()
        else:
            await asyncio.wait_for(coalesced.aclose(), 10)  # type: ignore[attr-defined]  # It is declared as an iterator, and is a generator.

    run(program())
    assert closed


def test_the_agent_is_not_asked_far_ahead() -> None:
    asked = 0

    async def events() -> AsyncIterator[Any]:
        nonlocal asked
        while True:
            asked += 1
            yield {"type": "CUSTOM", "name": "n", "value": asked}

    async def program() -> None:
        coalesced = coalesce_events(events())
        async for event in coalesced:
            await asyncio.sleep(0)
            assert asked - event["value"] <= 2
            if event["value"] == 50:
                break
        await coalesced.aclose()  # type: ignore[attr-defined]

    run(program())


def test_an_agent_that_is_cancelled_by_itself_ends_the_stream() -> None:
    async def events() -> AsyncIterator[Any]:
        yield text("a")
        raise asyncio.CancelledError

    async def program() -> None:
        out = []
        with pytest.raises(asyncio.CancelledError):
            async for event in coalesce_events(events()):
                out.append(event)
        assert len(out) == 1

    run(program())


def test_the_clock_is_monotonic() -> None:
    coalescer: Coalescer[Any] = Coalescer(max_delay=100.0)
    coalescer.push(text("a"))
    before = time.monotonic()
    coalescer.push(text("b"))
    assert coalescer.deadline is not None and before < coalescer.deadline <= time.monotonic() + 100.0

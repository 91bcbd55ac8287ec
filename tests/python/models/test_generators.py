"""Generators that the package hands out: left half way, collected, closed twice, iterated twice, thrown into. Each
closes its source.
"""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.client import Agent, RunRequest, SyncAgent, ToolCallFilter
from ag_ui_native.server import coalesce_events, guard
from ag_ui_native.stream import adecode_events, decode_event, decode_events
from client_scripts import frame, run_of, says
from servers import eventually

EVENTS = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    *says("Hi"),
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
]


class Source:
    """Yields items one after the other, and counts the ends of its iterations."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items
        self.closed = 0

    def plain(self) -> Iterator[Any]:
        try:
            yield from self.items
        finally:
            self.closed += 1

    async def later(self) -> AsyncIterator[Any]:
        try:
            for item in self.items:
                yield item
        finally:
            self.closed += 1


def source_of(name: str) -> Source:
    return Source([frame(event) if "decode" in name else decode_event(json.dumps(event)) for event in EVENTS])


PLAIN: dict[str, Callable[[Any], Any]] = {"decode_events": decode_events, "guard": guard}
LATER: dict[str, Callable[[Any], Any]] = {
    "adecode_events": adecode_events,
    "guard": guard,
    "coalesce_events": lambda events: coalesce_events(events, max_bytes=0),
}


@pytest.mark.parametrize("name", PLAIN)
def test_plain_ones(name: str) -> None:
    make = PLAIN[name]
    source = source_of(name)
    made = make(source.plain())
    next(made)
    made.close()
    made.close()
    assert source.closed == 1 and list(made) == []
    # A source that is also referred to elsewhere is closed, too.
    kept = source.plain()
    made = make(kept)
    next(made)
    del made
    assert source.closed == 2
    made = make(source.plain())
    next(made)
    error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError) as caught:
        made.throw(error)
    assert caught.value is error and source.closed == 3 and list(made) == []
    made = make(source.plain())
    assert len(list(made)) == len(EVENTS) and list(made) == [] and source.closed == 4
    # A source that is not a generator is not closed.
    items = iter(source.items)
    made = make(items)
    next(made)
    made.close()
    assert next(items) is source.items[1]


@pytest.mark.parametrize("name", LATER)
def test_later_ones(name: str) -> None:
    make = LATER[name]

    async def work() -> None:
        source = source_of(name)
        made = make(source.later())
        await anext(made)
        await made.aclose()
        await made.aclose()
        assert source.closed == 1 and [item async for item in made] == []
        kept = source.later()
        made = make(kept)
        await anext(made)
        del made
        await eventually(lambda: source.closed > 1)
        made = make(source.later())
        await anext(made)
        error = ZeroDivisionError()
        with pytest.raises(ZeroDivisionError) as caught:
            await made.athrow(error)
        assert caught.value is error and source.closed == 3 and [item async for item in made] == []
        made = make(source.later())
        assert len([item async for item in made]) == len(EVENTS)
        assert [item async for item in made] == [] and source.closed == 4
        # One that was never begun has nothing to close.
        await make(source.later()).aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(work())


def test_what_fails_to_be_decoded_closes_what_is_read() -> None:
    source = Source([frame(EVENTS[0]), b"data: {\n\n", frame(EVENTS[1])])
    with pytest.raises(AGUIError):
        list(decode_events(source.plain()))
    assert source.closed == 1

    async def work() -> None:
        kept = source.later()
        with pytest.raises(AGUIError):
            [event async for event in adecode_events(kept)]
        assert source.closed == 2

    asyncio.run(work())


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("filtered", [False, True])
def test_middleware_that_asks_again_leaves_no_connection_behind(face: str, filtered: bool) -> None:
    """Middleware that leaves an answer half way closes its connection at once, not when the run ends."""
    log: list[str] = []

    def pieces(request: RunRequest) -> Iterator[bytes]:
        log.append("opened")
        try:
            yield from run_of(*says("Hi"))
        finally:
            log.append("closed")

    def impatient(input: Any, ask: Any) -> Iterator[Any]:
        for _ in ask(input):
            break
        yield from ask(input)

    async def aimpatient(input: Any, ask: Any) -> AsyncIterator[Any]:
        async for _ in ask(input):
            break
        # The event loop closes the generator that was left, in a later turn.
        await eventually(lambda: "closed" in log)
        async for event in ask(input):
            yield event

    inner: list[Any] = [ToolCallFilter(deny=["none"])] if filtered else []
    gc.disable()
    try:
        if face == "sync":
            reply = SyncAgent(pieces, middleware=[impatient, *inner]).ask("Hi")
        else:
            reply = asyncio.run(Agent(pieces, middleware=[aimpatient, *inner]).ask("Hi"))
    finally:
        gc.enable()
    assert reply.text == "Hi" and log == ["opened", "closed"] * 2


def test_middleware_that_closes_early_ends_the_answer() -> None:
    log: list[str] = []

    def pieces(request: RunRequest) -> Iterator[bytes]:
        try:
            yield from run_of(*says("Hi"))
        finally:
            log.append("closed")

    def keeps(input: Any, ask: Any) -> Iterator[Any]:
        events = ask(input)
        yield next(events)
        events.close()
        events.close()
        assert log == ["closed"] and list(events) == []
        yield {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}

    assert SyncAgent(pieces, middleware=[keeps]).run_agent().outcome == "success"
    assert log == ["closed"]

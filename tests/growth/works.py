"""Work of the Python package that must not grow faster than its input. `works.py SIZE...` does all of it, once for
each size; without a size it prints the names of the works.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ag_ui_native.client import Agent, AgentSubscriber, SyncAgent
from ag_ui_native.limits import Limits
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.server import Run, StateTracker
from ag_ui_native.stream import EventDecoder, EventPipeline, Reducer, compact_events
from ag_ui_native.testing import run_agent

START = {"type": "TEXT_MESSAGE_START", "messageId": "m"}
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "some text"}


# Calls a function of the C library that is not called otherwise: the counting tool recognizes it, and begins a new
# count.
mark = os.getloadavg


def frame(event: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def pipeline(*first: dict[str, Any], **options: Any) -> EventPipeline:
    made = EventPipeline(**options)
    for event in ({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, *first):
        made.feed(frame(event))
    return made


def texts(size: int) -> None:
    whole, delta = pipeline(START), frame(CONTENT)
    for _ in range(size):
        whole.feed(delta)


def texts_in_one_feed(size: int) -> None:
    pipeline(START).feed(frame(CONTENT) * size)


def texts_of_dictionaries(size: int) -> None:
    reducer = Reducer(as_dicts=True)
    for event in (START, *[CONTENT] * size):
        reducer.apply(event)


def messages_read_after_every_event(size: int) -> None:
    whole = pipeline()
    for at in range(size):
        whole.feed(frame(START | {"messageId": f"m{at}"}))
        assert whole.messages[-1].id == f"m{at}"


def metadata(size: int) -> None:
    whole = pipeline(START, limits=Limits(metadata_members=size))
    for at in range(size):
        whole.feed(frame(CONTENT | {"metadata": {f"k{at}": 1}}))


def warnings(size: int) -> None:
    decoder = EventDecoder()
    for _ in range(size):
        decoder.feed(frame(CONTENT | {"odd": 1}))


def an_id_of_many_events(size: int) -> None:
    EventDecoder().feed(b"id: " + b"x" * 15 * size + b"\n" + frame(CONTENT) * size)


def state_deltas(size: int) -> None:
    whole = pipeline()
    for at in range(size):
        whole.feed(frame({"type": "STATE_DELTA", "delta": [{"op": "add", "path": f"/k{at}", "value": 1}]}))


def activities_that_give_way(size: int) -> None:
    whole = pipeline()
    for at in range(size):
        snapshot = {"messageId": f"m{at}", "activityType": "t", "content": {"at": at}}
        whole.feed(frame({"type": "ACTIVITY_SNAPSHOT", **snapshot}))
        whole.feed(frame({"type": "ACTIVITY_SNAPSHOT", **snapshot, "replace": True}))


def patches_in_place(size: int) -> None:
    apply_patch({}, [{"op": "add", "path": f"/k{at}", "value": 1} for at in range(size)], in_place=True)


def patches_of_a_copy(size: int) -> None:
    apply_patch({}, [{"op": "add", "path": f"/k{at}", "value": {"a": [1]}} for at in range(size)])


def a_diff(size: int) -> None:
    old = {f"k{at}": [at, {"a": 1}] for at in range(size)}
    diff(old, {key: [value[0] + 1, value[1]] for key, value in old.items()})


def a_tracked_state(size: int) -> None:
    state = {f"k{at}": [at, {"a": 1}] for at in range(size)}
    tracker = StateTracker(state)
    for at in range(4):
        state["k1"][0] = at
        tracker.flush()


def compaction(size: int) -> None:
    def events() -> Iterator[dict[str, Any]]:
        for at in range(size // 10):
            yield START | {"messageId": f"m{at}"}
            yield from [CONTENT | {"messageId": f"m{at}"}] * 8
            yield {"type": "TEXT_MESSAGE_END", "messageId": f"m{at}"}

    compact_events(events())


def an_answer(size: int) -> list[bytes]:
    run = {"threadId": "t", "runId": "r"}
    ends = frame({"type": "TEXT_MESSAGE_END", "messageId": "m"}), frame({"type": "RUN_FINISHED", **run})
    return [frame({"type": "RUN_STARTED", **run}), frame(START), *[frame(CONTENT)] * size, *ends]


def a_history(size: int) -> list[dict[str, Any]]:
    """As many messages as events will come: no event may cost more for them."""
    return [{"id": f"h{at}", "role": "user", "content": "Hi"} for at in range(size)]


class Hears(AgentSubscriber[Any]):
    def on_event(self, params: Any) -> None:
        assert params.event is not None

    def on_text_message_content_event(self, params: Any) -> None:
        assert params.text_message_buffer is not None

    def on_messages_changed(self, params: Any) -> None:
        assert params.messages is not None


def events_of_an_agent_with_a_history(size: int) -> None:
    answer = an_answer(size)
    agent = SyncAgent(lambda request: answer, messages=a_history(size))
    for _ in agent.run():
        assert agent.messages[-1].id and agent.state is not None


def changes_of_an_agent_with_a_history(size: int) -> None:
    answer = an_answer(size)
    for _ in SyncAgent(lambda request: answer, messages=a_history(size)).stream():
        pass


def a_subscriber_of_an_agent_with_a_history(size: int) -> None:
    answer = an_answer(size)
    SyncAgent(lambda request: answer, messages=a_history(size), subscribers=[Hears()]).run_agent()


def middleware_around_an_agent_with_a_history(size: int) -> None:
    """Middleware leaves out an unknown event after each known one, and the events that it yields are read again."""
    unknown = frame({"type": "FUTURE_EVENT", "x": 1})
    answer = [piece for event in an_answer(size) for piece in (event, unknown)][:-1]

    def known(input: Any, next: Any) -> Iterator[Any]:
        return (event for event in next(input) if event.type != "FUTURE_EVENT")

    SyncAgent(lambda request: answer, messages=a_history(size), middleware=[known]).run_agent()


def an_agent_in_a_loop_with_a_history(size: int) -> None:
    answer = an_answer(size)

    async def ask() -> None:
        async for _ in Agent(lambda request: answer, messages=a_history(size)).ask_stream("Hi"):
            pass

    asyncio.run(ask())


def calls_of_tools_of_an_agent_with_a_history(size: int) -> None:
    """A tool that changes the messages, too."""
    run = {"threadId": "t", "runId": "r"}
    calls = (
        frame({"type": kind, "toolCallId": f"c{at}", **more})
        for at in range(size)
        for kind, more in (("TOOL_CALL_START", {"toolCallName": "look"}), ("TOOL_CALL_END", {}))
    )
    first, last = frame({"type": "RUN_STARTED", **run}), frame({"type": "RUN_FINISHED", **run})
    answers = iter([[first, *calls, last], [first, last]])

    def look() -> None:
        agent.messages[0] = {"id": "h0", "role": "user", "content": "Ho"}  # type: ignore[call-overload]

    agent = SyncAgent(lambda request: next(answers), messages=a_history(size), tools=[look])
    agent.run_agent()
    assert agent.messages[0].content == "Ho" and len(agent.messages) == 3 * size


def served(items: int, tokens: int, work: Callable[[Run[Any]], object]) -> None:
    """A run on a state of `items` items. It awaits `tokens` tokens, and calls `act` before each."""

    async def agent(run: Run[Any]) -> None:
        async with run.text_message() as message:
            for _ in range(tokens):
                work(run)
                await message.write("token")

    state = {"items": list(range(items))}
    run_agent(agent, {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": [], "state": state})


def append(run: Run[Any]) -> None:
    run.state["items"].append(1)


# Of more values than `state_values`, and so not compared at every await: as many tokens as there are more values take no more each.
LARGE = 12


def tokens_beside_a_state_that_is_not_accessed(size: int) -> None:
    served(LARGE * size, size, lambda run: None)


def tokens_beside_a_small_state(size: int) -> None:
    served(size, 100, lambda run: run.state)


def tokens_beside_a_large_state(size: int) -> None:
    served(LARGE * size, size, lambda run: run.state)


def awaited_appends_to_a_small_list(size: int) -> None:
    served(size, 100, append)


def awaited_appends_to_a_large_list(size: int) -> None:
    served(LARGE * size, size, append)


def relayed(items: int, deltas: int, work: Callable[[Run[Any]], object]) -> None:
    """A run on a state of `items` items. The agent itself sends `deltas` deltas of it."""

    async def agent(run: Run[Any]) -> None:
        work(run)
        for at in range(deltas):
            await run.event({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/items/-", "value": at}]})

    state = {"items": list(range(items))}
    run_agent(agent, {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": [], "state": state})


def relayed_deltas_of_a_large_state(size: int) -> None:
    relayed(LARGE * size, size, lambda run: run.state)


def relayed_deltas_of_a_state_that_is_not_accessed(size: int) -> None:
    relayed(LARGE * size, size, lambda run: None)


ALL: tuple[Callable[[int], None], ...] = (
    texts,
    texts_in_one_feed,
    texts_of_dictionaries,
    messages_read_after_every_event,
    metadata,
    warnings,
    an_id_of_many_events,
    state_deltas,
    activities_that_give_way,
    patches_in_place,
    patches_of_a_copy,
    a_diff,
    a_tracked_state,
    compaction,
    events_of_an_agent_with_a_history,
    changes_of_an_agent_with_a_history,
    a_subscriber_of_an_agent_with_a_history,
    middleware_around_an_agent_with_a_history,
    an_agent_in_a_loop_with_a_history,
    calls_of_tools_of_an_agent_with_a_history,
    tokens_beside_a_state_that_is_not_accessed,
    tokens_beside_a_small_state,
    tokens_beside_a_large_state,
    awaited_appends_to_a_small_list,
    awaited_appends_to_a_large_list,
    relayed_deltas_of_a_large_state,
    relayed_deltas_of_a_state_that_is_not_accessed,
)

if __name__ == "__main__":
    import gc
    import logging

    if len(sys.argv) == 1:
        print(*(work.__name__.replace("_", " ") for work in ALL), sep="\n")
        sys.exit()
    logging.disable(logging.CRITICAL)
    # A collection visits all objects at times that differ between runs.
    gc.disable()
    for work in ALL:
        # The first calls make the objects that are made only once.
        work(10)
    for work in ALL:
        for size in map(int, sys.argv[1:]):
            mark()
            work(size)
            mark()

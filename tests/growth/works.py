"""Work of the Python face that must grow with its input and no faster. `works.py SIZE...` does all of it, once for each size."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ag_ui_native.limits import Limits
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.stream import EventDecoder, EventPipeline, Reducer, compact_events

START = {"type": "TEXT_MESSAGE_START", "messageId": "m"}
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "some text"}


# A function of the C library that nothing else calls: whoever counts sees it, and starts anew.
MARK = "getloadavg"


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


def compaction(size: int) -> None:
    def events() -> Iterator[dict[str, Any]]:
        for at in range(size // 10):
            yield START | {"messageId": f"m{at}"}
            yield from [CONTENT | {"messageId": f"m{at}"}] * 8
            yield {"type": "TEXT_MESSAGE_END", "messageId": f"m{at}"}

    compact_events(events())


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
    compaction,
)

if __name__ == "__main__":
    import gc
    import logging

    logging.disable(logging.CRITICAL)
    # It looks at all objects now and then, whoever has made them.
    gc.disable()
    for work in ALL:
        # What is made once is made.
        work(10)
    for work in ALL:
        for size in map(int, sys.argv[1:]):
            getattr(os, MARK)()
            work(size)
    getattr(os, MARK)()

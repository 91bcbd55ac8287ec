"""Conversations in Python: the cost of an event after a long history, and of patches. The official package has
neither.
"""

import copy
import json
from typing import Any

import jsonpatch
from measure import Operation

from ag_ui_native import core
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.stream import EventPipeline, Reducer

RUN = {"threadId": "t", "runId": "r"}
HISTORIES = (10, 1_000, 5_000, 10_000)
ONE_OPERATION = [{"op": "replace", "path": "/items/7/name", "value": "changed"}]


def frame(event: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def pipeline(history: int) -> EventPipeline:
    """Makes a pipeline in the middle of a message, after `history` other messages."""
    messages = [core.UserMessage(id=f"m{number}", content="What now?") for number in range(history)]
    found = EventPipeline(messages=messages)
    found.feed(frame({"type": "RUN_STARTED", **RUN}) + frame({"type": "TEXT_MESSAGE_START", "messageId": "m"}))
    return found


def reducer(history: int) -> Reducer:
    messages = [core.UserMessage(id=f"m{number}", content="What now?") for number in range(history)]
    found = Reducer(messages)
    found.apply(core.TextMessageStartEvent(message_id="m"))
    return found


def state(size: int) -> dict[str, Any]:
    """Makes a state of about `size` bytes of JSON."""
    item = {"name": "a name", "tags": ["one", "two"], "count": 7, "note": "some text about it, not too long"}
    return {"items": [dict(item, id=number) for number in range(size // len(json.dumps(item)))]}


def stream_of(deltas: int, messages: int = 1) -> list[bytes]:
    """Makes a run of `messages` messages with `deltas` pieces of text in all, in reads of 16 KB."""
    frames = [frame({"type": "RUN_STARTED", **RUN})]
    for message in range(messages):
        frames.append(frame({"type": "TEXT_MESSAGE_START", "messageId": f"m{message}"}))
        text = {
            "type": "TEXT_MESSAGE_CONTENT",
            "messageId": f"m{message}",
            "delta": "a piece of text of forty characters, yes",
        }
        frames += [frame(text)] * (deltas // messages)
    frames += [frame({"type": "TEXT_MESSAGE_END", "messageId": f"m{message}"}) for message in range(messages)]
    data = b"".join([*frames, frame({"type": "RUN_FINISHED", **RUN})])
    return [data[at : at + 16384] for at in range(0, len(data), 16384)]


def run_whole(reads: list[bytes]) -> None:
    whole = EventPipeline()
    for read in reads:
        whole.feed(read)
    whole.close()


def conversation_names() -> dict[str, Any]:
    """The names that the statements below use."""
    delta = core.TextMessageContentEvent(message_id="m", delta="a piece of text of forty characters, yes")
    names: dict[str, Any] = {
        "apply_patch": apply_patch,
        "diff": diff,
        "deepcopy": copy.deepcopy,
        "JsonPatch": jsonpatch.JsonPatch(ONE_OPERATION),
        "ONE_OPERATION": ONE_OPERATION,
        "run_whole": run_whole,
        "delta": delta,
        "delta_frame": frame(delta.model_dump(by_alias=True, mode="json")),
        "whole_10_000": stream_of(10_000),
        "whole_100_000": stream_of(100_000),
        "open_10_000": stream_of(10_000, messages=10_000),
    }
    for history in HISTORIES:
        names[f"pipeline_{history}"] = pipeline(history)
        names[f"reducer_{history}"] = reducer(history)
    for name, size in (("10_KB", 10_000), ("1_MB", 1_000_000)):
        names[f"state_{name}"] = state(size)
        changed = copy.deepcopy(names[f"state_{name}"])
        changed["items"][7]["name"] = "changed"
        names[f"changed_{name}"] = changed
        holder = Reducer(state=names[f"state_{name}"])
        names[f"apply_{name}"] = holder.apply
    names["state_delta"] = core.StateDeltaEvent(delta=ONE_OPERATION)
    return names


def conversation_operations() -> list[Operation]:
    def alone(name: str, statement: str, per: int = 1) -> Operation:
        return Operation(name, {"ours": statement}, per=per, verify=False)

    found = [
        alone(
            f"bytes to a changed message, one event a read, {history:,} messages there",
            f"pipeline_{history}.feed(delta_frame)",
        )
        for history in HISTORIES
    ]
    found += [
        alone(f"Reducer.apply of a text delta, {history:,} messages there", f"reducer_{history}.apply(delta)")
        for history in HISTORIES
    ]
    found += [
        alone("a run of one message, 10,000 deltas, each", "run_whole(whole_10_000)", per=10_000),
        alone("a run of one message, 100,000 deltas, each", "run_whole(whole_100_000)", per=100_000),
        alone("10,000 messages open at once, in all", "run_whole(open_10_000)"),
        alone("STATE_DELTA of one operation, 10 KB state", "apply_10_KB(state_delta)"),
        alone("STATE_DELTA of one operation, 1 MB state", "apply_1_MB(state_delta)"),
    ]
    for name in ("10 KB", "1 MB"):
        key = f"state_{name.replace(' ', '_')}"
        found += [
            Operation(
                f"patch of one operation, original kept, {name}",
                {
                    "ours": f"apply_patch({key}, ONE_OPERATION)",
                    "deepcopy + jsonpatch": f"JsonPatch.apply({key})",
                },
            ),
            alone(f"patch of one operation, in place, {name}", f"apply_patch({key}, ONE_OPERATION, in_place=True)"),
            alone(f"diff after one edit, {name}", f"diff({key}, changed_{name.replace(' ', '_')})"),
        ]
    return found

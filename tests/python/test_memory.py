"""Nothing leaks, nothing is freed too early, and threads do not meet."""

from __future__ import annotations

import copy
import gc
import sys
import threading
import weakref
from typing import Any

import pytest

from ag_ui_native import core
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import EventDecoder

JSON = '{"type":"CUSTOM","name":"n","value":{"list":[1,"two",3.5,null,true,18446744073709551616]}}'
WITH_MORE = JSON[:-1] + ',"more":[{}]}'


def text_event(**more: Any) -> Any:
    return core.TextMessageContentEvent(message_id="message", delta="delta", **more)


def fail(action: Any) -> None:
    try:
        action()
    except Exception:
        return
    raise AssertionError("did not fail")


ACTIONS: list[Any] = [
    text_event,
    lambda: text_event(extra=1),
    lambda: text_event(metadata={"a": [1]}).model_extra,
    lambda: text_event().model_fields_set,
    lambda: copy.deepcopy(text_event(timestamp=5)),
    lambda: fail(lambda: text_event(timestamp="x")),
    lambda: fail(lambda: core.TextMessageContentEvent("x")),
    lambda: core.CustomEvent.model_validate_json(WITH_MORE),
    lambda: fail(lambda: core.CustomEvent.model_validate_json("{")),
    lambda: core.MessagesSnapshotEvent(messages=[core.UserMessage(id="m", content=[core.TextPart(text="x")])]),
    lambda: EventEncoder().encode(text_event()),
    lambda: EventEncoder().encode(core.RawEvent(event=[2**70, (1,)])),
    lambda: fail(lambda: EventEncoder().encode(core.RawEvent(event=object()))),
    lambda: EventDecoder().feed(f"data: {JSON}\n\n".encode()),
    lambda: EventDecoder(as_dicts=True).feed(f"data: {JSON}\n\n".encode()),
    lambda: fail(lambda: EventDecoder().feed(b"data: {\n\n")),
    lambda: getattr(core.RawEvent, "no such attribute", None),
]


@pytest.mark.parametrize("action", ACTIONS, ids=range(len(ACTIONS)))
def test_no_references_are_left(action: Any) -> None:
    if not hasattr(sys, "getallocatedblocks"):
        pytest.skip("no count of blocks here")
    for _ in range(200):
        action()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(2_000):
        action()
    gc.collect()
    assert sys.getallocatedblocks() - before < 400


def test_reference_counts_of_shared_objects() -> None:
    shared = [core.TextMessageContentEvent, None, core.EventType.RAW, "message"]
    before = [sys.getrefcount(thing) for thing in shared]
    for _ in range(5_000):
        text_event()
        core.RawEvent(event=1, type="RAW")
    after = [sys.getrefcount(thing) for thing in shared]
    assert all(abs(new - old) < 100 for new, old in zip(after, before, strict=True))


def test_cycles_are_collected() -> None:
    for build in (lambda holder: core.RawEvent(event=holder), lambda holder: core.StateSnapshotEvent(snapshot=holder)):
        holder: dict[str, Any] = {}
        event = build(holder)
        holder["event"] = event
        gone = weakref.ref(event)
        del event, holder
        gc.collect()
        assert gone() is None
    event = text_event()
    event.model_extra["me"] = event
    gone = weakref.ref(event)
    del event
    gc.collect()
    assert gone() is None


def test_decoded_objects_belong_to_the_collector() -> None:
    event = core.CustomEvent.model_validate_json(JSON)
    event.value["list"].append(event)
    gone = weakref.ref(event)
    del event
    gc.collect()
    assert gone() is None


def test_threads() -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for index in range(2_000):
                event = text_event(timestamp=index)
                assert event.model_fields_set == {"message_id", "delta", "timestamp"}
                again = type(event).model_validate_json(event.model_dump_json(by_alias=True))
                assert again == event and EventDecoder().feed(EventEncoder().encode_binary(event)) == [event]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures

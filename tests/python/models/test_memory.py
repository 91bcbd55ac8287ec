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
from ag_ui_native.stream import ChunkExpander, EventDecoder, EventPipeline, EventVerifier, PartialArguments, Reducer

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


class Holder:
    """An object in which a program keeps a stream object."""

    def __init__(self, make: Any) -> None:
        self.it = make(self)

    def warn(self, warning: Any) -> None:
        """A callback."""


RUN = b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'
CALL = [
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "n"},
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": '{"a": ['},
]


def holds(holder: Any, take: Any) -> Any:
    """An object that refers to its holder through what `take` finds in it."""

    def make(cls: Any, *args: Any) -> Any:
        it = cls(*args)
        found = take(it)
        found.append(holder) if isinstance(found, list) else found.update(holder=holder)
        return it

    return make


def partial_arguments(holder: Any) -> Any:
    reducer = Reducer()
    for event in CALL:
        reducer.apply(event)
    arguments = reducer.partial_arguments("c")
    arguments.value["a"].append(holder)
    # Only the holder refers to the reducer.
    holder.reducer = reducer
    return arguments


def attribute(it: Any, holder: Any) -> Any:
    it.holder = holder
    return it


def kept(holder: Any) -> Any:
    def boom(warning: Any) -> None:
        raise ValueError

    decoder = EventDecoder(on_warning=boom, as_dicts=True)
    fail(lambda: decoder.feed(JSON.join(["data: ", "\n\n"]).replace('"name"', '"odd":1,"name"').encode()))
    gc.get_referents(decoder)[-1]["holder"] = holder
    return decoder


CYCLES: dict[str, Any] = {
    "decoder": lambda holder: EventDecoder(on_warning=holder.warn),
    "pipeline": lambda holder: EventPipeline(on_warning=holder.warn),
    "reducer": lambda holder: Reducer(on_warning=holder.warn),
    "verifier": lambda holder: EventVerifier(on_warning=holder.warn),
    "expander": lambda holder: ChunkExpander(on_warning=holder.warn),
    "encoder": lambda holder: attribute(EventEncoder(), holder),
    "warnings": lambda holder: holds(holder, lambda it: it.warnings)(EventDecoder),
    "messages": lambda holder: holds(holder, lambda it: it.messages)(EventPipeline),
    "state": lambda holder: holds(holder, lambda it: it.state)(Reducer),
    "pending interrupts": lambda holder: holds(holder, lambda it: it.pending_interrupts)(Reducer),
    "partial arguments": partial_arguments,
    "open arguments": lambda holder: holds(holder, lambda it: it.value)(PartialArguments),
    "kept events": kept,
}


@pytest.mark.parametrize("name", CYCLES)
def test_stream_objects_belong_to_the_collector(name: str) -> None:
    holder = Holder(CYCLES[name])
    assert gc.is_tracked(holder.it)
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


def test_a_finalizer_meets_an_object_that_is_let_go() -> None:
    seen: list[Any] = []

    class Last:
        def __init__(self) -> None:
            self.it = EventPipeline(on_warning=self.warn)
            self.it.feed(RUN)

        def warn(self, warning: Any) -> None:
            """A callback."""

        def __del__(self) -> None:
            seen.append((self.it.messages, self.it.state, self.it.feed(b""), self.it.warnings))

    Last()
    gc.collect()
    assert seen == [([], {}, [], [])]


def test_the_collector_runs_while_streams_are_read() -> None:
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        pipeline = EventPipeline(on_warning=lambda warning: pipeline.messages, verify=False)
        for _ in range(20):
            pipeline.feed(RUN + b'data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x","odd":[[]]}\n\n')
        assert pipeline.messages[0].content == "x" * 20
    finally:
        gc.set_threshold(*threshold)


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

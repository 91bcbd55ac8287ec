"""Reducers and pipelines on Python's own objects: live, of the caller's kind, never the caller's own."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import ag_ui.core
import pytest

from ag_ui_native import (
    AGUIError,
    AGUIPatchError,
    AGUISequenceError,
    AGUIStreamError,
    AGUIValidationError,
    Limits,
    core,
    to_json,
)
from ag_ui_native.client import SyncAgent
from ag_ui_native.stream import (
    ChunkExpander,
    EventPipeline,
    EventVerifier,
    Reducer,
    apply_events,
    compact_events,
    expand_chunks,
    verify_events,
)
from conftest import fixture_cases

RUN = {"threadId": "t", "runId": "r"}
CONVERSATION: list[dict[str, Any]] = [
    {"type": "RUN_STARTED", **RUN},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hel"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "lo 🌍", "metadata": {"k": 1}},
    {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f", "parentMessageId": "m"},
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": '{"a":'},
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "1}"},
    {"type": "TOOL_CALL_END", "toolCallId": "c"},
    {"type": "TOOL_CALL_RESULT", "messageId": "r1", "toolCallId": "c", "content": "done"},
    {"type": "STATE_SNAPSHOT", "snapshot": {"n": 1, "list": [1, 2]}},
    {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/list/-", "value": 2**70}]},
    {"type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "PLAN", "content": {"done": False}},
    {
        "type": "ACTIVITY_DELTA",
        "messageId": "a",
        "activityType": "PLAN2",
        "patch": [{"op": "replace", "path": "/done", "value": True}],
    },
    {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "tool-call", "entityId": "c", "encryptedValue": "x"},
    {"type": "RUN_FINISHED", **RUN, "outcome": {"type": "interrupt", "interrupts": [{"id": "i", "reason": "ask"}]}},
]
MESSAGES = [
    {
        "id": "m",
        "role": "assistant",
        "content": "Hello 🌍",
        "metadata": {"k": 1},
        "toolCalls": [
            {
                "id": "c",
                "type": "function",
                "function": {"name": "f", "arguments": '{"a":1}'},
                "encryptedValue": "x",
            }
        ],
    },
    {"id": "r1", "role": "tool", "content": "done", "toolCallId": "c"},
    {"id": "a", "role": "activity", "activityType": "PLAN2", "content": {"done": True}},
]


@pytest.mark.parametrize("case", fixture_cases("relayed"), ids=lambda case: case["name"])
def test_relayed(case: dict[str, Any]) -> None:
    reducer = Reducer(profile="relay", as_dicts=True)
    for event in case["events"]:
        reducer.apply(event)
    assert reducer.messages == case["messages"]
    told = [[warning.event_index, warning.code, warning.path] for warning in reducer.warnings]
    assert told == case["warnings"]


def test_metadata_grows_to_its_limit() -> None:
    pipeline = EventPipeline(verify=False, limits=Limits(metadata_members=2))
    pipeline.feed(stream([CONVERSATION[1]]))
    ends = [{"type": "TEXT_MESSAGE_END", "messageId": "m", "metadata": {key: 1}} for key in "abac"]
    with pytest.raises(AGUIError) as caught:
        pipeline.feed(stream(ends))
    assert (caught.value.code, caught.value.limit, caught.value.event_index) == (
        "limit_exceeded",
        "metadata_members",
        4,
    )
    assert pipeline.messages[0].metadata == {"a": 1, "b": 1}


def as_models(events: list[dict[str, Any]], package: Any) -> list[Any]:
    adapter = __import__("pydantic").TypeAdapter(package.Event)
    return [adapter.validate_python(event) for event in events]


def stream(events: list[dict[str, Any]]) -> bytes:
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


@pytest.mark.parametrize("package", [core, ag_ui.core], ids=["ours", "official"])
def test_messages_are_instances_of_the_callers_package(package: Any) -> None:
    hello = package.UserMessage(id="u", content="hi")
    applied = apply_events(as_models(CONVERSATION, package), messages=[hello])
    dumped = [message.model_dump(by_alias=True) for message in applied.messages[1:]]
    assert dumped == MESSAGES
    assert [type(message) for message in applied.messages] == [
        package.UserMessage,
        package.AssistantMessage,
        package.ToolMessage,
        package.ActivityMessage,
    ]
    assert applied.messages[0] == hello and applied.messages[0] is not hello
    assert applied.state == {"n": 1, "list": [1, 2, 2**70]}
    assert [type(interrupt) for interrupt in applied.pending_interrupts] == [package.Interrupt]
    assert "metadata" in applied.messages[1].model_fields_set


def test_dictionaries_stay_dictionaries() -> None:
    events = copy.deepcopy(CONVERSATION)
    applied = apply_events(events)
    assert applied.messages == MESSAGES
    assert events == CONVERSATION
    assert [change.kind for change in applied.changes][:5] == [
        "message_inserted",
        "text_appended",
        "text_appended",
        "metadata_merged",
        "message_ended",
    ]
    assert applied.state_in_sync and not applied.warnings


def test_messages_are_live() -> None:
    reducer = Reducer()
    messages = reducer.messages
    reducer.apply(core.TextMessageStartEvent(message_id="m"))
    (message,) = messages
    changes = reducer.apply(core.TextMessageContentEvent(message_id="m", delta="Hel"))
    assert changes == [("text_appended", 1, message, "Hel")] and changes[0].target is message
    held = message.content
    reducer.apply(core.TextMessageContentEvent(message_id="m", delta="lo"))
    assert (message.content, held) == ("Hello", "Hel")
    assert reducer.messages is messages
    assert to_json(message) == '{"id":"m","role":"assistant","content":"Hello"}'


def test_what_the_caller_gives_is_copied() -> None:
    message, state = core.AssistantMessage(id="m", content="a"), {"list": [1]}
    snapshot = {"deep": {"list": []}}
    reducer = Reducer([message], state)
    reducer.apply(core.TextMessageContentEvent(message_id="m", delta="b"))
    reducer.apply({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/list/0", "value": snapshot}]})
    reducer.apply({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/list/0/deep/list/-", "value": 1}]})
    assert (message.content, state, snapshot) == ("a", {"list": [1]}, {"deep": {"list": []}})
    assert reducer.state == {"list": [{"deep": {"list": [1]}}, 1]}


def test_a_patch_that_does_not_apply_flags_the_state() -> None:
    reducer = Reducer(state={"secret": 1})
    bad = {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/x", "value": 1}, {"op": "remove", "path": "/y"}]}
    assert [change.kind for change in reducer.apply(bad)] == ["patch_failed"]
    assert reducer.state == {"secret": 1} and not reducer.state_in_sync
    (warning,) = reducer.warnings
    assert (warning.code, warning.path, warning.event_index) == ("patch_failed", "/1/path", 0)
    assert "operation 1" in warning.message and "secret" not in warning.message
    reducer.apply({"type": "STATE_SNAPSHOT", "snapshot": None})
    assert reducer.state is None and reducer.state_in_sync


def test_an_unknown_operation_flags_the_state() -> None:
    reducer = Reducer()
    reducer.apply(
        {"type": "STATE_DELTA", "delta": [{"op": "merge", "path": ""}, {"op": "add", "path": "/a", "value": 1}]}
    )
    assert reducer.state == {"a": 1} and not reducer.state_in_sync
    assert [warning.code for warning in reducer.warnings] == ["unknown_variant"]


@pytest.mark.parametrize("options", [{"on_patch_failure": "error"}, {"profile": "strict"}])
def test_a_patch_that_does_not_apply_can_be_an_error(options: dict[str, Any]) -> None:
    pipeline = EventPipeline(state={"a": 1}, **options)
    events = [CONVERSATION[0], {"type": "STATE_DELTA", "delta": [{"op": "test", "path": "/a", "value": 2}]}]
    with pytest.raises(AGUIPatchError) as caught:
        pipeline.feed(stream([*events, {"type": "STATE_SNAPSHOT", "snapshot": 1}]))
    error = caught.value
    assert (error.code, error.event_index, error.operation) == ("patch_failed", 1, 0)
    assert pipeline.state == {"a": 1}
    with pytest.raises(AGUIStreamError):
        pipeline.feed(stream(CONVERSATION))


def test_a_failed_activity_patch_keeps_content_and_type() -> None:
    reducer = Reducer([{"id": "a", "role": "activity", "activityType": "PLAN", "content": {"p": 1}}])
    bad = {"type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "X", "patch": [{"op": "remove", "path": "/q"}]}
    assert [change.kind for change in reducer.apply(bad)] == ["patch_failed"]
    assert reducer.messages[0]["activityType"] == "PLAN" and reducer.state_in_sync
    kept = {"@ag-ui/client": {"authoritativeActivityTypes": ["X"]}}
    reducer.apply({"type": "MESSAGES_SNAPSHOT", "messages": [], "metadata": kept})
    assert [message["id"] for message in reducer.messages] == ["a"]


def test_everything_before_a_failure_is_applied() -> None:
    pipeline = EventPipeline()
    broken = [*CONVERSATION[:4], {"type": "TEXT_MESSAGE_START", "messageId": "m"}, *CONVERSATION[4:]]
    with pytest.raises(AGUISequenceError) as caught:
        pipeline.feed(stream(broken))
    error = caught.value
    assert (error.rule, error.event_index, error.event_type) == ("V12", 4, "TEXT_MESSAGE_START")
    assert '"m"' in str(error)
    assert [change.kind for change in error.partial][-1] == "metadata_merged"
    assert pipeline.messages[0].content == "Hello 🌍"


@pytest.mark.parametrize("cut", [0, 1, 3, -1])
def test_a_stream_that_ends_early_is_an_error(cut: int) -> None:
    pipeline = EventPipeline()
    pipeline.feed(stream(CONVERSATION[:cut]))
    with pytest.raises(AGUIStreamError) as caught:
        pipeline.close()
    assert caught.value.code == "stream_truncated"


def test_run_error_is_a_result() -> None:
    pipeline = EventPipeline()
    changes = pipeline.feed(stream([CONVERSATION[0], {"type": "RUN_ERROR", "message": "boom", "code": "c"}]))
    assert changes == [("run_failed", 1, None, ("boom", "c", None))]
    assert pipeline.close() == []


def test_the_pieces_of_a_stream_do_not_matter() -> None:
    data = stream(CONVERSATION)
    whole = EventPipeline(as_dicts=True)
    expected = [change for change in whole.feed(data) + whole.close() if change.kind != "text_appended"]
    chance = random.Random(7)
    for _ in range(50):
        pipeline, changes, at = EventPipeline(as_dicts=True), [], 0
        while at < len(data):
            step = chance.choice([1, 2, 7, 50, 400])
            changes += pipeline.feed(data[at : at + step])
            at += step
        changes += pipeline.close()
        assert [change for change in changes if change.kind != "text_appended"] == expected
        assert (pipeline.messages, pipeline.state) == (whole.messages, whole.state)


def test_stages_can_be_switched_off() -> None:
    chunk = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "a"}
    passed = EventPipeline(expand=False, verify=False, reduce=False).feed(stream([chunk]))
    assert passed == [core.TextMessageChunkEvent(message_id="m", delta="a")]
    expanded = EventPipeline(verify=False, reduce=False).feed(stream([chunk]))
    assert [event.type.value for event in expanded] == ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]
    dicts = EventPipeline(reduce=False, as_dicts=True).feed(stream([CONVERSATION[0], chunk]))
    assert dicts[0] == CONVERSATION[0] and dicts[2] == chunk | {"type": "TEXT_MESSAGE_CONTENT"}
    with pytest.raises(AGUISequenceError) as caught:
        EventPipeline(expand=False).feed(stream([CONVERSATION[0], chunk]))
    assert caught.value.rule == "A01"


def test_stages_hand_on_the_callers_own_objects() -> None:
    events = as_models(CONVERSATION, core)
    assert all(after is before for after, before in zip(verify_events(events), events, strict=True))
    assert all(after is before for after, before in zip(expand_chunks(events), events, strict=True))
    official = as_models(CONVERSATION[:4], ag_ui.core)
    compacted = compact_events(official)
    assert compacted[0] is official[0] and type(compacted[2]) is ag_ui.core.TextMessageContentEvent
    chunk = ag_ui.core.TextMessageChunkEvent(message_id="m", delta="a")
    assert [type(event) for event in ChunkExpander().push(chunk)] == [
        ag_ui.core.TextMessageStartEvent,
        ag_ui.core.TextMessageContentEvent,
    ]


def test_a_verifier_guards_what_a_server_sends() -> None:
    verifier = EventVerifier()
    start, text, *_ = as_models(CONVERSATION, core)
    with pytest.raises(AGUISequenceError) as caught:
        verifier.admit(text)
    assert caught.value.rule == "V03"
    verifier.admit(start)
    verifier.admit(text)
    assert verifier.is_running and verifier.open == [("message", "m", None)]
    with pytest.raises(AGUIStreamError):
        verifier.finish()
    with pytest.raises(AGUISequenceError):
        verifier.check(text)
    with pytest.raises(AGUIError) as dead:
        verifier.check(start)
    assert dead.value.code == "decoder_failed"


def test_arguments_can_be_read_as_they_arrive() -> None:
    reducer = Reducer()
    assert reducer.partial_arguments("c") is None
    reducer.apply(core.ToolCallStartEvent(tool_call_id="c", tool_call_name="f"))
    reducer.apply(core.ToolCallArgsEvent(tool_call_id="c", delta='{"city":"Par'))
    arguments = reducer.partial_arguments("c")
    assert arguments is not None and arguments.value == {"city": "Par"}
    reducer.apply(core.ToolCallArgsEvent(tool_call_id="c", delta='is","days":[1,2'))
    assert arguments.value == {"city": "Paris", "days": [1]}
    assert reducer.partial_arguments("c") is arguments
    reducer.apply(core.ToolCallArgsEvent(tool_call_id="c", delta="]}"))
    reducer.apply(core.ToolCallEndEvent(tool_call_id="c"))
    assert arguments.is_complete and arguments.finish() == {"city": "Paris", "days": [1, 2]}


def test_limits_are_named() -> None:
    opened = [{"type": "TEXT_MESSAGE_START", "messageId": str(number)} for number in range(3)]
    with pytest.raises(AGUIError) as caught:
        EventPipeline(limits=Limits(open_entities=2)).feed(stream([CONVERSATION[0], *opened]))
    assert (caught.value.code, caught.value.limit, caught.value.event_index) == ("limit_exceeded", "open_entities", 3)
    with pytest.raises(AGUIError) as caught:
        verify_events([CONVERSATION[0], opened[0] | {"messageId": "x" * 65537}])
    assert caught.value.limit == "id_bytes"


def test_what_is_no_event_is_refused_with_its_index() -> None:
    with pytest.raises(AGUIValidationError) as caught:
        apply_events([CONVERSATION[1], {"type": "TEXT_MESSAGE_CONTENT"}])
    assert caught.value.event_index == 1
    assert caught.value.applied.messages == [{"id": "m", "role": "assistant", "content": ""}]
    with pytest.raises(ValueError, match="on_patch_failure"):
        Reducer(on_patch_failure="ignore")


def said(message_id: str, *, role: str = "assistant") -> list[dict[str, Any]]:
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": role},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": message_id},
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def activity(message_id: str) -> dict[str, Any]:
    return {"type": "ACTIVITY_SNAPSHOT", "messageId": message_id, "activityType": "A", "content": {"n": 1}}


@pytest.mark.parametrize("as_dicts", [False, True])
def test_a_message_is_replaced_in_its_place(as_dicts: bool) -> None:
    reducer = Reducer(as_dicts=as_dicts)
    # Alike but for their ids, and then not even that: places count, not equality.
    for event in [*said("a"), *said("b"), *said("c")]:
        reducer.apply(event)
    twin = copy.copy(reducer.messages[1])
    reducer.messages.insert(0, twin)
    changes = reducer.apply(activity("b"))
    assert changes[0].kind == "message_replaced" and reducer.messages[0] is twin
    assert [message_id(message) for message in reducer.messages] == ["b", "a", "b", "c"]
    assert reducer.messages[2] == changes[0].target


def test_replacing_compares_nothing() -> None:
    class Foreign:
        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared")

        __hash__ = None  # type: ignore[assignment]  # It has no hash.

    reducer = Reducer()
    for event in [*said("a"), *said("b")]:
        reducer.apply(event)
    reducer.messages.insert(0, Foreign())
    reducer.apply(activity("b"))
    assert [type(message).__name__ for message in reducer.messages] == [
        "Foreign",
        "AssistantMessage",
        "ActivityMessage",
    ]


def test_a_message_that_was_taken_out_stays_out() -> None:
    reducer = Reducer()
    for event in [*said("a"), *said("b"), *said("c")]:
        reducer.apply(event)
    del reducer.messages[1]
    assert reducer.apply(activity("b"))[0].target.content == {"n": 1}
    assert [message.id for message in reducer.messages] == ["a", "c"]
    reducer.apply({"type": "ACTIVITY_DELTA", "messageId": "b", "activityType": "A", "patch": []})
    reducer.messages.clear()
    for event in said("d"):
        reducer.apply(event)
    assert [message.id for message in reducer.messages] == ["d"]
    user = core.UserMessage(id="u", content="?")
    reducer.messages.append(user)
    for event in said("e"):
        reducer.apply(event)
    assert [message.id for message in reducer.messages] == ["d", "u", "e"]
    snapshot = [{"id": "e", "role": "assistant", "content": "e"}]
    reducer.apply({"type": "MESSAGES_SNAPSHOT", "messages": snapshot})
    # A snapshot arranges the list as the protocol has it: activities stay in a conversation.
    assert [message.id for message in reducer.messages] == ["b", "e"]


CALLS = [
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "n", "parentMessageId": "a"},
    {"type": "TOOL_CALL_END", "toolCallId": "c"},
]
RESULT = {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "r", "content": "x"}


def test_a_result_follows_its_call_in_an_edited_list() -> None:
    reducer = Reducer()
    for event in [*said("a"), *CALLS, *said("b")]:
        reducer.apply(event)
    reducer.messages.insert(0, core.UserMessage(id="u", content="?"))
    reducer.apply(RESULT)
    reducer.apply({**RESULT, "messageId": "s"})
    assert [message.id for message in reducer.messages] == ["u", "a", "r", "s", "b"]


def test_a_call_that_was_taken_out_is_named() -> None:
    reducer = Reducer()
    for event in [*said("a"), CALLS[0]]:
        reducer.apply(event)
    reducer.messages[0].tool_calls.clear()
    with pytest.raises(AGUIValidationError, match="removed the tool call from its message") as caught:
        reducer.apply({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{}"})
    assert (caught.value.code, caught.value.path) == ("message_missing", "/toolCalls")


def message_id(message: Any) -> str:
    return message["id"] if isinstance(message, dict) else message.id


WRONG_PATCH = [{"op": "remove", "path": "/none"}]
FAILING: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "state": ([], {"type": "STATE_DELTA", "delta": WRONG_PATCH}),
    "activity": (
        [{"type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "x", "content": {}}],
        {"type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "x", "patch": WRONG_PATCH},
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_failing_patches_have_so_many_warnings_and_one_that_says_so(name: str) -> None:
    first, failing = FAILING[name]
    events = [{"type": "RUN_STARTED", **RUN}, *first, *[failing] * 9, {"type": "RUN_FINISHED", **RUN}]
    frames = [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events]
    limits = Limits(warnings=3)
    reducer, pipeline = Reducer(limits=limits), EventPipeline(limits=limits)
    for event, frame in zip(events, frames, strict=True):
        reducer.apply(event)
        pipeline.feed(frame)
    whole = EventPipeline(limits=limits)
    whole.feed(b"".join(frames))
    agent = SyncAgent(lambda request: frames, thread_id=RUN["threadId"], limits=limits)
    result = agent.run_agent(run_id=RUN["runId"])
    for said in (reducer.warnings, pipeline.warnings, whole.warnings, result.warnings):
        assert [warning.code for warning in said] == ["patch_failed"] * 3 + ["limit_exceeded"]
        assert said[-1].message.startswith("a limit is exceeded (warnings is 3)")

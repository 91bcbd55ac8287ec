"""The types of conversations, for type checkers and at run time. Both check this file by their strict rules."""

from __future__ import annotations

from typing import Any, TypedDict, assert_never, assert_type

import ag_ui.core as official
from pydantic import BaseModel

from ag_ui_native import changes
from ag_ui_native.changes import (
    CallAdded,
    Change,
    DictChange,
    MemberSet,
    MessageInserted,
    MessagesArranged,
    PatchFailed,
    RunFinished,
    TextAppended,
)
from ag_ui_native.core import Event, Interrupt, Message, TextMessageStartEvent, ToolCall, UserMessage
from ag_ui_native.stream import Applied, EventPipeline, Reducer, apply_events


class Plan(TypedDict):
    steps: list[str]


START = {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"}
STREAM = (
    b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'
    b'data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}\n\n'
    b'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n'
)


def test_the_state_has_a_type() -> None:
    plan: Plan = {"steps": ["look"]}
    pipeline = EventPipeline(state=plan)
    assert_type(pipeline, EventPipeline[Plan])
    assert assert_type(pipeline.state, Plan)["steps"] == ["look"]
    named = EventPipeline[Plan](state={"steps": []})
    assert_type(named.state, Plan)
    reducer: Reducer[Plan] = Reducer(state={"steps": []})
    assert_type(reducer.state["steps"], list[str])
    assert_type(Reducer().state, Any)
    assert_type(apply_events([TextMessageStartEvent(message_id="m")], state=plan), Applied[Plan])


def test_messages_have_the_form_of_those_given() -> None:
    pipeline = EventPipeline(messages=[UserMessage(id="u", content="Hello?")])
    assert_type(pipeline.feed(STREAM), list[Change])
    assert_type(pipeline.messages, list[Message])
    assert_type(pipeline.pending_interrupts, list[Interrupt])
    for of_dicts in (
        EventPipeline(profile="relay"),
        EventPipeline(as_dicts=True),
        EventPipeline(messages=[{"id": "u", "role": "user", "content": "Hello?"}]),
    ):
        assert_type(of_dicts.feed(STREAM), list[DictChange])
        assert_type(of_dicts.messages, list[dict[str, Any]])
        assert of_dicts.messages[-1]["content"] == "Hi"
    reducer = Reducer([official.UserMessage(id="u", content="Hello?")])
    assert isinstance(assert_type(reducer.messages, list[BaseModel])[0], official.UserMessage)
    assert_type(Reducer([{"id": "u", "role": "user", "content": ""}]).apply(START), list[DictChange])
    assert_type(Reducer(as_dicts=True).messages, list[dict[str, Any]])


def test_pipelines_of_events() -> None:
    assert_type(EventPipeline(reduce=False).feed(STREAM), list[Event])
    events = EventPipeline(reduce=False, profile="relay").feed(STREAM)
    assert_type(events, list[dict[str, Any]])
    assert events[0]["type"] == "RUN_STARTED"


def test_applied_events() -> None:
    applied = apply_events([TextMessageStartEvent(message_id="m")])
    assert_type(applied, Applied)
    assert_type(applied.messages, list[Message])
    assert_type(applied.changes, list[Change])
    of_dicts = apply_events([START])
    assert_type(of_dicts.messages, list[dict[str, Any]])
    assert of_dicts.messages[0]["role"] == "assistant"
    assert_type(apply_events([START], as_dicts=False).messages, list[Message])


def told(change: Change) -> str:
    """Every kind: mypy and pyright see whether one is missing."""
    if change.kind == "message_inserted" or change.kind == "message_replaced":
        assert_type(change.target, Message)
        return change.target.id
    if change.kind == "messages_arranged":
        return assert_type(change.value, list[Message])[0].id
    if change.kind == "message_ended":
        return assert_type(change.target, Message).role
    if change.kind == "call_added" or change.kind == "call_ended":
        return assert_type(change.target, ToolCall).function.name
    if change.kind == "text_appended":
        assert_type(change.target, Message | ToolCall)
        return assert_type(change.value, str)
    if change.kind == "member_set":
        name, value = assert_type(change.value, tuple[str, str | None])
        return value or name
    if change.kind == "content_set" or change.kind == "metadata_merged":
        return "".join(assert_type(change.value, dict[str, Any]))
    if change.kind == "content_patched" or change.kind == "state_patched":
        return str(assert_type(change.value, list[dict[str, Any]])[0]["op"])
    if change.kind == "patch_failed":
        return "" if assert_type(change.target, Message | None) is None else "activity"
    if change.kind == "state_set" or change.kind == "interrupts_set":
        return ""
    if change.kind == "run_finished":
        return change.value.outcome
    if change.kind == "run_failed":
        return assert_type(change.value, changes.RunFailure).message
    assert_never(change)


def test_a_kind_tells_what_target_and_value_are() -> None:
    pipeline = EventPipeline()
    assert [told(change) for change in pipeline.feed(STREAM)] == ["m", "Hi", "assistant", "", "success"]


def test_a_record_is_of_a_class() -> None:
    inserted, appended, *_, finished = EventPipeline().feed(STREAM)
    assert isinstance(inserted, MessageInserted) and isinstance(appended, TextAppended)
    assert_type(appended.value, str)
    match finished:
        case RunFinished(value=end):
            assert end.result is None
        case _:
            raise AssertionError(finished)
    assert inserted.kind == "message_inserted" and isinstance(inserted, changes.ChangeRecord)


def records(change: DictChange) -> None:
    if change.kind == "call_added":
        assert_type(change, CallAdded[dict[str, Any]])
    elif change.kind == "member_set":
        assert_type(change, MemberSet[dict[str, Any], dict[str, Any]])
    elif change.kind == "messages_arranged":
        assert_type(change, MessagesArranged[dict[str, Any]])
    elif change.kind == "patch_failed":
        assert_type(change, PatchFailed[dict[str, Any]])

"""The members of a change: its kind, and its target as it was then."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import ag_ui.core
import pytest

from ag_ui_native import core
from ag_ui_native.stream import EventPipeline, Reducer

ROOT = Path(__file__).parents[3]
RUN_STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
START = {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"}
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi"}
CALL = {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f", "parentMessageId": "m"}
ARGUMENTS = {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{}"}
SNAPSHOT = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "m", "role": "assistant", "content": "Oh. "}]}
ACTIVITY = {"type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "A", "content": {"n": [1]}}
PATCH = {
    "type": "ACTIVITY_DELTA",
    "messageId": "a",
    "activityType": "A",
    "patch": [{"op": "add", "path": "/n/-", "value": 2}],
}


def in_one_feed(events: Iterable[dict[str, Any]], **options: Any) -> list[Any]:
    stream = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    return EventPipeline(**options).feed(stream)


def one_by_one(events: Iterable[dict[str, Any]], **options: Any) -> list[Any]:
    reducer = Reducer(**options)
    return [change for event in events for change in reducer.apply(event)]


def member(object: Any, name: str) -> Any:
    return object[name] if isinstance(object, dict) else getattr(object, name)


def shown(changes: Iterable[Any]) -> str:
    """Returns the text that a program shows if it only applies the changes."""
    text = ""
    for change in changes:
        match change.kind:
            case "message_inserted":
                text += member(change.target, "content")
            case "messages_arranged":
                text = "".join(member(message, "content") for message in change.value)
            case "text_appended":
                text += change.value
    return text


WAYS = pytest.mark.parametrize("changes_of", [in_one_feed, one_by_one])
FORMS = pytest.mark.parametrize(
    "options",
    [{}, {"as_dicts": True}, {"messages": [ag_ui.core.UserMessage(id="u", content="")]}],
    ids=["instances", "dictionaries", "official"],
)


@WAYS
@FORMS
@pytest.mark.parametrize(
    ("events", "text"),
    [
        ([START, CONTENT, CONTENT], "HiHi"),
        ([SNAPSHOT, START, CONTENT], "Oh. Hi"),
        ([START, CONTENT, SNAPSHOT, CONTENT], "Oh. Hi"),
    ],
    ids=["inserted", "arranged", "arranged anew"],
)
def test_a_program_that_takes_changes_at_their_word_shows_the_text_once(
    changes_of: Callable[..., list[Any]], options: dict[str, Any], events: list[dict[str, Any]], text: str
) -> None:
    assert shown(changes_of([RUN_STARTED, *events], **options)) == text


@WAYS
@FORMS
def test_a_call_is_handed_over_as_it_was_added(changes_of: Callable[..., list[Any]], options: dict[str, Any]) -> None:
    changes = changes_of([RUN_STARTED, START, CALL, ARGUMENTS], **options)
    (added,) = [change.target for change in changes if change.kind == "call_added"]
    (inserted,) = [change.target for change in changes if change.kind == "message_inserted"]
    assert member(member(added, "function"), "arguments") == ""
    assert not (inserted.get("toolCalls") if isinstance(inserted, dict) else inserted.tool_calls)
    assert member(member(changes[-1].target, "function"), "arguments") == "{}"


@WAYS
@FORMS
@pytest.mark.parametrize(
    ("there", "kind"),
    [([], "message_inserted"), ([START | {"messageId": "a"}], "message_replaced"), ([ACTIVITY], "content_set")],
)
def test_an_activity_is_handed_over_as_it_was_set(
    changes_of: Callable[..., list[Any]], options: dict[str, Any], there: list[dict[str, Any]], kind: str
) -> None:
    changes = changes_of([RUN_STARTED, *there, ACTIVITY, PATCH], **options)
    change = [change for change in changes if change.kind == kind][-1]
    content = change.value if kind == "content_set" else member(change.target, "content")
    assert content == {"n": [1]}
    (patched,) = [change.target for change in changes if change.kind == "content_patched"]
    assert member(patched, "content") == {"n": [1, 2]}


def test_later_targets_are_the_live_messages() -> None:
    reducer = Reducer()
    inserted = reducer.apply(START)[0].target
    appended = reducer.apply(CONTENT)[0].target
    assert isinstance(inserted, core.AssistantMessage) and inserted.content == ""
    assert appended is reducer.messages[0] and appended is not inserted


def test_a_message_that_json_does_not_hold_is_handed_over_itself() -> None:
    reducer = Reducer()
    for event in ({"type": "REASONING_MESSAGE_START", "messageId": "r", "role": "reasoning"}, ACTIVITY):
        reducer.apply(event)
    reducer.messages[1].content = {"n": object()}
    ((kept, activity, new),) = [change.value for change in reducer.apply(SNAPSHOT)]
    assert [message.id for message in (kept, activity, new)] == ["r", "a", "m"]
    assert (kept is reducer.messages[0], activity is reducer.messages[1]) == (False, True)


def test_every_kind_of_core_has_a_record() -> None:
    source = (ROOT / "python" / "ag_ui_native" / "changes.py").read_text("utf-8")
    records = re.findall(r"^class (\w+)\(\s*ChangeRecord\[Literal\[\"(\w+)\"\]", source, re.MULTILINE)
    border = (ROOT / "node" / "lib" / "generated" / "border.cts").read_text("utf-8")
    listed = re.search(r"changeKinds.*?= \[(.*?)\]", border, re.DOTALL)
    assert listed
    assert sorted(kind for _, kind in records) == sorted(re.findall(r"'(\w+)'", listed[1]))
    for name, kind in records:
        assert kind == re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


@pytest.mark.parametrize("as_dicts", [False, True])
@pytest.mark.parametrize("more", [{}, {"name": "{["}, {"metadata": {"a": [1]}}, {"subagentRunId": "s"}])
def test_what_is_handed_over_and_what_is_kept_share_nothing_that_can_change(
    as_dicts: bool, more: dict[str, Any]
) -> None:
    pipeline = EventPipeline(as_dicts=as_dicts, verify=False)
    start = {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", **more}
    (change,) = (
        change
        for change in pipeline.feed(f"data: {json.dumps(start)}\n\n".encode())
        if change.kind == "message_inserted"
    )
    told, kept = change.target, pipeline.messages[-1]
    if as_dicts:
        assert told == kept
        told["id"] = "other"
        assert kept["id"] == "m"
        return
    assert (told.model_dump(), told.model_fields_set, told.model_extra) == (
        kept.model_dump(),
        kept.model_fields_set,
        kept.model_extra,
    )
    told.model_fields_set.add("another")
    told.id = "other"
    assert kept.id == "m" and "another" not in kept.model_fields_set

"""Errors that type checkers must report. Each line names the error of mypy and that of pyright; a line without an
error is a failure.
"""
# ruff: noqa: B018

from __future__ import annotations

from typing import TypedDict

from pydantic import BaseModel

import ag_ui_native
from ag_ui_native.changes import Change
from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.core import (
    ContentPart,
    Event,
    EventType,
    Message,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    TextMessageStartEvent,
    UserMessage,
)
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.patch import diff
from ag_ui_native.run_input import read_run_input
from ag_ui_native.stream import (
    EventDecoder,
    EventPipeline,
    EventVerifier,
    Reducer,
    apply_events,
    decode_events,
    expand_chunks,
)


class Plan(TypedDict):
    steps: list[str]


event = TextMessageStartEvent(message_id="m")
message = UserMessage(id="u", content="Hello?")

# Names that there are not.
ag_ui_native.nothing  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

# Profiles and options.
EventDecoder(profile="lenient")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
EventDecoder(as_dict=True)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
EventDecoder(limits={"depth": 3})  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
EventDecoder(on_warning=lambda: None)  # type: ignore[arg-type, misc]  # pyright: ignore[reportArgumentType, reportCallIssue]
EventPipeline(on_patch_failure="ignore")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
EventVerifier(profile="lax")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
decode_events([b""], profil="strict")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
decode_events(["text"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType, reportCallIssue]
read_run_input(b"{}", profile="loose")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# Forms.
RunStartedEvent(thread_id="t")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
TextMessageStartEvent(message_id="m", role="tool")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Reducer().apply(message)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Reducer().apply("event")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Reducer([event])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType, reportCallIssue]
expand_chunks([message])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType, reportCallIssue]
EventVerifier().check(message)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
EventDecoder().feed("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
EventDecoder().feed(b"")[0]["type"]  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
EventDecoder(profile="relay").feed(b"")[0].type  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
apply_events([event]).messages[0]["id"]  # type: ignore[index]  # pyright: ignore[reportIndexIssue]


# The type of an event. Text does not narrow: mypy checks what follows for any event; pyright does not check it, and says so.
def of_event(event: Event) -> str:
    if event.type == "TEXT_MESSAGE_CONTENT":  # pyright: ignore[reportDeprecated]
        return event.nonsense  # type: ignore[union-attr, no-any-return]
    if event.type == "NONSENSE":  # pyright: ignore[reportUnnecessaryComparison, reportDeprecated]
        return event.nonsense  # type: ignore[union-attr, no-any-return]
    if event.type != "RAW":  # pyright: ignore[reportDeprecated]
        event.nonsense  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if event.type == EventType.RAW:
        event.delta  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if event.type == EventType.NONSENSE:  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        return ""
    return event.run_id  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]


def of_type(event: Event) -> str:
    match event.type:
        case "TEXT_MESSAGE_CONTENT":  # pyright: ignore[reportUnnecessaryComparison]
            return event.nonsense  # type: ignore[union-attr, no-any-return]
        case EventType.TEXT_MESSAGE_CONTENT:
            return event.nonsense  # type: ignore[attr-defined, no-any-return]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        case _:
            return str(event.type.value)


# Roles, kinds of content and outcomes.
def of_message(message: Message, part: ContentPart, finished: RunFinishedEvent) -> str:
    if message.role == "robot":  # type: ignore[comparison-overlap]  # pyright: ignore[reportUnnecessaryComparison]
        return ""
    if message.role == "user":
        message.tool_calls  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if part.type == "picture":  # type: ignore[comparison-overlap]  # pyright: ignore[reportUnnecessaryComparison]
        return ""
    if part.type == "text":
        part.source  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if finished.outcome is not None and finished.outcome.type == "suspended":  # type: ignore[comparison-overlap]  # pyright: ignore[reportUnnecessaryComparison]
        return ""
    return message.id


# Encoders and patches.
EventEncoder().encode(message)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
len_of_text: int = EventEncoder().encode(event)  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
text: str = EventEncoder(AGUI_MEDIA_TYPE, protobuf=True).encode(event)  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
StateDeltaEvent(delta=[message])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
StateDeltaEvent(delta=diff)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# The state.
pipeline = EventPipeline[Plan](state={"steps": []})
pipeline.state["stepps"]  # type: ignore[typeddict-item]  # pyright: ignore[reportGeneralTypeIssues]
EventPipeline[Plan](state={"step": []})  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
pipeline.state = {"steps": []}  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


# Changes.
def told(change: Change) -> str | None:
    if change.kind == "text_append":  # type: ignore[comparison-overlap]  # pyright: ignore[reportUnnecessaryComparison]
        return None
    if change.kind == "text_appended":
        change.value.steps  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if change.kind == "state_set":
        change.target.id  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if change.kind == "run_finished" and change.value.outcome == "finished":  # type: ignore[comparison-overlap]  # pyright: ignore[reportUnnecessaryComparison]
        return None
    change.kind = "state_set"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    return change.value  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


# Models as states: what reads events keeps plain values; agents have models, too.
class Model(BaseModel):
    steps: list[str] = []


named: Reducer[Model]  # type: ignore[type-var]  # pyright: ignore[reportInvalidTypeArguments]
Reducer(state=Model())  # pyright: ignore[reportArgumentType, reportCallIssue]
EventPipeline(state=Model())  # pyright: ignore[reportArgumentType, reportCallIssue]
apply_events([event], state=Model())  # pyright: ignore[reportArgumentType, reportCallIssue]
SyncHttpAgent("http://x", state=Model()).state.stepps  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

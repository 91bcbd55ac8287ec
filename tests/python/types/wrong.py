"""What type checkers must refuse. Each line says what mypy and what pyright finds; one that finds nothing is an error."""
# ruff: noqa: B018

from __future__ import annotations

from typing import TypedDict

import ag_ui_native
from ag_ui_native.changes import Change
from ag_ui_native.core import RunStartedEvent, StateDeltaEvent, TextMessageStartEvent, UserMessage
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

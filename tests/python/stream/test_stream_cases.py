"""tests/fixtures/stream/stream-cases.json: every stage has the same results as the reference, except for the
exceptions listed beside it.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIError, AGUIValidationError
from ag_ui_native.stream import (
    EventPipeline,
    Reducer,
    check_resume,
    compact_events,
    decode_event,
    enforce_events,
    expand_chunks,
    verify_events,
)
from conftest import fixture_cases as fixture

CASES: list[dict[str, Any]] = fixture("stream-cases")["cases"]
EXCEPTIONS = {(entry["section"], entry["name"]) for entry in fixture("stream-exceptions")}


def typable(event: Any) -> bool:
    try:
        decode_event(json.dumps(event), profile="strict")
    except AGUIValidationError:
        return False
    return True


def judged(section: str) -> Any:
    """The cases of a section. Single stages skip what typed events cannot hold, which the strict profile refuses."""
    cases = [case for case in CASES if case["section"] == section]
    if section not in ("enforce", "pipeline"):
        cases = [case for case in cases if "schema" not in case]
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["name"])


def judge(case: dict[str, Any], outcome: Any) -> None:
    if (case["section"], case["name"]) in EXCEPTIONS:
        assert outcome != case["expected"], "an exception that is none any more"
    else:
        assert outcome == case["expected"]


def failure(error: AGUIError, rest: dict[str, Any]) -> dict[str, Any]:
    found = {"error": True, "atIndex": error.event_index, "rule": error.rule or "E01"} | rest
    if error.rule is None:
        found["paths"] = [issue.path for issue in error.issues]
    return found


STAGES = [case for case in CASES if case["section"] in ("verify", "chunks", "apply", "compact")]


@pytest.mark.parametrize("case", STAGES, ids=lambda case: case["name"])
def test_the_strict_profile_refuses_what_the_schema_does(case: dict[str, Any]) -> None:
    assert all(map(typable, case["input"]["events"])) == ("schema" not in case)


def verified(events: Any, profile: Any) -> dict[str, Any]:
    try:
        return {"accepted": len(verify_events(events, profile=profile))}
    except AGUIError as error:
        assert error.partial == events[: error.event_index]
        return failure(error, {})


@judged("verify")
def test_verify(case: dict[str, Any]) -> None:
    events = case["input"]["events"]
    judge(case, verified(events, "tolerant"))
    strict = verified(events, "strict")
    if strict != case["expected"]:
        # The recorded client does not judge ids, nor what only producers are held to.
        assert strict["rule"] == "V14" or strict["rule"] >= "V40"
        assert verified(events[: strict["atIndex"]], "tolerant") == {"accepted": strict["atIndex"]}


@judged("chunks")
def test_chunks(case: dict[str, Any]) -> None:
    try:
        outcome = {"events": expand_chunks(case["input"]["events"], profile="strict")}
    except AGUIError as error:
        outcome = failure(error, {"events": error.partial})
    judge(case, outcome)


@judged("compact")
def test_compact(case: dict[str, Any]) -> None:
    judge(case, {"events": compact_events(case["input"]["events"], profile="strict")})


@judged("enforce")
def test_enforce(case: dict[str, Any]) -> None:
    events, warnings = case["input"]["events"], []
    stripped_codes = {"unknown_field", "unknown_variant"}

    def stripped() -> Iterator[str]:
        for warning in warnings:
            kind = events[warning.event_index]["type"]
            if warning.code == "unknown_event_type":
                yield f"dropped {kind}"
            elif warning.code in stripped_codes:
                yield f"{kind} {warning.path}"

    try:
        outcome = {"events": enforce_events(events, on_warning=warnings.append)}
    except AGUIError as error:
        outcome = failure(error, {"events": error.partial})
    if found := list(stripped()):
        outcome["stripped"] = found
    judge(case, outcome)


@judged("enforce")
def test_a_pipeline_that_does_nothing_else_enforces(case: dict[str, Any]) -> None:
    events = case["input"]["events"]
    pipeline = EventPipeline(expand=False, verify=False, reduce=False, as_dicts=True)
    try:
        enforced, failed = enforce_events(events), None
    except AGUIError as error:
        enforced, failed = error.partial, error
    try:
        piped = pipeline.feed(b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events))
    except AGUIError as error:
        assert failed is not None and failed.code == error.code
        piped = error.partial
    assert piped == enforced


class Session:
    """A conversation, with the notifications of the reference's subscribers."""

    def __init__(self, start: dict[str, Any]) -> None:
        self.start = start
        self.changed: list[list[Any]] = []
        self.notes: dict[str, list[Any]] = {"finished": [], "newMessages": [], "newToolCalls": []}

    def note(self, index: int, changes: list[Any]) -> None:
        for change in changes:
            match change.kind:
                case "message_ended":
                    self.notes["newMessages"].append(change.target["id"])
                case "call_ended":
                    self.notes["newToolCalls"].append(change.target["id"])
                case "run_finished":
                    self.notes["finished"].append(self.finished(change.value))

    def finished(self, end: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"outcome": end.outcome}
        if end.outcome == "success":
            found["pendingToolCallIds"] = end.pending_tool_call_ids
            if end.result is not None:
                found["result"] = end.result
        return found

    def outcome(self, of: Any) -> dict[str, Any]:
        found = {"messages": of.messages, "state": of.state}
        if of.pending_interrupts or "pendingInterrupts" in self.start:
            found["pendingInterrupts"] = of.pending_interrupts
        return found


def options(start: dict[str, Any]) -> dict[str, Any]:
    return {
        "messages": start.get("messages", []),
        "state": start.get("state", {}),
        "pending_interrupts": start.get("pendingInterrupts", []),
        "as_dicts": True,
    }


@judged("apply")
def test_apply(case: dict[str, Any]) -> None:
    start = case["input"]
    before = copy.deepcopy(start)
    session = Session(start)
    reducer = Reducer(**options(start), profile="strict", on_patch_failure="flag")
    failed = None
    for index, event in enumerate(start["events"]):
        try:
            changes = reducer.apply(event)
        except AGUIError as error:
            failed = error
            break
        session.note(index, changes)
        parts = reported(changes, event)
        if parts:
            session.changed.append([index, *parts])
    outcome = session.outcome(reducer) | {"changed": session.changed}
    outcome |= {name: notes for name, notes in session.notes.items() if notes}
    assert start == before, "what the caller gave has been changed"
    for end in case["expected"].get("finished", []):
        end.pop("interrupts", None)
    judge(case, failure(failed, outcome) if failed else outcome)


def reported(changes: list[Any], event: dict[str, Any]) -> list[str]:
    """Returns the parts that an event counts as changed. Some events count although their values are equal."""
    kinds = {change.kind for change in changes}
    state = {"state_set", "state_patched"}
    quiet = {"message_ended", "call_ended", "run_finished", "run_failed", "interrupts_set", "patch_failed"}
    messages = bool(kinds - state - quiet) or event["type"] == "ACTIVITY_SNAPSHOT"
    messages = messages or (event["type"] == "RUN_STARTED" and "messages" in event.get("input", {}))
    return [name for name, found in (("messages", messages), ("state", bool(kinds & state))) if found]


@judged("pipeline")
def test_pipeline(case: dict[str, Any]) -> None:
    start = case["input"]
    session = Session(start)
    pipeline = EventPipeline(**options(start))
    before = {message["id"] for message in pipeline.messages}
    failed = None
    try:
        check_resume(pipeline.pending_interrupts, start.get("resume", []))
    except AGUIError as error:
        error.event_index, failed, start = -1, error, start | {"events": []}
    for index, event in enumerate(start["events"]):
        try:
            session.note(index, pipeline.feed(b"data: " + json.dumps(event).encode() + b"\n\n"))
        except AGUIError as error:
            failed = error
            break
    outcome = session.outcome(pipeline)
    if failed is None:
        results = [end["result"] for end in session.notes["finished"] if "result" in end]
        if results and "result" in session.notes["finished"][-1]:
            outcome["result"] = results[-1]
        outcome["newMessages"] = [message["id"] for message in pipeline.messages if message["id"] not in before]
    else:
        outcome = failure(failed, outcome)
    judge(case, with_numbered_ids(outcome))


def with_numbered_ids(outcome: Any) -> Any:
    """Replaces random ids by numbers in order of appearance, as the cases have them. Ids of ours begin with their
    kind.
    """
    seen: dict[str, str] = {}
    name: Callable[[re.Match[str]], str] = lambda found: seen.setdefault(found[0], f"<uuid:{len(seen) + 1}>")
    return json.loads(re.sub(r"(msg-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name, json.dumps(outcome)))


def test_words_of_no_closed_set_are_left_out_and_the_events_that_need_one() -> None:
    begun = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    opened = {"type": "TEXT_MESSAGE_START", "messageId": "m"}
    value = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "span", "entityId": "m", "encryptedValue": "e"}
    rest = [{"type": "TEXT_MESSAGE_END", "messageId": "m"}, {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}]
    given = [begun, {**opened, "role": "narrator"}, rest[0], value, rest[1]]
    for stage in (enforce_events, verify_events, expand_chunks, compact_events):
        warnings: list[Any] = []
        assert stage(given, on_warning=warnings.append) == [begun, opened, *rest]
        told = [(warning.event_index, warning.code, warning.path) for warning in warnings]
        assert told == [(1, "invalid_value", "/role"), (3, "invalid_value", "/subtype")]
        with pytest.raises(AGUIError) as caught:
            stage(given, profile="strict")
        assert (caught.value.code, caught.value.path, caught.value.event_index) == ("invalid_value", "/role", 1)
        assert stage(given, profile="relay") == given

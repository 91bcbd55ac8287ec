"""tests/fixtures/stream/identity.json, producers.json: verdicts about ids by profile, and the ids of agents, servers
and guards.

tests/fixtures/stream/shared_ids.json: the results of messages that share an id.
"""

from __future__ import annotations

from typing import Any

import pytest

from ag_ui_native import AGUIError, AGUISequenceError
from ag_ui_native.client import SyncAgent, SyncHttpAgent
from ag_ui_native.client.rules import Intake
from ag_ui_native.server import guard
from ag_ui_native.stream import EventPipeline, EventVerifier, apply_events, verify_events
from ag_ui_native.testing import run_agent
from client_scripts import Script, frame
from conftest import fixture_cases
from raw_peer import CLOSE, HEAD, peer

CASES: list[dict[str, Any]] = fixture_cases("identity") + fixture_cases("producers")
PROFILES = ("strict", "tolerant", "relay")
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
every_profile = pytest.mark.parametrize("profile", PROFILES)


def expected(case: dict[str, Any], profile: str) -> tuple[Any, list[Any]]:
    failed = case.get("strict" if profile == "strict" else "tolerant_error")
    return failed, case["tolerant"] if profile == "tolerant" else []


def outcome(error: AGUIError | None, warnings: list[Any], at: int | None = None) -> tuple[Any, list[Any]]:
    failed = error and {
        "at": at if error.event_index is None else error.event_index,
        "rule": error.rule,
        "path": error.path,
    }
    # Reduction warns, too.
    judged = [warning for warning in warnings if warning.code == "sequence_broken"]
    return failed, [[warning.event_index, warning.rule, warning.path] for warning in judged]


@every_case
@every_profile
def test_events_one_by_one(case: dict[str, Any], profile: Any) -> None:
    verifier: Any = EventVerifier(profile=profile)
    take = verifier.check
    if "asked" in case:
        # Only the requester of a run knows its ids: middleware's events are checked against them.
        verifier = Intake(profile=profile)
        verifier.ask(*case["asked"])
        take = verifier.push
    failed = None
    try:
        for event in case["events"]:
            take(event)
        verifier.finish()
    except AGUIError as error:
        failed = error
    assert outcome(failed, verifier.warnings) == expected(case, profile)


@pytest.mark.parametrize("case", [case for case in CASES if "asked" not in case], ids=lambda case: case["name"])
@every_profile
def test_a_list_of_events(case: dict[str, Any], profile: Any) -> None:
    warnings: list[Any] = []
    failed = None
    try:
        assert verify_events(case["events"], profile=profile, on_warning=warnings.append) == case["events"]
    except AGUIError as error:
        failed = error
    assert outcome(failed, warnings) == expected(case, profile)


@every_case
@every_profile
@pytest.mark.parametrize("reduce", [True, False])
def test_pipelines(case: dict[str, Any], profile: Any, reduce: bool) -> None:
    pipeline: Any = EventPipeline(profile=profile, verify=True, reduce=reduce)
    if "asked" in case:
        pipeline._of_run(*case["asked"])
    failed = None
    try:
        pipeline.feed(b"".join(map(frame, case["events"])))
        pipeline.close()
    except AGUIError as error:
        failed = error
    assert outcome(failed, pipeline.warnings) == expected(case, profile)


@pytest.mark.parametrize("case", [case for case in CASES if "asked" in case], ids=lambda case: case["name"])
@pytest.mark.parametrize("profile", ["strict", "tolerant"])
@pytest.mark.parametrize("way", ["end", "events", "middleware"])
def test_agents_know_what_they_have_asked_for(case: dict[str, Any], profile: Any, way: str) -> None:
    thread_id, run_id = case["asked"]
    script = Script([frame(event) for event in case["events"]])
    middleware = [lambda input, ask: ask(input)] if way == "middleware" else []
    agent = SyncAgent(script, thread_id=thread_id, profile=profile, middleware=middleware)
    failed: Any = None
    result: Any = None
    try:
        if way == "events":
            run = agent.run(run_id=run_id)
            list(run)
            result = run.result
        else:
            result = agent.run_agent(run_id=run_id)
    except AGUISequenceError as error:
        failed, result = error, error.run
    assert outcome(failed, result.warnings) == expected(case, profile)


def asked_for(case: dict[str, Any]) -> list[str]:
    """Thread and run; those of a case that does not say are the thread of all cases and the last run."""
    runs: list[str] = [event["runId"] for event in case["events"] if event["type"] == "RUN_STARTED"]
    return case.get("asked") or ["t", runs[-1]]


@every_case
@pytest.mark.parametrize("profile", ["strict", "tolerant"])
def test_agents_judge_what_comes_over_a_socket(case: dict[str, Any], profile: Any) -> None:
    thread_id, run_id = asked_for(case)
    answer = {"send": "".join(frame(event).decode() for event in case["events"])}
    failed: Any = None
    with peer([HEAD, answer, CLOSE]) as server:
        agent = SyncHttpAgent(server.url, thread_id=thread_id, profile=profile)
        try:
            result: Any = agent.run_agent(run_id=run_id)
        except AGUISequenceError as error:
            failed, result = error, error.run
    assert outcome(failed, result.warnings) == expected(case, profile)


@pytest.mark.parametrize("case", fixture_cases("shared_ids"), ids=lambda case: case["name"])
@pytest.mark.parametrize("profile", ["tolerant", "relay"])
def test_an_answer_and_a_thought_with_one_id_are_told_apart(case: dict[str, Any], profile: Any) -> None:
    start, expected = case.get("start", []), {"warnings": []} | case[profile]
    pipeline = EventPipeline(profile=profile, messages=start, as_dicts=True)
    for event in case["events"]:
        pipeline.feed(frame(event))
    warnings: list[Any] = []
    applied = apply_events(case["events"], start, profile=profile, on_warning=warnings.append, as_dicts=True)
    for messages, told in ((pipeline.messages, pipeline.warnings), (applied.messages, warnings)):
        assert list(messages) == expected["messages"]
        assert [[warning.event_index, warning.code] for warning in told] == expected["warnings"]


def started(thread_id: str = "t", run_id: str = "r") -> dict[str, Any]:
    return {"type": "RUN_STARTED", "threadId": thread_id, "runId": run_id}


def finished(thread_id: str = "t", run_id: str = "r", **more: Any) -> dict[str, Any]:
    return {"type": "RUN_FINISHED", "threadId": thread_id, "runId": run_id} | more


INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
DOUBLED = {"type": "interrupt", "interrupts": [{"id": "i", "reason": "approval"}] * 2}

GUARDED = [
    ("another run finishes", [started(), finished(run_id="q", result=1)], "V40", [started(), finished(result=1)]),
    ("another thread finishes", [started(), finished("u")], "V41", [started(), finished()]),
    ("the run is on another thread", [started("u"), finished("u")], "V42", [started(), finished()]),
    ("interrupts share an id", [started(), finished(outcome=DOUBLED)], "V46", [started(), finished(outcome=DOUBLED)]),
    ("another run than asked for", [started(run_id="q"), finished(run_id="q")], "V44", None),
]


@pytest.mark.parametrize(("events", "rule", "fixed"), [case[1:] for case in GUARDED], ids=[case[0] for case in GUARDED])
def test_guards(events: list[Any], rule: str, fixed: list[Any] | None) -> None:
    with pytest.raises(AGUISequenceError) as caught:
        list(guard(events, mode="error", input=INPUT))
    assert caught.value.rule == rule
    warnings: list[Any] = []
    assert list(guard(events, mode="report", input=INPUT, on_warning=warnings.append)) == events
    assert warnings[0].rule == rule
    warnings.clear()
    assert list(guard(events, input=INPUT, on_warning=warnings.append)) == (fixed or events)
    assert warnings[0].rule == rule


def test_a_guard_gives_a_run_that_has_a_used_id_one_of_its_own() -> None:
    events = [started(), finished(), started(), finished()]
    warnings: list[Any] = []
    made = list(guard(events, on_warning=warnings.append))
    assert made[:2] == events[:2]
    assert made[2]["runId"] == made[3]["runId"] != "r"
    assert [(warning.event_index, warning.rule) for warning in warnings] == [(2, "V43"), (3, "V40")]
    with pytest.raises(AGUISequenceError, match="V43"):
        list(guard(events, mode="error"))


@pytest.mark.parametrize("end", [finished(run_id="q"), finished("u"), finished(outcome=DOUBLED)], ids=repr)
def test_a_run_refuses_an_end_that_is_not_its_own(end: dict[str, Any]) -> None:
    refused: list[Any] = []

    def agent(run: Any) -> None:
        try:
            run.event(end)
        except AGUISequenceError as error:
            refused.append(error.rule)
        run.event(finished())

    result = run_agent(agent, {"threadId": "t", "runId": "r"})
    assert [event.type for event in result.events] == ["RUN_STARTED", "RUN_FINISHED"]
    assert refused in (["V40"], ["V41"], ["V46"])


def test_a_run_does_not_ask_two_questions_by_one_id() -> None:
    refused: list[Any] = []

    def agent(run: Any) -> None:
        question = {"id": "i", "reason": "approval"}
        try:
            run.interrupt(question, question)
        except AGUISequenceError as error:
            refused.append((error.rule, error.path))
        run.interrupt(question)

    result = run_agent(agent)
    assert refused == [("V46", "/outcome/interrupts/1/id")]
    assert [interrupt.id for interrupt in result.interrupts] == ["i"]

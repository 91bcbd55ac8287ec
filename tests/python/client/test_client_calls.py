"""tests/fixtures/client/client_calls.json: the request of each run of a call, and the result of a call that ends
early.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError
from ag_ui_native.changes import RunEnd
from ag_ui_native.client import Agent, AgentSubscriber, FrontendTool, RunResult, SyncAgent, Timeouts, rules
from ag_ui_native.ids import new_run_id
from client_scripts import frame, of_run
from conftest import fixture_cases

TABLE: Any = fixture_cases("client_calls")


class Seen:
    """Inputs as the table has them; ids that were made are `#1` and so on."""

    def __init__(self, given: str | None, first: int = 1) -> None:
        self._given = given
        self._made: list[str] = [""] * (first - 1)

    def of(self, asked: dict[str, Any]) -> dict[str, Any]:
        run_id = asked["runId"]
        if run_id != self._given and run_id not in self._made:
            self._made.append(run_id)
        return {
            "runId": f"#{self._made.index(run_id) + 1}" if run_id in self._made else run_id,
            "parentRunId": asked.get("parentRunId"),
            "resume": [entry["interruptId"] for entry in asked.get("resume", ())],
            "tools": [f"{tool['name']} {tool['description']}" for tool in asked["tools"]],
            "messages": [message.get("content") for message in asked["messages"]],
            "state": asked.get("state"),
            "forwardedProps": asked["forwardedProps"],
        }


def part(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in wanted}


def interrupts(ids: list[str]) -> list[dict[str, Any]]:
    return [{"id": name, "reason": "tool_call"} for name in ids]


@pytest.mark.parametrize(
    "case", [case for case in TABLE["machine"] if "hosts" not in case], ids=lambda case: case["name"]
)
def test_machine(case: dict[str, Any]) -> None:
    runs = rules.Runs().next(10)
    made: list[str] = []

    def new_id() -> str:
        made.append(new_run_id())
        return made[-1]

    for step in case["steps"]:
        match step:
            case {"asks": asks}:
                agent = step.get("agent", {})
                members = {"threadId": "t", "runId": "", "messages": [], **asks}
                own = agent.get("parentRunId"), json.dumps(agent.get("tools", []))
                pending = interrupts(step.get("pending", []))
                try:
                    run_id, text, warnings = runs.prepare(json.dumps(members), own, pending, new_id, step.get("peer"))
                except AGUIError as error:
                    assert error.code == step["refused"]
                    continue
                assert "refused" not in step
                seen = Seen(asks.get("runId"))
                seen._made = made
                asked = json.loads(text)
                assert asked["runId"] == run_id
                wanted = step.get("asked", {})
                assert part(seen.of(asked), wanted) == wanted
                codes = [warning.code for warning in warnings]
                assert codes == step.get("warns", codes)
            case {"ended": outcome}:
                runs.ended(RunEnd(outcome, pending_tool_call_ids=step.get("pending", [])))
            case {"calls": calls}:
                assert runs.calls([(name, name) for name in runs.pending], runs.pending) == calls
            case {"answered": call}:
                runs.answered(call)
            case {"next": max_runs}:
                runs = runs.next(max_runs)
            case {"late": code}:
                late = runs.late()
                assert (late and (late.code, late.limit)) == (code and (code, "callback_grace"))
            case {"now": now, "ofEnd": of_end, "until": until}:
                assert runs.callback_deadline(now, of_end) == until
            case {"stops": stops, "isHandled": is_handled}:
                assert runs.is_handled(stops) == is_handled
            case {"then": then}:
                try:
                    assert " ".join(runs.next_step(step.get("stopped", False))).rstrip() == then
                except AGUIError as error:
                    assert error.code == then
            case {"ends": cause}:
                if cause.get("quiet"):
                    # Python has no such way.
                    continue
                done = runs.end(cause.get("error"), cause.get("aborted", False), cause.get("heard", False))
                names = ["removes_message", "notifies", "raises", "reports"]
                assert [name for name, is_done in zip(names, done, strict=True) if is_done] == step["does"]
                outcomes: list[str] = [outcome for _, outcome, *_ in runs.all()]
                assert outcomes == step.get("outcomes", outcomes)


class Given(Exception):
    """An error that a callback raises."""


class Scripted(AgentSubscriber[Any]):
    """Reacts as the table says, and records each callback with the number of messages."""

    def __init__(self, reactions: dict[str, Any], told: list[str], agents: list[Any]) -> None:
        for name, reaction in reactions.items():
            callback = self._callback(name, reaction, told, agents)
            is_later = "async" in reaction and isinstance(agents[0], Agent)
            setattr(self, name, self._later(callback) if is_later else callback)

    def _later(self, callback: Any) -> Any:
        async def heard(params: Any) -> Any:
            return callback(params)

        return heard

    def _callback(self, name: str, reaction: dict[str, Any], told: list[str], agents: list[Any]) -> Any:
        def heard(_: Any) -> Any:
            is_first = not any(entry.startswith(name) for entry in told)
            told.append(f"{name} {len(agents[0].messages)}")
            if "adds" in reaction and is_first:
                agents[0].add_message({"id": "added", "role": "user", "content": reaction["adds"]})
            if "aborts" in reaction:
                agents[0].abort_run()
            if "raises" in reaction:
                raise Given
            names = {"stop": "stop_propagation", "state": "state"}
            return {names[name]: reaction[name] for name in names if name in reaction} or None

        return heard


def passed_on(input: Any, case: dict[str, Any]) -> Any:
    """Returns the input with which a middleware sends its request."""
    return input.model_copy(update={"messages": [*input.messages, *case.get("passes", ())]})


def asking_again(case: dict[str, Any], seen: list[str | None]) -> Any:
    """A middleware that sends requests as the table says, and records the result of each."""

    def ask(input: Any, next: Any) -> Iterator[Any]:
        input = passed_on(input, case)
        for is_kept in case["middleware"]:
            try:
                for event in next(input):
                    if is_kept:
                        yield event
                seen.append(None)
            except AGUIError as error:
                seen.append(error.code)
                if is_kept:
                    raise

    return ask


def asking_again_later(case: dict[str, Any], seen: list[str | None]) -> Any:
    """Like `asking_again`, for asynchronous agents."""

    async def ask(input: Any, next: Any) -> AsyncIterator[Any]:
        input = passed_on(input, case)
        for is_kept in case["middleware"]:
            try:
                async for event in next(input):
                    if is_kept:
                        yield event
                seen.append(None)
            except AGUIError as error:
                seen.append(error.code)
                if is_kept:
                    raise
        if "waits" in case:
            await asyncio.get_running_loop().create_future()

    return ask


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("case", TABLE["runs"], ids=lambda case: case["name"])
def test_runs(case: dict[str, Any], face: str, caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    requests: list[dict[str, Any]] = []
    answers = iter(case["answers"])

    def transport(request: Any) -> Iterator[bytes]:
        end = dict(enumerate(case.get("ends", ()))).get(len(requests))
        requests.append(json.loads(request.input_json))
        if end == "refused":
            raise AGUIConnectionError("refused", code="connection_failed")
        return answer(next(answers), request, end)

    def answer(events: list[Any], request: Any, end: str | None) -> Iterator[bytes]:
        for event in events:
            yield of_run(frame(event), request)
        if end == "lost":
            raise AGUIConnectionError("lost", code="connection_lost")
        if end == "aborted":
            agents[0].abort_run()

    agents: list[Any] = []
    seen: list[str | None] = []
    asking = asking_again if face == "sync" else asking_again_later
    options: dict[str, Any] = {
        "messages": case.get("messagesBefore", []),
        "pending_interrupts": interrupts(case.get("pendingInterrupts", [])),
        "tools": [
            FrontendTool(lambda: "done", name=tool["name"], description=tool["description"])
            for tool in case.get("tools", [])
        ],
        "max_runs": case.get("maxRuns", 10),
        "peer": case.get("peer"),
        "timeouts": Timeouts(idle=case.get("idle", 60.0)),
        "middleware": [asking(case, seen)] if "middleware" in case else [],
    }
    if "stateBefore" in case:
        options["state"] = case["stateBefore"]
    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(transport, **options)
    agents.append(agent)
    agent.subscribe(Scripted(case["subscriber"], told, agents))
    agent.parent_run_id = case.get("parentRunId")
    given = case.get("run", {})
    names = {"runId": "run_id", "parentRunId": "parent_run_id", "forwardedProps": "forwarded_props"}
    parameters = {names.get(name, name): value for name, value in given.items()}

    async def work() -> RunResult:
        if "leave" in case:
            stream = agent.run(**parameters)
            if face == "sync":
                with stream:
                    for event in stream:
                        if event.type == case["leave"]:
                            break
            else:
                async with stream:
                    async for event in stream:
                        if event.type == case["leave"]:
                            break
            return stream.result  # type: ignore[no-any-return]
        made = agent.ask(case["said"], **parameters) if "said" in case else agent.run_agent(**parameters)
        made = await made if face == "async" else made
        return made.result if "said" in case else made  # type: ignore[no-any-return]

    result: RunResult | None = None
    failure: AGUIError | None = None
    with caplog.at_level(logging.ERROR, "ag_ui_native.client"):
        try:
            result = asyncio.run(work())
        except AGUIError as error:
            failure, result = error, getattr(error, "run", None)
    assert (None if failure is None else failure.code) == case.get("raises")
    if "outcome" in case:
        assert result is not None and result.outcome == case["outcome"]
        assert getattr(result.failure, "code", None) == case.get("failure")
    assert told == case.get("told", told)
    assert seen == case.get("seen", seen)
    assert [message.content for message in agent.messages] == case["messages"]
    assert agent.state == case.get("state", agent.state)
    assert len(caplog.records) == case.get("logged", 0)
    if "warnings" in case:
        assert result is not None
        assert [warning.code for warning in result.warnings] == case["warnings"]
    if "requests" in case:
        assert len(requests) == len(case["requests"])
        seen = Seen(given.get("runId"), first=2)
        for wanted, request in zip(case["requests"], requests, strict=True):
            assert part(seen.of(request), wanted) == wanted

"""Ends of runs that subscribers stop, hold up, or take on."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError, AGUIStreamError
from ag_ui_native.client import Agent, AgentStateMutation, AgentSubscriber, FrontendTool, SyncAgent, Timeouts
from ag_ui_native.core import EventType
from client_scripts import Script, calls, later, run_of, says
from servers import PATIENCE

STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
INTERRUPT = {"type": "interrupt", "interrupts": [{"id": "i", "reason": "r"}]}
ENDS = [
    ({"type": "RUN_ERROR", "message": "broken", "code": "c"}, "error", "on_run_error_event"),
    (FINISHED | {"result": 5}, "success", "on_run_finished_event"),
    (FINISHED | {"outcome": INTERRUPT}, "interrupt", "on_run_finished_event"),
]


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("everywhere", [True, False], ids=["every event", "its own callback"])
@pytest.mark.parametrize(("end", "outcome", "callback"), ENDS, ids=[outcome for _, outcome, _ in ENDS])
def test_an_end_that_a_subscriber_stops_is_an_end_all_the_same(
    end: dict[str, Any], outcome: str, callback: str, everywhere: bool, face: str
) -> None:
    def pieces(_: object) -> Iterator[bytes]:
        for event in (STARTED, end):
            yield b"data: " + json.dumps(event).encode() + b"\n\n"

    async def later(request: object) -> Any:
        for piece in pieces(request):
            yield piece

    def stop(parameters: Any) -> AgentStateMutation:
        return AgentStateMutation(stop_propagation=parameters.event.type == EventType(end["type"]))

    subscriber = type("AgentSubscriber", (), {})()
    setattr(subscriber, "on_event" if everywhere else callback, stop)
    agent: Any = Agent(later) if face == "async" else SyncAgent(pieces)
    agent.subscribe(subscriber)
    result = asyncio.run(agent.run_agent()) if face == "async" else agent.run_agent()
    assert result.outcome == outcome
    if outcome == "error":
        assert (result.error.message, result.error.code) == ("broken", "c")
    # As in the official client: if `on_event` stops the end of a run, the result of the run is not reported.
    assert result.result == (5 if outcome == "success" and not everywhere else None)
    assert agent.pending_interrupts == []


@pytest.mark.parametrize("way", ["run", "stream", "heard"])
@pytest.mark.parametrize("second", ["error", "cut", "aborted"])
def test_of_two_runs_in_one_answer_the_second_counts(second: str, way: str) -> None:
    called = [
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "n"},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
    ]
    state = {"type": "STATE_SNAPSHOT", "snapshot": {"n": 2}}
    last = [{"type": "RUN_ERROR", "message": "broken"}] if second == "error" else []

    def pieces(_: object) -> Iterator[bytes]:
        for event in (STARTED, *called, FINISHED | {"result": 5}, STARTED, state, *last):
            yield b"data: " + json.dumps(event).encode() + b"\n\n"

    def stop(parameters: Any) -> AgentStateMutation:
        return AgentStateMutation(stop_propagation=parameters.event.type == "RUN_FINISHED")

    agent: Any = SyncAgent(pieces)
    if way == "heard":
        subscriber = type("AgentSubscriber", (), {})()
        subscriber.on_event = stop
        agent.subscribe(subscriber)
    items = agent.stream() if way == "stream" else agent.run()
    try:
        for _ in items:
            if agent.state == {"n": 2} and second == "aborted":
                agent.abort_run()
        outcome = {"error": "error", "aborted": "aborted"}[second]
    except AGUIStreamError as error:
        assert (second, error.code) == ("cut", "stream_truncated")
        outcome = "failed"
    result = items.result
    assert (result.outcome, result.result, result.pending_tool_call_ids) == (outcome, None, [])


def test_a_run_that_has_ended_in_time_is_no_failure() -> None:
    heard: list[str] = []

    async def hangs(params: Any) -> None:
        heard.append("one")
        await asyncio.Event().wait()

    async def hears(params: Any) -> None:
        await asyncio.sleep(0)
        heard.append("another")

    async def work() -> None:
        deaf, other = AgentSubscriber[Any](), AgentSubscriber[Any]()
        vars(deaf)["on_run_finalized"] = hangs
        vars(other)["on_run_finalized"] = hears
        subscribers, timeouts = [deaf, other], Timeouts(total=1)
        agent = Agent(Script(later(run_of(*says("Hi")))), subscribers=subscribers, timeouts=timeouts)
        assert (await agent.run_agent()).outcome == "success"
        assert (heard, agent.is_running) == (["one", "another"], False)
        # The next step is not begun.
        script = Script(later(run_of(*calls("look", "{}"))))
        tools = [FrontendTool(lambda: heard.append("tool"), name="look")]
        agent = Agent(script, subscribers=subscribers, timeouts=timeouts, tools=tools)
        with pytest.raises(AGUIConnectionError) as caught:
            await agent.run_agent()
        assert (caught.value.limit, "tool" in heard) == ("total_timeout", False)

    asyncio.run(asyncio.wait_for(work(), PATIENCE))


@pytest.mark.parametrize("way", ["run_agent", "stream", "run"])
def test_a_failure_that_a_subscriber_takes_on_is_in_the_result(way: str) -> None:
    taker = AgentSubscriber[Any]()
    vars(taker)["on_run_failed"] = lambda params: AgentStateMutation(stop_propagation=True)
    agent = SyncAgent(Script(run_of(*says("Hi"))[:-1]), subscribers=[taker])
    if way == "run_agent":
        result = agent.run_agent()
    else:
        stream = getattr(agent, way)()
        assert len(list(stream)) > 0
        result = stream.result
    assert (result.outcome, result.text) == ("failed", "Hi")
    assert isinstance(result.failure, AGUIError) and result.failure.code == "stream_truncated"

"""tests/fixtures/client/client_runs.json: the result of a client's call, by each way to read it; and local agents
beside remote ones.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from ag_ui_native import AGUIError
from ag_ui_native.client import (
    Agent,
    AgentStateMutation,
    AgentSubscriber,
    FrontendTool,
    HttpAgent,
    LocalAgent,
    RunRequest,
    RunResult,
    SyncAgent,
    SyncHttpAgent,
    SyncLocalAgent,
    WebSocketAgent,
)
from ag_ui_native.core import RunAgentInput, ToolMessage
from ag_ui_native.server import Run, asgi_app
from client_scripts import frame, of_run
from conftest import fixture_cases
from servers import asgi_server

TABLE: Any = fixture_cases("client_runs")


class Listening(AgentSubscriber[Any]):
    """Listens to each event; may stop one, and may handle a failure."""

    def __init__(self, stops: str | None, takes: bool) -> None:
        self._stops = stops
        self._takes = takes

    def on_event(self, params: Any) -> AgentStateMutation | None:
        return AgentStateMutation(stop_propagation=True) if params.event.type == self._stops else None

    def on_run_failed(self, params: Any) -> AgentStateMutation | None:
        return AgentStateMutation(stop_propagation=True) if self._takes else None


async def forwarded(input: Any, next: Any) -> Any:
    async for event in next(input):
        yield event


def forwarded_plainly(input: Any, next: Any) -> Any:
    yield from next(input)


async def to_end(stream: Any, leave: str | None = None) -> RunResult:
    async with stream:
        async for item in stream:
            if leave is not None and item.type == leave:
                break
    return stream.result  # type: ignore[no-any-return]


def to_end_plainly(stream: Any, leave: str | None = None) -> RunResult:
    with stream:
        for item in stream:
            if leave is not None and item.type == leave:
                break
    return stream.result  # type: ignore[no-any-return]


def made(kind: Any, script: Any, options: dict[str, Any]) -> Any:
    parent, leave, listening = (options.pop(name) for name in ("parent_run_id", "leave", "listening"))
    agent = kind(script, **options)
    agent.parent_run_id, agent.leave, agent.listening = parent, leave, listening
    return agent


def ready(agent: Any, case: dict[str, Any]) -> Any:
    """The agent of a case behind the calls that it begins with."""
    agent = agent.clone() if case.get("copied") else agent
    agent.add_messages(case.get("said", ()))
    return agent


def in_loop(work: Callable[[Any, dict[str, Any]], Any]) -> Callable[..., RunResult]:
    def run(
        case: Any, script: Any, options: dict[str, Any], parameters: dict[str, Any], agents: list[Any]
    ) -> RunResult:
        async def go() -> RunResult:
            agent = made(Agent, script, options)
            for before in case.get("before", ()):
                await agent.run_agent(**parameters_of(before))
            agents.append(ready(agent, case))
            return await work(agents[-1], parameters)  # type: ignore[no-any-return]

        return asyncio.run(go())

    return run


def blocking(work: Callable[[Any, dict[str, Any]], Any]) -> Callable[..., RunResult]:
    def run(
        case: Any, script: Any, options: dict[str, Any], parameters: dict[str, Any], agents: list[Any]
    ) -> RunResult:
        agent = made(SyncAgent, script, options)
        for before in case.get("before", ()):
            agent.run_agent(**parameters_of(before))
        agents.append(ready(agent, case))
        return work(agents[-1], parameters)  # type: ignore[no-any-return]

    return run


def over_socket(
    case: Any, script: Any, options: dict[str, Any], parameters: dict[str, Any], agents: list[Any]
) -> RunResult:
    """Serves the answers at a WebSocket, each event as a message."""

    async def answer(connection: ServerConnection) -> None:
        body = await connection.recv()
        input = json.loads(body)
        asked = SimpleNamespace(input_json=body, thread_id=input["threadId"], run_id=input["runId"])
        for piece in script(asked):
            await connection.send(piece.decode().removeprefix("data: ").strip())

    async def go() -> RunResult:
        async with serve(answer, "127.0.0.1", 0) as server:
            url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/"
            agent = made(lambda _, **options: WebSocketAgent(url, **options), None, options)
            for before in case.get("before", ()):
                await agent.run_agent(**parameters_of(before))
            agents.append(ready(agent, case))
            return await agents[-1].run_agent(**parameters)  # type: ignore[no-any-return]

    return asyncio.run(go())


def is_for_sockets(answer: list[Any]) -> bool:
    """Returns True if an answer has at most one run: a WebSocket is closed after its first run."""
    return sum(isinstance(event, dict) and event["type"] == "RUN_STARTED" for event in answer) < 2


WAYS: dict[str, Callable[..., RunResult]] = {
    "run_agent": in_loop(lambda agent, parameters: agent.run_agent(**parameters)),
    "run": in_loop(lambda agent, parameters: to_end(agent.run(**parameters), agent.leave)),
    "stream": in_loop(lambda agent, parameters: to_end(agent.stream(**parameters))),
    "subscriber": in_loop(lambda agent, parameters: agent.run_agent(subscriber=agent.listening, **parameters)),
    "middleware": in_loop(lambda agent, parameters: agent.use(forwarded).run_agent(**parameters)),
    "sync run_agent": blocking(lambda agent, parameters: agent.run_agent(**parameters)),
    "sync run": blocking(lambda agent, parameters: to_end_plainly(agent.run(**parameters), agent.leave)),
    "sync stream": blocking(lambda agent, parameters: to_end_plainly(agent.stream(**parameters))),
    "sync subscriber": blocking(lambda agent, parameters: agent.run_agent(subscriber=agent.listening, **parameters)),
    "sync middleware": blocking(lambda agent, parameters: agent.use(forwarded_plainly).run_agent(**parameters)),
    "socket": over_socket,
}


def tool_of(given: dict[str, Any], called: list[Any], agents: list[Any]) -> FrontendTool:
    def function(**arguments: Any) -> Any:
        called.append([given["name"], arguments])
        if "raises" in given:
            raise ValueError(given["raises"])
        if given.get("gives") == "abort":
            return agents[0].abort_run()
        odd = {"arguments": arguments, "nothing": None, "nan": [1, math.nan]}
        return odd[given["gives"]] if "gives" in given else given["returns"]

    described = {"description": given.get("description", ""), "parameters": given.get("parameters", {})}
    return FrontendTool(function, name=given["name"], **described)


def shown(result: RunResult, asked: list[str]) -> dict[str, Any]:
    """A result as the table has it."""
    named = {run_id: f"#{number}" for number, run_id in enumerate(asked, 1)}
    error = None if result.error is None else [result.error.message, result.error.code]
    return {
        "id": named.get(result.run_id, result.run_id),
        "outcome": result.outcome,
        "text": result.text,
        "returns": result.result,
        "error": error,
        "usage": [entry.model_dump(by_alias=True, exclude_none=True) for entry in result.usage],
        "pending": result.pending_tool_call_ids,
        "interrupts": [interrupt.id for interrupt in result.interrupts],
        "warnings": [warning.code for warning in result.warnings],
        "places": [[warning.event_index, warning.code] for warning in result.warnings],
        "messages": len(result.new_messages),
        "newMessages": [[message.role, message.content] for message in result.new_messages],
    }


def check(case: dict[str, Any], result: RunResult | None, asked: list[str]) -> None:
    expected = case.get("result")
    if expected is None:
        return
    assert result is not None
    ids = [run_id for run_id in asked if run_id != case.get("run", {}).get("runId")]
    assert len(set(ids)) == len(ids)
    numbers = [run_id if run_id in ids else "" for run_id in asked]

    def judge(wanted: dict[str, Any], found: RunResult) -> None:
        wanted = {name: value for name, value in wanted.items() if name != "runs"}
        seen = shown(found, numbers)
        assert {name: seen[name] for name in wanted} == wanted

    judge(expected, result)
    wanted_runs = expected.get("runs", [{}] * len(result.runs))
    assert len(result.runs) == len(wanted_runs)
    for wanted, run in zip(wanted_runs, result.runs, strict=True):
        judge(wanted, run)
    assert [result.run_id, result.outcome] == [result.runs[-1].run_id, result.runs[-1].outcome]


def seen_of(request: dict[str, Any]) -> dict[str, Any]:
    return {
        "runId": request["runId"],
        "tools": [[tool["name"], tool["description"]] for tool in request["tools"]],
        "messages": [[message["role"], message.get("content")] for message in request["messages"]],
        "parentRunId": request.get("parentRunId"),
        "resume": [entry["interruptId"] for entry in request.get("resume", [])],
    }


KINDS = {name: name for name in ("run_agent", "stream", "subscriber", "middleware", "socket")} | {"run": "events"}
NAMES = {"runId": "run_id", "parentRunId": "parent_run_id"}


def parameters_of(run: dict[str, Any]) -> dict[str, Any]:
    return {NAMES.get(name, name): value for name, value in run.items()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", TABLE["remote"], ids=lambda case: case["name"])
def test_a_call_comes_to_the_same(case: dict[str, Any], way: str) -> None:
    requests: list[dict[str, Any]] = []
    called: list[Any] = []
    answers = iter(case["answers"])

    def script(request: RunRequest) -> list[bytes]:
        requests.append(json.loads(request.input_json))
        return [of_run(frame(event), request) for event in next(answers)]

    if KINDS.get(way.removeprefix("sync ")) not in case.get("ways", KINDS.values()):
        return
    if way == "socket" and not all(map(is_for_sockets, case["answers"])):
        return
    agents: list[Any] = []
    options: dict[str, Any] = {
        "tools": [tool_of(tool, called, agents) for tool in case.get("tools", ())],
        "pending_interrupts": case.get("pendingInterrupts", ()),
        "max_runs": case.get("maxRuns", 10),
        "parent_run_id": case.get("parentRunId"),
        "leave": case.get("leave"),
        "listening": Listening(case.get("stops"), case.get("takes", False)),
    }
    parameters = parameters_of(case.get("run", {}))
    result: RunResult | None = None
    failure: AGUIError | None = None
    try:
        result = WAYS[way](case, script, options, parameters, agents)
    except AGUIError as error:
        failure, result = error, getattr(error, "run", None)
    assert (None if failure is None else failure.code) == case.get("raises")
    asked = [request["runId"] for request in requests]
    check(case, result, asked)
    if "requests" in case:
        assert len(requests) == len(case["requests"])
        for wanted, request in zip(case["requests"], requests, strict=True):
            seen = seen_of(request)
            assert {name: seen[name] for name in wanted} == wanted
    if "called" in case:
        assert called == case["called"]
    if "told" in case:
        told = [m for m in agents[0].messages if isinstance(m, ToolMessage)]
        assert [[m.tool_call_id, m.content, m.error is not None] for m in told] == case["told"]
        assert all(m.error in (None, m.content) for m in told)


# Local agents, and the same ones behind a socket.


def agent_of(given: dict[str, Any]) -> Callable[[Run[Any]], Any]:
    async def agent(run: Run[Any]) -> None:
        if "raises" in given:
            raise ValueError(given["raises"])
        await run.write(given["says"])

    return agent


def served_by(given: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if "showErrors" in given:
        options["show_errors"] = given["showErrors"]
    if "pendingInterrupts" in given:

        async def pending(_: RunAgentInput) -> Any:
            if given["pendingInterrupts"] == "raises":
                raise ValueError("unknown")
            return given["pendingInterrupts"]

        options["pending_interrupts"] = pending
    return options


@pytest.mark.parametrize("way", ["local", "remote", "sync local", "sync remote"])
@pytest.mark.parametrize("case", TABLE["local"], ids=lambda case: case["name"])
def test_a_local_agent_is_as_a_remote_one(case: dict[str, Any], way: str) -> None:
    function, serve = agent_of(case["agent"]), served_by(case.get("server", {}))

    def judge(work: Callable[[], RunResult]) -> None:
        result: RunResult | None = None
        failure: Any = None
        try:
            result = work()
        except AGUIError as error:
            failure = error
        if "raises" in case:
            assert failure is not None
            assert [failure.code, failure.status, failure.payload.get("rule")] == case["raises"]
        else:
            assert failure is None
        check(case, result, [] if result is None else [result.run_id])

    async def work(agent: Any) -> RunResult:
        try:
            return await agent.run_agent(**case.get("run", {}))  # type: ignore[no-any-return]
        finally:
            if isinstance(agent, HttpAgent):
                await agent.close()

    if way == "local":
        judge(lambda: asyncio.run(work(LocalAgent(function, server=serve))))
    elif way == "sync local":
        judge(lambda: SyncLocalAgent(function, server=serve).run_agent(**case.get("run", {})))
    else:
        with asgi_server(asgi_app(function, **serve)) as port:
            url = f"http://127.0.0.1:{port}/"
            if way == "remote":
                judge(lambda: asyncio.run(work(HttpAgent(url))))
            else:
                with SyncHttpAgent(url) as agent:
                    judge(lambda: agent.run_agent(**case.get("run", {})))

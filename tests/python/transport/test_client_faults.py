"""tests/fixtures/client/client_faults.json: faults of servers and their results, async and sync."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ag_ui_native import AGUIError, Limits
from ag_ui_native.client import HttpAgent, Retry, RunResult, SyncHttpAgent, Timeouts
from conftest import fixture_cases
from raw_peer import peer, silent_port

CASES = [case for case in fixture_cases("client_faults") if "python" in case.get("faces", ["python"])]


def options(given: dict[str, Any]) -> dict[str, Any]:
    """A case's options as the agents take them."""
    made: dict[str, Any] = {}
    times = {name.removesuffix("_timeout_ms"): value / 1000 for name, value in given.items() if "_ms" in name}
    if times:
        made["timeouts"] = Timeouts(**times)
    if "retry" in given:
        retry = {
            name.removesuffix("_ms"): value / (1000 if "_ms" in name else 1) for name, value in given["retry"].items()
        }
        made["retry"] = Retry(**retry | {"attempts": given["retry"]["attempts"]})
    if "limits" in given:
        made["limits"] = Limits(**given["limits"])
    if "redirects" in given:
        made["redirects"] = given["redirects"]
    return made


def outcome(agent: Any, result: RunResult | None, expected: dict[str, Any]) -> dict[str, Any]:
    """Returns the result of a case, with the members that the case expects."""
    texts = [message.content for message in agent.messages if message.role == "assistant"]
    found: dict[str, Any] = {"messages": texts, "lengths": [len(text) for text in texts], "state": agent.state}
    if result is not None:
        found["interrupts"] = [interrupt.id for interrupt in result.interrupts]
        found["lastEventId"] = result.last_event_id
        found["error"] = result.error and {"message": result.error.message, "code": result.error.code}
    return {name: value for name, value in found.items() if name in expected}


WAYS = ("run_agent", "run", "stream")


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_faults(case: dict[str, Any], face: str) -> None:
    expected = case["expect"]
    # Each row by two of three ways.
    way = WAYS[(CASES.index(case) + (face == "sync")) % 3]
    scripts = case.get("scripts") or ([] if case["script"] is None else [case["script"]])
    work = work_async if face == "async" else work_sync
    with peer(*scripts) as server, silent_port() as port:
        url = server.url
        if not scripts:
            url = f"http://{case.get('host', '127.0.0.1')}:{port}/"
        found = work(url, way, options(case.get("options", {})), expected)
        if "attempts" in expected:
            found["attempts"] = len(server.requests)
        assert found == expected


def work_async(url: str, way: str, given: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    async def work() -> dict[str, Any]:
        async with HttpAgent(url, reconnect=None, **given) as agent:
            stream = agent.run() if way == "run" else agent.stream()
            try:
                if way == "run_agent":
                    result = await agent.run_agent()
                else:
                    async for _ in stream:
                        pass
                    result = stream.result
            except AGUIError as error:
                return failure(agent, error, expected)
            assert not agent.is_running
            return {"outcome": result.outcome} | outcome(agent, result, expected)

    return asyncio.run(work())


def work_sync(url: str, way: str, given: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    with SyncHttpAgent(url, reconnect=None, **given) as agent:
        stream = agent.run() if way == "run" else agent.stream()
        try:
            if way == "run_agent":
                result = agent.run_agent()
            else:
                for _ in stream:
                    pass
                result = stream.result
        except AGUIError as error:
            return failure(agent, error, expected)
        assert not agent.is_running
        return {"outcome": result.outcome} | outcome(agent, result, expected)


def failure(agent: Any, error: AGUIError, expected: dict[str, Any]) -> dict[str, Any]:
    """Returns the members of a failure, and the result before it."""
    assert not agent.is_running
    assert error.run is not None and error.run.outcome == "failed"
    assert [message.id for message in error.run.new_messages] == [message.id for message in agent.messages]
    found = {name: getattr(error, name) for name in ("code", "limit", "rule", "status", "payload") if name in expected}
    if "limit" not in expected:
        assert error.limit is None
    if "message" in expected:
        found["message"] = str(error)
    return found | outcome(agent, None, expected)

"""tests/fixtures/client/middleware.json: the events of an answer that middleware sees, and the effect of the events
that it yields.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.client import Agent, AgentSubscriber, SyncAgent, UnknownEvent
from ag_ui_native.core.engine import from_wire
from client_scripts import Script, frame, run_of
from conftest import fixture_cases

CASES = fixture_cases("middleware")


def plain(event: Any) -> Any:
    # pydantic warns of unexpected values.
    return json.loads(event.model_dump_json(by_alias=True, warnings=False))


def summary(told: Any) -> str:
    """A warning or an error in a line: its code, the rule, the event, the place."""
    at = None if told.event_index is None else f"at {told.event_index}"
    return " ".join(part for part in (told.code, told.rule, at, told.path) if part)


def tell(case: dict[str, Any], profile: str, is_async: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"sees": [], "shows": [], "warnings": []}
    instead = case.get("instead", {})

    def passed(event: Any) -> list[Any]:
        found["sees"].append(plain(event))
        return instead.get(event.type, [event])

    def watch(input: Any, ask: Any) -> Iterator[Any]:
        for event in ask(input):
            yield from passed(event)

    async def awatch(input: Any, ask: Any) -> AsyncIterator[Any]:
        async for event in ask(input):
            for other in passed(event):
                yield other

    options: dict[str, Any] = {
        "thread_id": "t",
        "profile": profile,
        "peer": case.get("peer"),
        "middleware": [awatch if is_async else watch],
        "on_warning": lambda warning: found["warnings"].append(summary(warning)),
    }

    class Shown(AgentSubscriber):
        def on_event(self, params: Any) -> None:
            found["shows"].append(plain(params.event))

    script = Script([frame(event) for event in case["answer"]])
    try:
        if is_async:
            asyncio.run(Agent(script, **options).run_agent(subscriber=Shown(), run_id="r"))
        else:
            SyncAgent(script, **options).run_agent(subscriber=Shown(), run_id="r")
    except AGUIError as error:
        found["error"] = summary(error)
    return {name: value for name, value in found.items() if value}


def test_events_without_the_engine_hold_what_came() -> None:
    """Without the native engine, instances of pydantic itself hold the same members."""
    for event in (event for case in CASES for event in case["tolerant"]["sees"]):
        made = from_wire("Event", event)
        assert plain(made) == event
        assert isinstance(made, UnknownEvent) == (event["type"] == "FUTURE_EVENT" or event.get("subtype") == "span")


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize("profile", ["strict", "tolerant"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_middleware_sees_what_came(case: dict[str, Any], profile: str, is_async: bool) -> None:
    assert tell(case, profile, is_async) == case[profile]


def test_warnings_of_one_event_are_in_the_order_in_which_they_came() -> None:
    def twice(input: Any, ask: Any) -> Iterator[Any]:
        for _ in range(2):
            yield from ask(input)

    told: list[str] = []
    again = [bytes([byte]) for byte in b"".join(run_of()) + b"data: [DONE]\n\n"]
    agent = SyncAgent(
        Script(run_of(), again),
        thread_id="t",
        middleware=[twice],
        on_warning=lambda warning: told.append(summary(warning)),
    )
    result = agent.run_agent(run_id="r")
    assert [warning.code for warning in result.warnings] == ["sequence_broken", "done_marker"]
    assert [summary(warning) for warning in result.warnings] == told

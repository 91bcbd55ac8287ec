"""The place of state events among the events that an agent writes, and the time at which they are sent."""

from __future__ import annotations

import asyncio
import copy
import functools
import json
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from ag_ui_native.core import RunAgentInput
from ag_ui_native.errors import AGUIError, AGUIPatchError, AGUISequenceError
from ag_ui_native.limits import Limits
from ag_ui_native.proto import AGUI_MEDIA_TYPE
from ag_ui_native.server import Run
from ag_ui_native.stream import EventDecoder
from ag_ui_native.testing import run_agent
from conftest import fixture_cases
from test_server_run import asked


class Place(pydantic.BaseModel):
    name: str


def written(agent: Any, state: Any, **options: Any) -> list[dict[str, Any]]:
    """The events between the start of a run and its end."""
    run = run_agent(agent, {"state": copy.deepcopy(state)}, **options)
    assert run.outcome == "success", run.error
    return [event.model_dump(by_alias=True, mode="json") for event in run.events[1:-1]]


async def order_of(run: Run, steps: list[dict[str, Any]]) -> None:
    """Carries out the steps of `state_order.json`."""
    opened: list[Any] = []
    calls: dict[str, Callable[[Any], Any]] = {
        "state": lambda members: run.state.update(members),
        "write": run.write,
        "open": lambda kind: opened.append(run.step("s") if kind == "step" else run.text_message()),
        "text": lambda text: opened[-1].write(text),
        "end": lambda _: opened.pop().end(),
        "call": lambda arguments: run.tool_call("t", arguments=arguments),
        "custom": lambda value: run.custom("c", value),
        "flush": lambda _: run.flush_state(),
        "delta": lambda delta: run.event({"type": "STATE_DELTA", "delta": delta}),
    }
    for step in steps:
        [(name, value)] = [(name, value) for name, value in step.items() if name != "await"]
        written = calls[name](value)
        if "await" in step:
            # A call is not awaited by itself; ending it again writes nothing.
            await (written.end() if name == "call" else written)


def short(event: dict[str, Any]) -> str:
    """An event by its type; a STATE_DELTA by its paths and values."""
    if event["type"] != "STATE_DELTA":
        return str(event["type"])
    texts = {
        op["path"]: op["value"] if isinstance(op["value"], str) else json.dumps(op["value"], separators=(",", ":"))
        for op in event["delta"]
    }
    return " ".join(f"{path} {text}" for path, text in texts.items())


@pytest.mark.parametrize("case", fixture_cases("state_order"), ids=lambda case: case["name"])
def test_the_state_goes_right_before_what_is_awaited(case: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    made = written(lambda run: order_of(run, case["steps"]), case["given"], limits=Limits(**case.get("limits", {})))
    assert [short(event) for event in made] == case["events"]
    warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warned) == case.get("warnings", 0)
    assert all(text.startswith("large_state: ") and "state_values is " in text for text in warned)


def test_the_state_goes_before_the_result_of_a_call_and_its_end() -> None:
    async def agent(run: Run) -> None:
        call = run.tool_call("look")
        call.write("{}")
        run.state["a long name, so that a patch is shorter"] = 1
        await call.result("found")

    assert [event["type"] for event in written(agent, {"text": "x" * 200})[1:]] == [
        "TOOL_CALL_ARGS",
        "STATE_DELTA",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
    ]


@pytest.mark.parametrize("sent", ["event", "flush"])
def test_the_state_goes_behind_what_was_sent_of_it_before(sent: str) -> None:
    async def agent(run: Run) -> None:
        run.state["plan"] = []
        if sent == "event":
            written = run.event({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/plan/-", "value": "look"}]})
        else:
            written = run.flush_state()
        run.state["plan"].append("leap")
        await written

    run = run_agent(agent, {"state": {"text": "x" * 200}})
    assert run.state["plan"] == (["look", "leap"] if sent == "event" else ["leap"])


def test_a_delta_changes_what_the_agent_has_in_hand_where_it_is() -> None:
    async def agent(run: Run) -> None:
        items = run.state["items"]
        state = run.state
        await run.event({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/items/-", "value": 1}]})
        assert run.state is state and run.state["items"] is items and items == [1]
        # The client has the state already: there is nothing to send.

    given = {"items": [], "text": "x" * 200}
    made = written(agent, given)
    assert [event["type"] for event in made] == ["STATE_DELTA"]


def test_a_delta_that_may_not_be_sent_changes_nothing() -> None:
    async def agent(run: Run, looks: bool) -> None:
        state = run.state if looks else None
        await run.finish()
        with pytest.raises(AGUISequenceError):
            run.event({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/items/-", "value": 1}]})
        assert run.state == given and (state is None or run.state is state)

    given = {"items": [], "text": "x" * 200}
    for looks in (True, False):
        assert written(functools.partial(agent, looks=looks), given) == []


def test_a_delta_into_a_model_makes_the_state_plain() -> None:
    async def agent(run: Run) -> None:
        run.state = {"at": Place(name="here"), "text": "x" * 200}
        await run.event({"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/at/name", "value": "there"}]})
        assert run.state["at"] == {"name": "there"}
        run.state = {"at": Place(name="there"), "text": "x" * 200}
        with pytest.raises(AGUIPatchError):
            run.event({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/at/none"}]})
        assert isinstance(run.state["at"], Place)

    assert [short(event) for event in written(agent, {}) if event["type"] == "STATE_DELTA"] == ["/at/name there"]


@pytest.mark.parametrize("case", fixture_cases("state_unsent"), ids=lambda case: case["name"])
def test_behind_a_state_event_that_could_not_be_sent_the_client_has_what_it_had(case: dict[str, Any]) -> None:
    refused: list[str] = []

    def agent(run: Run) -> None:
        for step in copy.deepcopy(case["steps"]):
            [(name, value)] = step.items()
            if name == "set":
                run.state.update(value)
            elif name == "nest" and value == 0:
                del run.state["nest"]
            elif name == "nest":
                run.state["nest"] = functools.reduce(lambda inner, _: [inner], range(value), 1)
            else:
                try:
                    run.flush_state()
                    refused.append("")
                except AGUIError as error:
                    refused.append(error.code)

    input = RunAgentInput(thread_id="t", run_id="r", messages=[], state=case["given"])
    frames = asyncio.run(asked(agent, accept=AGUI_MEDIA_TYPE, input=input))
    events = EventDecoder(content_type=AGUI_MEDIA_TYPE, as_dicts=True).feed(frames)
    assert list(events)[1:-1] == case["events"]
    assert refused == [step["flush"] for step in case["steps"] if "flush" in step]

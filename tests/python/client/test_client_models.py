"""A pydantic model or a dataclass as the state of an agent: it is sent as JSON, and the state that comes back is an
instance of its class.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

import pydantic.dataclasses
import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ag_ui_native.client import (
    AgentStateMutation,
    AgentSubscriber,
    AgentSubscriberParams,
    CallbackResult,
    HttpAgent,
    LocalAgent,
    SyncLocalAgent,
)
from ag_ui_native.errors import AGUIValidationError
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.testing import run_agent


class Plan(BaseModel):
    steps: list[str] = []
    begins: date = Field(default=date(2026, 1, 1), alias="beginsAt")


@dataclass
class Listed:
    steps: list[str] = field(default_factory=list)
    begins: date = date(2026, 1, 1)


@pydantic.dataclasses.dataclass
class Checked:
    steps: list[str] = field(default_factory=list)
    begins: date = date(2026, 1, 1)


def seen_by(states: list[Any]) -> Callable[[Run[Any]], None]:
    """An agent that records the state of its request, and adds a step."""

    def agent(run: Run[Any]) -> None:
        states.append(run.input.state)
        run.state["steps"].append("look")

    return agent


@pytest.mark.parametrize(("cls", "name"), [(Plan, "beginsAt"), (Listed, "begins"), (Checked, "begins")])
def test_a_model_goes_as_json_and_comes_back(cls: type[Any], name: str) -> None:
    seen: list[Any] = []
    given = cls(steps=["pack"])
    agent = SyncLocalAgent(seen_by(seen), state=given)
    assert agent.state == given and agent.state is not given and agent.state is agent.state
    agent.run_agent()
    assert seen == [{"steps": ["pack"], name: "2026-01-01"}]
    assert type(agent.state) is cls and agent.state == cls(steps=["pack", "look"]) and given.steps == ["pack"]
    # Between runs it is one object: its changes are sent.
    agent.state.steps.append("drive")
    agent.run_agent()
    assert seen[1]["steps"] == ["pack", "look", "drive"]
    assert agent.state.steps == ["pack", "look", "drive", "look"]
    twin = agent.clone()
    twin.state.steps.clear()
    assert type(twin.state) is cls and len(agent.state.steps) == 4


def test_over_http() -> None:
    import httpx

    async def main() -> None:
        seen: list[Any] = []
        client = httpx.AsyncClient(transport=httpx.ASGITransport(asgi_app(seen_by(seen))))
        async with HttpAgent("http://x/", client=client, state=Plan(steps=["pack"])) as agent:
            await agent.run_agent()
            assert agent.state == Plan(steps=["pack", "look"])
        await client.aclose()

    asyncio.run(main())


def test_subscribers_see_and_return_models() -> None:
    seen: list[Any] = []
    heard: list[Any] = []

    class Hears(AgentSubscriber[Plan]):
        def on_run_initialized(self, params: AgentSubscriberParams[Plan]) -> CallbackResult:
            plan = params.state
            plan.steps.append("first")
            return AgentStateMutation(state=plan)

        def on_state_changed(self, params: AgentSubscriberParams[Plan]) -> None:
            heard.append(params.state)

        def on_run_finalized(self, params: AgentSubscriberParams[Plan]) -> CallbackResult:
            return {"state": Plan(steps=["over"])}

    agent = SyncLocalAgent(seen_by(seen), state=Plan(), subscribers=[Hears()])
    agent.run_agent()
    assert seen[0]["steps"] == ["first"]
    assert heard == [Plan(steps=["first"]), Plan(steps=["first", "look"]), Plan(steps=["over"])]
    assert agent.state == Plan(steps=["over"])


def test_a_subscriber_may_put_another_state_during_the_run() -> None:
    class Hears(AgentSubscriber[Plan]):
        def on_text_message_end_event(self, params: Any) -> CallbackResult:
            return AgentStateMutation(state=Plan(steps=["said"]))

    async def agent(run: Run) -> None:
        await run.write("Hi")

    asked = LocalAgent(agent, state=Plan(), subscribers=[Hears()])

    async def main() -> None:
        async for _ in asked.run():
            assert isinstance(asked.state, Plan)
            assert asked.state is not asked.state

    asyncio.run(main())
    assert asked.state == Plan(steps=["said"])


def test_what_does_not_fit_is_an_error_that_shows_nothing_of_the_state(caplog: pytest.LogCaptureFixture) -> None:
    class Hears(AgentSubscriber[Plan]):
        def on_state_changed(self, params: AgentSubscriberParams[Plan]) -> None:
            assert params.state

    given: list[Any] = []

    def agent(run: Run[Any]) -> None:
        given.append(run.input.state)
        run.state = {"steps": ["a", {"secret": 1}]}

    asked = SyncLocalAgent(agent, state=Plan())
    assert asked.run_agent().outcome == "success"
    with pytest.raises(AGUIValidationError) as caught:
        print(asked.state)
    error = caught.value
    assert (error.code, error.path) == ("wrong_type", "/state/steps/1")
    assert "Plan" in str(error) and "secret" not in repr(error) and error.__cause__ is None
    assert "string_type" in str(error) and error.issues[0].message == "string_type"
    # The state is there all the same, and the next run sends it.
    asked.run_agent()
    assert given[-1] == {"steps": ["a", {"secret": 1}]}
    asked.set_state(Plan(steps=["b"]))
    assert asked.state.steps == ["b"]
    # During a run, an error of a callback ends the run.
    asked.subscribe(Hears())
    with caplog.at_level(logging.CRITICAL), pytest.raises(AGUIValidationError):
        asked.run_agent()


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"


class Home(BaseModel):
    pet: Cat | Dog = Field(default=Cat(), discriminator="kind")
    key: str = ""

    @field_validator("key")
    @classmethod
    def opens(cls, key: str) -> str:
        if key:
            raise ValueError(f"{key} opens nothing")
        return key


@pytest.mark.parametrize(
    ("state", "path"), [({"pet": {"kind": "secret"}}, "/state/pet"), ({"key": "secret"}, "/state/key")]
)
def test_texts_of_validators_are_not_shown(state: dict[str, Any], path: str) -> None:
    asked: SyncLocalAgent[Any] = SyncLocalAgent(seen_by([]), state=Home())
    asked.set_state(state)
    with pytest.raises(AGUIValidationError) as caught:
        print(asked.state)
    assert caught.value.path == path and "secret" not in repr([caught.value, caught.value.issues])


def test_what_is_set_later() -> None:
    asked: SyncLocalAgent[Any] = SyncLocalAgent(seen_by([]), state={"steps": []})
    asked.set_state(Plan(steps=["a"]))
    assert asked.state == Plan(steps=["a"])
    asked.set_state({"steps": ["b"]})
    assert asked.state == Plan(steps=["b"])
    asked.set_state(Listed(["c"]))
    asked.run_agent()
    assert asked.state == Listed(["c", "look"])


class Odd(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    value: Any = None


@pytest.mark.parametrize(
    ("value", "error"), [("\ud800", AGUIValidationError), (object(), ValueError)], ids=["text", "object"]
)
def test_a_model_that_is_no_json_is_refused(value: object, error: type[Exception]) -> None:
    """If pydantic cannot dump a value, its own error is raised."""
    with pytest.raises(error) as caught:
        SyncLocalAgent(seen_by([]), state=Odd(value=value))
    assert getattr(caught.value, "path", "/state/value") == "/state/value"
    asked = SyncLocalAgent(lambda run: None, state=Odd())
    asked.state.value = value
    with pytest.raises(error):
        asked.run_agent()
    assert not asked.is_running
    asked.state.value = 1
    asked.run_agent()


def test_models_on_the_server() -> None:
    """The state begins as plain values; the changes of a model that replaces it are sent, too."""

    async def agent(run: Run[Any]) -> None:
        assert run.state == {"steps": ["pack"], "beginsAt": "2026-01-01"}
        plan = run.state = Plan.model_validate(run.state)
        plan.steps.append("look")
        await run.flush_state()
        assert run.state is plan
        run.state = Listed(["over"])

    result = run_agent(agent, {"state": Plan(steps=["pack"])})
    assert result.outcome == "success" and result.state == {"steps": ["over"], "begins": "2026-01-01"}

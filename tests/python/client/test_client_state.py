"""States that are null, that lie about their class, or whose methods raise."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import NoneType
from typing import Any

import pytest
from pydantic import BaseModel

from ag_ui_native import AGUIValidationError
from ag_ui_native.client import Agent, AgentStateMutation, SyncAgent
from ag_ui_native.stream import EventPipeline, Reducer, apply_events


def agent_of(sent: list[Any] | None = None, **options: Any) -> SyncAgent[Any]:
    """An agent that answers with the state that it was asked with, and adds it to `sent`."""

    def answer(request: Any) -> Iterator[bytes]:
        asked = json.loads(request.input_json)
        if sent is not None:
            sent.append(asked.get("state"))
        ids = {"threadId": asked["threadId"], "runId": asked["runId"]}
        snapshot = {"type": "STATE_SNAPSHOT", "snapshot": [asked.get("state")]}
        for event in ({"type": "RUN_STARTED"} | ids, snapshot, {"type": "RUN_FINISHED"} | ids):
            yield f"data: {json.dumps(event)}\n\n".encode()

    return SyncAgent(answer, **options)


BEGINNINGS: dict[str, Callable[..., Any]] = {
    "reducer": Reducer,
    "pipeline": EventPipeline,
    "events": lambda **given: apply_events([], **given),
    "agent": agent_of,
    "async agent": lambda **given: Agent(lambda _: [], **given),
}


@pytest.mark.parametrize("begin", BEGINNINGS.values(), ids=BEGINNINGS)
def test_null_is_a_state_and_nothing_an_empty_object(begin: Callable[..., Any]) -> None:
    assert begin(state=None).state is None
    assert begin().state == {}


def test_a_state_of_null_stays_until_another_comes() -> None:
    agent = agent_of(state=None)
    assert agent.clone().state is None
    agent.set_state({"n": 1})
    agent.set_state(None)
    assert agent.state is None
    agent.run_agent()
    assert agent.state == [None]


class Odd:
    """An object whose methods raise."""

    def _raise(self, *_: object) -> Any:
        raise RuntimeError("it was asked")

    __eq__ = __bool__ = __len__ = __iter__ = __getitem__ = _raise
    __hash__ = object.__hash__


class Liar:
    """An object that claims to be None."""

    __class__ = NoneType  # type: ignore[assignment]  # It lies.

    def __eq__(self, other: object) -> bool:
        return other is None or other is ...

    def __bool__(self) -> bool:
        return False

    __hash__ = object.__hash__


NONE_OF_THEM = {"an ellipsis": ..., "odd": Odd(), "liar": Liar(), "NotImplemented": NotImplemented, "a class": Odd}


@pytest.mark.parametrize("state", NONE_OF_THEM.values(), ids=NONE_OF_THEM)
def test_what_is_no_state(state: Any) -> None:
    with pytest.raises(AGUIValidationError) as caught:
        agent_of(state=state)
    assert caught.value.path.startswith("/state")
    agent = agent_of(state={"n": 1})
    with pytest.raises(AGUIValidationError):
        agent.set_state(state)
    assert agent.state == {"n": 1}
    for wanted in (AgentStateMutation(state=state), {"state": state}):
        agent.subscribers[:] = [Says(wanted)]
        agent.run_agent()
        assert agent.state == [{"n": 1}]
        agent.set_state({"n": 1})


class Says:
    """A subscriber that returns a value when the run begins."""

    def __init__(self, wanted: Any) -> None:
        self.on_run_initialized = lambda _: wanted


class Dict(dict[str, Any]):
    """A dictionary with ordinary content, whose methods raise."""

    def _raise(self, *_: object) -> Any:
        raise RuntimeError("it was asked")

    __eq__ = __bool__ = __len__ = __contains__ = items = keys = _raise  # type: ignore[assignment]  # They raise whatever is asked.
    __hash__ = None  # type: ignore[assignment]  # It has no hash.


@dataclass
class Plain:
    n: int = 1

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("it was asked")

    def __bool__(self) -> bool:
        raise RuntimeError("it was asked")


class Model(BaseModel):
    n: int = 1

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("it was asked")

    def __bool__(self) -> bool:
        raise RuntimeError("it was asked")


@pytest.mark.parametrize("state", [Dict(n=1), Plain(), Model()], ids=["dict", "dataclass", "model"])
def test_a_state_is_not_compared(state: Any) -> None:
    for given in ({"state": state}, {}):
        sent: list[Any] = []
        agent = agent_of(sent, **given)
        agent.set_state(state)
        subscription = agent.subscribe(Says(AgentStateMutation(state=state)))
        agent.run_agent()
        subscription.unsubscribe()
        agent.run_agent()
        assert sent == [{"n": 1}, [{"n": 1}]]


def test_a_state_that_holds_its_agent_is_collected() -> None:
    @dataclass
    class Holder:
        n: int = 1

    holder: Any = Holder()
    holder.agent = agent_of(state=holder)
    holder.agent.subscribe(Says(AgentStateMutation(state=holder)))
    holder.agent.run_agent()
    gone = weakref.ref(holder.agent)
    del holder
    gc.collect()
    assert gone() is None


def test_states_are_set_in_threads() -> None:
    agent = agent_of(state=None)

    def work() -> None:
        for number in range(200):
            agent.set_state({"n": number} if number % 2 else None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert agent.state == {"n": 199}

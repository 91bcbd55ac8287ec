"""A tracked state reaches the client after every kind of change, in no more bytes than a snapshot takes."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import enum
import gc
import json
import math
import random
import threading
import weakref
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from ag_ui_native import to_json
from ag_ui_native.core import RunAgentInput, StateDeltaEvent, StateSnapshotEvent
from ag_ui_native.errors import AGUIError, AGUILimitError, AGUIValidationError
from ag_ui_native.limits import Limits
from ag_ui_native.run_writer import RunWriter
from ag_ui_native.server import Run, StateTracker
from ag_ui_native.stream import Reducer
from ag_ui_native.testing import run_agent
from random_states import mutate, patched, text, value


class Client:
    """A client, by our reducer and by the RFC."""

    def __init__(self, base: Any = None) -> None:
        self.reducer: Reducer[Any] = Reducer(state=copy.deepcopy(base), as_dicts=True)
        self.theirs = copy.deepcopy(base)

    def take(self, event: StateDeltaEvent | StateSnapshotEvent) -> None:
        document = json.loads(to_json(event))
        if isinstance(event, StateDeltaEvent):
            self.theirs = patched(self.theirs, document["delta"])
        else:
            self.theirs = document["snapshot"]
        self.reducer.apply(document)
        assert self.reducer.state_in_sync


def written(tracker: StateTracker[Any]) -> str | None:
    """The event that a run writes to bring its client to the state."""
    writer = RunWriter()
    writer.start(RunAgentInput(thread_id="t", run_id="r", messages=[]))
    writer.take()
    writer.send_state(tracker)
    return writer.take().decode().removeprefix("data: ").rstrip() or None


@pytest.mark.parametrize("seed", range(150))
def test_the_client_has_the_state(seed: int) -> None:
    chance = random.Random(seed)
    state = value(chance)
    base = value(chance) if chance.random() < 0.5 else ...
    tracker = StateTracker(state, base=base)
    client = Client(None if base is ... else base)
    for at in range(12):
        for _ in range(chance.randrange(3)):
            tracker.state = mutate(chance, tracker.state)
        whole = to_json(StateSnapshotEvent(snapshot=tracker.state))
        event = tracker.flush()
        is_known = at > 0 or base is not ...
        assert (event is None) == (is_known and text(client.theirs) == text(tracker.state))
        if event is not None:
            assert len(to_json(event).encode()) <= len(whole.encode())
            client.take(event)
        assert text(client.reducer.state) == text(client.theirs) == text(tracker.state)
        assert tracker.flush() is None and written(tracker) is None


def test_what_a_run_writes_is_the_same() -> None:
    for seed in range(40):
        chance = random.Random(seed)
        state = value(chance)
        one, other = StateTracker(state), StateTracker(state)
        for _ in range(4):
            one.state = other.state = mutate(chance, one.state)
            event = one.flush()
            assert written(other) == (None if event is None else to_json(event))


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Step(Camel):
    step_name: str
    is_done: bool = False


class Plan(Camel):
    plan_title: str
    due_at: datetime.date = datetime.date(2026, 1, 2)
    all_steps: list[Step] = Field(default_factory=list)


class Color(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int
    color: Color = Color.RED


def delta(tracker: StateTracker[Any]) -> Any:
    event = tracker.flush()
    assert isinstance(event, StateDeltaEvent)
    return json.loads(to_json(event))["delta"]


def snapshot(state: Any) -> Any:
    event = StateTracker(state).flush()
    assert isinstance(event, StateSnapshotEvent)
    return event.snapshot


def test_a_model_is_a_state() -> None:
    plan = Plan(plan_title="look", all_steps=[Step(step_name="x" * 80)])
    tracker = StateTracker(plan)
    first = tracker.flush()
    assert isinstance(first, StateSnapshotEvent) and first.snapshot == plan.model_dump(mode="json", by_alias=True)
    assert tracker.flush() is None and tracker.state is plan
    plan.all_steps[0].is_done = True
    assert delta(tracker) == [{"op": "replace", "path": "/allSteps/0/isDone", "value": True}]


def test_what_has_a_json_form_may_stand_anywhere() -> None:
    shared = Step(step_name="s")
    state = {
        "plan": [shared, {"point": Point(1)}],
        "t": (Color.RED, shared),
        "d": datetime.date(2026, 1, 2),
        "x": "y" * 80,
    }
    expected = {
        "plan": [{"stepName": "s", "isDone": False}, {"point": {"x": 1, "color": "red"}}],
        "t": ["red", {"stepName": "s", "isDone": False}],
        "d": "2026-01-02",
        "x": "y" * 80,
    }
    assert snapshot(state) == expected
    tracker = StateTracker(state, base=expected)
    assert tracker.flush() is None
    shared.is_done = True
    assert [operation["path"] for operation in delta(tracker)] == ["/plan/0/isDone", "/t/1/isDone"]
    assert isinstance(state["plan"][0], Step)
    assert StateTracker(expected, base=state).flush() is not None and StateTracker(None, base=None).flush() is None


class Cycle(dict[str, Any]):
    pass


def cyclic(kind: str) -> Any:
    if kind == "dict":
        state: Any = {}
        state["self"] = state
    elif kind == "twice":
        state = []
        state += [state, state]
    elif kind == "with a model":
        state = Cycle()
        state |= {"a": state, "model": Step(step_name="s"), "b": state}
    else:
        state = 1
        for _ in range(5000):
            state = [state]
    return state


@pytest.mark.parametrize("kind", ["dict", "twice", "with a model", "deep"])
def test_what_does_not_end_is_too_deep(kind: str) -> None:
    tracker = StateTracker(cyclic(kind), base={})
    for call in (tracker.flush, lambda: written(tracker), StateTracker(tracker.state).flush):
        with pytest.raises(AGUIError) as caught:
            call()
        assert caught.value.limit == "depth" or kind == "with a model"
    tracker.state = {}
    assert tracker.flush() is None
    with pytest.raises(AGUIError):
        StateTracker({}, base=tracker.state | {"a": cyclic(kind)})


def test_what_is_written_too_often_is_too_large() -> None:
    state: Any = ["x"]
    for _ in range(60):
        state = [state, state]
    with pytest.raises(AGUILimitError) as caught:
        StateTracker(state).flush()
    assert caught.value.limit == "event_bytes"


class TooLong(int):
    """Python refuses to print it."""

    def __repr__(self) -> str:
        return "TooLong"

    __str__ = __repr__


@pytest.mark.parametrize(
    ("odd", "path", "code"),
    [
        (object(), "/list/1", "wrong_type"),
        (math.nan, "/list/1", "wrong_type"),
        (-math.inf, "/list/1", "wrong_type"),
        ({1: 2}, "/list/1", "wrong_type"),
        ({"a/b": {"c": {object()}}}, "/list/1/a~1b/c", "wrong_type"),
        (TooLong(10**6000), "/list/1", "wrong_type"),
        ("\ud800", "/list/1", "lone_surrogate"),
        ({"\ud800": 1}, "/list/1", "lone_surrogate"),
        (b"\xff", "/list/1", "wrong_type"),
        (Step, "/list/1", "wrong_type"),
    ],
)
def test_what_is_no_json_has_a_path_and_changes_nothing(odd: Any, path: str, code: str) -> None:
    plain = {"list": ["x" * 99, 1]}
    tracker = StateTracker(plain)
    tracker.flush()
    tracker.state = {"list": ["x" * 99, odd]}
    for call in (tracker.flush, lambda: written(tracker), StateTracker(tracker.state).flush):
        with pytest.raises(AGUIValidationError) as caught:
            call()
        assert (caught.value.code, caught.value.path) == (code, path)
        assert "x" * 9 not in str(caught.value)
    with pytest.raises(AGUIValidationError):
        StateTracker(plain, base=tracker.state)
    tracker.state = plain
    assert tracker.flush() is None
    plain["list"][1] = 2
    assert delta(tracker) == [{"op": "replace", "path": "/list/1", "value": 2}]


def test_big_integers_are_exact() -> None:
    state = {"n": 10**50, "t": "x" * 99}
    tracker = StateTracker(state)
    tracker.flush()
    state["n"] = 10**50 + 1
    assert delta(tracker) == [{"op": "replace", "path": "/n", "value": 10**50 + 1}]


def test_limits() -> None:
    limits = Limits(depth=10, event_bytes=1000, patch_operations=1)
    tracker = StateTracker([[[[[[[]]]]]]], limits=limits)
    assert tracker.flush() is not None
    tracker.state = [[[[[[[[]]]]]]]]
    with pytest.raises(AGUILimitError, match="depth is 10"):
        tracker.flush()
    tracker.state = ["x" * 1000]
    with pytest.raises(AGUILimitError, match="event_bytes is 1000"):
        tracker.flush()
    tracker = StateTracker({"a": 1, "b": 1, "t": "x" * 200}, limits=limits)
    tracker.flush()
    tracker.state |= {"a": 2}
    assert len(delta(tracker)) == 1
    tracker.state |= {"a": 3, "b": 3}
    assert isinstance(tracker.flush(), StateSnapshotEvent)


class Lying(dict[str, Any]):
    """A dictionary that lies about its contents, and changes the state when it is compared."""

    state: Any = None

    def __eq__(self, other: object) -> bool:
        self.state["list"].clear()
        return True

    __hash__ = None  # type: ignore[assignment]  # It has no hash.

    def __iter__(self) -> Any:
        self.state["list"].clear()
        return iter([])

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    items = values = keys = __iter__


class Text(str):
    def __eq__(self, other: object) -> bool:
        raise AssertionError

    def __hash__(self) -> int:
        raise AssertionError


def test_what_objects_say_of_themselves_does_not_count() -> None:
    lying = Lying(a=1)
    state: Any = {"list": [lying, Text("t"), lying], "t": "x" * 99}
    lying.state = state
    tracker = StateTracker(state)
    expected = {"list": [{"a": 1}, "t", {"a": 1}], "t": "x" * 99}
    first = tracker.flush()
    assert isinstance(first, StateSnapshotEvent) and first.snapshot == expected
    assert tracker.flush() is None
    dict.__setitem__(lying, "a", 2)
    dict.__setitem__(lying, "b", Text("u"))
    changed = [{"a": 2, "b": "u"}, "t", {"a": 2, "b": "u"}]
    assert delta(tracker) == [{"op": "replace", "path": "/list", "value": changed}]
    assert tracker.flush() is None and len(state["list"]) == 3


class Meddling(BaseModel):
    """A model that changes the state while it is read."""

    model_config = ConfigDict(extra="allow")

    def model_dump(self, **options: Any) -> Any:
        tracker = self.__dict__["tracker"]
        tracker.state["list"].clear()
        tracker.state["n"] = 5
        return {"nested": tracker.flush() and 1} if self.__dict__["again"] else {"a": tracker.state["list"]}


@pytest.mark.parametrize("again", [False, True])
def test_a_model_may_change_the_state_while_it_is_asked(again: bool) -> None:
    state: Any = {"list": [1, 2], "n": 1, "t": "x" * 99, "after": {}}
    tracker = StateTracker(state)
    client = Client()
    meddling = Meddling.model_construct()
    meddling.__dict__.update(tracker=tracker, again=again)
    client.take(tracker.flush())  # type: ignore[arg-type]
    state["after"] = {"m": meddling}
    if again:
        # Asked for its state while it is asked for its state: it never ends by itself.
        with pytest.raises(RecursionError):
            tracker.flush()
    else:
        event = tracker.flush()
        assert event is not None
        client.take(event)
    state["after"] = 1
    event = tracker.flush()
    if event is not None:
        client.take(event)
    assert text(client.theirs) == text(state)


def test_a_model_that_raises_changes_nothing() -> None:
    class Broken(BaseModel):
        def model_dump(self, **options: Any) -> Any:
            raise KeyboardInterrupt

    state: Any = {"t": "x" * 99, "n": 1}
    tracker = StateTracker(state)
    tracker.flush()
    state["n"] = Broken()
    with pytest.raises(KeyboardInterrupt):
        tracker.flush()
    state["n"] = 2
    assert delta(tracker) == [{"op": "replace", "path": "/n", "value": 2}]


def test_what_was_sent_shares_no_object() -> None:
    inner = {"a": ["x" * 99]}
    state = {"inner": inner, "n": 1}
    tracker = StateTracker(state)
    first = tracker.flush()
    assert isinstance(first, StateSnapshotEvent)
    first.snapshot["inner"]["a"].append("mine")
    assert tracker.flush() is None
    inner["a"].append({"b": []})  # type: ignore[arg-type]
    second = tracker.flush()
    assert isinstance(second, StateDeltaEvent) and second.delta is not None
    second.delta[0].value["b"].append("mine")  # type: ignore[union-attr]
    assert tracker.flush() is None
    inner["a"][1]["b"].append(1)  # type: ignore[index]
    assert delta(tracker) == [{"op": "add", "path": "/inner/a/1/b/0", "value": 1}]


def test_threads() -> None:
    state: Any = {f"k{at}": [0, "x" * 20] for at in range(50)}
    tracker = StateTracker(state)
    events: list[Any] = []
    lock = threading.Lock()
    client = Client()

    def work(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(200):
            state[f"k{chance.randrange(50)}"][0] = chance.random()
            with lock:
                events.append(tracker.flush())

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for event in events:
        if event is not None:
            client.take(event)
    assert text(client.theirs) == text(state)


def test_a_cycle_of_tracker_and_state_is_collected() -> None:
    class Held(dict[str, Any]):
        pass

    state = Held(t="x")
    tracker = StateTracker(state)
    tracker.flush()
    state["tracker"] = tracker
    gone = weakref.ref(state)
    del state, tracker
    gc.collect()
    assert gone() is None


def test_repr_and_arguments() -> None:
    tracker = StateTracker({"secret": 1})
    assert repr(tracker) == "StateTracker(is_sent=False)"
    tracker.flush()
    assert repr(tracker) == "StateTracker(is_sent=True)"
    with pytest.raises(TypeError):
        StateTracker()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        tracker.sent = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        del tracker.state


def test_what_the_client_has_may_be_longer_than_an_event() -> None:
    state = {"text": "x" * 100, "n": 0}
    limits = Limits(event_bytes=50)
    tracker = StateTracker(state, base={"text": "x" * 100, "n": 0}, limits=limits)
    assert tracker.flush() is None

    async def agent(run: Run) -> str:
        await run.write("Hi")
        return str(len(run.state["text"]))

    run = run_agent(agent, {"state": {"text": "x" * 2000}}, limits=Limits(event_bytes=1000))
    assert (run.outcome, run.result) == ("success", "2000")

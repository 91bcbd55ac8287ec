"""Instances behave as those of the official classes: every class, every sample document."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import TypeAdapter

from ag_ui_native import core
from conftest import CLASSES, OWN, describe, official, ours, outcome, parsed


def pairs(name: str) -> list[tuple[Any, Any, dict[str, Any]]]:
    """Both packages' classes with the arguments of each sample, camelCase and snake_case."""
    mine, theirs = ours(name), official(name)
    found = []
    for given in parsed(name):
        names = {field.alias: attribute for attribute, field in mine.model_fields.items()}
        found += [(mine, theirs, given), (mine, theirs, {names.get(key, key): member for key, member in given.items()})]
    return found


def same(name: str, action: Callable[[Any, dict[str, Any]], Any]) -> None:
    """Asserts that an action on class and arguments has the same result in both packages."""
    for mine, theirs, given in pairs(name):
        expected = outcome(lambda theirs=theirs, given=given: action(theirs, copy.deepcopy(given)))
        assert outcome(lambda mine=mine, given=given: action(mine, copy.deepcopy(given))) == expected


def built(cls: Any, given: dict[str, Any]) -> Any:
    """An instance whose members are instances too: what programs write."""
    whole = cls.model_validate(given)
    return cls(**{name: getattr(whole, name) for name in cls.model_fields if name in whole.model_fields_set})


every_class = pytest.mark.parametrize("name", CLASSES)


@every_class
def test_construction(name: str) -> None:
    same(name, lambda cls, given: cls(**given))
    same(name, built)


WRONG: list[Any] = [None, True, 5, 5.0, 5.5, "5", "x", "", b"5", b"\xff", "\ud800", [], {}, (), {1: 2}, object, 2**60]


@every_class
def test_construction_from_unusual_values(name: str) -> None:
    for mine, theirs, given in pairs(name):
        for key in given:
            for value in WRONG:
                changed = {**given, key: value}
                expected = outcome(lambda theirs=theirs, changed=changed: theirs(**changed))
                assert outcome(lambda mine=mine, changed=changed: mine(**changed)) == expected
            less = {other: member for other, member in given.items() if other != key}
            expected = outcome(lambda theirs=theirs, less=less: theirs(**less))
            assert outcome(lambda mine=mine, less=less: mine(**less)) == expected


@every_class
def test_extras_and_both_spellings(name: str) -> None:
    same(name, lambda cls, given: cls(**given, unknown=[1], **{"any thing": None}))
    for mine, theirs, given in pairs(name):
        for attribute, field in theirs.model_fields.items():
            both = {**given, attribute: given.get(field.alias), field.alias: given.get(field.alias)}
            expected = outcome(lambda theirs=theirs, both=both: theirs(**both))
            assert outcome(lambda mine=mine, both=both: mine(**both)) == expected


@every_class
def test_positional_arguments_are_refused(name: str) -> None:
    with pytest.raises(TypeError):
        ours(name)("x")


DUMPS: list[Callable[[Any], Any]] = [
    lambda model: model.model_dump(),
    lambda model: model.model_dump(by_alias=True),
    lambda model: model.model_dump(by_alias=False, exclude_none=True),
    lambda model: model.model_dump(mode="json"),
    lambda model: model.model_dump(exclude_unset=True),
    lambda model: model.model_dump(exclude_defaults=True),
    lambda model: model.model_dump(exclude={"id", "type"}),
    lambda model: model.model_dump_json(),
    lambda model: model.model_dump_json(by_alias=True),
    lambda model: model.model_dump_json(by_alias=True, indent=2),
    lambda model: model.model_dump_json(by_alias=False),
    lambda model: model.model_dump_json(exclude_none=True, by_alias=True),
    lambda model: TypeAdapter(type(model)).dump_json(model, by_alias=True),
    lambda model: TypeAdapter(Any).dump_python(model),
    lambda model: dict(model),
    repr,
    str,
]


@every_class
def test_dumps(name: str) -> None:
    for dump in DUMPS:
        same(name, lambda cls, given, dump=dump: dump(built(cls, given)))
        same(name, lambda cls, given, dump=dump: dump(cls(**given, extra_member={"a": None})))


@every_class
def test_copies_and_pickles(name: str) -> None:
    same(name, lambda cls, given: copy.copy(built(cls, given)))
    same(name, lambda cls, given: copy.deepcopy(built(cls, given)))
    same(name, lambda cls, given: built(cls, given).model_copy(update={"metadata": 1, "new": 2}))
    same(name, lambda cls, given: built(cls, given).model_copy(deep=True))
    same(name, lambda cls, given: cls.model_construct(**given))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        same(name, lambda cls, given, p=protocol: pickle.loads(pickle.dumps(built(cls, given), p)))


@every_class
def test_equality(name: str) -> None:
    for mine, _, given in pairs(name):
        one, other = built(mine, given), mine.model_validate(given)
        assert one == other and other == one
        assert not one.__ne__(other)
        assert one == mine(**given) and one != object()
        assert describe(one) == describe(other)
        assert one.model_copy(update={"surplus": 1}) != one
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)


@every_class
def test_assignment(name: str) -> None:
    def assign(cls: Any, given: dict[str, Any]) -> Any:
        model = built(cls, given)
        for attribute in cls.model_fields.keys() - OWN:
            setattr(model, attribute, 5)
        model.unknown = 1
        del model.unknown
        model.other = [2]
        model.model_extra["third"] = 3
        return model

    same(name, assign)
    same(name, lambda cls, given: built(cls, given).no_such_member)


def test_extras_are_a_live_dictionary() -> None:
    event = core.StepStartedEvent(step_name="s")
    assert event.model_extra == {} and event.model_extra is event.__pydantic_extra__
    event.model_extra["a"] = 1
    assert event.a == 1
    del event.__pydantic_extra__["a"]
    assert not hasattr(event, "a")


def test_sets_of_given_fields_are_not_shared() -> None:
    one, other = core.StepStartedEvent(step_name="s"), core.StepStartedEvent(step_name="s")
    one.timestamp = 1
    assert one.model_fields_set == {"step_name", "timestamp"}
    assert other.model_fields_set == {"step_name"}
    assert type(other.__pydantic_fields_set__) is set


def test_what_is_passed_keeps_its_identity() -> None:
    state, message, metadata = {"a": [1]}, core.UserMessage(id="m", content="x"), {"k": []}
    messages = [message]
    run = core.RunAgentInput(thread_id="t", run_id="r", state=state, messages=messages)
    assert run.state is state and run.messages[0] is message and run.messages is not messages
    assert run.messages is run.messages
    event = core.CustomEvent(name="n", value=state, raw_event=state, metadata=metadata)
    assert event.value is state and event.raw_event is state
    assert event.metadata is not metadata and event.metadata["k"] is metadata["k"]
    run.messages.append(message)
    state["a"].append(2)
    assert run.model_dump()["state"] == {"a": [1, 2]} and len(run.model_dump()["messages"]) == 2


def test_matching() -> None:
    match core.TextPart(text="x"):
        case core.TextPart(text=found):
            assert found == "x"
    assert isinstance(core.RawEvent(event=None), core.BaseEvent)
    match core.BaseEvent(type="RAW"):
        case core.BaseEvent(type=core.EventType.RAW):
            pass
        case _:
            raise AssertionError

"""Random arguments (plain, nearly plain, wrong) give the same instances and the same errors as with the official package.

``DICTIONARIES`` is their number, ``SEED`` the seed.
"""

from __future__ import annotations

import enum
import json
import os
import random
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import ag_ui.core
import pytest
from pydantic import Field, TypeAdapter, create_model

import ag_ui_native.core
import subclasses
from conftest import CLASSES, SAMPLES, names_newer, official, ours, outcome, parsed

COUNT = int(os.environ.get("DICTIONARIES", "4000"))
SEED = int(os.environ.get("SEED", "1"))
UNIONS = ("Event", "Message", "ContentPart", "PartSource")


class Text(str):
    """A string of a class of its own."""


class Number(enum.IntEnum):
    """A number of a class of its own."""

    ONE = 1


class Instance:
    """Stands for an instance of a class of the package under test."""

    def __init__(self, name: str, members: dict[str, Any]) -> None:
        self.name = name
        self.members = members


def of(package: Callable[[str], Any], value: Any) -> Any:
    """The value with instances of a package. Containers are new ones."""
    if isinstance(value, Instance):
        return package(value.name).model_validate(of(package, value.members))
    if type(value) in (dict, OrderedDict):
        return type(value)((of(package, key), of(package, member)) for key, member in value.items())
    if type(value) in (list, tuple):
        return type(value)(of(package, item) for item in value)
    if isinstance(value, ag_ui_native.core.EventType):
        return package("EventType")(value.value)
    return value


def snake(key: str) -> str:
    """The attribute of a member of the wire."""
    return "from_" if key == "from" else "".join("_" + c.lower() if c.isupper() else c for c in key)


def odd(random: random.Random, value: Any) -> Any:
    """Another value in the place of `value`: one that pydantic converts, or one that it refuses."""
    choices: list[Any] = [
        None,
        True,
        0,
        -5,
        5.0,
        5.5,
        "5",
        "",
        "/a/~1b",
        "/~",
        b"bytes",
        b"\xff",
        Text("text"),
        Number.ONE,
    ]
    choices += [2**53, 10**30, float("nan"), [], {}, [{}], {"a": 1}, {1: 2}, {Text("a"): 1}, (), {1}, object, "\ud800"]
    choices += [ag_ui_native.core.EventType.RAW, "RAW", "user", "tool", "text", "add"]
    if isinstance(value, list):
        choices += [tuple(value), value[:-1], [*value, None], [*value, *value], list(map(str, value))] * 3
    if isinstance(value, dict):
        choices += [OrderedDict(value), list(value.items()), {**value, 3: 4}, {**value, Text("x"): 4}] * 3
        choices += [{Text(key): member for key, member in value.items()}] * 3
    if isinstance(value, str):
        choices += [Text(value), value.encode("utf-8", "replace"), value + "x", f"{value}\u00e9\U0001f600"] * 3
    return random.choice(choices)


def spelled(random: random.Random, members: dict[Any, Any]) -> dict[Any, Any]:
    """The same members in another spelling or order, or with undeclared ones."""
    change = random.randrange(5)
    if change == 0:
        return {snake(key) if type(key) is str else key: member for key, member in members.items()}
    if change == 1:
        return dict(random.sample(list(members.items()), len(members)))
    if change == 2:
        return {
            **members,
            random.choice(["more", "model_config", "self", "is\u00e9", "timestamp"]): random.choice([1, None, [1]]),
        }
    if change == 3 and members:
        key = random.choice(list(members))
        return {**members, snake(key) if type(key) is str else key: odd(random, members[key])}
    return members


def changed(random: random.Random, value: Any, depth: int = 0) -> Any:
    """The value with one change at a random place."""
    if (depth and random.random() < 0.3) or not isinstance(value, (dict, list)) or not value:
        return odd(random, value)
    if isinstance(value, list):
        at = random.randrange(len(value))
        return [changed(random, item, depth + 1) if at == place else item for place, item in enumerate(value)]
    change = random.random()
    if change < 0.15:
        gone = random.choice(list(value))
        return {key: member for key, member in value.items() if key != gone}
    if change < 0.5:
        return spelled(random, value)
    place = random.choice(list(value))
    return {key: changed(random, member, depth + 1) if key == place else member for key, member in value.items()}


def mixed(random: random.Random, value: Any) -> Any:
    """The value with instances in the place of some messages and parts."""
    if isinstance(value, list):
        return [mixed(random, item) for item in value]
    if not isinstance(value, dict):
        return value
    members = {key: mixed(random, member) for key, member in value.items()}
    names = {
        "user": "UserMessage",
        "tool": "ToolMessage",
        "text": "TextPart",
        "add": "AddOperation",
        "function": "ToolCall",
    }
    name = names.get(value.get("role") or value.get("type") or value.get("op"))  # type: ignore[arg-type]
    return Instance(name, value) if name and random.random() < 0.4 else members


def arguments(random: random.Random, name: str) -> Any:
    """Arguments of a class: plain in a third of all cases."""
    value: Any = random.choice(parsed(name))
    if random.random() < 0.2:
        value = {key: mixed(random, member) for key, member in value.items()}
    for _ in range(random.choice([0, 0, 1, 1, 2, 4])):
        value = spelled(random, value) if isinstance(value, dict) and random.random() < 0.4 else changed(random, value)
    return value


def result(action: Callable[[], Any]) -> Any:
    """The outcome of an action. pydantic itself cannot list some errors about lone surrogates."""
    try:
        return outcome(action)
    except UnicodeEncodeError as error:
        return str(error)


def actions(package: Callable[[str], Any], name: str, cls: Any) -> list[Callable[[Any], Any]]:
    """The ways to make an instance of a class from arguments."""
    core = ag_ui_native.core if package is ours else ag_ui.core

    several: Any = list[cls]  # type: ignore[valid-type]
    holder = create_model("Holder", one=(cls, ...), more=(several, []))
    fitting = create_model("Fitting", id=(str, ...), content=(Any, None), more=(Any, None))
    either = TypeAdapter(cls | dict)
    best = TypeAdapter(fitting | cls)
    annotated: Any = Annotated[cls, Field()]
    listed = TypeAdapter(list[annotated])
    unions = [TypeAdapter(getattr(core, union)) for union in UNIONS]
    found: list[Callable[[Any], Any]] = [
        lambda given: cls(**given) if isinstance(given, dict) else cls.model_validate(given),
        lambda given: cls.model_validate(given),
        lambda given: cls.model_validate(given, strict=True),
        lambda given: cls.model_validate(given, extra="forbid"),
        lambda given: cls.model_validate(given, by_alias=False, by_name=True),
        lambda given: cls.model_validate(given, by_alias=True, by_name=False),
        lambda given: TypeAdapter(cls).validate_python(given),
        lambda given: listed.validate_python([given, given]),
        lambda given: holder(one=given, more=[given]),
        lambda given: either.validate_python(given),
        lambda given: best.validate_python(given),
        lambda given: holder.model_validate_json(json.dumps({"one": given})),
        lambda given: cls.model_validate_json(json.dumps(given)),
    ]
    return found + [union.validate_python for union in unions]


@pytest.mark.parametrize("name", [name for name in CLASSES if SAMPLES[name]])
def test_instances_and_errors_are_those_of_the_official_package(name: str) -> None:
    chance = random.Random(f"{SEED} {name}")
    classes = [[package(name), *subclasses.of(package(name))] for package in (ours, official)]
    pairs = [
        list(zip(actions(ours, name, own), actions(official, name, other), strict=True))
        for own, other in zip(*classes, strict=True)
    ]
    for case in range(max(COUNT // len(CLASSES), 1)):
        given = arguments(chance, name)
        found = pairs[0] if chance.random() < 0.6 else chance.choice(pairs)
        act, reference = chance.choice(found[:2] if chance.random() < 0.5 else found)
        made = result(partial(act, of(ours, given)))
        expected = result(partial(reference, of(official, given)))
        assert made == expected or names_newer(made), (case, pairs.index(found), found.index((act, reference)), given)

"""Random arguments, plain and odd: both packages make equal objects from them, and write equal texts after
assignments.
"""

from __future__ import annotations

import copy
import datetime
import decimal
import math
import pickle
import random
import types
import typing
import uuid
import warnings
from collections.abc import Callable
from typing import Any

import ag_ui.encoder
import pytest
from pydantic import BaseModel

from ag_ui_native.encoder import EventEncoder
from conftest import CLASSES, official, ours, outcome

ROUNDS = 1500


class Text(str):
    """A string that is not exactly `str`."""


ODD: list[Any] = [None, True, False, 0, -1, 5.0, 5.5, "5", " 5 ", "1_0", "", "é😀", "\ud800", 'a"b\\\n\x01\u2028']
ODD += [2**53 - 1, 2**53, -(2**53), 2**70, 10**400, 1e16, 1e-7, math.nan, math.inf, -0.0, b"bytes", b"\xff", (1, 2)]
ODD += [{1, 2}, frozenset(), Text("s"), {"a": None, "b": [1, {"c": 2.0}]}, {1: 2}, [], [None], {}, range(3)]
ODD += [datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC), decimal.Decimal(5), uuid.UUID(int=1), "RAW", "tool", "/~"]

Package = Callable[[str], Any]


class Arguments:
    """Arguments for a class, drawn once and made for either package."""

    def __init__(self, draw: random.Random, name: str) -> None:
        self.name = name
        self.given: dict[str, Callable[[Package], Any]] = {}
        for attribute, field in official(name).model_fields.items():
            if draw.random() < (0.02 if field.is_required() else 0.6):
                continue
            key = attribute if draw.random() < 0.7 else field.alias
            self.given[key] = odd(draw) if draw.random() < 0.06 else plain(draw, field.rebuild_annotation())
            if draw.random() < 0.02:
                self.given[attribute] = odd(draw)
        if draw.random() < 0.08:
            self.given[draw.choice(["extra", "fooBar", "metadata", "messageId", "message_id", "from", "self"])] = odd(
                draw
            )

    def make(self, package: Package) -> Any:
        return package(self.name)(**{key: value(package) for key, value in self.given.items()})


def odd(draw: random.Random, depth: int = 0) -> Callable[[Package], Any]:
    """Returns a random odd value for both packages."""
    if depth > 2 or draw.random() < 0.5:
        value = draw.choice(ODD)
    elif draw.random() < 0.5:
        keys = draw.sample(["a", "type", "__proto__", "x y", "0", ""], draw.randrange(3))
        value = {key: odd(draw, depth + 1)(ours) for key in keys}
    else:
        value = [odd(draw, depth + 1)(ours) for _ in range(draw.randrange(3))]
    return lambda _: copy.deepcopy(value)


def plain(draw: random.Random, kind: Any) -> Callable[[Package], Any]:
    """A value of an annotation."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        pointer = draw.choice(["", "/a", "/a~1b/-"])
        return (lambda _: pointer) if inside[0] is str else plain(draw, inside[0])
    if origin in (typing.Union, types.UnionType):
        return plain(draw, draw.choice(inside))
    if origin is list:
        items = [plain(draw, inside[0]) for _ in range(draw.randrange(3))]
        return lambda package: [item(package) for item in items]
    if origin is dict:
        member = odd(draw)
        return lambda package: {"a": member(package)}
    if origin is typing.Literal:
        literal = draw.choice(inside)
        return lambda package: package("EventType")(literal.value) if hasattr(literal, "value") else literal
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return Arguments(draw, kind.__name__).make
    simple = {str: ["", "id-1", 'a"b\\\n\x01é'], int: [0, 1, 2**53 - 1], bool: [True, False], type(None): [None]}
    if kind in simple:
        value = draw.choice(simple[kind])
        return lambda _: value
    if kind is official("EventType"):
        return lambda package: package("EventType")("RAW")
    return odd(draw)


ENCODERS: dict[Package, Any] = {ours: EventEncoder(), official: ag_ui.encoder.EventEncoder()}

ACTIONS: list[Callable[[Any, Any], Any]] = [
    lambda made, _: made,
    lambda made, _: repr(made),
    lambda made, _: made.model_dump_json(),
    lambda made, _: made.model_dump_json(by_alias=True),
    lambda made, _: made.model_dump(exclude_unset=True, by_alias=True),
    lambda made, encoder: encoder.encode(made),
    lambda made, _: pickle.loads(pickle.dumps(made)),
    lambda made, _: made.model_copy(update={"zz": 1}),
    lambda made, _: type(made).model_validate_json(made.model_dump_json(by_alias=True)),
]


def compare(action: Callable[[Package], Any], what: object) -> None:
    assert outcome(lambda: action(ours)) == outcome(lambda: action(official)), what


@pytest.mark.parametrize("seed", range(4))
def test_the_same_comes_of_random_arguments(seed: int) -> None:
    draw = random.Random(seed)
    with warnings.catch_warnings():
        # pydantic warns of wrong types that were assigned; it does so in both packages.
        warnings.simplefilter("ignore")
        accepted = sum(one_round(draw) for _ in range(ROUNDS))
    assert accepted > ROUNDS / 2


def one_round(draw: random.Random) -> bool:
    """Compares one class with one set of arguments. Returns True if the arguments were accepted."""
    arguments = Arguments(draw, draw.choice(CLASSES))
    what = arguments.name, list(arguments.given)
    compare(arguments.make, what)
    try:
        made = {package: arguments.make(package) for package in (ours, official)}
    except Exception:  # The comparison above has seen that both packages refuse.
        return False
    for action in ACTIONS:
        compare(lambda package, action=action: action(made[package], ENCODERS[package]), what)
    attribute, value = draw.choice(list(made[official].__dict__)), odd(draw)
    for package, instance in made.items():
        setattr(instance, attribute, value(package))
    for action in ACTIONS[:6]:
        compare(lambda package, action=action: action(made[package], ENCODERS[package]), (what, attribute))
    return True

"""Dumps, copies and comparisons of random instances: both packages give the same. `DICTIONARIES` is their number."""

from __future__ import annotations

import copy
import enum
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from pydantic import BaseModel

import subclasses
from conftest import CLASSES, OWN, describe, names_newer, official, ours, outcome
from test_random import Arguments, Package, Text, odd

COUNT = int(os.environ.get("DICTIONARIES", "4000"))
SEED = os.environ.get("SEED", "0")


class Members(dict):
    """A dictionary that is not exactly `dict`."""


class Items(list):
    """A list that is not exactly `list`."""


class Number(int):
    """A number that is not exactly `int`."""


class Letter(enum.Enum):
    """Has a value in JSON mode."""

    A = "a"


class Odd:
    """Compares in its own way."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __eq__(self, other: object) -> Any:
        if self.answer is None:
            raise LookupError("not to be compared")
        return self.answer

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Odd({self.answer!r})"

    def __deepcopy__(self, memo: Any) -> Odd:
        return self


def nested(depth: int) -> Any:
    value: Any = "deep"
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


def cycle() -> Any:
    value: list[Any] = [1]
    value.append({"again": value})
    return value


def strange(draw: random.Random) -> Callable[[Package], Any]:
    """Returns a value that only pydantic dumps, or nearly so."""
    kind = draw.randrange(12)
    answer = draw.choice([None, True, False, NotImplemented, [], [0]])
    depth = draw.choice([20, 190, 198, 199, 200, 201, 202, 250, 260])
    made: list[Callable[[Package], Any]] = [
        lambda _: Members(a=[1], b=Text("t")),
        lambda _: Items([{"a": None}]),
        lambda _: [Number(7), {"n": Number(8)}],
        lambda _: {"letter": Letter.A, "l": [Letter.A]},
        lambda _: Odd(answer),
        lambda _: [1, Odd(answer), "x"],
        lambda _: nested(depth),
        lambda _: cycle(),
        lambda package: package("UserMessage")(id="u", content="c"),
        lambda package: {"m": [package("TextPart")(text="t")]},
        lambda _: {Text("key"): 1, "other": None},
        lambda _: {"type": float("nan"), "\ud800": [float("inf")]},
    ]
    return made[kind]


def anything(draw: random.Random) -> Callable[[Package], Any]:
    kind = draw.random()
    return strange(draw) if kind < 0.3 else (lambda _: None) if kind < 0.5 else odd(draw)


def changes(draw: random.Random, attributes: list[str]) -> list[Callable[[Package, Any], None]]:
    """Returns random changes of an instance."""
    found: list[Callable[[Package, Any], None]] = []
    for _ in range(draw.choice([0, 0, 1, 1, 2])):
        attribute, value, kind = draw.choice(attributes), anything(draw), draw.random()
        extra = draw.choice(["zz", "_hidden", "messageId", "x y", "from", "déjà"])
        if kind < 0.45:
            found.append(lambda package, made, a=attribute, v=value: setattr(made, a, v(package)))
        elif kind < 0.55:
            found.append(lambda _, made, a=attribute: made.__dict__.pop(a, None))
        elif kind < 0.85:
            found.append(lambda package, made, a=extra, v=value: setattr(made, a, v(package)))
        elif kind < 0.9:
            found.append(lambda package, made, v=value: made.__dict__.update(zz=v(package)))
        elif kind < 0.95:
            found.append(lambda _, made, a=attribute: made.__pydantic_fields_set__.discard(a))
        else:
            found.append(lambda _, made, a=attribute: made.__pydantic_fields_set__.add(Text(a)))
    return found


def options(draw: random.Random) -> dict[str, Any]:
    """Returns random arguments of `model_dump`."""
    values: dict[str, list[Any]] = {
        "mode": ["python", "json", "json"],
        "by_alias": [True, False, None],
        "exclude_none": [True, False],
        "exclude_unset": [True, False],
        "exclude_defaults": [True, False],
        "include": [None, {"type", "metadata", "id"}, {"role", "zz", "x y"}, frozenset({"type", "delta"}), set()],
        "exclude": [None, {"type"}, {"zz", "messageId", "metadata"}, frozenset({"content", "id"}), set()],
    }
    rare: dict[str, list[Any]] = {
        "round_trip": [False, True],
        "include": [{"__all__"}, {Text("type"), "id"}, {1}, {"metadata": {"a"}}, ["id"], "id"],
        "exclude": [{"__all__"}, {Text("type"), "id"}, {1}, {"metadata": {"a"}}, ["id"], "id"],
        "serialize_as_any": [False, True],
        "warnings": [True, "none"],
        "context": [None, {}],
    }
    chosen = {name: draw.choice(found) for name, found in values.items() if draw.random() < 0.3}
    return chosen | {name: draw.choice(found) for name, found in rare.items() if draw.random() < 0.05}


def containers(value: Any, seen: set[int]) -> Iterator[Any]:
    """Yields the containers in a value."""
    if id(value) in seen or not isinstance(value, (dict, list, BaseModel)):
        return
    seen.add(id(value))
    yield value
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    if inside is None:
        inside = [*value.__dict__.values(), *(value.__pydantic_extra__ or {}).values()]
    for item in inside:
        yield from containers(item, seen)


def dumped(made: Any, arguments: dict[str, Any]) -> Any:
    """Returns a dump, and of each container in it the class and whether it is one of the instance's."""
    dump = made.model_dump(**arguments)
    own = {id(container) for container in containers(made, set())}
    return describe(dump), [(type(c).__name__, id(c) in own) for c in containers(dump, set())]


def copied(made: Any, how: Callable[[Any], Any]) -> Any:
    """Returns a copy as it is, and the original after changes of the copy."""
    other = how(made)
    is_shared = [other.__dict__[name] is value for name, value in made.__dict__.items() if name not in OWN]
    first = describe(other), type(other.__pydantic_fields_set__), type(other.__pydantic_extra__)
    other.zz = 1
    other.model_fields_set.add("more")
    return first, is_shared, describe(other), describe(made)


COPIES: list[Callable[[Any], Any]] = [
    lambda made: made.model_copy(),
    copy.copy,
    copy.deepcopy,
    lambda made: made.model_copy(deep=True),
    lambda made: made.model_copy(update={"zz": [1], "metadata": None}),
    lambda made: made.model_copy(update=None),
]


def seen(action: Callable[[], Any]) -> Any:
    """Returns an outcome, and how many warnings there were."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = outcome(action)
        except RecursionError:
            # The input of an error is a cycle.
            found = "RecursionError"
    return found, [warning.category for warning in caught]


def compare(action: Callable[[Package], Any], what: object) -> None:
    found, expected = (seen(lambda package=package: action(package)) for package in (ours, official))
    if found != expected and not names_newer(found):
        # Their texts are long where they are deep.
        pytest.fail(f"{what}: ours {str(found)[:2000]}, official {str(expected)[:2000]}")


@cache
def derived(package: Package, name: str) -> list[Any]:
    """Returns subclasses of a class."""
    return subclasses.of(package(name))


def one_round(draw: random.Random, number: int) -> bool:
    """Compares one class with one set of arguments. Returns True if the arguments were accepted."""
    arguments = Arguments(draw, draw.choice(CLASSES))
    place = draw.randrange(40)

    def make(package: Package) -> Any:
        classes = [*derived(package, arguments.name)]
        own = classes[place] if place < len(classes) else package(arguments.name)
        return arguments.make(lambda name: own if name == arguments.name else package(name))

    try:
        made, twins = ({package: make(package) for package in (ours, official)} for _ in range(2))
    except Exception:
        return False
    what = (number, arguments.name, type(made[ours]).__name__, list(arguments.given))
    attributes = list(made[official].__dict__)
    first, second = changes(draw, attributes), changes(draw, attributes) if draw.random() < 0.5 else None
    for instances, steps in ((made, first), (twins, first if second is None else second)):
        for step in steps:
            compare(lambda package, step=step, of=instances: step(package, of[package]), what)
    for _ in range(3):
        chosen = options(draw)
        compare(lambda package, chosen=chosen: dumped(made[package], chosen), (*what, chosen))
    for pair in ((made, twins), (made, made), (twins, made)):
        compare(lambda package, pair=pair: pair[0][package] == pair[1][package], what)
        compare(lambda package, pair=pair: pair[0][package] != pair[1][package], what)
    other = draw.choice([None, "text", {}, Odd(True), Odd([]), object(), 1.5])
    compare(lambda package: made[package] == other, (*what, other))
    how = draw.choice(COPIES)
    compare(lambda package: copied(made[package], how), what)
    return True


@pytest.mark.parametrize("part", range(4))
def test_the_same_comes_of_random_instances(part: int) -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(3000)
    try:
        accepted = sum(one_round(random.Random(f"{SEED} {part} {at}"), at) for at in range(COUNT // 4))
    finally:
        sys.setrecursionlimit(limit)
    assert accepted > COUNT / 8

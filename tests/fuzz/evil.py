"""Objects that look like plain ones, and whose own code sometimes does something else."""

from __future__ import annotations

import contextlib
import enum
import gc
import random
from collections.abc import Callable
from typing import Any


class Boom(Exception):
    """An error that an object's own code raises."""


class Stop(BaseException):
    """An error like KeyboardInterrupt that an object's own code raises."""


class World:
    """The shared state of the objects of one call: the containers that they can change, and the time at which one of
    them acts.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.containers: list[Any] = []
        self.holders: list[Any] = []
        self.error: BaseException = rng.choice((Boom, Stop, KeyboardInterrupt))("from an object")
        self.calls: list[Callable[[], Any]] = []
        self.fuse = 0
        """The number of accesses after which an object acts; never if it is 0."""
        self.armed = False
        self.raises_only = False
        self.run: Callable[[Callable[[], Any]], Any] = lambda action: action()
        self.junk: list[Any] = []

    def touch(self) -> None:
        """An object's own code runs."""
        if self.fuse:
            self.fuse -= 1
            if not self.fuse:
                self.act()
                self.fuse = self.rng.choice((0, 0, 1, 5))

    def act(self) -> None:
        """Does an unexpected action at random."""
        action = 0 if self.raises_only else self.rng.randrange(8)
        if action <= 1:
            raise self.error
        if action <= 4:
            self.change()
        elif action == 5:
            gc.collect()
        elif action == 6 and self.calls:
            fuse, self.fuse = self.fuse, 0
            self.rng.choice(self.calls)()
            self.fuse = fuse
        else:
            for holder in self.holders:
                holder.clear()
        self.junk = [bytearray(b"A" * size) for size in (24, 40, 56, 72, 104, 200) for _ in range(30)]

    def change(self) -> None:
        """Changes a container by a method of its class."""
        if self.raises_only or not self.containers:
            return
        container, kind = self.rng.choice(self.containers), self.rng.randrange(4)
        if isinstance(container, list):
            if kind == 0:
                list.clear(container)
            elif kind == 1:
                list.append(container, ["new"])
            elif container and kind == 2:
                list.pop(container)
            elif container:
                list.__setitem__(container, 0, "other")
        elif kind == 0:
            dict.clear(container)
        elif kind == 1:
            for index in range(self.rng.choice((1, 20))):
                dict.__setitem__(container, f"new{index}", ["new"])
        elif container and kind == 2:
            dict.popitem(container)
        elif container:
            dict.__setitem__(container, next(dict.__iter__(container)), {"other": 1})


world = World(random.Random(0))
"""That of the running call."""


def new_world(rng: random.Random) -> World:
    """Ends one call and begins another."""
    global world
    world = World(rng)
    return world


def _hook(base: type, name: str) -> Any:
    real = getattr(base, name)

    def method(self: Any, *args: Any, **named: Any) -> Any:
        world.touch()
        return real(self, *args, **named)

    return method


def _derive(name: str, base: type, *hooks: str) -> Any:
    made = type(name, (base,), {hook: _hook(base, hook) for hook in hooks})
    made.__module__ = __name__
    return made


COMMON = ("__eq__", "__ne__", "__hash__", "__str__", "__repr__", "__bool__")
READS = ("__len__", "__iter__", "__contains__", "__getitem__", "__eq__", "__repr__")
Str = _derive("Str", str, *COMMON[:5], "__len__", "__iter__", "__getitem__", "encode", "startswith")
Int = _derive("Int", int, *COMMON, "__int__", "__index__", "__float__", "__add__", "__lt__", "__ge__")
Float = _derive("Float", float, *COMMON, "__float__", "__int__", "__lt__", "is_integer")
Dict = _derive("Dict", dict, *READS, "keys", "items", "values", "get", "__setitem__", "__delitem__", "update", "copy")
List = _derive("List", list, *READS, "append", "insert", "__setitem__", "__delitem__", "copy", "__reversed__")
Tuple = _derive("Tuple", tuple, *READS)


class Name(str, enum.Enum):
    """A class of string keys with its own hash, as ordinary programs have."""

    A = "a"
    B = "b"
    ID = "id"

    def __hash__(self) -> int:
        world.touch()
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        world.touch()
        return str.__eq__(self, other)


class Odd:
    """A key that is not a string, in the place of a string."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __hash__(self) -> int:
        world.touch()
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        world.touch()
        return False


class Last:
    """Acts when its last reference goes away; in a reference cycle, when the collector frees it."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        if not world.armed:
            return
        with contextlib.suppress(BaseException):
            world.change()
            world.junk = [bytearray(b"B" * size) for size in (24, 40, 56, 104) for _ in range(30)]


class Thing:
    """An object that has no JSON form, and every attribute."""

    def __getattr__(self, name: str) -> Any:
        world.touch()
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **named: world.rng.choice(({}, "{}", None, self))

    def __iter__(self) -> Any:
        world.touch()
        return iter(())


def disguise(value: Any, density: float, odd: bool = False) -> Any:
    """Returns a copy of a JSON value with such classes here and there; `odd` adds values that are not JSON. Containers
    are registered.
    """
    rng = world.rng
    hidden = rng.random() < density
    if odd and rng.random() < 0.02:
        return rng.choice((Thing(), object(), {1: 2}, b"bytes", {1, 2}, float("nan"), "\ud800", 10**5_000, Last()))
    if isinstance(value, str):
        return Str(value) if hidden else value
    if isinstance(value, (bool, type(None))):
        return value
    if isinstance(value, int):
        return Int(value) if hidden else value
    if isinstance(value, float):
        return Float(value) if hidden else value
    if isinstance(value, list):
        items = [disguise(item, density, odd) for item in value]
        made: Any = rng.choice((List, Tuple, tuple))(items) if hidden else items
    else:
        members = [(_key(key, density), disguise(member, density, odd)) for key, member in value.items()]
        if odd and rng.random() < 0.1:
            members.insert(rng.randrange(len(members) + 1), (Odd(rng.choice("abxyz")), 1))
        made = (Dict if hidden else dict)(members)
    if not isinstance(made, tuple):
        world.containers.append(made)
    return made


def _key(key: str, density: float) -> Any:
    if world.rng.random() >= density:
        return key
    return Name(key) if key in ("a", "b", "id") else Str(key)

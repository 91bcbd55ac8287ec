"""Random states, changes as agents make them, and a plain implementation of patches."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

KEYS = ["a", "b", "0", "1", "", "a/b", "~1", "é😀"]
SCALARS: list[Any] = [None, True, False, 0, 1, -1, 1.0, 2.5, -0.0, 2**53 + 1, 2**80, "", "x", "long enough to matter"]


def value(chance: random.Random, levels: int = 4) -> Any:
    kind = chance.randrange(4) if levels else 0
    if kind == 1:
        return [value(chance, levels - 1) for _ in range(chance.randrange(6))]
    if kind == 2:
        return {chance.choice(KEYS): value(chance, levels - 1) for _ in range(chance.randrange(6))}
    return chance.choice(SCALARS)


def mutate(chance: random.Random, state: Any) -> Any:
    """Changes the state in place, as an agent does. Returns another state only if this one cannot be changed."""
    at = state
    while isinstance(at, (dict, list)) and at and chance.random() < 0.6:
        inner = chance.choice(list(at.values()) if isinstance(at, dict) else at)
        if not isinstance(inner, (dict, list)):
            break
        at = inner
    new = value(chance, 2)
    if isinstance(at, dict):
        key = chance.choice(KEYS)
        if chance.random() < 0.3:
            at.pop(key, None)
        else:
            at[key] = new
    elif isinstance(at, list):
        place = chance.randrange(len(at) + 1)
        match chance.randrange(4):
            case 0:
                at.insert(place, new)
            case 1:
                del at[place : place + 1]
            case 2:
                at[place : place + 1] = [new]
            case _:
                at.insert(place, copy.deepcopy(at.pop(chance.randrange(len(at))) if at else new))
    else:
        return new
    return state


def patched(document: Any, operations: list[dict[str, Any]]) -> Any:
    """Applies a patch exactly as RFC 6902 describes it, with the operations that a diff uses."""
    document = copy.deepcopy(document)

    def put(path: str, new: Any, replaces: bool) -> None:
        nonlocal document
        if path == "":
            document = new
            return
        at, key = reach(path)
        if isinstance(at, dict):
            assert not replaces or key in at
            at[key] = new
        elif replaces:
            at[int(key)] = new
        else:
            at.insert(len(at) if key == "-" else int(key), new)

    def reach(path: str) -> tuple[Any, str]:
        *way, last = [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:]]
        at = document
        for token in way:
            at = at[token] if isinstance(at, dict) else at[int(token)]
        return at, last

    def take(path: str) -> Any:
        at, key = reach(path)
        return at.pop(key if isinstance(at, dict) else int(key))

    for operation in copy.deepcopy(operations):
        match operation["op"]:
            case "add" | "replace" as op:
                put(operation["path"], operation["value"], op == "replace")
            case "remove":
                take(operation["path"])
            case "move":
                put(operation["path"], take(operation["from"]), False)
    return document


def text(state: Any) -> str:
    """Members in one order; `1` and `1.0` differ."""
    return json.dumps(state, sort_keys=True)

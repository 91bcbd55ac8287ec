"""Adapters of the unions: unusual spellings and objects, and the first use by many threads, as with the official package."""

from __future__ import annotations

import copy
import gc
import json
import pickle
from collections.abc import Callable
from typing import Annotated, Any

import ag_ui.core
import pytest
from pydantic import ConfigDict, TypeAdapter

import ag_ui_native.core
from conftest import outcome
from programs import run

WIRE = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "d"}
TEXT = json.dumps(WIRE)


class Lying(dict[str, Any]):
    """Its members are not those that a lookup gives."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError("lies")

    def get(self, key: str, default: Any = None) -> Any:
        gc.collect()
        return super().get(key, default)


class Raising(str):
    """A string that cannot be compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not compared")

    def __hash__(self) -> int:
        return str.__hash__(self)


def nested(depth: int) -> dict[str, Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return {"type": "CUSTOM", "name": "n", "value": value}


PROBES: list[Callable[[Any], Any]] = [
    lambda event: pickle.loads(pickle.dumps(event)) == event,
    lambda event: copy.deepcopy(event) == event,
    lambda event: TypeAdapter(event).validate_python(Lying(WIRE)),
    lambda event: TypeAdapter(event).validate_python({**WIRE, "delta": Raising("d")}),
    lambda event: TypeAdapter(event).validate_python(nested(300)),
    lambda event: TypeAdapter(event).validate_json(json.dumps(nested(300))),
    lambda event: TypeAdapter(event).validate_json(
        ' {"delta" : "\\u0041","delta":"b", "type":"TEXT\\u005fMESSAGE_CONTENT","messageId":"a"} '
    ),
    lambda event: TypeAdapter(event).validate_json(TEXT[:-1]),
    lambda event: TypeAdapter(event).validate_json(bytearray(TEXT.encode())),
    lambda event: TypeAdapter(event).validate_json(None),
    lambda event: TypeAdapter(event).validate_python(),
    lambda event: TypeAdapter(event).validate_strings(WIRE),
    lambda event: TypeAdapter(event).rebuild(force=True),
    lambda event: TypeAdapter(event, config=ConfigDict(str_to_upper=True)).validate_python(WIRE),
    lambda event: TypeAdapter(event | None).validate_python(None),
    lambda event: TypeAdapter(Annotated[event, "more"]).validate_json(TEXT),
]


@pytest.mark.parametrize("number", range(len(PROBES)))
def test_adapters_do_what_those_of_the_official_package_do(number: int) -> None:
    probe = PROBES[number]
    assert outcome(lambda: probe(ag_ui_native.core.Event)) == outcome(lambda: probe(ag_ui.core.Event))


def test_many_threads_make_the_first_adapter() -> None:
    run("""
        import sys, threading
        from pydantic import TypeAdapter
        from ag_ui_native.core import Event

        sys.setswitchinterval(1e-6)
        made = []

        def adapt():
            value = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "d"}
            made.append(type(TypeAdapter(Event).validate_python(value)).__name__)

        threads = [threading.Thread(target=adapt) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == ["TextMessageContentEvent"] * 12, made
    """)

"""Random arguments at the entrances of pydantic's adapters, with its options, give what the official package gives.

``DICTIONARIES`` is the number of cases, ``SEED`` the seed.
"""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import ag_ui.core
import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model
from pydantic_core import SchemaValidator

import ag_ui_native.core
from ag_ui_native import _native
from ag_ui_native.core.engine import UNIONS
from conftest import CLASSES, SAMPLES, official, ours
from test_dictionaries import COUNT, SEED, arguments, of, result

Package = Callable[[str], Any]
Entrance = tuple[TypeAdapter[Any], Callable[[Any], Any]]


class Own(BaseModel):
    """An event of a program's own."""

    type: Literal["OWN"]
    role: Literal["own"]


def entrances(package: Package, name: str) -> list[Entrance]:
    """Adapters of types with a class in them, and how each holds a value."""
    cls = package(name)
    core: Any = ag_ui_native.core if package is ours else ag_ui.core
    event, message = core.Event, core.Message
    holder = create_model("Holder", one=(cls, ...), event=(event | None, None), messages=(list[message], []))
    own_event: Any = Annotated[event | Own, Field(discriminator="type")]
    own_message: Any = Annotated[message | Own, Field(discriminator="role")]
    annotated: Any = Annotated[cls, Field()]

    def same(given: Any) -> Any:
        return given

    def twice(given: Any) -> Any:
        return [given, given]

    def held(given: Any) -> Any:
        return {"one": given, "event": given if name.endswith("Event") else None, "messages": []}

    plain = [event, message, cls, annotated, cls | dict, event | None, message | Own | None, own_event, own_message]
    found: list[tuple[Any, Callable[[Any], Any]]] = [(kind, same) for kind in plain]
    found += [(list[kind], twice) for kind in (event, message, cls)]
    found += [(dict[str, kind], lambda given: {"key": given}) for kind in (event, message, cls)]
    found += [(holder, held), (core.RunAgentInput, lambda given: messages_input(given))]
    return [(TypeAdapter(kind), hold) for kind, hold in found]


def messages_input(message: Any) -> dict[str, Any]:
    """A request with one message."""
    empty: dict[str, Any] = {"state": None, "tools": [], "context": [], "forwardedProps": None}
    return {"threadId": "t", "runId": "r", "messages": [message], **empty}


def options(random: random.Random, is_json: bool) -> dict[str, Any]:
    """Options of a validation: none in a third of all cases."""
    values: dict[str, list[Any]] = {
        "by_alias": [True, False],
        "by_name": [True, False],
        "strict": [True, False],
        "extra": ["allow", "ignore", "forbid"],
        "context": [{"a": 1}],
    }
    if not is_json:
        values["from_attributes"] = [True, False]
    chosen = random.choice([{}, {}, {"by_alias": False, "by_name": True}, {"by_alias": True, "by_name": False}, None])
    if chosen is None:
        chosen = {key: random.choice(values[key]) for key in random.sample(list(values), random.choice([1, 1, 2, 3]))}
    return chosen


@pytest.mark.parametrize("name", [name for name in CLASSES if SAMPLES[name]])
def test_every_entrance_gives_what_the_official_package_gives(name: str) -> None:
    chance = random.Random(f"{SEED} entrances {name}")
    pairs = list(zip(entrances(ours, name), entrances(official, name), strict=True))
    for case in range(max(COUNT // len(CLASSES), 1)):
        given = arguments(chance, name)
        place = chance.randrange(len(pairs))
        is_json = chance.random() < 0.4
        chosen = options(chance, is_json)

        def act(package: Package, entrance: Entrance) -> Any:
            adapter, hold = entrance
            value = hold(of(package, given))  # The function does not outlive the case.
            if is_json:
                return adapter.validate_json(json.dumps(value), **chosen)
            return adapter.validate_python(value, **chosen)

        ours_pair, official_pair = pairs[place]
        made = result(partial(act, ours, ours_pair))
        assert made == result(partial(act, official, official_pair)), (case, place, is_json, chosen, given)


@pytest.mark.parametrize("union", UNIONS)
def test_the_adapter_of_a_union_is_like_any_other(union: str) -> None:
    kind: Any = getattr(ag_ui_native.core, union)
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    assert isinstance(adapter.validator, _native.UnionValidator)
    other: TypeAdapter[Any] = TypeAdapter(Annotated[kind, Field()])
    assert type(other.validator) is SchemaValidator
    assert adapter.json_schema() == other.json_schema()
    assert adapter.validator.title == other.validator.title
    assert type(pickle.loads(pickle.dumps(adapter.validator))) is SchemaValidator
    assert type(TypeAdapter(kind, config=ConfigDict(strict=True)).validator) is SchemaValidator
    assert kind == Annotated[kind.__origin__, *kind.__metadata__]


def test_an_option_leaves_the_members_to_pydantic() -> None:
    given = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "d"}
    listed = TypeAdapter(list[ag_ui_native.core.Event])
    for adapter, value in ((TypeAdapter(ag_ui_native.core.Event), given), (listed, [given])):
        adapter.validate_python(value)
        with pytest.raises(ValueError, match="message_id"):
            adapter.validate_python(value, by_alias=False, by_name=True)


def test_learning_the_options_needs_handlers_of_one_class() -> None:
    assert not _native.learn_arguments([])
    assert not _native.learn_arguments([((0,), 1), ((1,), SimpleNamespace())])
    assert not _native.learn_arguments([((0,), 1), ((), 2), ((9,), 3)])

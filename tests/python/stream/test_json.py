"""JSON text in every legal spelling: the same values as the standard library reads, and as the official classes do."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.core import CustomEvent, RunAgentInput
from ag_ui_native.stream import EventDecoder, EventPipeline, decode_event
from conftest import CLASSES, SAMPLES, fixture_cases, official, ours

SUITE = fixture_cases("json-test-suite")


def refuse(constant: str) -> None:
    raise ValueError(constant)


def by_the_library(text: str) -> Any:
    return json.loads(text, parse_constant=refuse)


def same(ours: Any, theirs: Any) -> bool:
    """Returns True if both are the same value of the same type; doubles are compared bit by bit."""
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return repr(ours) == repr(theirs) if isinstance(ours, float) else ours == theirs


def by_classes(custom: Any, run_input: Any, event: str, run: str) -> Any:
    """Returns the value that the classes read; pydantic reads values that JSON does not have, such as NaN, and so do
    ours.
    """
    values = [custom.model_validate_json(event).value]
    made = run_input.model_validate_json(run)
    values += [made.state, made.forwarded_props]
    assert all(same(value, values[0]) for value in values)
    return values[0]


def entrances(value: str) -> dict[str, Any]:
    """Returns the result of a free value in each entrance, or the error."""
    event = f'{{"type":"CUSTOM","name":"n","value":{value}}}'
    run = (
        f'{{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"state":{value},"forwardedProps":{value}}}'
    )
    # The frame has one line of data for each line of the text.
    line = (
        b"data: " + event.replace("\n", "\ndata: ").replace("\r", "\ndata: ").encode("utf-8", "surrogatepass") + b"\n\n"
    )
    made = {
        "decode_event": lambda: decode_event(event).value,
        "strict": lambda: decode_event(event, profile="strict").value,
        "relay": lambda: decode_event(event, profile="relay")["value"],
        "decoder": lambda: EventDecoder().feed(line)[0].value,
        "pipeline": lambda: EventPipeline(verify=False, reduce=False).feed(line)[0].value,
        "models": lambda: by_classes(CustomEvent, RunAgentInput, event, run),
    }
    found = {}
    for name, make in made.items():
        try:
            found[name] = make()
        except (ValueError, AGUIError) as error:
            found[name] = error
    return found


@pytest.mark.parametrize("case", SUITE, ids=lambda case: case["name"])
def test_the_suite(case: dict[str, Any]) -> None:
    found = entrances(case["input"])
    by_models = found.pop("models")
    try:
        theirs = (
            official("CustomEvent").model_validate_json(f'{{"type":"CUSTOM","name":"n","value":{case["input"]}}}').value
        )
    except ValueError as error:
        told = [[(issue["type"], issue["loc"], issue["msg"]) for issue in one.errors()] for one in (error, by_models)]
        assert told[0] == told[1]
    else:
        assert same(by_models, theirs)
    for name, value in found.items():
        if isinstance(value, Exception):
            assert case["verdict"] != "accept", (name, value)
        else:
            assert case["verdict"] != "refuse", name
            theirs = by_the_library(case["input"])
            # Numbers that no double holds have rules of their own.
            assert same(value, theirs) or "inf" in repr(theirs), (name, value)


class Speller:
    """Writes JSON in any legal spelling."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.often = [draw.choice([0, 0, 0.1, 0.5]) for _ in range(2)]

    def space(self) -> str:
        if self.draw.random() >= self.often[0]:
            return ""
        return self.draw.choice([" ", "  ", "\n", "\t", "\r\n", " \n  "])

    def value(self, value: Any) -> str:
        around = lambda text: self.space() + text + self.space()
        if isinstance(value, dict):
            members = [f"{around(self.text(key))}:{around(self.value(inner))}" for key, inner in value.items()]
            return "{" + (",".join(members) or self.space()) + "}"
        if isinstance(value, list):
            return "[" + (",".join(around(self.value(item)) for item in value) or self.space()) + "]"
        return self.text(value) if isinstance(value, str) else json.dumps(value)

    def text(self, text: str) -> str:
        def character(one: str) -> str:
            if self.draw.random() >= self.often[1]:
                return json.dumps(one, ensure_ascii=False)[1:-1]
            units = one.encode("utf-16-be", "surrogatepass").hex()
            return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))

        return '"' + "".join(map(character, text)) + '"'


FREE = [
    {"a": "b"},
    ["x"],
    [1, "x", None, True, -0.5],
    {"a": {"b": [{}, []]}},
    "é😀",
    "",
    [[[]]],
    {"": {"é": "\n"}},
    10**25,
]


@pytest.mark.parametrize("seed", range(4))
def test_free_values_in_every_spelling(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(500):
        value = draw.choice(FREE)
        text = Speller(draw).value(value)
        for name, found in entrances(text).items():
            assert same(found, value), (name, text, found)


@pytest.mark.parametrize("name", CLASSES)
def test_documents_in_every_spelling(name: str) -> None:
    draw = random.Random(name)
    for sample in SAMPLES[name][:40]:
        for _ in range(4):
            speller = Speller(draw)
            text = speller.space() + speller.value(json.loads(sample)) + speller.space()
            made = ours(name).model_validate_json(text)
            assert made == ours(name).model_validate_json(sample), text
            assert made.model_dump() == official(name).model_validate_json(text).model_dump(), text

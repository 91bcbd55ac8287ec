"""tests/fixtures/stream/starts.json: data with which a conversation must not begin or go on."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ag_ui_native import AGUIValidationError, core
from ag_ui_native.stream import EventPipeline, Reducer, apply_events
from conftest import fixture_cases

HALF = "\ud800"


ODD = {"<half>": HALF, "<nan>": math.nan, "<infinity>": -math.inf}


def with_odd(value: Any) -> Any:
    """Returns a value of the fixture with the values that JSON does not have."""
    if isinstance(value, dict):
        return {ODD.get(key, key): with_odd(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_odd(item) for item in value]
    return ODD.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("case", fixture_cases("starts"), ids=lambda case: case["name"])
def test_what_a_conversation_cannot_begin_with(case: dict[str, Any]) -> None:
    start = with_odd(case["start"])
    options = {"pending_interrupts" if name == "pendingInterrupts" else name: given for name, given in start.items()}
    for begin in (Reducer, EventPipeline, lambda **given: apply_events([], **given)):
        with pytest.raises(AGUIValidationError) as caught:
            begin(**options)
        assert (caught.value.code, caught.value.path) == (case["code"], case["path"])


@pytest.mark.parametrize("case", fixture_cases("starts"), ids=lambda case: case["name"])
def test_what_a_conversation_cannot_go_on_with(case: dict[str, Any]) -> None:
    start = with_odd(case["start"])
    reducer = Reducer([core.UserMessage(id="u", content="x")], state={"a": 1})
    replacing = {"messages": reducer.replace_messages, "state": reducer.replace_state}
    for name, given in start.items():
        if name not in replacing:
            continue
        with pytest.raises(AGUIValidationError) as caught:
            replacing[name](given)
        assert (caught.value.code, caught.value.path) == (case["code"], case["path"])
        assert [message.id for message in reducer.messages] == ["u"] and reducer.state == {"a": 1}


@pytest.mark.parametrize("begin", [Reducer, EventPipeline], ids=["reducer", "pipeline"])
def test_a_state_of_none_is_null_and_no_state_an_empty_object(begin: Any) -> None:
    assert begin(state=None).state is None
    assert begin().state == {}

"""Starts of runs: a writer takes the ids of an instance as they are, and reads every other input."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ag_ui_native.core import RunAgentInput, UserMessage
from ag_ui_native.errors import AGUIValidationError
from ag_ui_native.run_writer import RunWriter

MESSAGES = [UserMessage(id="u", content="Hi")]


class OwnInput(RunAgentInput):
    """An input of a program's own class."""

    colour: str = "red"


def started(given: Any, *, echo: bool = False) -> dict[str, Any]:
    writer = RunWriter()
    writer.start(given, echo)
    event: dict[str, Any] = json.loads(writer.take().removeprefix(b"data: "))
    return event


@pytest.mark.parametrize("parent", [None, "p"])
def test_instances_and_dictionaries_start_the_same_run(parent: str | None) -> None:
    given = RunAgentInput(thread_id="t", run_id="r", parent_run_id=parent, messages=MESSAGES)
    own = OwnInput(thread_id="t", run_id="r", parent_run_id=parent, messages=MESSAGES)
    expected = started(given.model_dump(mode="json", by_alias=True, exclude_none=True))
    assert started(given) == started(own) == expected
    assert (expected["threadId"], expected["runId"], expected.get("parentRunId")) == ("t", "r", parent)
    assert "input" not in expected
    assert started(given, echo=True)["input"]["messages"][0]["content"] == "Hi"


@pytest.mark.parametrize("name", ["thread_id", "run_id", "parent_run_id"])
@pytest.mark.parametrize("value", [1, ["t"]])
def test_ids_that_are_no_text_are_refused_by_their_place(name: str, value: object) -> None:
    given = RunAgentInput(thread_id="t", run_id="r", messages=MESSAGES)
    setattr(given, name, value)
    with pytest.raises(AGUIValidationError) as refused:
        started(given)
    parts = name.split("_")
    assert refused.value.path == "/" + parts[0] + "".join(part.capitalize() for part in parts[1:])


def test_an_instance_without_its_ids_is_refused() -> None:
    with pytest.raises(AGUIValidationError):
        started(RunAgentInput.model_construct(messages=[]))

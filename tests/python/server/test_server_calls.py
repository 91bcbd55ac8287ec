"""The pending calls that the end of a run names, and warnings about answers to interrupts that are not pending."""

from __future__ import annotations

from typing import Any

import pytest

from ag_ui_native.core import RunAgentInput
from ag_ui_native.server import Run, guard
from conftest import fixture_cases
from test_server_run import END, INPUT, events


@pytest.mark.parametrize("case", fixture_cases("pending_calls"), ids=lambda case: case["name"])
def test_a_success_names_the_calls_that_have_no_result(case: dict[str, Any]) -> None:
    def agent(run: Run) -> None:
        for event in case["events"]:
            run.event(event)

    def cancelling(run: Run) -> str:
        agent(run)
        run.cancel()
        return "no result"

    assert events(agent)[-1] == case["end"]
    assert events(cancelling)[-1] == {**END, "outcome": {"type": "cancelled"}}
    assert list(guard(case["events"], input=INPUT))[-1] == case["end"]


def test_answers_to_no_question_that_waits_are_warned_of() -> None:
    resume = [{"interruptId": "i", "status": "resolved"}, {"interruptId": "zz", "status": "resolved"}]
    given = RunAgentInput.model_validate({"threadId": "t", "runId": "r", "messages": [], "resume": resume})
    told: list[Any] = []

    def agent(run: Run) -> None:
        told.extend((each.code, each.path) for each in run.warnings if each.code == "unknown_interrupt")

    def pending(_: RunAgentInput) -> list[dict[str, str]]:
        return [{"id": "i", "reason": "ask"}]

    assert events(agent, input=given, pending_interrupts=pending)[-1] == END
    assert told == [("unknown_interrupt", "/resume/1/interruptId")]

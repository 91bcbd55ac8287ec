"""Values that agents give as arguments and results of tools, and awaitable ones. tests/fixtures/server/tool_text.json
has the texts that every language sends.
"""

from __future__ import annotations

from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.server import Run
from conftest import fixture_cases
from test_server_run import END, events

TOOL_TEXT: Any = fixture_cases("tool_text")


@pytest.mark.parametrize(("arguments", "text"), TOOL_TEXT["arguments"])
def test_arguments_are_a_value_or_the_text_of_an_object(arguments: Any, text: str) -> None:
    _, delta, _, _ = events(lambda run: run.tool_call("f", arguments))
    assert delta["delta"] == text


@pytest.mark.parametrize("arguments", TOOL_TEXT["refused"])
def test_strings_that_are_no_object_are_no_arguments(arguments: str) -> None:
    def agent(run: Run) -> None:
        with pytest.raises(AGUIError, match="give them as an object, or as the text of one") as caught:
            run.tool_call("f", arguments)
        assert (caught.value.code, caught.value.path) == ("wrong_type", "/arguments")

    assert events(agent) == [END]


@pytest.mark.parametrize(("result", "content"), TOOL_TEXT["results"])
def test_results_of_tools_are_text_or_parts_or_a_value(result: Any, content: Any) -> None:
    def agent(run: Run) -> None:
        run.tool_call("f", {}).result(result)
        run.tool_result("c", result)

    made = events(agent)
    assert [event["content"] for event in made if event["type"] == "TOOL_CALL_RESULT"] == [content] * 2


def test_a_part_that_is_none_is_refused() -> None:
    def agent(run: Run) -> None:
        with pytest.raises(AGUIError) as caught:
            run.tool_result("c", [{"type": "text", "text": 5}])
        assert caught.value.path == "/content/0/text"

    assert events(agent) == [END]


def test_what_is_opened_can_be_awaited() -> None:
    sent: list[Any] = []

    async def agent(run: Run) -> None:
        message = await run.text_message("m")
        await message.write("Hi")
        await (await run.tool_call("f", {"a": 1}, id="c")).result({"ok": 1})
        async with await run.step("s") as step:
            assert step.name == "s"
        await (await run.reasoning("r")).write("Hm")
        helper = await run.subagent("helper", "h")
        await (await helper.activity("PLAN", {}, "p")).update({"a": 1})
        assert "ACTIVITY_DELTA" in sent[-1]["body"].decode(), "what is awaited is sent"

    assert [event["type"] for event in events(agent, sent=sent)] == [
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "STEP_STARTED",
        "STEP_FINISHED",
        "REASONING_START",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "SUBAGENT_STARTED",
        "ACTIVITY_SNAPSHOT",
        "ACTIVITY_DELTA",
        "TEXT_MESSAGE_END",
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "SUBAGENT_FINISHED",
        "RUN_FINISHED",
    ]


@pytest.mark.parametrize(
    ("end", "cause"),
    [
        (lambda run: run.finish(), r"V02: .*it was ended because the agent returned, or called `finish`"),
        (lambda run: run.interrupt({"id": "i", "reason": "r"}), r"V02: .*ended by `interrupt`"),
        (lambda run: run.cancel(), r"V02: .*the agent called `cancel`"),
        (lambda run: run.fail("no"), r"V01: .*ended by `fail`"),
        (
            lambda run: run.event({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}),
            r"V02: .*by an event RUN_FINISHED",
        ),
        (lambda run: run.event({"type": "RUN_ERROR", "message": "no"}), r"V01: .*by an event RUN_ERROR"),
    ],
)
def test_what_has_ended_the_run_is_said_behind_it(end: Any, cause: str) -> None:
    def agent(run: Run) -> None:
        message = run.text_message()
        message.end()
        end(run)
        for late in (lambda: message.write("late"), lambda: run.write("late"), lambda: run.step("late")):
            with pytest.raises(AGUIError, match=cause):
                late()

    assert events(agent)[-1]["type"] in ("RUN_FINISHED", "RUN_ERROR")

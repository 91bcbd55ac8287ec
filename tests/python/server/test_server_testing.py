"""Agents run without a server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.core import CustomEvent
from ag_ui_native.server import Run
from ag_ui_native.testing import arun_agent, assert_events, run_agent, scripted_agent
from programs import output, write


async def greet(run: Run) -> str:
    async with run.text_message() as message:
        await message.write("Hello, ")
        message.write(run.messages[0].content)
    run.state["greeted"] = True
    return "done"


def greet_plainly(run: Run) -> str:
    with run.text_message() as message:
        message.write("Hello, ")
        message.write(run.messages[0].content)
    run.state["greeted"] = True
    return "done"


@pytest.mark.parametrize("agent", [greet, greet_plainly])
def test_what_an_agent_does(agent: Any) -> None:
    run = run_agent(agent, "Ada", state_flush="end")
    assert (run.text, run.result, run.outcome, run.state) == ("Hello, Ada", "done", "success", {"greeted": True})
    assert [message.role for message in run.messages] == ["user", "assistant"] and not run.warnings
    expected = [
        "RUN_STARTED",
        {"type": "TEXT_MESSAGE_START", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "delta": "Hello, "},
        {"delta": "Ada"},
        "TEXT_MESSAGE_END",
        "STATE_SNAPSHOT",
        {"type": "RUN_FINISHED", "result": "done"},
    ]
    assert_events(run, expected)
    assert_events(run.events, expected)
    for wrong in (expected[:-1], [*expected, "RAW"], [*expected[:-1], {"type": "RUN_FINISHED", "result": "gone"}]):
        with pytest.raises(AssertionError, match="the events differ from the expected ones"):
            assert_events(run, wrong)


def test_within_a_loop() -> None:
    async def main() -> tuple[Any, Any]:
        return run_agent(greet, "Ada"), await arun_agent(greet, "Ada")

    one, other = asyncio.run(main())
    assert one.text == other.text == "Hello, Ada"


def test_failures_are_results() -> None:
    failure = ValueError("no")
    run = run_agent(scripted_agent(["Hello", CustomEvent(name="c", value=1), {"type": "RAW", "event": 1}, failure]))
    assert run.error is failure and run.outcome == "error" and run.text == "Hello"
    assert [event.type for event in run.events][-3:] == ["CUSTOM", "RAW", "RUN_ERROR"]
    with pytest.raises(AGUIError):
        run_agent(greet, {"messages": 1})
    asked = run_agent(scripted_agent([lambda run: run.interrupt({"id": "i", "reason": "input"})]))
    assert asked.outcome == "interrupt" and [interrupt.id for interrupt in asked.interrupts] == ["i"]


def test_a_script_may_call(run_agent: Callable[..., Any]) -> None:
    async def wait(run: Run) -> None:
        await asyncio.sleep(0)
        run.write(run.thread_id)

    assert run_agent(scripted_agent([wait, lambda run: run.write("!")])).text == "thread!"


@pytest.mark.parametrize(("wanted", "options"), [(False, []), (True, []), (False, ["-p", "no:ag_ui_native"])])
def test_the_plugin_loads_the_package_where_its_fixture_is_used(
    tmp_path: Path, wanted: bool, options: list[str]
) -> None:
    """pytest loads the plugin in every project of the environment."""
    write(
        tmp_path,
        {
            "conftest.py": """
            import sys
            from importlib.metadata import entry_points

            def pytest_sessionfinish(session):
                config = session.config
                loaded = [name for name in sys.modules if name.split(".")[0] == "ag_ui_native"]
                print("\\nplugin", config.pluginmanager.hasplugin("ag_ui_native"), "package", bool(loaded))
            """,
            "test_any.py": f"def test_any({'run_agent' if wanted else 'tmp_path'}):\n    pass\n",
        },
    )
    printed = output([sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *options], tmp_path)
    assert f"plugin {not options} package {wanted}" in printed and "1 passed" in printed


def test_pytest_on_this_package_warns_of_nothing(tmp_path: Path) -> None:
    """The package is there before pytest is, which would have rewritten the assertions of its fixture."""
    write(
        tmp_path,
        {
            "test_agent.py": """
            import ag_ui.core

            def test_agent(run_agent):
                assert ag_ui.core.RunAgentInput.__module__.startswith("ag_ui_native")
                assert run_agent(lambda run: "done").result == "done"
            """
        },
    )
    options = ["-q", "-p", "no:cacheprovider", "-W", "error::pytest.PytestAssertRewriteWarning"]
    printed = output([sys.executable, "-m", "ag_ui_native.run", "-m", "pytest", *options, "test_agent.py"], tmp_path)
    assert "1 passed" in printed and "warning" not in printed


@pytest.mark.parametrize(
    ("written", "wanted", "same"),
    [(1, True, False), (False, 0, False), ({"on": [1]}, {"on": [True]}, False), (1, 1.0, True), ([True], [True], True)],
)
def test_a_bool_is_no_number(written: Any, wanted: Any, same: bool) -> None:
    events = [{"type": "CUSTOM", "name": "flag", "value": written}]
    with nullcontext() if same else pytest.raises(AssertionError, match="differ from the expected"):
        assert_events(events, [{"type": "CUSTOM", "value": wanted}])

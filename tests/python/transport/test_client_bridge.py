"""Blocking agents with parts that need an event loop: functions of a run here, WebSockets in their own file."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError
from ag_ui_native.client import SyncLocalAgent, Timeouts
from ag_ui_native.server import Run
from servers import PATIENCE, until

user: ContextVar[str] = ContextVar("user")


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Any:
    before = set(threading.enumerate())
    yield
    until(lambda: set(threading.enumerate()) <= before)


async def answers(run: Run) -> None:
    async with run.text_message() as message:
        for piece in ("Hel", "lo, ", user.get("nobody")):
            await message.write(piece)
            await asyncio.sleep(0)


def test_asking() -> None:
    token = user.set("Ada")
    try:
        agent = SyncLocalAgent(answers)
        assert agent.ask("Hi").text == "Hello, Ada"
        stream = agent.ask_stream("Again")
        assert "".join(stream) == "Hello, Ada" == stream.reply.text
    finally:
        user.reset(token)
    assert [message.role for message in agent.messages] == ["user", "assistant"] * 2
    assert [event.type.value for event in agent.run()][-1] == "RUN_FINISHED"


def test_tools_run_in_the_thread_that_asks() -> None:
    ran: list[threading.Thread] = []

    def look() -> str:
        ran.append(threading.current_thread())
        return "seen"

    async def calls(run: Run) -> None:
        if run.input.messages[-1].role == "tool":
            await run.write("So.")
        else:
            async with run.tool_call("look") as call:
                await call.write("{}")

    agent = SyncLocalAgent(calls, tools=[look])
    assert agent.ask("Look").text == "So." and ran == [threading.current_thread()]


def test_within_an_event_loop() -> None:
    async def work() -> str:
        return SyncLocalAgent(answers).ask("Hi").text

    assert asyncio.run(work()) == "Hello, nobody"


def test_an_agent_that_fails() -> None:
    async def fails(run: Run) -> None:
        raise ZeroDivisionError

    result = SyncLocalAgent(fails).run_agent()
    assert result.outcome == "error" and result.error is not None and result.error.code == "agent_failed"


@pytest.mark.parametrize("way", ["break", "abort", "idle", "total", "raise"])
def test_the_function_is_cancelled_when_its_client_goes(way: str) -> None:
    ended = threading.Event()

    async def endless(run: Run) -> None:
        try:
            await run.custom("tick", 1)
            await asyncio.sleep(3600)
        finally:
            ended.set()

    times = {way: 1.0} if way in ("idle", "total") else {}
    agent = SyncLocalAgent(endless, timeouts=Timeouts(**times))  # type: ignore[arg-type]
    if way == "break":
        for _ in agent.run():
            break
    elif way == "raise":
        with pytest.raises(ZeroDivisionError):
            for _ in agent.run():
                raise ZeroDivisionError
    elif way == "abort":
        outcomes: list[str] = []
        thread = threading.Thread(target=lambda: outcomes.append(agent.run_agent().outcome))
        thread.start()
        until(lambda: agent.is_running)
        agent.abort_run()
        thread.join(PATIENCE)
        assert outcomes == ["aborted"]
    else:
        with pytest.raises(AGUIConnectionError) as caught:
            agent.run_agent()
        assert caught.value.limit == f"{way}_timeout"
    if way != "abort":
        assert ended.wait(PATIENCE)
    assert not agent.is_running


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("kind", ["plain", "async", "pieces", "leaving"])
def test_what_ends_the_function_s_loop_is_raised_to_the_caller(kind: str, error: type[BaseException]) -> None:
    fails = True

    def plain(run: Run) -> None:
        run.write("Hi")
        if fails:
            raise error(3)

    async def awaits(run: Run) -> None:
        try:
            for _ in range(3 if kind == "pieces" else 1):
                await run.write("Hi")
                await asyncio.sleep(3600 if kind == "leaving" and fails else 0)
        finally:
            if fails:
                raise error(3)

    agent = SyncLocalAgent(plain if kind == "plain" else awaits)
    if kind == "leaving":
        # The function may or may not have ended when the connection is closed.
        with suppress(error), agent.run() as events:
            next(events)
    else:
        with pytest.raises(error):
            agent.run_agent()
    fails = False
    assert not agent.is_running and agent.run_agent().outcome == "success"

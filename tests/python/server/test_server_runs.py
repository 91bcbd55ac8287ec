"""The ways in which runs end, over real sockets: one table of scripts for all servers."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.server import Run, asgi_app, wsgi_app
from ag_ui_native.stream import decode_events
from conftest import fixture_cases
from servers import asgi_server, connect, read_answer, reset, until, wsgi_server

SCRIPTS = {script["name"]: script for script in fixture_cases("server_runs")}
INPUT = {"threadId": "t", "runId": "r", "messages": []}
REQUEST = {"method": "POST", "headers": {"content-type": "application/json"}, "body": json.dumps(INPUT)}
FILLING = "x" * 5_000_000
"""More than a connection buffers while its client does not read, and less than the limit of the queue."""
FINISHED = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


class Scripted:
    """An agent that follows a script, and a record of its end."""

    def __init__(self, steps: list[str]) -> None:
        self.steps = steps
        self.waits = False
        self.fate = ""
        self._write: Callable[[str], Any] | None = None
        self.parts = 0
        self._part: asyncio.Task[None] | None = None

    async def __call__(self, run: Run) -> object:
        self._write = lambda text: run.custom("flood", text)
        for step in self.steps[:-1]:
            await self.take(step, run)
        return await self.take(self.steps[-1], run)

    async def take(self, step: str, run: Run) -> object:
        match step:
            case "text":
                message = run.text_message("m")
                await message.write("Hello")
                self._write = message.write
            case "call":
                call = run.tool_call("look", id="c")
                await call.write("{")
                self._write = call.write
            case "state":
                run.state = {"at": 1}
            case "bad state":
                run.state = {"at": math.nan}
            case "big":
                self.write("x" * 2000)
            case "big custom":
                run.custom("flood", "x" * 2000)
            case "fill":
                run.custom("flood", FILLING)
                # The agent returns, and the write is not awaited.
                await asyncio.sleep(0.1)
            case "part":
                self._part = asyncio.create_task(self.part(run))
                await self.part_waits()
            case "await part":
                assert self._part is not None
                await self._part
            case "await finish":
                await run.finish("own")
            case "done":
                self.fate = step
            case "subagent fails":
                with run.subagent("helper", "s"):
                    raise ValueError("boom")
            case "subagent waits":
                with run.subagent("helper", "s"):
                    return await self.wait("wait and raise", run)
            case "flood":
                try:
                    while True:
                        self.write("x" * 1000)
                except AGUIError as error:
                    self.fate = str(error.code)
            case "raise":
                raise ValueError("boom")
            case "return":
                return "done"
            case "return NaN":
                return math.nan
            case "wait" | "wait and return" | "wait and raise" | "wait and finish" | "wait and send finished":
                return await self.wait(step, run)
            case "return nothing":
                return None
            case _:
                self.end(step, run)
        return None

    async def part(self, run: Run) -> None:
        with suppress(AGUIError):
            while True:
                self.parts += 1
                await run.custom("flood", FILLING[:50_000])

    async def part_waits(self) -> None:
        """Returns once the part waits: it has sent nothing more for a moment."""
        before = -1
        while self.parts == 0 or before != self.parts:
            before = self.parts
            await asyncio.sleep(0.1)  # Nothing more is sent in this time.

    def write(self, text: str) -> None:
        assert self._write is not None
        self._write(text)

    async def wait(self, step: str, run: Run) -> object:
        self.waits = True
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.fate = "cancelled"
            if step == "wait":
                raise
        if step == "wait and raise":
            raise ValueError("late")
        if step == "wait and finish":
            run.finish("own")
        if step == "wait and send finished":
            run.event(FINISHED)
        return None if "fin" in step else "late"

    @staticmethod
    def end(step: str, run: Run) -> None:
        match step:
            case "finish":
                run.finish("own")
            case "cancel":
                run.cancel()
            case "fail":
                run.fail("own", "mine")
            case "ask":
                run.interrupt({"id": "i", "reason": "why"})
            case "finished event":
                run.event(FINISHED)
            case "cancelled event":
                run.event({**FINISHED, "outcome": {"type": "cancelled"}})
            case "error event":
                run.event({"type": "RUN_ERROR", "message": "own"})
            case _:
                raise AssertionError(step)


class Stoppable:
    """An application whose requests are cancelled, as by servers that shut down."""

    def __init__(self) -> None:
        self.app: Any = None
        self._stop: Callable[[], object] = lambda: None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await asgi_app(lambda run: None)(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        answering = asyncio.ensure_future(self.app(scope, receive, send))
        self._stop = lambda: loop.call_soon_threadsafe(answering.cancel)
        with suppress(asyncio.CancelledError):
            await answering

    def stop(self) -> None:
        self._stop()


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Stoppable, int]]:
    switch = Stoppable()
    with asgi_server(switch) as port:
        yield switch, port


DAY = 86_400.0
"""A time limit that is up when the test says so."""


@pytest.fixture
def time_is_up(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Ends the time of the run whose limit is a day."""
    timers: list[Callable[[], object]] = []
    call_later = asyncio.BaseEventLoop.call_later

    def later(
        loop: asyncio.BaseEventLoop, delay: float, work: Callable[..., object], *given: Any, **named: Any
    ) -> asyncio.TimerHandle:
        if delay == DAY:
            timers.append(lambda: loop.call_soon_threadsafe(work, *given))
        return call_later(loop, delay, work, *given, **named)

    monkeypatch.setattr(asyncio.BaseEventLoop, "call_later", later)

    def be_up() -> None:
        timers.pop()()

    return be_up


def options_of(script: dict[str, Any]) -> dict[str, Any]:
    options = dict(script.get("options", {}))
    if "time_limit" in options:
        options["time_limit"] = DAY
    return options


def is_flood(event: dict[str, Any]) -> bool:
    return event.get("name") == "flood" or str(event.get("delta", "")).startswith("x")


def told(records: list[logging.LogRecord]) -> list[str]:
    said = [record for record in records if record.name == "ag_ui_native.server" and record.levelno >= logging.WARNING]
    return ["failure" if record.levelno == logging.ERROR else "warning" for record in said]


def carry_out(script: dict[str, Any], port: int, agent: Scripted, stop: Callable[[], None], records: Any) -> None:
    expect, how = script["expect"], script.get("stop")
    with connect(port, REQUEST) as client:
        if how is not None:
            until(lambda: agent.waits)
            reset(client) if how == "client" else stop()
        if script.get("client") == "late":
            until(lambda: agent.fate == expect["agent"])
        if how != "client":
            answer = read_answer(client)
            events = decode_events([answer.body], answer.headers["content-type"], profile="strict", as_dicts=True)
            assert [event for event in events if not is_flood(event)] == expect["wire"]
    until(lambda: agent.fate == expect.get("agent", "") and len(told(records)) >= len(expect["told"]))
    assert told(records) == expect["told"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_asgi(
    name: str,
    served: tuple[Stoppable, int],
    time_is_up: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    script, (switch, port) = SCRIPTS[name], served
    agent = Scripted(script["agent"])
    switch.app = asgi_app(agent, **options_of(script))
    stop = time_is_up if script.get("stop") == "time_limit" else switch.stop
    carry_out(script, port, agent, stop, caplog.records)


@pytest.mark.parametrize(
    "name", [name for name, script in SCRIPTS.items() if script.get("stop") in (None, "time_limit")]
)
def test_wsgi(name: str, time_is_up: Callable[[], None], caplog: pytest.LogCaptureFixture) -> None:
    script = SCRIPTS[name]
    agent = Scripted(script["agent"])
    with wsgi_server(wsgi_app(agent, **options_of(script))) as port:
        carry_out(script, port, agent, time_is_up, caplog.records)

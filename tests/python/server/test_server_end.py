"""Agents that end their run and go on: the answer is over, and the agent may take its time."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.server import Run, asgi_app, wsgi_app
from ag_ui_native.stream import decode_events
from ag_ui_native.testing import arun_agent, run_agent
from servers import PATIENCE, Answer, asgi_server, connect, eventually, read_answer, reset, until, wsgi_server

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
REQUEST = {"method": "POST", "headers": {"content-type": "application/json"}, "body": json.dumps(INPUT)}

ENDINGS: dict[str, tuple[str, Callable[[Run], Any]]] = {
    "finish": ("RUN_FINISHED", lambda run: run.finish("done")),
    "interrupt": ("RUN_FINISHED", lambda run: run.interrupt({"id": "i", "reason": "confirmation"})),
    "fail": ("RUN_ERROR", lambda run: run.fail("no")),
    "event": ("RUN_FINISHED", lambda run: run.event({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"})),
}


class Cleanup:
    """Agents that wait after the end of their run until the test lets them go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.has_ended = threading.Event()
        self.fate: list[object] = []

    def agent(self, end: Callable[[Run], Any], is_async: bool) -> Any:
        async def agent(run: Run) -> None:
            end(run)
            self.has_ended.set()
            try:
                await eventually(self.go.is_set)
            except asyncio.CancelledError:
                self.fate.append("cancelled")
                raise
            self.close(run)

        def plain(run: Run) -> None:
            end(run)
            self.has_ended.set()
            self.go.wait(PATIENCE)
            self.close(run)

        return agent if is_async else plain

    def close(self, run: Run) -> None:
        with pytest.raises(AGUIError) as raised:
            run.write("late")
        self.fate.append((raised.value.rule, run.cancelled))


def types(answer: Answer) -> list[str]:
    return [event["type"] for event in decode_events([answer.body], answer.headers["content-type"], as_dicts=True)]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("is_async", [True, False], ids=["async", "plain"])
@pytest.mark.parametrize(("make", "serve"), [(asgi_app, asgi_server), (wsgi_app, wsgi_server)], ids=["asgi", "wsgi"])
def test_the_answer_ends_with_the_run(make: Any, serve: Any, is_async: bool, ending: str) -> None:
    last, end = ENDINGS[ending]
    cleanup = Cleanup()
    with serve(make(cleanup.agent(end, is_async))) as port:
        try:
            with connect(port, REQUEST) as client:
                answer = read_answer(client)
            assert answer.status == 200 and types(answer) == ["RUN_STARTED", last]
            time.sleep(0.05)  # The agent is not cancelled meanwhile.
            assert cleanup.fate == []
        finally:
            cleanup.go.set()
        until(lambda: cleanup.fate)
    assert cleanup.fate == [("V01" if last == "RUN_ERROR" else "V02", False)]


@pytest.mark.parametrize("is_async", [True, False], ids=["async", "plain"])
@pytest.mark.parametrize(("make", "serve"), [(asgi_app, asgi_server), (wsgi_app, wsgi_server)], ids=["asgi", "wsgi"])
def test_a_client_that_goes_after_the_end_is_nothing_to_the_agent(make: Any, serve: Any, is_async: bool) -> None:
    """The client has not read the whole answer."""
    cleanup = Cleanup()

    def end(run: Run) -> None:
        message = run.text_message()
        # A plain agent waits when much waits.
        message.write("x" * (8 << 20))
        run.finish()

    with serve(make(cleanup.agent(end, is_async))) as port:
        client = connect(port, REQUEST)
        try:
            assert cleanup.has_ended.wait(PATIENCE)
            reset(client)
            time.sleep(0.1)  # Nor is it here.
            assert cleanup.fate == []
        finally:
            cleanup.go.set()
        until(lambda: cleanup.fate)
    assert cleanup.fate[0] != "cancelled"


def test_what_is_left_of_the_time_limit_is_the_agent_s() -> None:
    cleanup = Cleanup()
    agent = cleanup.agent(lambda run: run.finish("done"), is_async=True)
    run = run_agent(agent, time_limit=0.05)
    assert (run.outcome, run.result, cleanup.fate) == ("success", "done", ["cancelled"])


def test_failures_after_the_end_go_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def agent(run: Run) -> None:
        await run.finish("done")
        await asyncio.sleep(0)
        raise ValueError("late")

    run = run_agent(agent)
    assert (run.outcome, run.result) == ("success", "done")
    assert "ValueError: late" in caplog.text


@pytest.mark.parametrize("is_slow", [True, False])
def test_a_server_that_stops_cancels_what_goes_on(is_slow: bool) -> None:
    cleanup = Cleanup()
    sent: list[Any] = []
    is_held = asyncio.Event()

    async def receive() -> Any:
        return {"type": "http.request", "body": REQUEST["body"].encode()}  # type: ignore[attr-defined]

    async def send(message: Any) -> None:
        if is_slow and sent:
            is_held.set()
            await asyncio.Event().wait()
        sent.append(message)

    async def main() -> None:
        scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
        agent = cleanup.agent(lambda run: run.finish(), is_async=True)
        serving = asyncio.ensure_future(asgi_app(agent)(scope, receive, send))
        await eventually(lambda: is_held.is_set() if is_slow else sent and sent[-1].get("more_body") is False)
        assert cleanup.has_ended.is_set()
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        assert cleanup.fate == ["cancelled"]

    asyncio.run(main())


def test_an_agent_that_ends_its_run_and_returns_is_no_other() -> None:
    async def main() -> None:
        for _ in range(3):
            run = await arun_agent(lambda run: run.finish(1))
            assert (run.outcome, run.result) == ("success", 1)

    asyncio.run(main())

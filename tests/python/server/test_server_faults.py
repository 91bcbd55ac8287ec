"""Faults around a run: in agents, options and servers."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from typing import Any

import anyio
import pytest
from pydantic import BaseModel

from ag_ui_native import AGUIError
from ag_ui_native.core import RunAgentInput, UserMessage
from ag_ui_native.server import Run, asgi_app, respond, wsgi_app
from ag_ui_native.stream import decode_events
from ag_ui_native.testing import arun_agent, assert_events, run_agent
from servers import timers

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}


async def greet(run: Run) -> None:
    await run.write("Hello")


# Functions that are not agents.


async def yields(run: Run) -> AsyncIterator[str]:
    yield "a"


def test_what_is_no_agent_is_refused_where_the_server_is_made() -> None:
    def plain(run: Run) -> Any:
        yield "a"

    class Odd:
        async def __call__(self, run: Run) -> AsyncIterator[str]:
            yield "a"

    given: tuple[Any, ...] = (yields, plain, Odd(), partial(yields), None, "agent")
    for agent in given:
        for entrance in (asgi_app, wsgi_app, run_agent, lambda agent: respond(RunAgentInput(**INPUT), agent)):
            with pytest.raises(TypeError, match="agent: expected a function"):
                entrance(agent)


# Transports that fail at the wrong time.


@pytest.mark.parametrize("error", [OSError, ValueError, asyncio.CancelledError])
def test_nothing_is_left_of_a_run_whose_answer_cannot_begin(error: type[BaseException]) -> None:
    begun: list[Run] = []

    async def agent(run: Run) -> None:
        begun.append(run)

    async def receive() -> Any:
        return {"type": "http.request", "body": json.dumps(INPUT).encode()}

    async def send(message: Any) -> None:
        raise error

    async def main() -> list[Any]:
        scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
        with suppress(error):
            await asgi_app(agent, heartbeat=1000)(scope, receive, send)
        await asyncio.sleep(0)
        return timers()

    assert asyncio.run(main()) == [] and begun == []


def test_a_server_without_asyncio_is_told() -> None:
    async def never(*_: object) -> Any:
        raise AssertionError

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    with pytest.raises(RuntimeError, match="on asyncio"):
        asgi_app(greet)(scope, never, never).send(None)


def test_a_wsgi_server_that_takes_no_answer() -> None:
    async def agent(run: Run) -> None:
        await asyncio.Event().wait()

    def start_response(*_: object) -> None:
        raise ValueError("headers have been sent")

    body = json.dumps(INPUT).encode()
    environ = {"REQUEST_METHOD": "POST", "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))}
    with pytest.raises(ValueError, match="headers"):
        wsgi_app(agent)({**environ, "wsgi.input": io.BytesIO(body)}, start_response)
    for thread in threading.enumerate():
        if thread.name == "run 'r'":
            thread.join(30)
            assert not thread.is_alive()


def test_a_run_ends_though_its_agent_does_not() -> None:
    """A task that is cancelled twice waits no longer, and the agent learns that its run has ended."""
    runs: list[Run] = []
    refused: asyncio.Queue[str] = asyncio.Queue()
    waits: asyncio.Queue[int] = asyncio.Queue()
    go = asyncio.Event()

    async def agent(run: Run) -> None:
        runs.append(run)
        for times in range(3):
            waits.put_nowait(times)
            with suppress(asyncio.CancelledError):
                await go.wait()
        try:
            run.write("late")
        except AGUIError as error:
            refused.put_nowait(error.code)

    async def main() -> None:
        task = asyncio.ensure_future(arun_agent(agent))
        assert await waits.get() == 0
        task.cancel()
        assert await waits.get() == 1
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert not runs[0].is_running
        go.set()
        assert await asyncio.wait_for(refused.get(), 30) == "sequence_broken"

    asyncio.run(main())


def test_a_plain_agent_may_have_a_loop_of_its_own() -> None:
    """The server's transport belongs to its own loop: no other thread may send."""
    senders: set[int] = set()

    def agent(run: Run) -> None:
        async def work() -> None:
            async with run.text_message() as message:
                for _ in range(200):
                    await message.write("a kilobyte " * 93)

        asyncio.run(work())

    async def receive() -> Any:
        if senders:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": json.dumps(INPUT).encode()}

    async def send(message: Any) -> None:
        senders.add(threading.get_ident())
        await asyncio.sleep(0)

    async def main() -> None:
        scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
        await asgi_app(agent)(scope, receive, send)
        assert senders == {threading.get_ident()}

    asyncio.run(main())


# Models where values are taken.


class Plan(BaseModel):
    title: str
    steps: list[str] = []


def test_activities_take_models() -> None:
    text = "a long title, so that patches are shorter " * 3

    async def agent(run: Run) -> None:
        activity = run.activity("plan", {"plan": Plan(title=text)})
        activity.update({"plan": Plan(title=text, steps=["look"])})
        activity.update({"plan": Plan(title=text, steps=["look"])})

    run = run_agent(agent)
    assert_events(
        run,
        [
            "RUN_STARTED",
            {"type": "ACTIVITY_SNAPSHOT", "content": {"plan": {"title": text, "steps": []}}},
            {"type": "ACTIVITY_DELTA", "patch": [{"op": "add", "path": "/plan/steps/0", "value": "look"}]},
            "RUN_FINISHED",
        ],
    )


def test_inputs_and_expectations_take_models() -> None:
    async def agent(run: Run) -> None:
        await run.custom("plan", Plan(title=run.messages[0].content))

    run = run_agent(agent, {"messages": [UserMessage(id="u", content="Leap!")], "state": Plan(title="Look")})
    assert run.state == {"title": "Look", "steps": []}
    assert_events(run, ["RUN_STARTED", {"type": "CUSTOM", "value": Plan(title="Leap!")}, "RUN_FINISHED"])


# Layers between a run and its server.


def within_timeout(send: Any) -> Any:
    async def timed(message: Any) -> None:
        async with asyncio.timeout(60):
            await send(message)

    return timed


def within_scope(send: Any) -> Any:
    async def scoped(message: Any) -> None:
        with anyio.move_on_after(60):
            await send(message)

    return scoped


variable: ContextVar[int] = ContextVar("variable")


def within_context(send: Any) -> Any:
    async def traced(message: Any) -> None:
        token = variable.set(1)
        try:
            await send(message)
        finally:
            variable.reset(token)

    return traced


def answered(agent: Any, middleware: Any, waits: Any) -> list[str]:
    pieces: list[bytes] = []
    requests = [{"type": "http.request", "body": json.dumps(INPUT).encode()}]

    async def receive() -> Any:
        return requests.pop() if requests else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        assert asyncio.current_task() is not None
        await waits(len(pieces))
        pieces.append(message.get("body", b""))

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    asyncio.run(asyncio.wait_for(asgi_app(agent)(scope, receive, middleware(send)), 30))
    return [event["type"] for event in decode_events(pieces, "text/event-stream", as_dicts=True)]


async def awaits(run: Run) -> None:
    for _ in range(5):
        await run.write("Hello")


async def goes_on(run: Run) -> None:
    for _ in range(5):
        run.write("Hello")
        await asyncio.sleep(0)


@pytest.mark.parametrize("agent", [awaits, goes_on])
@pytest.mark.parametrize("middleware", [within_timeout, within_scope, within_context])
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_a_sending_is_one_task_s(agent: Any, middleware: Any, turns: int) -> None:
    async def waits(_: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)

    assert answered(agent, middleware, waits)[-2:] == ["TEXT_MESSAGE_END", "RUN_FINISHED"]


@pytest.mark.parametrize("agent", [awaits, goes_on])
def test_a_timeout_of_a_sending_is_not_the_agent_s(agent: Any) -> None:
    """It ends the sending: after a hole nothing more is sent, and nothing hangs."""

    def hurried(send: Any) -> Any:
        async def timed(message: Any) -> None:
            async with asyncio.timeout(0.01):
                await send(message)

        return timed

    async def waits(count: int) -> None:
        if count == 2:
            await asyncio.Event().wait()

    assert answered(agent, hurried, waits) == ["RUN_STARTED"]


def test_texts_that_are_no_unicode_are_refused_by_name() -> None:
    def agent(run: Run) -> None:
        outer = run.subagent("s")
        for call in (
            lambda: run.fail("m", code="\ud800"),
            lambda: run.fail("\ud800"),
            lambda: outer.fail("m", code="\ud800"),
            lambda: run.reasoning("\ud800"),
            lambda: run.text_message("\ud800"),
            lambda: run.subagent("s", id="\ud800"),
        ):
            with pytest.raises(AGUIError) as raised:
                call()
            assert raised.value.code == "lone_surrogate"

    assert run_agent(agent).outcome == "success"

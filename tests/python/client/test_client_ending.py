"""A run of the client ends in time even if the tasks that it waits for do not."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from ag_ui_native import AGUIConnectionError, AGUIError
from ag_ui_native.client import (
    Agent,
    AgentStateMutation,
    AgentSubscriber,
    FrontendTool,
    HttpAgent,
    SyncAgent,
    Timeouts,
)
from ag_ui_native.client.scope import cancel_scope, tasks
from ag_ui_native.core import ToolMessage
from client_scripts import Script, calls, later, run_of, says
from servers import PATIENCE, eventually, timers


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cancel_scope.CancelScope._remaining_grace
    monkeypatch.setattr(tasks, "CALLBACK_GRACE", 0.15)
    monkeypatch.setattr(cancel_scope.CancelScope, "_remaining_grace", lambda self: max(whole(self) - 0.85, 0.0))


Does = Callable[[], Awaitable[None]]


class Hears(AgentSubscriber[Any]):
    """A subscriber that calls a function in one of its callbacks."""

    def __init__(self, where: str, does: Does) -> None:
        async def callback(params: Any) -> None:
            await does()

        setattr(self, where, callback)


def transport_that(does: Does, where: str) -> Callable[[Any], Any]:
    async def function(request: Any) -> Any:
        await does()
        return run_of()

    async def items(request: Any) -> AsyncIterator[bytes]:
        yield run_of()[0]
        await does()
        yield run_of()[1]

    return function if where == "transport" else items


def middleware_that(does: Does, where: str) -> Any:
    async def middleware(input: Any, next: Any) -> AsyncIterator[Any]:
        if where == "before":
            await does()
        async for event in next(input):
            yield event
        if where == "behind":
            await does()

    return middleware


PLACES = [
    "transport",
    "pieces",
    "tool",
    "headers",
    "middleware before",
    "middleware behind",
    "on_run_initialized",
    "on_event",
    "on_text_message_end_event",
    "on_new_message",
    "on_messages_changed",
]


def agent_that(does: Does, where: str, **options: Any) -> Agent[Any]:
    """An agent that does something at some place of a run."""
    said = later(run_of(*says("Hi")))
    if where == "headers":

        async def headers() -> dict[str, str]:
            await does()
            return {}

        return HttpAgent("http://127.0.0.1:1/", headers=headers, **options)
    if where == "tool":

        async def act() -> None:
            await does()

        return Agent(Script(later(run_of(*calls("act", "{}"))), said), tools=[act], **options)
    if where in ("transport", "pieces"):
        return Agent(transport_that(does, where), **options)
    if where.startswith("middleware"):
        return Agent(lambda request: said, middleware=[middleware_that(does, where.split()[1])], **options)
    return Agent(lambda request: said, subscribers=[Hears(where, does)], **options)


@pytest.mark.parametrize("clings", [False, True], ids=["", "clings"])
@pytest.mark.parametrize("way", ["total", "abort", "cancel", "leave"])
@pytest.mark.parametrize("where", PLACES)
def test_a_run_ends_whatever_it_waits_for(where: str, way: str, clings: bool) -> None:
    async def sleeps() -> None:
        reached.set()
        try:
            await asyncio.sleep(3600)
        finally:
            if clings:
                await asyncio.sleep(3600)

    async def work() -> None:
        agent = agent_that(sleeps, where, timeouts=Timeouts(total=0.6) if way == "total" else Timeouts())
        stream = agent.run()

        async def read() -> None:
            async for _ in stream:
                pass

        task = asyncio.create_task(read())
        await asyncio.wait_for(reached.wait(), PATIENCE)
        if way == "abort":
            agent.abort_run()
        elif way == "cancel":
            task.cancel()
        elif way == "leave":
            await stream.aclose()
        done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        assert done and not agent.is_running
        if way == "cancel":
            assert task.cancelled()
        elif where == "middleware behind":
            # The run itself has ended.
            assert (task.exception(), stream.result.outcome) == (None, "success")
            return
        elif way == "total":
            error = task.exception()
            assert isinstance(error, AGUIConnectionError)
            assert (error.code, error.limit) == ("timed_out", "total_timeout")
            assert error.run is not None and error.run.outcome == "failed"
        else:
            assert task.exception() is None
        if way != "total":
            assert stream.result.outcome == ("success" if where == "middleware behind" else "aborted")

    reached = asyncio.Event()
    asyncio.run(work())


@pytest.mark.parametrize("where", ["on_run_failed", "on_run_finalized"])
def test_the_end_does_not_wait_for_ever_for_subscribers(where: str) -> None:
    heard: list[str] = []

    async def sleeps() -> None:
        heard.append("began")
        await asyncio.sleep(3600)

    async def note() -> None:
        heard.append("noted")

    async def work() -> None:
        agent = Agent(
            lambda request: run_of(*says("Hel"))[:3],
            subscribers=[Hears(where, sleeps), Hears("on_run_finalized", note)],
        )
        with pytest.raises(AGUIError) as caught:
            await asyncio.wait_for(agent.run_agent(), PATIENCE)
        assert (caught.value.code, heard, agent.is_running) == ("stream_truncated", ["began", "noted"], False)

    asyncio.run(work())


def test_what_is_left_behind_goes_on_and_its_failure_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def pieces(request: Any) -> AsyncIterator[bytes]:
        try:
            yield run_of()[0]
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(1.0)
            raise ZeroDivisionError

    async def work() -> None:
        agent = Agent(pieces, thread_id="t")
        async with agent.run() as events:
            await anext(events)
        assert events.result.outcome == "aborted" and caplog.messages == []
        await eventually(lambda: caplog.messages)

    caplog.set_level(logging.WARNING)
    asyncio.run(work())
    assert caplog.messages == ["a task that outlived its run failed"]


@pytest.mark.parametrize("suspends", [False, True])
@pytest.mark.parametrize("where", PLACES)
def test_a_run_may_abort_itself_and_nothing_else(where: str, suspends: bool) -> None:
    async def aborts() -> None:
        agent.abort_run()
        if suspends:
            await asyncio.sleep(3600)

    async def work() -> None:
        nonlocal agent
        agent = agent_that(aborts, where)
        result = await agent.run_agent()
        task = asyncio.current_task()
        assert task is not None
        for _ in range(5):
            await asyncio.sleep(0)
        outcome = "success" if where == "middleware behind" else "aborted"
        assert (result.outcome, task.cancelling(), agent.is_running) == (outcome, 0, False)

    agent: Agent[Any]
    asyncio.run(work())


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize(
    "where", ["tool", "transport", "piece", "on_event", "on_run_finished_event", "on_run_finalized"]
)
def test_plain_functions_may_abort_too(where: str, face: str) -> None:
    def aborts(*params: Any) -> None:
        agent.abort_run()

    def pieces() -> Any:
        yield run_of()[0]
        if where == "piece":
            aborts()
        yield b"".join(run_of(*says("Hi"))[1:])

    def transport(request: Any) -> Any:
        if where == "transport":
            aborts()
        return run_of(*calls("aborts", "{}")) if where == "tool" else pieces()

    async def work() -> None:
        nonlocal agent
        agent = Agent(transport, **options)
        result = await agent.run_agent()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        check(result.outcome)

    def check(outcome: str) -> None:
        # A run that has come to its end has done so.
        assert outcome == ("success" if where in ("on_run_finished_event", "on_run_finalized") else "aborted")
        assert not agent.is_running

    subscriber = AgentSubscriber[Any]()
    if where.startswith("on_"):
        setattr(subscriber, where, aborts)
    options: dict[str, Any] = {
        "tools": [FrontendTool(lambda: aborts(), name="aborts")] if where == "tool" else [],
        "subscribers": [subscriber],
    }
    agent: Any
    if face == "async":
        asyncio.run(work())
    else:
        agent = SyncAgent(transport, **options)
        check(agent.run_agent().outcome)


@pytest.mark.parametrize("where", PLACES)
def test_what_is_cancelled_elsewhere_does_not_cancel_the_application(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def awaits() -> None:
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    async def work() -> None:
        agent = agent_that(awaits, where)
        if where == "tool" or (where.startswith("on_") and where not in ("on_new_message", "on_messages_changed")):
            assert (await agent.run_agent()).outcome == "success"
        else:
            with pytest.raises(RuntimeError, match="cancelled"):
                await agent.run_agent()
        if where == "tool":
            [answer] = [message for message in agent.messages if isinstance(message, ToolMessage)]
            assert answer.error is not None and "cancelled" in answer.error
        elif where == "on_event":
            assert "a subscriber failed at on_event" in caplog.messages
        assert not agent.is_running

    asyncio.run(work())


class SlowToClose(httpx.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield run_of()[0]
        await asyncio.sleep(3600)

    async def aclose(self) -> None:
        await asyncio.sleep(3600)


@pytest.mark.parametrize("way", ["abort", "leave", "total"])
def test_a_client_that_does_not_close_is_left_behind(way: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=SlowToClose())

    async def work() -> None:
        client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        agent = HttpAgent("http://x/", client=client, timeouts=Timeouts(total=1.0 if way == "total" else None))
        try:
            async with asyncio.timeout(PATIENCE), agent.run() as events:
                async for _ in events:
                    if way == "leave":
                        break
                    if way == "abort":
                        agent.abort_run()
        except AGUIConnectionError as error:
            assert (way, error.limit) == ("total", "total_timeout")
        assert not agent.is_running

    asyncio.run(work())


@pytest.mark.parametrize("way", ["abort", "total", "leave", "cancel"])
def test_middleware_is_ended_once_and_in_order(way: str, caplog: pytest.LogCaptureFixture) -> None:
    async def pieces(request: Any) -> AsyncIterator[bytes]:
        try:
            yield run_of()[0]
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(0)
            ended.append("transport")

    async def middleware(input: Any, next: Any) -> AsyncIterator[Any]:
        try:
            async for event in next(input):
                yield event
        finally:
            for _ in range(3):
                await asyncio.sleep(0)
            ended.append("middleware")

    async def work() -> None:
        times = Timeouts(total=1.0 if way == "total" else None)
        agent = Agent(pieces, thread_id="t", middleware=[middleware], timeouts=times)
        stream = agent.run()
        await anext(stream)
        if way == "leave":
            await stream.aclose()
        else:
            reader = asyncio.create_task(anext(stream, None))
            for _ in range(5):
                await asyncio.sleep(0)
            if way == "abort":
                agent.abort_run()
            elif way == "cancel":
                reader.cancel()
            await asyncio.wait({reader}, timeout=PATIENCE)
            assert reader.done()
            assert (reader.cancelled(), reader.cancelled() or reader.exception() is not None) == (
                way == "cancel",
                way in ("cancel", "total"),
            )
        assert ended == ["middleware", "transport"] and not agent.is_running
        assert timers() == []

    ended: list[str] = []
    asyncio.run(work())
    gc.collect()
    assert caplog.messages == []


def test_an_abort_does_not_end_the_ending() -> None:
    heard: list[str] = []

    async def note() -> None:
        await asyncio.sleep(0.01)
        heard.append("finalized")

    async def work() -> None:
        nonlocal agent
        subscribers = [AgentSubscriber[Any](), Hears("on_run_finalized", note)]
        vars(subscribers[0])["on_event"] = lambda params: agent.abort_run()
        agent = Agent(lambda request: run_of(), subscribers=subscribers)
        assert ((await agent.run_agent()).outcome, heard) == ("aborted", ["finalized"])

    agent: Agent[Any]
    asyncio.run(work())


def test_a_stream_has_one_reader() -> None:
    async def pieces(request: Any) -> AsyncIterator[bytes]:
        yield run_of()[0]
        await asyncio.sleep(3600)

    async def work() -> None:
        stream = Agent(pieces).run()
        await anext(stream)
        first = asyncio.create_task(anext(stream, None))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="reads this run already"):
            await anext(stream)
        await stream.aclose()
        assert await asyncio.wait_for(first, PATIENCE) is None
        assert stream.result.outcome == "aborted"

    asyncio.run(work())


@pytest.mark.parametrize("face", ["async", "sync"])
def test_a_run_is_over_once(face: str) -> None:
    told: list[str] = []

    class Changes(AgentSubscriber[Any]):
        def on_run_finalized(self, params: Any) -> AgentStateMutation:
            told.append("finalized")
            return AgentStateMutation(state={"n": 1})

        def on_run_failed(self, params: Any) -> None:
            told.append("failed")

        def on_state_changed(self, params: Any) -> None:
            raise ZeroDivisionError

    options: dict[str, Any] = {"subscribers": [Changes()]}
    agent: Any = (
        Agent(lambda request: run_of(), **options) if face == "async" else SyncAgent(Script(run_of()), **options)
    )
    stream = agent.stream()
    with pytest.raises(ZeroDivisionError):
        if face == "async":

            async def read() -> None:
                async for _ in stream:
                    pass

            asyncio.run(read())
        else:
            list(stream)
    assert (told, stream.result.outcome, len(stream.result.runs)) == (["finalized"], "failed", 1)

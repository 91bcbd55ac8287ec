"""Aborts at bad moments, what happens behind the end of a run, and subscribers that fail there."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from ag_ui_native import AGUIStreamError
from ag_ui_native.client import (
    Agent,
    AgentStateMutation,
    AgentSubscriber,
    RunRequest,
    SyncAgent,
    SyncHttpAgent,
    SyncLocalAgent,
    Timeouts,
)
from ag_ui_native.client.scope.cancel_scope import Aborted, complete
from ag_ui_native.client.scope.cancel_scope_async import AsyncCancelScope
from ag_ui_native.client.scope.cancel_scope_blocking import BlockingCancelScope
from ag_ui_native.client.stream import RunStream
from ag_ui_native.client.transport.bridge import BridgeTransport
from ag_ui_native.server import Run, asgi_app
from client_scripts import Script, calls, later, run_of, says
from servers import PATIENCE, asgi_server, eventually


def hears(**callbacks: Any) -> AgentSubscriber[Any]:
    """A subscriber with these callbacks."""
    subscriber = AgentSubscriber[Any]()
    vars(subscriber).update(callbacks)
    return subscriber


def abort_of(agent: list[Any]) -> Any:
    return lambda params: agent[0].abort_run()


@pytest.mark.parametrize("face", ["async", "sync", "in a thread"])
def test_an_abort_before_the_request_is_honoured(face: str) -> None:
    asked: list[str] = []

    def transport(request: Any) -> list[bytes]:
        asked.append(request.run_id)
        return run_of()

    async def function(run: Run) -> None:
        asked.append(run.run_id)

    made: list[Any] = []
    subscribers = [hears(on_run_initialized=abort_of(made))]
    if face == "in a thread":
        made.append(SyncLocalAgent(function, subscribers=subscribers))
    else:
        made.append((Agent if face == "async" else SyncAgent)(transport, subscribers=subscribers))
    [agent] = made

    async def work() -> Any:
        return await agent.run_agent()

    result = asyncio.run(work()) if face == "async" else agent.run_agent()
    assert (result.outcome, asked, agent.is_running) == ("aborted", [], False)


def test_an_abort_behind_the_end_leaves_the_next_run_its_connection() -> None:
    may_end = threading.Event()

    async def waits(run: Run) -> None:
        await run.custom("tick", 1)
        if run.input.forwarded_props == "wait":
            await eventually(may_end.is_set)
        await run.custom("tick", 2)

    def next_run(params: Any) -> None:
        # It has the connection that this one has given back.
        streams.append(other.run(forwarded_props="wait"))
        next(streams[0])
        agent.abort_run()
        may_end.set()

    with asgi_server(asgi_app(waits)) as port, httpx.Client() as client:
        agent, other = (SyncHttpAgent(f"http://127.0.0.1:{port}/", client=client) for _ in range(2))
        streams: list[Any] = []
        agent.subscribe(hears(on_run_finalized=next_run))
        assert agent.run_agent().outcome == "success"
        assert [event.type.value for event in streams[0]][-1] == "RUN_FINISHED"


@pytest.mark.parametrize("way", ["abort", "total"])
def test_middleware_that_waits_behind_the_end_does_not_fail_the_run(way: str) -> None:
    async def pieces(request: Any) -> AsyncIterator[bytes]:
        for piece in run_of(*says("Hi")):
            yield piece
        reached.set()
        await asyncio.sleep(3600)

    async def passes(input: Any, next: Any) -> AsyncIterator[Any]:
        async for event in next(input):
            yield event

    async def work() -> None:
        times = Timeouts(total=1.0 if way == "total" else None)
        agent = Agent(pieces, middleware=[passes], timeouts=times)
        task = asyncio.create_task(agent.run_agent())
        await asyncio.wait_for(reached.wait(), PATIENCE)
        if way == "abort":
            agent.abort_run()
        result = await asyncio.wait_for(task, PATIENCE)
        assert (result.outcome, result.text) == ("success", "Hi")

    reached = asyncio.Event()
    asyncio.run(work())


def test_middleware_that_collects_does_not_wait_for_ever() -> None:
    until, left = time.monotonic() + PATIENCE, list[str]()

    def beats(request: Any) -> Iterator[bytes]:
        yield from run_of(*says("Hi"))
        while time.monotonic() < until:
            time.sleep(0.005)
            yield b":\n\n"
        left.append("it was read to its end")

    def collects(input: Any, next: Any) -> Iterator[Any]:
        yield from list(next(input))

    agent = SyncAgent(beats, middleware=[collects], timeouts=Timeouts(idle=0.2))
    assert (agent.run_agent().text, left) == ("Hi", [])


@pytest.mark.parametrize("tools", [False, True], ids=["", "tools wait"])
def test_an_abort_while_the_end_is_told(tools: bool) -> None:
    told: list[str] = []
    ran: list[str] = []
    made: list[Agent[Any]] = []

    async def sleeps(params: Any) -> None:
        told.append("first")
        made[0].abort_run()
        await asyncio.sleep(3600)

    async def act() -> None:
        ran.append("act")

    async def work() -> None:
        subscribers = [hears(on_run_finalized=sleeps), hears(on_run_finalized=lambda params: told.append("second"))]
        agent = Agent(Script(later(run_of(*calls("act", "{}")))), subscribers=subscribers, tools=[act] if tools else [])
        made.append(agent)
        result = await asyncio.wait_for(agent.run_agent(), PATIENCE)
        assert (result.outcome, told, ran) == ("aborted" if tools else "success", ["first", "second"], [])

    asyncio.run(work())


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("where", ["on_run_failed", "on_run_finalized"])
def test_the_error_of_a_run_is_its_own(where: str, face: str) -> None:
    told: list[str] = []

    def raises(params: Any) -> None:
        raise ZeroDivisionError

    changes = hears(on_state_changed=raises)
    vars(changes)[where] = lambda params: AgentStateMutation(state={"n": 1})
    subscribers = [changes, hears(on_run_finalized=lambda params: told.append("finalized"))]
    made: Any = Agent if face == "async" else SyncAgent
    agent = made(lambda request: run_of()[:1], subscribers=subscribers)

    async def work() -> Any:
        return await agent.run_agent()

    with pytest.raises(AGUIStreamError) as caught:
        asyncio.run(work()) if face == "async" else agent.run_agent()
    assert caught.value.run is not None and caught.value.run.outcome == "failed"
    assert (told, agent.state) == (["finalized"], {"n": 1})


def test_a_second_cancellation_leaves_a_result_and_nothing_open() -> None:
    ended: list[str] = []

    async def pieces(request: Any) -> AsyncIterator[bytes]:
        try:
            yield run_of()[0]
            reading.set()
            await asyncio.sleep(3600)
        finally:
            ended.append("transport")

    async def clings(input: Any, next: Any) -> AsyncIterator[Any]:
        try:
            async for event in next(input):
                yield event
        finally:
            closing.set()
            await asyncio.sleep(3600)

    async def work() -> None:
        stream = Agent(pieces, middleware=[clings]).run()
        await anext(stream)
        task = asyncio.create_task(anext(stream, None))
        await asyncio.wait_for(reading.wait(), PATIENCE)
        task.cancel()
        await asyncio.wait_for(closing.wait(), PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (stream.result.outcome, ended) == ("aborted", ["transport"])

    reading, closing = asyncio.Event(), asyncio.Event()
    asyncio.run(work())


class ClosesMeanwhile:
    """An event loop that another thread closes just now."""

    def is_closed(self) -> bool:
        return False

    def call_soon_threadsafe(self, *arguments: Any) -> None:
        raise RuntimeError("Event loop is closed")


def test_a_loop_may_be_closed_meanwhile() -> None:
    async def work() -> AsyncCancelScope:
        return AsyncCancelScope(None)

    closed: Any = ClosesMeanwhile()
    waiting = asyncio.run(work())
    waiting._loop = closed
    waiting.abort()
    assert waiting.aborted
    stream: RunStream[Any] = Agent(lambda request: run_of()).run()
    iterator = aiter(stream)
    iterator._hold.event_loop, iterator._run._scope = closed, waiting
    del iterator
    assert stream._run.is_over


def test_a_thread_without_a_loop_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise OSError("too many open files")

    def ask() -> None:
        try:
            agent.run_agent()
        except OSError as error:
            raised.append(error)

    async def function(run: Run) -> None:
        """It never runs."""

    agent, raised = SyncLocalAgent(function), list[OSError]()
    monkeypatch.setattr("asyncio.events.new_event_loop", fails)
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PATIENCE / 3)
    assert len(raised) == 1 and not agent.is_running


def test_messages_of_errors_name_types_only(caplog: pytest.LogCaptureFixture) -> None:
    async def later(secret: str) -> None:
        """Returns a value that only a coroutine can wait for."""

    def look(secret: str) -> object:
        """It is async, and does not look so where it is declared."""
        return later(secret)

    script = Script(run_of(*calls("look", '{"secret": "s3cret"}')), run_of(*says("So.")))
    agent = SyncAgent(script, tools=[look], subscribers=[hears(on_run_initialized=lambda params: ["s3cret"])])
    agent.run_agent()
    records = [record for record in caplog.records if record.name == "ag_ui_native.client"]
    assert len(records) == 3
    assert "s3cret" not in "".join(str(record.exc_info) for record in records)
    assert "is async" in str(script.asked[1]["messages"]) and "s3cret" not in script.asked[1]["messages"][-1]["error"]


def test_a_thread_is_not_asked_for_what_was_aborted_before() -> None:
    class Asked:
        async def open(self, request: Any, waiting: Any) -> Any:
            asked.append(request)

    asked: list[Any] = []
    waiting = BlockingCancelScope(None)
    waiting.abort()
    with pytest.raises(Aborted):
        complete(BridgeTransport(Asked()).open(RunRequest("{}", "t", "r"), waiting))
    assert asked == []

"""Objects that an application gives to an agent of the client, and the tasks of a run: they are separate from the run."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ag_ui_native.client import Agent, AgentSubscriber
from client_scripts import run_of, says
from servers import PATIENCE, eventually


def test_what_is_open_around_pieces_and_events_stays_open() -> None:
    """Timeouts and groups of tasks belong to the task that has opened them."""

    async def pieces(request: Any) -> AsyncIterator[bytes]:
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(asyncio.sleep(0))
            for piece in run_of(*says("Hi")):
                await asyncio.sleep(0)
                yield piece

    async def middleware(input: Any, next: Any) -> AsyncIterator[Any]:
        async with asyncio.timeout(PATIENCE):
            async for event in next(input):
                yield event

    async def slow(input: Any, next: Any) -> AsyncIterator[Any]:
        async with asyncio.timeout(0.05):
            async for event in next(input):
                yield event
                await asyncio.sleep(3600)

    async def work() -> None:
        assert (await Agent(pieces, middleware=[middleware]).run_agent()).text == "Hi"
        with pytest.raises(TimeoutError):
            await Agent(pieces, middleware=[slow]).run_agent()

    asyncio.run(work())


class Raises:
    """An async iterable that is not a generator."""

    def __init__(self, how: str) -> None:
        self._how = how

    def __aiter__(self) -> Raises:
        return self

    def aclose(self) -> None:
        raise LookupError

    def __anext__(self) -> Any:
        if self._how == "future":
            future = asyncio.get_running_loop().create_future()
            future.set_exception(ZeroDivisionError())
            return future
        raise StopIteration if self._how == "stop" else ZeroDivisionError


@pytest.mark.parametrize("how", ["at once", "future", "stop"])
def test_async_iterables_may_raise_anywhere(how: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RuntimeError if how == "stop" else ZeroDivisionError):
        asyncio.run(asyncio.wait_for(Agent(lambda request: Raises(how)).run_agent(), PATIENCE))  # type: ignore[arg-type]
    gc.collect()
    assert caplog.messages == ["a task that outlived its run failed"]


def test_what_is_not_begun_is_not_left_open(recwarn: pytest.WarningsRecorder) -> None:
    async def hears(params: Any) -> None:
        raise AssertionError

    async def work() -> None:
        first, second = AgentSubscriber[Any](), AgentSubscriber[Any]()
        vars(first)["on_event"] = lambda params: agent.abort_run()
        vars(second)["on_event"] = hears
        agent = Agent(lambda request: run_of(), subscribers=[first, second])
        assert (await agent.run_agent()).outcome == "aborted"

    asyncio.run(work())
    gc.collect()
    assert [str(warning.message) for warning in recwarn] == []


def test_a_callback_that_is_left_goes_on_by_itself(caplog: pytest.LogCaptureFixture) -> None:
    """The callback ignores its cancellation, and then waits for a future that only itself refers to."""
    known: list[weakref.ref[asyncio.Future[None]]] = []

    class Clings(AgentSubscriber[Any]):
        async def on_event(self, params: Any) -> None:  # type: ignore[override]  # A callback may be a coroutine.
            params.agent.abort_run()
            try:
                await asyncio.sleep(PATIENCE)
            except asyncio.CancelledError:
                future = asyncio.get_running_loop().create_future()
                known.append(weakref.ref(future))
                await future
                raise LookupError from None

    async def work() -> None:
        agent = Agent(lambda request: run_of(), subscribers=[Clings()])
        assert (await agent.run_agent()).outcome == "aborted"
        gc.collect()
        future = known[0]()
        assert future is not None
        future.set_result(None)
        await eventually(lambda: "a task that outlived its run failed" in caplog.messages)

    asyncio.run(asyncio.wait_for(work(), PATIENCE))

"""Agents over WebSockets whose headers lie or call back, that are aborted at any place and from any thread, against servers that do anything."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve

from ag_ui_native import AGUIError
from ag_ui_native.client import Retry, SyncWebSocketAgent, Timeouts, WebSocketAgent
from servers import PATIENCE, eventually

START = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
END = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


@contextlib.asynccontextmanager
async def server(answer: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[str]:
    made: Server
    async with serve(answer, "127.0.0.1", 0, close_timeout=0.1) as made:
        yield f"ws://127.0.0.1:{next(iter(made.sockets)).getsockname()[1]}/"


async def answers(connection: ServerConnection) -> None:
    await connection.recv()
    for event in (START, END):
        await connection.send(json.dumps(event))


class Text(str):
    """A string that equals nothing, and has no hash."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        raise RuntimeError("hash")

    def __len__(self) -> int:
        raise RuntimeError("len")

    def lower(self) -> str:
        raise RuntimeError("lower")


class Mapped(dict[Any, Any]):
    """A dictionary that raises when it is read."""

    def items(self) -> Any:
        raise RuntimeError("items")

    def __iter__(self) -> Any:
        raise RuntimeError("iter")


HEADERS: dict[str, Any] = {
    "a name that is no text": {5: "x"},
    "a value that is no text": {"x": 5},
    "a text of its own": {"x": Text("v")},
    "a dictionary of its own": Mapped(x="v"),
    "two lines": {"x": "a\r\nb: c"},
    "half of a pair": {"x": "\ud800"},
    "a name that is none": {"": "x"},
    "nothing": None,
    "a list": [("x", "y")],
    "a header of the handshake": {"Sec-WebSocket-Key": "x", "Upgrade": "y"},
}


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize("retry", [None, Retry(attempts=3, first=0.01)], ids=["once", "again"])
def test_headers_that_lie_end_the_run(name: str, retry: Retry | None) -> None:
    async def work() -> None:
        async with server(answers) as url:
            agent = WebSocketAgent(url, headers=lambda: HEADERS[name], thread_id="t", retry=retry)
            # It may succeed or fail, but it ends.
            with contextlib.suppress(AGUIError, RuntimeError, TypeError, ValueError):
                await agent.run_agent(run_id="r")
            assert not agent.is_running
            agent.headers = {}
            assert (await agent.run_agent(run_id="r")).outcome == "success"

    asyncio.run(asyncio.wait_for(work(), PATIENCE))


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit, asyncio.CancelledError, GeneratorExit])
def test_headers_that_raise(error: type[BaseException]) -> None:
    def raises() -> Any:
        raise error("mine")

    async def work() -> None:
        async with server(answers) as url:
            agent = WebSocketAgent(url, headers=raises, thread_id="t")
            with pytest.raises((error, RuntimeError)):
                await agent.run_agent(run_id="r")
            assert not agent.is_running
            agent.headers = {}
            assert (await agent.run_agent(run_id="r")).outcome == "success"

    asyncio.run(asyncio.wait_for(work(), PATIENCE))


def test_headers_that_call_back() -> None:
    async def work() -> None:
        codes: list[str | None] = []

        async def asks() -> dict[str, str]:
            for again in (agent.run_agent, lambda: agent.ask("Hi")):
                with pytest.raises(AGUIError) as refused:
                    await again()
                codes.append(refused.value.code)
            agent.headers = {"x": "later"}
            return {"x": "now"}

        async with server(answers) as url:
            agent = WebSocketAgent(url, headers=asks, thread_id="t")
            assert (await agent.run_agent(run_id="r")).outcome == "success"
            assert codes == ["agent_busy", "agent_busy"]

    asyncio.run(asyncio.wait_for(work(), PATIENCE))


async def says_nothing(connection: ServerConnection) -> None:
    await connection.recv()
    await connection.wait_closed()


async def says_half(connection: ServerConnection) -> None:
    await connection.recv()
    await connection.send(json.dumps(START))
    await connection.wait_closed()


async def reads_nothing(connection: ServerConnection) -> None:
    await connection.wait_closed()


PLACES = {"before the first message": says_nothing, "behind it": says_half, "without reading": reads_nothing}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("times", [1, 3])
def test_a_task_that_is_cancelled_once_or_more_leaves_no_connection(place: str, times: int) -> None:
    async def work() -> None:
        connections: list[ServerConnection] = []

        async def answer(connection: ServerConnection) -> None:
            connections.append(connection)
            await PLACES[place](connection)

        async with server(answer) as url:
            agent = WebSocketAgent(url, thread_id="t")
            running = asyncio.create_task(agent.run_agent(run_id="r"))
            await eventually(lambda: connections)
            await asyncio.sleep(0.02)  # Nothing shows that the run has come to its place.
            for _ in range(times):
                running.cancel()
                await asyncio.sleep(0)
            with pytest.raises(asyncio.CancelledError):
                await running
            await connections[0].wait_closed()
            assert not agent.is_running

    asyncio.run(asyncio.wait_for(work(), PATIENCE))


@pytest.mark.parametrize("place", PLACES)
def test_many_threads_abort_one_run(place: str) -> None:
    async def work() -> None:
        begun = asyncio.Event()

        async def answer(connection: ServerConnection) -> None:
            begun.set()
            await PLACES[place](connection)

        async with server(answer) as url:
            agent = SyncWebSocketAgent(url, thread_id="t")
            running = asyncio.create_task(asyncio.to_thread(agent.run_agent, run_id="r"))
            await begun.wait()
            threads = [threading.Thread(target=agent.abort_run) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                await asyncio.to_thread(thread.join)
            assert (await running).outcome == "aborted"
            # Behind its end that changes nothing.
            agent.abort_run()
            agent.close()

    asyncio.run(asyncio.wait_for(work(), PATIENCE))


def test_garbage_is_collected_at_every_allocation() -> None:
    async def work() -> None:
        async with server(answers) as url:
            threshold = gc.get_threshold()
            gc.set_threshold(1)
            try:
                for _ in range(3):
                    agent = WebSocketAgent(url, thread_id="t", timeouts=Timeouts(total=PATIENCE))
                    assert (await agent.run_agent(run_id="r")).outcome == "success"
            finally:
                gc.set_threshold(*threshold)

    asyncio.run(asyncio.wait_for(work(), PATIENCE))

"""The tasks and turns of the event loop between `write` and the server, and the kinds of agents."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable, Generator
from typing import Any

import pytest

from ag_ui_native.run_writer import FirstStep, RunWriter
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.testing import run_agent

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
SCOPE = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}


def served(agent: Callable[[Run], Any], sends: Callable[[bytes], None] = lambda _: None) -> list[bytes]:
    """Returns the pieces of the answer to a run."""
    pieces: list[bytes] = []
    requests = [{"type": "http.request", "body": json.dumps(INPUT).encode()}]

    async def receive() -> Any:
        return requests.pop() if requests else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            sends(message["body"])
            pieces.append(message["body"])

    asyncio.run(asyncio.wait_for(asgi_app(agent)(SCOPE, receive, send), 30))
    return pieces


def deltas(pieces: list[bytes]) -> list[int]:
    return [count for piece in pieces if (count := piece.count(b"TEXT_MESSAGE_CONTENT"))]


def test_what_is_not_awaited_goes_in_the_next_turn() -> None:
    async def agent(run: Run) -> None:
        message = run.text_message()
        for _ in range(3):
            message.write("one ")
            message.write("two ")
            await asyncio.sleep(0)

    pieces = served(agent)
    assert deltas(pieces) == [2, 2, 2]


def test_what_tasks_write_in_one_turn_is_one_piece() -> None:
    async def agent(run: Run) -> None:
        message = run.text_message()

        async def write() -> None:
            message.write("token")

        await asyncio.sleep(0)
        await asyncio.gather(*(write() for _ in range(5)))

    pieces = served(agent)
    assert deltas(pieces) == [5]


@pytest.mark.parametrize("fails", [False, True])
def test_a_sending_is_not_the_agent_s_task(fails: bool) -> None:
    senders: set[Any] = set()
    agents: list[Any] = []

    def sends(body: bytes) -> None:
        if b"TEXT_MESSAGE" in body:
            senders.add(asyncio.current_task())
            if fails:
                raise OSError

    async def agent(run: Run) -> None:
        me = asyncio.current_task()
        agents.append(me)
        for _ in range(3):
            try:
                await run.write("token")
            finally:
                assert asyncio.current_task() is me

    served(agent, sends)
    assert len(senders) == 1 and None not in senders and senders.isdisjoint(agents)


def test_without_a_task_there_is_none_after_a_sending() -> None:
    seen: list[Any] = []

    async def agent(run: Run) -> None:
        loop = asyncio.get_running_loop()
        message = run.text_message()
        # The event loop itself sends, outside of any task.
        message.write("token")
        loop.call_soon(lambda: seen.append(asyncio.current_task()))
        await asyncio.sleep(0)

    served(agent)
    assert seen == [None]


class Countdown:
    """An awaitable that is not a coroutine."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __await__(self) -> Generator[Any, None, tuple[int, int]]:
        yield from asyncio.sleep(0).__await__()
        self.run.write("token")
        return (1, 2)


def test_an_agent_may_be_anything_that_can_be_awaited() -> None:
    run = run_agent(lambda run: Countdown(run))
    assert (run.text, run.result) == ("token", [1, 2])


def test_nothing_is_left_of_a_run() -> None:
    async def agent(run: Run) -> None:
        await run.write("token")

    def held() -> int:
        gc.collect()
        return sum(isinstance(held, (RunWriter, FirstStep)) for held in gc.get_objects())

    before = held()
    for _ in range(3):
        served(agent)
    assert held() <= before

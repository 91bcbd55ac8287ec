"""Iterators over runs: each loop has its own, and the run is left when the last one is closed."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import aclosing, closing, suppress
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError
from ag_ui_native.client import Agent, LocalAgent, RunRequest, SyncAgent, SyncLocalAgent
from ag_ui_native.server import Run
from client_scripts import run_of, says
from programs import run
from servers import PATIENCE, until

WAYS: list[tuple[str, list[str]]] = [("run", []), ("stream", []), ("ask_stream", ["Hi"])]


async def speaks(run: Run) -> None:
    async with run.text_message() as message:
        for piece in "abc":
            await message.write(piece)
            await asyncio.sleep(0)


class Pieces:
    """An answer in pieces that records when it is closed."""

    def __init__(self) -> None:
        self.opened = self.closed = 0

    def __call__(self, request: RunRequest) -> Iterator[bytes]:
        self.opened += 1
        return self._pieces()

    def _pieces(self) -> Iterator[bytes]:
        try:
            yield from run_of(*says("a", f"a{self.opened}"), *says("b", f"b{self.opened}"))
        finally:
            self.closed += 1


def code_of(error: pytest.ExceptionInfo[AGUIConnectionError]) -> str:
    return error.value.code


LOOPS: list[Callable[[Coroutine[Any, Any, None]], None]] = [asyncio.run]
with suppress(ImportError):
    import uvloop

    LOOPS.append(uvloop.run)


@pytest.mark.parametrize("run_in", LOOPS, ids=lambda each: each.__module__)
@pytest.mark.parametrize(("way", "said"), WAYS)
def test_leaving_a_loop_over_a_named_stream_leaves_the_run(way: str, said: list[str], run_in: Any) -> None:
    async def work() -> None:
        agent = LocalAgent(speaks)
        reply: Any = getattr(agent, way)(*said)
        async for _ in reply:
            break
        assert (await agent.ask("Again")).text == "abc"
        assert reply.result.outcome == "aborted"
        assert [item async for item in reply] == []
        with suppress(ValueError):
            async for _ in getattr(agent, way)(*said):
                raise ValueError
        assert (await agent.ask("Again")).text == "abc"

    run_in(work())


@pytest.mark.parametrize(("way", "said"), WAYS)
def test_the_same_of_sync_agents(way: str, said: list[str]) -> None:
    pieces = Pieces()
    agent = SyncAgent(pieces)
    reply: Any = getattr(agent, way)(*said)
    for _ in reply:
        break
    assert not agent.is_running and reply.result.outcome == "aborted" and pieces.closed == 1
    assert list(reply) == [] and pieces.opened == 1
    assert agent.ask("Again").text == "ab"
    local = SyncLocalAgent(speaks)
    reply = getattr(local, way)(*said)
    for _ in reply:
        break
    assert local.ask("Again").text == "abc"


def test_an_iterator_that_lives_keeps_the_agent_busy() -> None:
    async def work() -> None:
        agent = LocalAgent(speaks)
        reply = agent.ask_stream("Hi")
        kept = aiter(reply)
        assert await anext(kept) == "a"
        async for piece in reply:
            assert piece == "b"
            break
        with pytest.raises(AGUIConnectionError) as caught:
            await agent.ask("Again")
        assert code_of(caught) == "agent_busy"
        assert await anext(kept) == "c"
        del kept
        assert (await agent.ask("Again")).text == "abc"
        # Without a loop, the stream itself is the iterator.
        stream = agent.run()
        await anext(stream)
        with pytest.raises(AGUIConnectionError) as caught:
            await agent.ask("Again")
        del stream
        assert (await agent.ask("Again")).text == "abc"

    asyncio.run(work())
    agent = SyncAgent(Pieces())
    items = agent.run()
    kept = iter(items)
    next(kept)
    for _ in items:
        break
    with pytest.raises(AGUIConnectionError) as caught:
        agent.ask("Again")
    assert code_of(caught) == "agent_busy"
    del kept
    assert agent.ask("Again").text == "ab"


def test_a_block_ends_the_run_and_loops_within_go_on() -> None:
    async def work() -> None:
        agent = LocalAgent(speaks)
        async with agent.ask_stream("Hi") as reply:
            async for piece in reply:
                assert piece == "a"
                break
            assert [piece async for piece in reply] == ["b", "c"]
        assert reply.reply.text == "abc"
        async with agent.ask_stream("Hi") as reply:
            async for _ in reply:
                break
            with pytest.raises(AGUIConnectionError):
                await agent.ask("Again")
        assert reply.result.outcome == "aborted" and not agent.is_running
        assert [piece async for piece in reply] == []
        await reply.aclose()
        async with aclosing(aiter(agent.ask_stream("Hi"))) as pieces:
            await anext(pieces)
        assert not agent.is_running

    asyncio.run(work())
    agent = SyncAgent(Pieces())
    with agent.ask_stream("Hi") as reply:
        for piece in reply:
            assert piece == "a"
            break
        assert list(reply) == ["b"]
    assert reply.reply.text == "ab"
    with agent.ask_stream("Hi") as reply:
        next(reply)
    assert reply.result.outcome == "aborted" and list(reply) == []
    reply.close()
    with closing(iter(agent.ask_stream("Hi"))) as pieces:
        next(pieces)
    assert not agent.is_running


def test_who_never_reads_begins_nothing() -> None:
    async def work() -> None:
        agent = LocalAgent(speaks)
        reply = agent.ask_stream("Hi")
        aiter(reply)
        assert not agent.is_running and agent.messages == []
        assert [piece async for piece in reply] == ["a", "b", "c"]

    asyncio.run(work())
    agent = SyncAgent(Pieces())
    reply = agent.ask_stream("Hi")
    iter(reply)
    assert not agent.is_running and agent.messages == []
    assert list(reply) == ["a", "b"]


def test_an_iterator_in_a_cycle_is_left_when_it_is_collected() -> None:
    class Holder:
        pass

    async def work() -> None:
        agent = LocalAgent(speaks)
        holder: Any = Holder()
        holder.itself, holder.items = holder, aiter(agent.run())
        await anext(holder.items)
        del holder
        with pytest.raises(AGUIConnectionError) as caught:
            await agent.ask("Again")
        assert code_of(caught) == "agent_busy"
        # In another thread, as the collector may run anywhere.
        await asyncio.to_thread(gc.collect)
        assert (await agent.ask("Again")).text == "abc"

    gc.disable()
    try:
        asyncio.run(work())
    finally:
        gc.enable()


def test_an_iterator_is_left_from_another_task_or_thread() -> None:
    async def work() -> None:
        agent = LocalAgent(speaks)
        for leave in ("task", "thread"):
            kept = [aiter(agent.run())]
            await anext(kept[0])
            if leave == "task":

                async def drop(kept: list[Any] = kept) -> None:
                    kept.clear()

                await asyncio.create_task(drop())
            else:
                thread = threading.Thread(target=kept.clear)
                thread.start()
                # The event loop has no turn before the next run begins.
                thread.join()
            assert (await agent.ask("Again")).text == "abc"

    asyncio.run(work())


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_event_loop_that_is_closed_leaves_no_agent_busy(when: str) -> None:
    agent = LocalAgent(speaks)
    kept: list[Any] = []

    async def read() -> None:
        reply = agent.ask_stream("Hi")
        kept.append(aiter(reply))
        await anext(kept[0])
        kept.append(reply)
        if when == "before":
            del kept[0]

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(read())
    finally:
        # Not even the task that closes the connection has had a turn.
        loop.close()
    if when == "after":
        del kept[0]
    assert asyncio.run(agent.ask("Again")).text == "abc"
    assert kept[0].result.outcome == "aborted" and not agent.is_running


def test_a_task_that_is_cancelled_before_it_begins_leaves_no_agent_busy() -> None:
    async def work() -> None:
        agent = LocalAgent(speaks)
        async for _ in agent.run():
            break
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)
        assert (await agent.ask("Again")).text == "abc"

    asyncio.run(work())


def test_who_leaves_within_a_callback_or_waits_is_not_held_up() -> None:
    ended = asyncio.Event()

    async def hangs(request: RunRequest) -> AsyncIterator[bytes]:
        async def pieces() -> AsyncIterator[bytes]:
            try:
                yield run_of(*says("a"))[0]
                await asyncio.sleep(3600)
            finally:
                ended.set()

        return pieces()

    async def work() -> None:
        agent = Agent(hangs)
        items = aiter(agent.run())
        await anext(items)
        waits = asyncio.create_task(anext(items, None))
        await asyncio.sleep(0)
        await items.aclose()
        assert await asyncio.wait_for(waits, PATIENCE) is None
        await asyncio.wait_for(ended.wait(), PATIENCE)
        assert not agent.is_running

    asyncio.run(work())


def test_a_program_ends_though_an_iterator_of_it_lives() -> None:
    program = """
import asyncio
from ag_ui_native.client import LocalAgent

kept = []

async def function(run):
    async with run.text_message() as message:
        await message.write("a")
        await message.write("b")
        await asyncio.sleep(9)

async def main():
    reply = LocalAgent(function).ask_stream("Hi")
    kept.append(aiter(reply))
    await anext(kept[0])

asyncio.run(main())
kept.clear()
print("over")
"""
    assert run(program) == "over"


def test_what_is_left_holds_nothing() -> None:
    """No cycle keeps a run that was left: counting references is enough."""
    pieces = Pieces()
    agent = SyncAgent(pieces)
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            for _ in agent.run():
                break
        assert pieces.closed == 3
    finally:
        gc.enable()
    until(lambda: not agent.is_running)

"""Agents over HTTP whose application goes early: connections are closed at once, and agents are cancelled."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError
from ag_ui_native.client import Agent, HttpAgent, LocalAgent, RunResult, SyncHttpAgent, Timeouts
from ag_ui_native.server import Run, asgi_app
from programs import run
from raw_peer import HANG, HEAD, OPEN, Peer, peer
from servers import PATIENCE, asgi_server, eventually, until

STAGES: dict[str, list[dict[str, Any]]] = {
    "before the head": [HANG],
    "after the head": [HEAD, HANG],
    "within the run": [HEAD, OPEN, HANG],
    "while much arrives": [HEAD, OPEN, {"repeat": 100000, "send": ":\n\n", "pause_ms": 1}, HANG],
}


def stage_is_reached(stage: str, agent: Any, server: Peer) -> bool:
    if stage in ("before the head", "after the head"):
        return len(server.requests) == 1
    return bool(agent.messages and agent.messages[0].content == "Hel")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("way", ["abort", "cancel", "abort in a thread"])
def test_leaving_closes_the_connection(stage: str, way: str) -> None:
    async def work(server: Peer) -> None:
        agent = HttpAgent(server.url, timeouts=Timeouts(idle=PATIENCE))
        task = asyncio.create_task(agent.run_agent())
        await eventually(lambda: stage_is_reached(stage, agent, server))
        await asyncio.sleep(0.02)  # Nothing shows that it waits for the next piece.
        assert agent.is_running
        if way == "cancel":
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            if way == "abort":
                agent.abort_run()
            else:
                thread = threading.Thread(target=agent.abort_run)
                thread.start()
                await asyncio.to_thread(thread.join)
            result = await task
            assert (result.outcome, result.error) == ("aborted", None)
        assert not agent.is_running
        assert [message.content for message in agent.messages] == (["Hel"] if OPEN in STAGES[stage] else [])
        await eventually(server.left.is_set)
        await agent.close()

    with peer(STAGES[stage]) as server:
        asyncio.run(work(server))


@pytest.mark.parametrize("stage", ["before the head", "after the head", "within the run", "while much arrives"])
def test_another_thread_may_abort_a_sync_agent(stage: str) -> None:
    # Nothing wakes who waits for the head: it comes, and then the connection is closed.
    head_comes_later = [{"pause_ms": 500}, HEAD, OPEN, HANG]
    script = head_comes_later if stage == "before the head" else STAGES[stage]
    with peer(script) as server, SyncHttpAgent(server.url, timeouts=Timeouts(idle=PATIENCE)) as agent:
        results: list[RunResult] = []
        thread = threading.Thread(target=lambda: results.append(agent.run_agent()))
        thread.start()
        until(lambda: stage_is_reached(stage, agent, server))
        time.sleep(0.05)  # Nothing shows that the thread is within its read.
        agent.abort_run()
        thread.join(PATIENCE)
        assert [result.outcome for result in results] == ["aborted"]
        until(server.left.is_set)


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("way", ["run", "stream"])
@pytest.mark.parametrize("how", ["break", "with"])
def test_leaving_the_loop_closes_the_connection(face: str, way: str, how: str) -> None:
    async def work(server: Peer) -> None:
        agent = HttpAgent(server.url)
        if how == "with":
            async with getattr(agent, way)() as items:
                async for _ in items:
                    break
            assert items.result.outcome == "aborted"
        else:
            async for _ in getattr(agent, way)():
                break
        await eventually(lambda: not agent.is_running)
        await eventually(server.left.is_set)
        await agent.close()

    with peer(STAGES["within the run"]) as server:
        if face == "async":
            asyncio.run(work(server))
            return
        with SyncHttpAgent(server.url) as agent:
            if how == "with":
                with getattr(agent, way)() as items:
                    for _ in items:
                        break
                assert items.result.outcome == "aborted"
            else:
                for _ in getattr(agent, way)():
                    break
            assert not agent.is_running
            until(server.left.is_set)


@pytest.mark.parametrize("way", ["run", "stream", "ask_stream"])
@pytest.mark.parametrize("kind", ["local", "http"])
def test_the_next_run_waits_until_one_that_was_left_is_closed(kind: str, way: str) -> None:
    async def answers(run: Run) -> None:
        async with run.text_message() as message:
            for piece in "abc":
                await message.write(piece)
                await asyncio.sleep(0.001)

    async def work(agent: Agent[Any]) -> None:
        said = ["Hi"] if way == "ask_stream" else []
        for _ in range(3):
            async for _ in getattr(agent, way)(*said):
                break
            with pytest.raises(AGUIConnectionError) as caught:
                agent.set_messages([])
            assert caught.value.code == "agent_busy"
            assert (await agent.ask("Again")).text == "abc"
        assert not agent.is_running
        agent.set_messages([])
        kept = agent.run()
        await anext(kept)
        with pytest.raises(AGUIConnectionError):
            await agent.ask("Again")
        await kept.aclose()
        await agent.close()

    if kind == "local":
        asyncio.run(work(LocalAgent(answers)))
        return
    with asgi_server(asgi_app(answers)) as port:
        asyncio.run(work(HttpAgent(f"http://127.0.0.1:{port}/")))


def test_an_agent_is_cancelled_when_its_client_goes() -> None:
    ended = threading.Event()

    async def endless(run: Run) -> None:
        try:
            while True:
                await run.custom("tick", 1)
                await asyncio.sleep(0.001)
        finally:
            ended.set()

    with asgi_server(asgi_app(endless)) as port, SyncHttpAgent(f"http://127.0.0.1:{port}/") as agent:
        for seen, _ in enumerate(agent.run()):
            if seen == 5:
                break
        assert ended.wait(PATIENCE)


def test_a_server_that_ignores_it_is_left_behind() -> None:
    """Nothing waits for the server to agree."""

    async def work(server: Peer) -> None:
        agent = HttpAgent(server.url)
        async with agent.stream() as changes:
            await anext(changes)
        assert changes.result.outcome == "aborted"
        await agent.close()
        assert server.is_at_work

    with peer([HEAD, OPEN, {"pause_ms": PATIENCE * 1000}]) as server:
        asyncio.run(work(server))


@pytest.mark.parametrize(
    "leaving",
    [
        "async for event in agent.run(): raise ValueError",
        "async for event in agent.run(): break",
        "async for text in agent.ask_stream('Hi'): raise ValueError",
        "kept.append(agent.run()); await anext(kept[0])",
        "async with asyncio.timeout(0.1):\n        async for event in agent.run(): await asyncio.sleep(9)",
    ],
)
def test_a_program_ends_though_an_agent_in_it_is_at_work(leaving: str) -> None:
    program = f"""
import asyncio
from contextlib import suppress
from ag_ui_native.client import LocalAgent

kept = []

async def function(run):
    for number in range(3):
        run.custom("count", number)
    async with run.text_message() as message:
        await message.write("a")
        await message.write("b")
        await asyncio.sleep(9)

async def main():
    agent = LocalAgent(function)
    {leaving}

with suppress(ValueError, TimeoutError):
    asyncio.run(main())
print("over")
"""
    assert run(program) == "over"

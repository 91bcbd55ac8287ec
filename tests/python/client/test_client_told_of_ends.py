"""Callbacks for the end of a run, and for messages of `ask`, that begin another run, raise an error or add messages."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError
from ag_ui_native.client import Agent, AgentStateMutation, AgentSubscriber, LocalAgent, SyncAgent
from ag_ui_native.server import Run
from client_scripts import Script, run_of, says
from servers import PATIENCE, eventually

ENDS = ["on_run_failed", "on_run_finalized"]


async def answers(run: Run) -> None:
    async with run.text_message() as message:
        for piece in "abc":
            await message.write(piece)
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("where", ENDS)
def test_who_is_told_that_a_run_was_left_cannot_begin_another(where: str) -> None:
    """It fails at once: the run would wait for itself."""

    async def work() -> None:
        agent = LocalAgent(answers)
        met: list[Any] = []
        turned: list[None] = []

        async def turning() -> None:
            while True:
                turned.append(None)
                await asyncio.sleep(0)

        class Asks(AgentSubscriber[Any]):
            pass

        async def asks(params: Any) -> None:
            turns = asyncio.create_task(turning())
            try:
                await agent.run_agent()
            except AGUIConnectionError as error:
                met.append((error.code, len(turned) < 50))
            turns.cancel()

        subscriber = Asks()
        setattr(subscriber, where, asks)
        agent.subscribe(subscriber)
        async for _ in agent.run():
            break
        await eventually(lambda: not agent.is_running)
        assert met == [("agent_busy", True)]
        agent.subscribers.clear()
        # Everybody else waits until it is closed.
        async for _ in agent.run():
            break
        assert (await asyncio.wait_for(agent.ask("Again"), PATIENCE)).text == "abc"

    asyncio.run(work())


@pytest.mark.parametrize("where", ENDS)
def test_nor_in_an_agent_that_blocks(where: str) -> None:
    met: list[Any] = []

    def asks(params: Any) -> None:
        with pytest.raises(AGUIConnectionError) as caught:
            agent.run_agent()
        met.append(caught.value.code)

    subscriber = AgentSubscriber[Any]()
    setattr(subscriber, where, asks)
    agent: SyncAgent[Any] = SyncAgent(Script(run_of(*says("Hi"))), subscribers=[subscriber])
    for _ in agent.run():
        break
    assert met == ["agent_busy"] and not agent.is_running


class Broken(Exception):
    """An error of the application."""


PLACES = ["on_run_initialized", "on_event", "on_new_message", "on_messages_changed", "transport", "piece", "middleware"]


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("face", ["async", "awaited", "sync"])
def test_what_is_raised_together_with_an_abort_is_logged(
    face: str, where: str, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*params: Any) -> None:
        agent.abort_run()
        raise Broken

    async def breaks_in_a_task(*params: Any) -> None:
        await asyncio.sleep(0)
        breaks()

    def pieces() -> Any:
        yield run_of()[0]
        if where == "piece":
            breaks()
        yield b"".join(run_of(*says("Hi"))[1:])

    async def pieces_in_a_task() -> Any:
        for piece in pieces():
            yield piece

    def transport(request: Any) -> Any:
        if where == "transport":
            breaks()
        return pieces_in_a_task() if face == "awaited" else pieces()

    async def through(input: Any, next: Any) -> Any:
        async for event in next(input):
            yield event
            breaks()

    def through_plainly(input: Any, next: Any) -> Any:
        for event in next(input):
            yield event
            breaks()

    subscriber = AgentSubscriber[Any]()
    if where.startswith("on_"):
        setattr(subscriber, where, breaks_in_a_task if face == "awaited" else breaks)
    options: dict[str, Any] = {"subscribers": [subscriber]}
    if where == "middleware":
        options["middleware"] = [through_plainly if face == "sync" else through]
    made: Any = SyncAgent if face == "sync" else Agent
    agent: Any = made(transport, **options)

    async def work() -> Any:
        run = agent.run_agent()
        return run if face == "sync" else await run

    caplog.set_level(logging.WARNING)
    assert asyncio.run(work()).outcome == "aborted"
    logged = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert logged and set(logged) == {Broken}
    if where != "on_event":
        assert len(logged) == 1


@pytest.mark.parametrize("face", ["async", "sync"])
def test_a_connection_that_an_abort_closes_is_no_news(face: str, caplog: pytest.LogCaptureFixture) -> None:
    def pieces() -> Any:
        yield run_of()[0]
        agent.abort_run()
        raise AGUIConnectionError("lost", code="connection_lost")

    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(lambda request: pieces())

    async def work() -> Any:
        run = agent.run_agent()
        return await run if face == "async" else run

    assert asyncio.run(work()).outcome == "aborted"
    assert [record for record in caplog.records if record.exc_info] == []


HEARD = ["on_new_message", "on_messages_changed", "on_run_initialized"]


@pytest.mark.parametrize("where", HEARD)
@pytest.mark.parametrize("face", ["async", "sync"])
def test_what_is_added_when_a_question_is_told_of_is_sent(face: str, where: str) -> None:
    def adds(params: Any) -> AgentStateMutation | None:
        if len(agent.messages) > 1:
            return None
        more = {"id": "more", "role": "user", "content": "Be brief."}
        if where == "on_run_initialized":
            return AgentStateMutation(messages=[*agent.messages, more])
        agent.add_message(more)
        return None

    subscriber = AgentSubscriber[Any]()
    setattr(subscriber, where, adds)
    script = Script(run_of(*says("Ho")))
    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(script, subscribers=[subscriber])

    async def work() -> Any:
        asked = agent.ask("Hi")
        return await asked if face == "async" else asked

    reply = asyncio.run(work())
    assert reply.text == "Ho"
    assert [message["content"] for message in script.asked[0]["messages"]] == ["Hi", "Be brief."]
    assert [message.content for message in agent.messages] == ["Hi", "Be brief.", "Ho"]


def test_a_copy_tells_at_its_own_pace() -> None:
    async def work() -> None:
        told = asyncio.Event()

        class Tells(AgentSubscriber[Any]):
            async def on_messages_changed(self, params: Any) -> None:
                if params.agent is agent:
                    await asyncio.sleep(3600)
                told.set()

        agent: Agent[Any] = Agent(Script(), subscribers=[Tells()])
        agent.add_message({"id": "1", "role": "user", "content": "Hi"})
        twin = agent.clone()
        twin.add_message({"id": "2", "role": "user", "content": "Hi"})
        await asyncio.wait_for(told.wait(), PATIENCE)

    asyncio.run(work())


def test_a_second_cancellation_while_the_connection_closes_still_notifies_subscribers() -> None:
    told: list[str] = []

    class Closing:
        """Takes its time to close."""

        content_type = None

        def __init__(self) -> None:
            self.reading, self.closing = asyncio.Event(), asyncio.Event()

        async def open(self, request: Any, waiting: Any) -> Any:
            return self

        async def read(self) -> bytes | None:
            self.reading.set()
            return await asyncio.get_running_loop().create_future()

        async def close(self) -> None:
            self.closing.set()
            await asyncio.sleep(0.05)

        def abort(self) -> None:
            pass

    async def work() -> None:
        answer = Closing()

        class Told(AgentSubscriber[Any]):
            async def on_run_failed(self, params: Any) -> None:
                await asyncio.sleep(0)
                told.append(params.error.code)

            async def on_run_finalized(self, params: Any) -> None:
                await asyncio.sleep(0)
                told.append("finalized")

        agent: Agent[Any] = Agent(answer, subscribers=[Told()])
        running = asyncio.create_task(agent.run_agent())
        await asyncio.wait_for(answer.reading.wait(), PATIENCE)
        running.cancel()
        await answer.closing.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert not agent.is_running

    asyncio.run(work())
    assert told == ["run_aborted", "finalized"]

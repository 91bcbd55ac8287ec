"""Options of agents of the client, and their effects: warnings, debugging, usage, limits, an odd subscriber."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
import weakref
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError, AGUILimitError, AGUIPatchError, Limits, ProtocolWarning
from ag_ui_native.client import Agent, AgentStateMutation, AgentSubscriber, SyncAgent, Timeouts, ToolCallFilter
from client_scripts import Script, calls, frame, later, run_of, says
from servers import PATIENCE, eventually, timers


def test_warnings_are_heard_and_kept() -> None:
    heard: list[ProtocolWarning] = []
    odd = {"type": "CUSTOM", "name": "n", "value": 1, "oh": 2}
    for way in ("run_agent", "run"):
        heard.clear()
        agent = SyncAgent(Script(run_of(odd, *says("Hi"))), on_warning=heard.append, state={"n": 1})
        if way == "run":
            stream = agent.run()
            list(stream)
            result = stream.result
        else:
            result = agent.run_agent()
        assert [warning.code for warning in heard] == ["unknown_field"]
        assert result.warnings == heard


def test_warnings_that_raise_end_the_run() -> None:
    def raises(warning: ProtocolWarning) -> None:
        raise ZeroDivisionError

    agent = SyncAgent(Script(run_of(*says("Hi"), {"type": "WEATHER"})), on_warning=raises)
    with pytest.raises(ZeroDivisionError):
        agent.run_agent()
    assert [message.content for message in agent.messages] == ["Hi"] and not agent.is_running


def test_the_strict_profile_refuses_and_a_patch_may_be_an_error() -> None:
    agent = SyncAgent(Script(run_of({"type": "WEATHER"})), profile="strict")
    with pytest.raises(AGUIError) as caught:
        agent.run_agent()
    assert caught.value.code == "unknown_event_type"
    broken = {"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/n"}]}
    with pytest.raises(AGUIPatchError):
        SyncAgent(Script(run_of(broken)), profile="strict").run_agent()
    tolerant = SyncAgent(Script(run_of(broken)))
    assert [warning.code for warning in tolerant.run_agent().warnings] == ["patch_failed"]


def test_debugging_names_events_and_no_contents(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "ag_ui_native.client")
    SyncAgent(Script(run_of(*says("secret"))), debug=True, thread_id="t").run_agent(run_id="r")
    assert caplog.messages[0] == "requests the run 'r' of the thread 't'"
    assert caplog.messages[-1] == "the run 'r' has ended: success"
    assert "TEXT_MESSAGE_CONTENT" in caplog.text and "secret" not in caplog.text
    caplog.clear()
    SyncAgent(Script(run_of())).run_agent()
    assert caplog.messages == []


def test_usage_is_summed_up_over_runs() -> None:
    def ended(tokens: int) -> bytes:
        usage = [{"inputTokens": tokens, "model": "m"}]
        return frame({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "usage": usage})

    script = Script([*run_of(*calls("look", "{}"))[:-1], ended(1)], [run_of()[0], ended(2)])
    result = SyncAgent(script, tools=[look]).run_agent()
    assert [entry.input_tokens for entry in result.usage] == [3]
    assert [run.usage[0].input_tokens for run in result.runs] == [1, 2]


def look() -> str:
    return "seen"


@pytest.mark.parametrize("name", ["runId", "state", "messages"])
def test_a_run_has_no_other_parameters(name: str) -> None:
    agent: Any = SyncAgent(Script(run_of()))
    for ask in (agent.run, agent.stream, agent.run_agent, lambda **given: agent.ask("Hi", **given)):
        with pytest.raises(TypeError, match=f"no parameter '{name}': use one of run_id,"):
            ask(**{name: None})
    assert agent.messages == [] and not agent.is_running


def test_input_has_limits_too() -> None:
    agent = SyncAgent(Script(run_of()), limits=Limits(event_bytes=500))
    with pytest.raises(AGUILimitError) as caught:
        agent.ask("x" * 1000)
    assert caught.value.limit == "event_bytes" and not agent.is_running


@pytest.mark.parametrize("limits", [Limits(), Limits(depth=3)], ids=["deep", "flat"])
def test_limits_are_those_of_the_agent_everywhere(limits: Limits) -> None:
    deep: dict[str, Any] = {"type": "CUSTOM", "name": "n", "value": [[[[[[1]]]]]]}
    content: Any = [{"type": "image", "source": {"type": "url", "value": "https://x/"}}]

    def adds(input: Any, next: Any) -> Iterator[Any]:
        for event in next(input):
            yield event
            if event.type == "RUN_STARTED":
                yield deep

    def refused(act: Any) -> bool:
        try:
            act()
        except AGUILimitError:
            return True
        return False

    def agent(**options: Any) -> SyncAgent[Any]:
        return SyncAgent(lambda request: run_of(), limits=limits, **options)

    message = {"id": "m", "role": "user", "content": content}
    wanted = limits != Limits()
    assert refused(lambda: agent().add_message(message)) == wanted
    assert refused(lambda: agent(messages=[message])) == wanted
    assert refused(lambda: agent().ask_stream(content)) == wanted
    assert refused(agent(middleware=[adds]).run_agent) == wanted


def test_a_transport_has_its_time_too() -> None:
    async def silent(request: Any) -> list[bytes]:
        await asyncio.sleep(3600)
        return []

    async def slow() -> Any:
        yield run_of()[0]
        await asyncio.sleep(3600)

    async def work() -> None:
        for transport, limit, name in (
            (silent, Timeouts(total=0.05), "total_timeout"),
            (lambda request: slow(), Timeouts(idle=0.05), "idle_timeout"),
            (lambda request: slow(), Timeouts(total=0.05), "total_timeout"),
        ):
            with pytest.raises(AGUIConnectionError) as caught:
                await Agent(transport, timeouts=limit).run_agent()  # type: ignore[arg-type]
            assert (caught.value.code, caught.value.limit) == ("timed_out", name)
        # The timeout of a caller is raised as the caller's.
        agent = Agent(lambda request: slow(), timeouts=Timeouts(idle=30))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await agent.run_agent()
        assert not agent.is_running

    asyncio.run(work())


@pytest.mark.parametrize("kind", ["plain", "async"])
@pytest.mark.parametrize("way", ["total", "abort", "cancel"])
def test_what_never_suspends_has_its_time_too(kind: str, way: str) -> None:
    until = time.monotonic() + PATIENCE

    def endless() -> Iterator[bytes]:
        yield run_of()[0]
        while time.monotonic() < until:
            yield b":\n\n"

    async def never_suspends() -> AsyncIterator[bytes]:
        for piece in endless():
            yield piece

    async def work() -> None:
        options: Any = {"timeouts": Timeouts(total=0.05)} if way == "total" else {}
        agent = Agent(lambda request: endless() if kind == "plain" else never_suspends(), **options)
        task = asyncio.create_task(agent.run_agent())
        if way != "total":
            await eventually(lambda: agent.is_running)
        if way == "total":
            with pytest.raises(AGUIConnectionError) as caught:
                await task
            assert caught.value.limit == "total_timeout"
        elif way == "abort":
            agent.abort_run()
            assert (await task).outcome == "aborted"
        else:
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(work())


@pytest.mark.parametrize("way", ["aclose", "cancel"])
@pytest.mark.parametrize("wanted", ["run", "stream"])
def test_closing_may_be_cut_off(way: str, wanted: str) -> None:
    async def slow_to_close() -> AsyncIterator[bytes]:
        try:
            for piece in run_of(*says("Hel"))[:3]:
                yield piece
            await asyncio.sleep(3600)
        finally:
            closing.set()
            await asyncio.sleep(3600)

    async def read(stream: Any) -> None:
        async for _ in stream:
            if way == "aclose" and agent.messages and agent.messages[0].content == "Hel":
                await stream.aclose()

    async def work() -> None:
        nonlocal agent
        agent = Agent(Script(slow_to_close(), later(run_of(*says("lo", "n")))))
        task = asyncio.create_task(read(getattr(agent, wanted)()))
        await eventually(lambda: agent.messages and (way != "cancel" or agent.messages[0].content == "Hel"))
        if way == "cancel":
            task.cancel()
        await asyncio.wait_for(closing.wait(), PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not agent.is_running and [message.content for message in agent.messages] == ["Hel"]
        agent.set_messages([])
        agent.set_state({"new": 1})
        assert (agent.messages, agent.state) == ([], {"new": 1})
        assert (await agent.run_agent()).text == "lo"

    agent: Agent[Any]
    closing = asyncio.Event()
    asyncio.run(work())


@pytest.mark.parametrize("way", ["run", "stream"])
@pytest.mark.parametrize("has_middleware", [False, True])
def test_heartbeats_behind_the_end_are_not_read_for_ever(way: str, has_middleware: bool) -> None:
    until, left = time.monotonic() + PATIENCE, list[str]()
    options: dict[str, Any] = {"timeouts": Timeouts(idle=0.3), "middleware": []}
    if has_middleware:
        options["middleware"] = [ToolCallFilter(deny=["none"])]

    def beats() -> Iterator[bytes]:
        yield from run_of(*says("Hi"))
        while time.monotonic() < until:
            time.sleep(0.005)
            yield b":\n\n"
        left.append("sync")

    async def beats_later() -> AsyncIterator[bytes]:
        # Another run in the same answer is one.
        for piece in [*run_of(*says("Hi")), *run_of(*says("Ho", "n"))]:
            await asyncio.sleep(0)
            yield piece
        while time.monotonic() < until:
            await asyncio.sleep(0.005)
            yield b":\n\n"
        left.append("async")

    async def work() -> None:
        async with getattr(Agent(lambda request: beats_later(), **options), way)() as items:
            assert [item async for item in items]
        assert (items.result.outcome, items.result.text) == ("success", "HiHo")

    asyncio.run(work())
    with getattr(SyncAgent(lambda request: beats(), **options), way)() as items:
        assert list(items)
    assert (items.result.outcome, items.result.text, left) == ("success", "Hi", [])


def test_a_run_leaves_no_timer_and_nothing_alive() -> None:
    async def work() -> None:
        agent = Agent(lambda request: later(run_of(*says("Hi"))), timeouts=Timeouts(idle=3600, total=3600))
        await agent.run_agent()
        assert timers() == []
        kept = weakref.ref(agent)
        del agent
        gc.collect()
        assert kept() is None

    asyncio.run(work())


# Subscribers that come and go.


class Counts(AgentSubscriber[Any]):
    def __init__(self) -> None:
        self.finalized = self.failed = 0

    def on_run_failed(self, params: Any) -> AgentStateMutation:
        self.failed += 1
        return AgentStateMutation(stop_propagation=True)

    def on_run_finalized(self, params: Any) -> None:
        self.finalized += 1


def test_subscribers_come_and_go() -> None:
    counts, once = Counts(), Counts()
    agent = SyncAgent(Script(run_of(), run_of(), run_of()))
    subscription = agent.subscribe(counts)
    agent.run_agent(subscriber=once)
    agent.run_agent()
    subscription.unsubscribe()
    subscription.unsubscribe()
    agent.run_agent()
    assert (counts.finalized, once.finalized, counts.failed) == (2, 1, 0)


def test_a_subscriber_may_take_a_failure_on() -> None:
    counts = Counts()
    agent = SyncAgent(Script(run_of(*says("Hel"))[:3]), subscribers=[counts])
    result = agent.run_agent()
    assert (result.outcome, result.text, counts.failed, counts.finalized) == ("failed", "Hel", 1, 1)


@pytest.mark.parametrize("how", ["leave", "cancel"])
def test_subscribers_hear_of_the_end_of_a_run_that_is_left(how: str) -> None:
    async def work() -> None:
        counts = Counts()

        async def endless() -> Any:
            for piece in run_of(*says("Hel"))[:3]:
                yield piece
            await asyncio.sleep(3600)

        agent = Agent(lambda request: endless(), subscribers=[counts])
        if how == "leave":
            async with agent.run() as events:
                await anext(events)
        else:
            task = asyncio.create_task(agent.run_agent())
            await eventually(lambda: agent.messages)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert (counts.failed, counts.finalized, agent.is_running) == (1, 1, False)

    asyncio.run(work())

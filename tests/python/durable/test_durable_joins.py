"""Clients of runs that others have started: they join, open the thread, cancel and detach, over sockets."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ag_ui_native.client import HttpAgent, LocalAgent, RunResult, SyncHttpAgent, SyncLocalAgent
from ag_ui_native.client.resumable import ResumableStream
from ag_ui_native.durable import MemoryLog
from ag_ui_native.errors import AGUIError
from ag_ui_native.limits import Limits
from ag_ui_native.server import Run, asgi_app
from servers import PATIENCE, asgi_server, until
from test_durable_clients import QUICK, WORDS, Counting, proxied, served

TABS: list[Tab] = []


@pytest.fixture(autouse=True)
def closed_tabs() -> Iterator[None]:
    yield
    while TABS:
        tab = TABS.pop()
        if tab.is_blocking:
            tab.agent.close()


class Tab:
    """A client of the thread `t`, asynchronous or blocking: the calls of both are the same here."""

    def __init__(self, address: str, is_blocking: bool, **options: Any) -> None:
        kind: Any = SyncHttpAgent if is_blocking else HttpAgent
        self.agent: Any = kind(address, thread_id="t", reconnect=QUICK, **options)
        self.is_blocking = is_blocking
        self.begun = asyncio.Event()
        """Set when an event of a stream has been read."""
        TABS.append(self)

    async def text(self, stream: Any, words: int | None = None, *, detaches: bool = False) -> RunResult:
        """Reads a stream to its end, or that many deltas of it, and then leaves it."""
        if self.is_blocking:
            loop = asyncio.get_running_loop()
            return await asyncio.to_thread(self._text_blocking, stream, words, detaches, loop)
        left = words
        async for event in stream:
            self.begun.set()
            left = left and left - (event.type == "TEXT_MESSAGE_CONTENT")
            if left == 0:
                await (stream.detach() if detaches else stream.aclose())
        result: RunResult = stream.result
        return result

    def _text_blocking(
        self, stream: Any, left: int | None, detaches: bool, loop: asyncio.AbstractEventLoop
    ) -> RunResult:
        for event in stream:
            loop.call_soon_threadsafe(self.begun.set)
            left = left and left - (event.type == "TEXT_MESSAGE_CONTENT")
            if left == 0:
                (stream.detach if detaches else stream.close)()
        result: RunResult = stream.result
        return result

    async def cancel(self, run_id: str | None = None) -> None:
        if self.is_blocking:
            await asyncio.to_thread(self.agent.cancel, run_id)
        else:
            await self.agent.cancel(run_id)


@pytest.fixture(params=[False, True], ids=["async", "blocking"])
def is_blocking(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@contextmanager
def served_at(agent: Any, **options: Any) -> Iterator[str]:
    with asgi_server(asgi_app(agent, log=MemoryLog(), authorize="public", **options)) as port:
        yield f"http://127.0.0.1:{port}/agent"


def test_a_run_of_another_tab_is_joined(is_blocking: bool) -> None:
    agent = Counting(is_open=False)

    async def joining(address: str) -> None:
        starter, other = Tab(address, False), Tab(address, is_blocking)
        async with starter.agent.run(run_id="r") as stream:
            await anext(stream)
            reading = asyncio.create_task(other.text(other.agent.join("r")))
            agent.opened.set()
            own = await starter.text(stream)
        joined = await reading
        assert joined.text == own.text == WORDS
        assert (joined.run_id, joined.outcome, joined.warnings) == ("r", "success", [])
        assert [message.content for message in other.agent.messages] == [WORDS]

    with served(agent) as port:
        asyncio.run(joining(f"http://127.0.0.1:{port}/agent"))
    assert agent.begun == 1


def test_a_joined_run_that_is_cut_comes_whole(is_blocking: bool) -> None:
    agent = Counting()

    async def joining(address: str, direct: str) -> None:
        assert (await HttpAgent(direct, thread_id="t").run_agent(run_id="r")).text == WORDS
        tab = Tab(address, is_blocking)
        assert (await tab.text(tab.agent.join("r"))).text == WORDS

    with served(agent) as port, proxied(port, [700, 550]) as address:
        asyncio.run(joining(address, f"http://127.0.0.1:{port}/agent"))
    assert agent.begun == 1


def test_leaving_a_joined_run_does_not_end_it(is_blocking: bool) -> None:
    agent = Counting(is_open=False)

    async def leaving(address: str) -> None:
        starter, other = Tab(address, False), Tab(address, is_blocking)
        async with starter.agent.run(run_id="r") as stream:
            await anext(stream)
            left = await other.text(other.agent.join("r"), 1)
            assert left.outcome == "aborted"
            assert not other.agent.is_running
            agent.opened.set()
            assert (await starter.text(stream)).text == WORDS

    with served(agent) as port:
        asyncio.run(leaving(f"http://127.0.0.1:{port}/agent"))
    assert agent.cancelled == 0


def test_a_run_that_is_detached_goes_on(is_blocking: bool) -> None:
    agent = Counting(is_open=False)

    async def detaching(address: str) -> None:
        tab, other = Tab(address, is_blocking), Tab(address, False)
        left = await tab.text(tab.agent.run(run_id="r"), 2, detaches=True)
        assert (left.outcome, left.text) == ("aborted", "0 1 ")
        agent.opened.set()
        assert (await other.text(other.agent.join("r"))).text == WORDS

    with served(agent) as port:
        asyncio.run(detaching(f"http://127.0.0.1:{port}/agent"))
    assert (agent.begun, agent.cancelled) == (1, 0)


def test_a_run_is_cancelled_from_elsewhere(is_blocking: bool) -> None:
    agent = Counting(is_open=False)

    async def cancelling(address: str) -> None:
        starter, other = Tab(address, False), Tab(address, is_blocking)
        async with starter.agent.run(run_id="r") as stream:
            await anext(stream)
            await other.cancel("r")
            await other.cancel("r")
            assert (await starter.text(stream)).outcome == "cancelled"

    with served(agent) as port:
        asyncio.run(cancelling(f"http://127.0.0.1:{port}/agent"))
    assert agent.cancelled == 1


def test_the_active_run_is_cancelled(is_blocking: bool) -> None:
    agent = Counting(is_open=False)

    async def cancelling(address: str) -> None:
        tab = Tab(address, is_blocking)
        with pytest.raises(AGUIError, match="no active run") as caught:
            await tab.cancel()
        assert caught.value.code == "run_unknown"
        reading = asyncio.create_task(tab.text(tab.agent.run()))
        await asyncio.to_thread(until, lambda: agent.begun == 1)
        await tab.cancel()
        assert (await reading).outcome == "cancelled"

    with served(agent) as port:
        asyncio.run(cancelling(f"http://127.0.0.1:{port}/agent"))


async def ask_for_approval(run: Run[Any]) -> None:
    run.state["step"] = len(run.input.messages)
    await run.write("Sure?")
    await run.interrupt({"id": "i", "reason": "approval"})


def test_a_thread_is_opened(is_blocking: bool) -> None:
    async def opening(address: str) -> None:
        first = Tab(address, False)
        await first.agent.ask("Do it", run_id="r")
        tab = Tab(
            address, is_blocking, messages=[{"id": "x", "role": "user", "content": "forgotten"}], state={"old": 1}
        )
        told: list[str] = []

        class Subscriber:
            def on_messages_changed(self, params: Any) -> None:
                told.append("messages")

            def on_state_changed(self, params: Any) -> None:
                told.append("state")

        result = await tab.text(tab.agent.connect(subscriber=Subscriber()))
        assert (result.run_id, result.outcome, result.new_messages) == ("r", "interrupt", [])
        assert [message.content for message in tab.agent.messages] == ["Do it", "Sure?"]
        assert tab.agent.state == {"step": 1}
        assert [interrupt.id for interrupt in tab.agent.pending_interrupts] == ["i"]
        assert sorted(told) == ["messages", "state"]

    with served_at(ask_for_approval) as address:
        asyncio.run(opening(address))


def test_the_active_run_of_a_thread_is_joined_when_it_is_opened(is_blocking: bool) -> None:
    agent = Counting()

    async def opening(address: str) -> None:
        starter, tab = Tab(address, False), Tab(address, is_blocking)
        assert (await tab.text(tab.agent.connect())).outcome == "success"
        assert tab.agent.messages == []
        await starter.agent.ask("one")
        agent.opened.clear()
        async with starter.agent.run(run_id="second") as stream:
            await anext(stream)
            reading = asyncio.create_task(tab.text(tab.agent.connect()))
            await tab.begun.wait()
            agent.opened.set()
            await starter.text(stream)
            result = await reading
        assert (result.run_id, result.text) == ("second", WORDS)
        assert [message.content for message in tab.agent.messages] == ["one", WORDS, WORDS]

    with served(agent) as port:
        asyncio.run(opening(f"http://127.0.0.1:{port}/agent"))


@pytest.mark.parametrize("echo_input", [False, True], ids=["", "echo"])
def test_a_thread_with_an_active_run_has_the_message_that_started_it(is_blocking: bool, echo_input: bool) -> None:
    agent = Counting(is_open=False)

    async def opening(address: str) -> None:
        asked = [{"id": "asks", "role": "user", "content": "Count"}]
        starter, tab = Tab(address, False, messages=asked, state={"step": 1}), Tab(address, is_blocking)
        async with starter.agent.run(run_id="r") as stream:
            await anext(stream)
            reading = asyncio.create_task(tab.text(tab.agent.connect()))
            await tab.begun.wait()
            assert [message.content for message in tab.agent.messages][:1] == ["Count"]
            agent.opened.set()
            await starter.text(stream)
            result = await reading
        assert (result.run_id, result.text) == ("r", WORDS)
        assert [message.content for message in tab.agent.messages] == ["Count", WORDS]
        assert (tab.agent.messages, tab.agent.state) == (starter.agent.messages, {"step": 1})

    with served_at(agent, echo_input=echo_input) as address:
        asyncio.run(opening(address))


def test_tools_are_called_by_the_tab_that_has_started_the_run(is_blocking: bool) -> None:
    """Row of the fault table: two tabs with the same frontend tool."""
    calls: list[str] = []

    async def agent(run: Run[Any]) -> None:
        if any(message.role == "tool" for message in run.input.messages):
            await run.write("Done")
            return
        async with run.tool_call("look") as call:
            await call.write("{}")

    def look_in(name: str) -> Any:
        def look() -> str:
            calls.append(name)
            return "seen"

        return look

    async def asking(address: str) -> None:
        starter, other = Tab(address, False), Tab(address, is_blocking)
        starter.agent.tool(look_in("starter"))
        other.agent.tool(look_in("other"))
        result = await starter.agent.run_agent(run_id="r")
        assert [run.outcome for run in result.runs] == ["success", "success"]
        joined = await other.text(other.agent.join("r"))
        assert (len(joined.pending_tool_call_ids), len(joined.runs)) == (1, 1)

    with served_at(agent) as address:
        asyncio.run(asking(address))
    assert calls == ["starter"]


@pytest.mark.parametrize("run_id", ["other", "ä /?&=#%"])
def test_a_run_that_is_not_known_is_an_error(is_blocking: bool, run_id: str) -> None:
    async def joining(address: str) -> None:
        tab = Tab(address, is_blocking)
        with pytest.raises(AGUIError) as caught:
            await tab.text(tab.agent.join(run_id))
        assert (caught.value.code, getattr(caught.value, "status", None)) == ("run_unknown", 404)
        with pytest.raises(AGUIError) as caught:
            await tab.cancel(run_id)
        assert caught.value.code == "run_unknown"
        assert not tab.agent.is_running

    with served(Counting()) as port:
        asyncio.run(joining(f"http://127.0.0.1:{port}/agent"))


def test_odd_ids_reach_the_server(is_blocking: bool) -> None:
    odd = "ä /?&=#%+'"

    async def joining(address: str) -> None:
        await HttpAgent(address, thread_id="t").run_agent(run_id=odd)
        tab = Tab(address, is_blocking)
        assert (await tab.text(tab.agent.join(odd))).text == WORDS

    with served(Counting()) as port:
        asyncio.run(joining(f"http://127.0.0.1:{port}/agent"))


def test_a_server_without_a_log_knows_no_run(is_blocking: bool) -> None:
    async def joining(address: str) -> None:
        tab = Tab(address, is_blocking)
        for stream in (tab.agent.join("r"), tab.agent.connect()):
            with pytest.raises(AGUIError) as caught:
                await tab.text(stream)
            assert (caught.value.code, getattr(caught.value, "status", None)) == ("http_error", 405)

    with asgi_server(asgi_app(Counting())) as port:
        asyncio.run(joining(f"http://127.0.0.1:{port}/agent"))


def test_runs_are_joined_over_http_only() -> None:
    for agent in (LocalAgent(Counting()), SyncLocalAgent(Counting())):
        for call in (lambda agent=agent: agent.join("r"), agent.connect):
            with pytest.raises(AGUIError, match="over HTTP") as caught:
                call()
            assert caught.value.code == "run_unknown"
    with pytest.raises(AGUIError, match="over HTTP"):
        SyncLocalAgent(Counting()).cancel("r")
    for odd in ("", None, 5):
        with pytest.raises(AGUIError) as caught:
            HttpAgent("http://127.0.0.1:1/").join(odd)  # type: ignore[arg-type]
        assert caught.value.path == "/run_id"


def test_the_query_of_an_agent_survives(is_blocking: bool) -> None:
    """Each request about a run has the query of the agent's own address."""
    asked: list[tuple[str, bytes]] = []
    agent = Counting()

    def authorize(scope: dict[str, Any], action: str, thread_id: str, run_id: str | None) -> str:
        asked.append((action, scope["query_string"].partition(b"&")[0]))
        return "user"

    async def using(address: str, direct: str) -> None:
        tab = Tab(address, is_blocking)
        assert (await tab.text(tab.agent.run(run_id="r"))).text == WORDS
        other = Tab(direct, is_blocking)
        assert (await other.text(other.agent.join("r"))).text == WORDS
        await other.text(other.agent.connect())
        assert [message.content for message in other.agent.messages] == [WORDS]
        await other.cancel("r")

    app = asgi_app(agent, log=MemoryLog(), authorize=authorize, heartbeat=0.2)
    with asgi_server(app) as port, proxied(port, [900]) as address:
        asyncio.run(using(f"{address}?tenant=1", f"http://127.0.0.1:{port}/agent?tenant=1"))
    assert [action for action, _ in asked] == ["start", "read", "read", "read", "cancel"]
    assert {query for _, query in asked} == {b"tenant=1"}


@pytest.mark.parametrize(
    ("event_bytes", "code"), [(32 << 20, None), (None, "limit_exceeded"), (1 << 10, "limit_exceeded")], ids=str
)
def test_the_limits_of_an_agent_hold_for_runs_with_a_log(
    is_blocking: bool, event_bytes: int | None, code: str | None
) -> None:
    """Events of more than 16 MiB, which is the limit unless the agent has another one."""
    length = 17 << 20

    async def agent(run: Run[Any]) -> None:
        await run.write("x" * length)

    async def reading(address: str) -> None:
        tab = Tab(address, is_blocking, limits=None if event_bytes is None else Limits(event_bytes=event_bytes))
        if code is None:
            assert len((await tab.text(tab.agent.run())).text) == length
            return
        with pytest.raises(AGUIError) as caught:
            await tab.text(tab.agent.run())
        assert (caught.value.code, caught.value.limit) == (code, "event_bytes")

    with served_at(agent, limits=Limits(event_bytes=64 << 20), log_bytes=64 << 20) as address:
        asyncio.run(reading(address))


def test_a_run_is_executed_once_if_its_answer_is_lost(is_blocking: bool) -> None:
    """The connection is cut before the head of the answer, and the server has no log: the first failure is raised."""
    agent = Counting()

    async def asking(address: str) -> None:
        tab = Tab(address, is_blocking)
        with pytest.raises(AGUIError) as caught:
            await tab.text(tab.agent.run())
        assert caught.value.code == "connection_lost"

    with asgi_server(asgi_app(agent)) as port, proxied(port, [1]) as address:
        asyncio.run(asking(address))
        until(lambda: agent.begun == 1)
    assert agent.begun == 1


def test_threads_share_the_stream_of_a_run() -> None:
    """Threads feed a stream, ask it and collect garbage: each event comes once."""
    head = {
        "ag-ui-cursor": f"{'B' * 21}A-0",
        "content-location": "/agent?thread=t&run=r",
        "content-type": "text/event-stream",
    }
    events = [
        f'id: {"B" * 21}A-{number}\ndata: {{"type":"CUSTOM","name":"n","value":{number}}}\n\n'
        for number in range(1, 401)
    ]
    stream = ResumableStream.of(head, (8, 0.1, 1.0, 0.5))
    assert stream is not None
    begin = threading.Barrier(5)
    received: list[tuple[bytes, AGUIError | None]] = []
    failures: list[BaseException] = []

    def feed() -> None:
        begin.wait(PATIENCE)
        for event in events:
            received.append(stream.feed(event.encode()))

    def ask() -> None:
        begin.wait(PATIENCE)
        try:
            for _ in range(400):
                assert stream.headers["ag-ui-resume"] == "1"
                assert stream.cancel_location == "/agent?thread=t&cancel=r"
                assert not stream.has_ended
                stream.next_pause(None, 0.5)
                assert stream.answered(503, {"retry-after": "1"}) == ("retry", 1.0)
                gc.collect(0)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=target) for target in (feed, ask, ask, ask, ask)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert failures == []
    assert b"".join(events for events, _ in received) == "".join(events).encode()
    assert [failure for _, failure in received if failure is not None] == []


def test_a_stream_takes_the_limits_and_refuses_other_values() -> None:
    head = {"ag-ui-cursor": f"{'B' * 21}A-0", "content-location": "?thread=t&run=r"}
    with pytest.raises(AGUIError) as caught:
        stream = ResumableStream.of(head, (8, 0.1, 1.0, 0.5), Limits(event_bytes=10))
        assert stream is not None
        events, failure = stream.feed(b"data: " + b"x" * 100)
        assert events == b""
        assert failure is not None
        raise failure
    assert caught.value.limit == "event_bytes"
    for odd in (None, 5, {"ag-ui-cursor": 5}):
        with pytest.raises(TypeError):
            ResumableStream.of(odd, (8, 0.1, 1.0, 0.5))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ResumableStream.of(head, (8, 0.1, 1.0, 0.5)).feed("text")  # type: ignore[arg-type, union-attr]

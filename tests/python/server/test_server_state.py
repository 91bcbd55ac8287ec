"""The state of a run with threads: the client has the same state as the agent, no matter which thread sends it."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, model_serializer

from ag_ui_native import AGUIError
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.stream import apply_events, decode_events, verify_events
from ag_ui_native.testing import run_agent
from random_states import patched
from servers import PATIENCE, until

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": [], "state": {}}


@pytest.fixture(autouse=True)
def many_switches() -> Iterator[None]:
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def client_state(agent: Any, **options: Any) -> Any:
    """Returns the state of a slow client at the end, by the RFC and by our reducer, and checks that every event is
    legal.
    """
    pieces: list[bytes] = []
    requests = [{"type": "http.request", "body": json.dumps(INPUT).encode()}]

    async def receive() -> Any:
        return requests.pop() if requests else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        await asyncio.sleep(0.002)
        pieces.append(message.get("body", b""))

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    asyncio.run(asgi_app(agent, **options)(scope, receive, send))
    events = verify_events(decode_events(pieces, "text/event-stream", profile="strict"))
    assert events[-1].type == "RUN_FINISHED"
    state: Any = {}
    for event in events:
        if event.type == "STATE_SNAPSHOT":
            state = event.snapshot
        elif event.type == "STATE_DELTA":
            state = patched(state, [operation.model_dump(by_alias=True, mode="json") for operation in event.delta])
    applied = apply_events(events, [], {}, profile="strict")
    assert applied.state == state
    return state


def among_threads(work: Any, count: int = 4) -> None:
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize("whole", [False, True], ids=["deltas", "snapshots"])
def test_threads_change_and_send_the_state_to_a_slow_client(whole: bool) -> None:
    final: list[Any] = []

    async def agent(run: Run) -> None:
        def step(number: int, at: int) -> None:
            run.state["steps"].insert(0, [number, at])
            run.state[str(number)] = "x" * (4000 + at)
            if whole and at % 20 == number:
                run.state_snapshot()
            else:
                run.flush_state()

        def work(number: int) -> None:
            # Much waits, so that writers wait. The event loop's own thread does not.
            for at in range(60):
                step(number, at)

        run.state["steps"] = []
        threads = asyncio.ensure_future(asyncio.to_thread(among_threads, work))
        for at in range(60):
            step(4, at)
            await asyncio.sleep(0.001)
        await threads
        final.append(json.loads(json.dumps(run.state)))

    assert client_state(agent, state_flush="manual") == final[0]


def test_who_waits_for_room_has_not_compared_yet() -> None:
    """A thread waits until the client has taken something; meanwhile another one writes."""

    async def agent(run: Run) -> None:
        run.state["steps"] = []
        run.flush_state()
        run.write("x" * (1 << 17))
        run.state["steps"].append("look")
        thread = threading.Thread(target=run.flush_state)
        thread.start()
        until(lambda: vars(run._outlet._room)["_waiters"])
        run.state["steps"].append("leap")
        run.flush_state()
        await asyncio.to_thread(thread.join)

    assert client_state(agent, state_flush="manual") == {"steps": ["look", "leap"]}


def test_a_model_as_it_was_is_not_sent_after_what_it_is() -> None:
    """A model is slow to dump its old state; meanwhile another thread has sent the new one."""
    begun, go = threading.Event(), threading.Event()

    class Slow(BaseModel):
        steps: list[str] = []

        @model_serializer(mode="plain")
        def dumped(self) -> dict[str, Any]:
            made = {"steps": list(self.steps)}
            if threading.current_thread() is thread:
                begun.set()
                go.wait(PATIENCE)
            return made

    def agent(run: Run[Slow]) -> None:
        nonlocal thread
        state = run.state = Slow(steps=["look"])
        thread = threading.Thread(target=run.flush_state)
        thread.start()
        begun.wait(PATIENCE)
        state.steps.append("leap")
        run.flush_state()
        go.set()
        thread.join()

    thread: threading.Thread | None = None
    assert client_state(agent, state_flush="manual") == {"steps": ["look", "leap"]}


def test_a_state_that_threads_look_at_first_is_one() -> None:
    found: list[Any] = []

    def agent(run: Run) -> None:
        barrier = threading.Barrier(8)

        def look(number: int) -> None:
            barrier.wait()
            found.append(run.state)

        among_threads(look, 8)
        assert all(state is found[0] for state in found)

    assert run_agent(agent, {"state": {str(number): [number] for number in range(2000)}}).outcome == "success"


def test_what_is_refused_is_not_taken_for_sent() -> None:
    async def agent(run: Run) -> None:
        run.state["text"] = "x" * 2000
        run.flush_state()
        # There is nothing to write, so nothing is refused.
        run.flush_state()
        run.state["a"] = 1
        with pytest.raises(AGUIError) as raised:
            run.flush_state()
        assert (raised.value.code, raised.value.limit) == ("client_too_slow", "max_waiting")

    run = run_agent(agent, max_waiting=1000, state_flush="manual")
    assert run.state == {"text": "x" * 2000}
    assert [event.type for event in run.events[1:]] == ["STATE_SNAPSHOT", "RUN_ERROR"]


# Activities.


def test_activities_that_threads_change_at_once() -> None:
    """Comparing and writing are one step: every change applies to the content that was sent before it."""

    def agent(run: Run) -> None:
        activity = run.activity("plan", {"steps": ["a title that makes patches the shorter way"] * 4})
        barrier = threading.Barrier(4)

        def work(name: int) -> None:
            barrier.wait(PATIENCE)
            for count in range(60):
                steps = [f"{name} {count} a title that makes patches the shorter way"] * (1 + (name * 7 + count) % 5)
                activity.update({"steps": steps, "by": name})

        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        activity.update({"steps": ["done"]})

    run = run_agent(agent)
    assert run.outcome == "success"
    assert [message.content for message in run.messages if message.role == "activity"] == [{"steps": ["done"]}]


def test_who_waits_for_room_does_not_hold_an_activity() -> None:
    """A thread waits until the client has taken something; meanwhile the loop changes the same activity."""

    async def agent(run: Run) -> None:
        activity = run.activity("plan", {"by": "nobody"})
        run.write("x" * (1 << 17))
        thread = threading.Thread(target=activity.update, args=({"by": "thread"},))
        thread.start()
        until(lambda: vars(run._outlet._room)["_waiters"])
        activity.update({"by": "loop"})
        await asyncio.to_thread(thread.join)

    run = run_agent(agent)
    assert [message.content for message in run.messages if message.role == "activity"] == [{"by": "thread"}]

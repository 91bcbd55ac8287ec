"""tests/fixtures/client/deliveries.json: the notifications of subscribers, their order, and the effect of the values
that callbacks return.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.client import Agent, RunRequest, RunResult, SyncAgent, rules
from ag_ui_native.client.notification import Step
from conftest import fixture_cases
from servers import PATIENCE, eventually

TABLE: Any = fixture_cases("deliveries")

KINDS = {"message": "message_ended", "call": "call_ended"}


def step_text(step: Step) -> str:
    """A step as the scripts have it."""
    name, ticket, flags, subject = step
    if ticket:
        return f"notify {flags} {name}" + (f" {subject}" if subject >= 0 else "")
    if name.startswith("reduce"):
        return f"reduce {name.removeprefix('reduce_')}".replace("reduce reduce", "reduce whole")
    if name in ("raise", "wait"):
        return name
    words = [word for bit, word in ((1, "stopped"), (2, "messages"), (4, "state")) if flags & bit]
    return " ".join(["done", *words, name])


def without_changes(step: str) -> str:
    """Returns a step without its statement of changes, which is there only if a subscriber is notified of changes."""
    return re.sub(r" (messages|state)\b", "", step) if step.startswith("done") else step


def changes_of(kinds: list[str]) -> list[Any]:
    return [SimpleNamespace(kind=kind) for kind in kinds]


class Script:
    """Carries out lines of a script. A plan goes on after a callback that returns nothing, and after a reduction whose
    changes are not needed.
    """

    def __init__(self, subscribers: list[list[str]]) -> None:
        self._delivery = rules.Delivery(subscribers)
        self._ahead: list[Step] = []
        self._ticket = 0
        self._passed: set[int] = set()
        self._is_open = False

    def say(self, text: str) -> str:
        word, *words = text.split(" ")
        ticket = self._ticket
        if word == "late":
            ticket, (word, *words) = ticket - 1, words
        elif word == "answered" and not words:
            return self._next()
        flags = [name in words for name in ("stop", "messages", "state")]
        kinds = [KINDS[name] for name in words if name in KINDS]
        delivery = self._delivery
        is_answer = word in ("answered", "raised", "absent", "left")
        is_reducing = bool(self._ahead) and not self._is_open
        if is_reducing and word == "reduced":
            return self._next()
        is_late = is_answer and (ticket in self._passed or is_reducing)
        if is_late or ((self._is_open or is_reducing) and not is_answer and word != "cut"):
            # Planned notifications are carried out in order: a host sends nothing else in between.
            return "wait"
        match word:
            case "event":
                steps = delivery.event(words[0])
            case "changed":
                steps = delivery.changed(*flags[1:], kinds)
            case "reduced":
                kinds += ["state_set"] if flags[2] else []
                steps = delivery.reduced(flags[1], changes_of(kinds))
            case "answered":
                steps = delivery.answered(ticket, *flags)
            case "cut":
                delivery.cut()
                self._ahead = []
                self._passed.clear()
                return "raise"
            case "raised" | "absent" | "left":
                steps = getattr(delivery, word)(ticket)
            case _:
                steps = getattr(delivery, word)()
        if steps[0][0] == "wait":
            return "wait"
        self._ahead = list(steps)
        self._passed.clear()
        self._is_open = False
        return self._next()

    def _next(self) -> str:
        """Returns the next step of the plan."""
        if self._is_open:
            self._passed.add(self._ticket)
        name, ticket, _, _ = step = self._ahead.pop(0)
        self._is_open = ticket > 0
        if self._is_open:
            self._ticket = ticket
        assert self._ahead or not self._is_open, name
        return step_text(step)


@pytest.mark.parametrize("script", TABLE["machine"], ids=lambda script: script["name"])
def test_machine(script: dict[str, Any]) -> None:
    delivery = Script(script["subscribers"])
    for given, then in script["steps"]:
        assert without_changes(delivery.say(given)) == without_changes(then), given


def test_what_is_told_wrongly() -> None:
    with pytest.raises(ValueError, match="on_mesage"):
        rules.Delivery([["on_mesage"]])
    delivery = rules.Delivery([["on_event"]])
    assert delivery.answered(7, True, True, True)[0][0] == "wait"
    assert delivery.reduced(True, changes_of(["unknown"]))[0][0] == "wait"


class Given(Exception):
    """An error that a callback raises."""


class Scripted:
    """A subscriber with the callbacks of a script."""

    def __init__(self, number: int, reactions: dict[str, Any], log: list[str], agents: list[Any], slow: bool) -> None:
        for name, reaction in reactions.items():
            setattr(self, name, self._callback(f"{number} {name}", reaction, log, agents, slow))

    def _callback(
        self, entry: str, reaction: dict[str, Any], log: list[str], agents: list[Any], slow: bool
    ) -> Callable[[Any], Any]:
        def before() -> int:
            return sum(told.split(": ")[0] == entry for told in log) - 1

        def heard(params: Any) -> Any:
            log.append(f"{entry}: {text_so_far(params)}" if "shows" in reaction else entry)
            if reaction.get("at", before()) != before():
                return None
            if "raises" in reaction:
                raise Given
            if "aborts" in reaction:
                agents[0].abort_run()
            names = {"stop": "stop_propagation", "messages": "messages", "state": "state"}
            return {names[name]: reaction[name] for name in names if name in reaction} or None

        async def slowly(params: Any) -> Any:
            wanted = heard(params)
            if "hangs" in reaction and reaction.get("at", before()) == before():
                asyncio.get_running_loop().call_soon(agents[0].abort_run)
                await asyncio.get_running_loop().create_future()
            if "stays" in reaction:
                await asyncio.get_running_loop().create_future()
            await asyncio.sleep(0)
            return wanted

        return slowly if slow else heard


def text_so_far(params: Any) -> str:
    """Returns the text so far of the message or call that a callback receives."""
    text: str = params.tool_call_buffer if params.event.type == "TOOL_CALL_ARGS" else params.text_message_buffer
    return text


def shown(agent: Any, result: RunResult | None) -> dict[str, Any]:
    """Returns the result as the scripts record it."""
    found: dict[str, Any] = {
        "conversation": [[message.id, message.content] for message in agent.messages],
        "state": agent.state,
        "pendingInterrupts": [interrupt.id for interrupt in agent.pending_interrupts],
    }
    if result is not None:
        error = result.error
        found |= {
            "outcome": result.outcome,
            "usage": [entry.model_dump(by_alias=True, exclude_none=True) for entry in result.usage],
            "pending": result.pending_tool_call_ids,
            "result": result.result,
            "error": error and [error.message, error.code],
            "interrupts": [interrupt.id for interrupt in result.interrupts],
            "newMessages": [message.id for message in result.new_messages],
        }
    return found


def pieces(case: dict[str, Any], request: RunRequest) -> Iterator[bytes]:
    for event in case["events"]:
        asked = {**event, "threadId": request.thread_id} if "threadId" in event else event
        yield b"data: " + json.dumps(asked).encode() + b"\n\n"


def run_whole(agent: SyncAgent, leave: str | None) -> RunResult:
    if leave is None:
        return agent.run_agent(run_id="r")
    with agent.run(run_id="r") as events:
        for event in events:
            if event.type == leave:
                break
    return events.result


async def run_async(agent: Agent, leave: str | None) -> RunResult:
    if leave is None:
        return await agent.run_agent(run_id="r")
    async with agent.run(run_id="r") as events:
        async for event in events:
            if event.type == leave:
                break
    return events.result


@pytest.mark.parametrize("face", ["sync", "async", "async slow"])
@pytest.mark.parametrize("case", TABLE["runs"], ids=lambda case: case["name"])
def test_runs(case: dict[str, Any], face: str, caplog: pytest.LogCaptureFixture) -> None:
    hosts = case.get("hosts", ["python"])
    if "python" not in hosts and face != "async slow":
        pytest.skip("a callback of this case never returns, so it is asynchronous")
    if face == "async slow" and '"aborts"' in json.dumps(case):
        pytest.skip("a callback that aborts its run is not awaited any longer, so the log has no fixed end")
    log: list[str] = []
    agents: list[Any] = []
    slow = face == "async slow"
    subscribers = [Scripted(number, given, log, agents, slow) for number, given in enumerate(case["subscribers"])]
    result: RunResult | None = None
    failure: Exception | None = None

    async def later(request: RunRequest) -> Any:
        for piece in pieces(case, request):
            yield piece

    begun = time.monotonic()
    with caplog.at_level(logging.ERROR, "ag_ui_native.client"):
        try:
            if face == "sync":
                agents.append(SyncAgent(lambda request: pieces(case, request), subscribers=subscribers))
                result = run_whole(agents[0], case.get("leave"))
            else:
                agents.append(Agent(later, subscribers=subscribers))
                result = asyncio.run(run_async(agents[0], case.get("leave")))
        except (AGUIError, Given) as error:
            failure = error
    expected = dict(case["result"])
    raises, logged = expected.pop("raises", None), expected.pop("logged", 0)
    assert raises == ("given" if isinstance(failure, Given) else getattr(failure, "code", None))
    assert log == case["told"]
    found = shown(agents[0], result)
    assert {name: found[name] for name in expected} == expected
    assert len(caplog.records) == logged
    assert time.monotonic() - begun < case.get("seconds", PATIENCE)


def events_of(*events: dict[str, Any]) -> list[bytes]:
    return [f"data: {json.dumps(event)}\n\n".encode() for event in events]


RUN = events_of(
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": "Hello"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
)


class Told:
    """A subscriber whose returned values have no effect."""

    def __init__(self, returned: Any) -> None:
        self.on_new_message = self.on_messages_changed = lambda _: returned


@pytest.mark.parametrize("returned", [5, {"messages": []}, {"state": {"a": 1}}, {"stop_propagation": True}])
def test_callbacks_that_are_told_of_changes_change_nothing(returned: Any) -> None:
    agent = SyncAgent(lambda _: RUN, state={"b": 1})
    agent.subscribe(Told(returned))
    assert agent.run_agent().outcome == "success"
    assert [message.content for message in agent.messages] == ["Hello"]
    assert agent.state == {"b": 1}


class Half:
    def on_run_initialized(self, params: Any) -> Any:
        return {"messages": [{"id": "z", "role": "user", "content": "Hi"}], "state": {"a": object()}}


def test_of_an_answer_that_is_refused_nothing_takes_effect() -> None:
    agent = SyncAgent(lambda _: RUN, state={"b": 1})
    agent.subscribe(Half())
    agent.run_agent()
    assert [message.id for message in agent.messages] == ["m"]
    assert agent.state == {"b": 1}


FAILED = [RUN[0], *events_of({"type": "RUN_ERROR", "message": "oh"})]


def noting(heard: list[str], *names: str) -> Any:
    """A subscriber whose callbacks wait."""

    def callback(name: str) -> Callable[[Any], Any]:
        async def note(_: Any) -> None:
            await asyncio.sleep(0)
            heard.append(name)

        return note

    return SimpleNamespace(**{name: callback(name) for name in names})


@pytest.mark.parametrize(
    ("name", "answer", "told", "outcome"),
    [
        ("on_event", RUN, ["on_run_failed", "on_run_finalized"], "aborted"),
        ("on_run_finished_event", RUN, ["on_run_finished_event", "on_run_finalized"], "success"),
        ("on_run_error_event", FAILED, ["on_run_error_event", "on_run_finalized"], "error"),
        ("on_run_finalized", RUN, ["on_run_finished_event", "on_run_finalized"], "success"),
        ("on_run_failed", RUN[:1], ["on_run_failed", "on_run_finalized"], "failed"),
    ],
)
def test_a_task_that_is_cancelled_in_a_callback(
    name: str, answer: list[bytes], told: list[str], outcome: str, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None

        async def cancel(_: Any) -> None:
            task.cancel()
            await asyncio.get_running_loop().create_future()

        others = noting(heard, "on_run_finished_event", "on_run_error_event", "on_run_failed", "on_run_finalized")
        stream = Agent(lambda _: answer, subscribers=[SimpleNamespace(**{name: cancel}), others]).stream()
        with pytest.raises(asyncio.CancelledError):
            async for _ in stream:
                pass
        assert stream.result.outcome == outcome

    with caplog.at_level(logging.ERROR, "ag_ui_native.client"):
        asyncio.run(work())
    assert heard == told
    assert not caplog.records


HEARD = ("on_run_initialized", "on_event", "on_new_message", "on_messages_changed", "on_run_finalized")


def add(agent: Any, message_id: str) -> None:
    agent.add_message({"id": message_id, "role": "user", "content": "Hi"})


def add_elsewhere(agent: Any, message_id: str) -> None:
    """Adds the messages in a thread, which has no event loop."""
    thread = threading.Thread(target=add, args=(agent, message_id))
    thread.start()
    thread.join(30)
    assert not thread.is_alive()


class Turn:
    """A subscriber that checks that its callbacks run one at a time."""

    def __init__(
        self, number: int, case: dict[str, Any], log: list[str], agents: list[Any], slow: bool, add: Callable[..., None]
    ) -> None:
        self._at: str | None = None
        self._add = add
        for name in HEARD:
            setattr(self, name, self._callback(f"{number} {name}", case, log, agents, slow))

    def _callback(
        self, entry: str, case: dict[str, Any], log: list[str], agents: list[Any], slow: bool
    ) -> Callable[[Any], Any]:
        def is_now(what: str) -> bool:
            return case.get(what) == [entry, log.count(entry) - 1]

        def hear() -> None:
            assert self._at is None, f"{entry} while it hears of {self._at}"
            log.append(entry)
            if is_now("adds"):
                self._add(agents[0], "x")

        def heard(_: Any) -> None:
            hear()
            if is_now("runs"):
                agents[0].run_agent(run_id="r")

        async def slowly(_: Any) -> None:
            hear()
            if is_now("stays"):
                await asyncio.get_running_loop().create_future()
            if is_now("runs"):
                await agents[0].run_agent(run_id="r")
                return
            self._at = entry
            for _ in range(3):
                await asyncio.sleep(0)
            self._at = None

        return slowly if slow else heard


# A plain callback cannot wait for a run of an async agent.
TURNS = [
    pytest.param(case, face, id=f"{case['name']}, {face}")
    for case in TABLE["turns"]
    for face in ("sync", "async", "async slow", "async threads", "async slow threads")
    if face == "async slow" or ("hosts" not in case and (face in ("sync", "async slow threads") or "runs" not in case))
]


@pytest.mark.parametrize(("case", "face"), TURNS)
def test_turns(case: dict[str, Any], face: str, caplog: pytest.LogCaptureFixture) -> None:
    begun = time.monotonic()
    log: list[str] = []
    agents: list[Any] = []
    adds = add_elsewhere if "threads" in face else add
    subscribers = [Turn(number, case, log, agents, "slow" in face, adds) for number in range(2)]

    def act(agent: Any) -> None:
        agents.append(agent)
        for number in range(case.get("before", 0)):
            adds(agent, f"m{number}")

    async def work() -> None:
        act(Agent(lambda request: pieces(case, request), subscribers=subscribers))
        if "runs" not in case:
            await agents[0].run_agent(run_id="r")
        await eventually(lambda: len(log) >= len(case["told"]))

    if face == "sync":
        act(SyncAgent(lambda request: pieces(case, request), subscribers=subscribers))
        if "runs" not in case:
            agents[0].run_agent(run_id="r")
    else:
        asyncio.run(asyncio.wait_for(work(), 30))
    assert log == case["told"]
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(errors) == case.get("logged", 0)
    assert time.monotonic() - begun < case.get("seconds", PATIENCE)


def test_a_run_waits_until_a_thread_has_told_what_it_has_added() -> None:
    log: list[str] = []
    begun, goes = threading.Event(), threading.Event()

    class Slow:
        async def on_new_message(self, _: Any) -> None:
            log.append("begun")
            begun.set()
            await asyncio.to_thread(goes.wait, 30)
            log.append("over")

        def on_run_initialized(self, _: Any) -> None:
            log.append("run")

    agent = Agent(lambda _: RUN, subscribers=[Slow()])

    async def work() -> None:
        thread = threading.Thread(target=add, args=(agent, "x"))
        thread.start()
        await asyncio.to_thread(begun.wait, 30)
        running = asyncio.create_task(agent.run_agent())
        for _ in range(20):
            await asyncio.sleep(0)
        goes.set()
        await running
        thread.join(30)

    asyncio.run(asyncio.wait_for(work(), 60))
    # A message of the run itself is a new message, too.
    assert log == ["begun", "over", "run", "begun", "over"]

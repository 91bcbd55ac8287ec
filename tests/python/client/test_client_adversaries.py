"""Misbehaving callbacks, tools and middleware, by seeds: each run ends, reports its end once, and its agent can be
used further.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.client import Agent, AgentSubscriber, FrontendTool, SyncAgent, Timeouts
from client_scripts import calls, of_run, run_of, says

CALLBACKS = (
    "on_run_initialized",
    "on_run_failed",
    "on_run_finalized",
    "on_event",
    "on_run_started_event",
    "on_text_message_content_event",
    "on_tool_call_end_event",
    "on_run_finished_event",
    "on_new_message",
    "on_new_tool_call",
    "on_messages_changed",
    "on_state_changed",
)
WRONG: tuple[Any, ...] = (
    5,
    "text",
    [],
    object(),
    {"messages": 5},
    {"nonsense": 1},
    {"messages": [{"role": "nobody"}]},
    {"state": object()},
    {"stop_propagation": "yes"},
)
ENDS = {"on_run_initialized": "i", "on_run_failed": "f", "on_run_finalized": "z"}


class Chaos:
    """An agent whose callbacks, tools and middleware do random things, drawn from a seed."""

    def __init__(self, seed: int, face: str) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.is_async = face == "async"
        self.rounds = 0
        self.ends = ""
        self.is_calm = False
        self.refused: list[str | None] = []
        made: Any = Agent if self.is_async else SyncAgent
        timeouts = Timeouts(idle=5, total=1.2 if self.chance(30) else 2)
        middleware = [self.middleware()] if self.chance(30) else []
        self.agent: Any = made(self.transport, timeouts=timeouts, middleware=middleware)
        self.tool()
        self.agent.subscribe(self.recorder())
        self.subscriptions = [self.agent.subscribe(self.subscriber()) for _ in range(self.random.randrange(4))]

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def anything(self) -> Any:
        """Does a random action. Returns the value for the callback to return."""
        if self.is_calm:
            return None
        number = self.random.randrange(100)
        if number < 4:
            raise self.random.choice((ValueError("mine"), AGUIError("mine"), StopIteration(), asyncio.CancelledError()))
        if number < 6:
            self.agent.abort_run()
        elif number < 10:
            self.agent.tools.clear()
        elif number < 12:
            self.tool()
        elif number < 15 and self.subscriptions:
            self.random.choice(self.subscriptions).unsubscribe()
        elif number < 17:
            self.subscriptions.append(self.agent.subscribe(self.subscriber()))
        elif number < 20:
            self.change()
        elif number < 28:
            return self.random.choice(WRONG)
        elif number < 34:
            return {"stop_propagation": True}
        elif number < 38:
            return {"state": {"n": number}}
        elif number < 41:
            return {"messages": [{"id": f"x{number}", "role": "user", "content": "x"}]}
        return None

    def change(self) -> None:
        """Changes the conversation during a run: the change may be refused, and has no other effect."""
        message = {"id": f"y{self.random.randrange(1000)}", "role": "user", "content": "y"}
        ways: tuple[Callable[[], object], ...] = (
            lambda: self.agent.add_message(message),
            lambda: self.agent.set_messages([message]),
            lambda: self.agent.set_state({"y": 1}),
            lambda: self.agent.add_message(5),
        )
        try:
            self.random.choice(ways)()
        except (AGUIError, TypeError, ValueError):
            pass

    def within(self) -> None:
        """Begins a run of a sync agent from within another one."""
        try:
            self.agent.run_agent()
            self.refused.append(None)
        except AGUIError as error:
            self.refused.append(error.code)

    async def within_later(self) -> None:
        """Like `within`, for an async callback."""
        try:
            await self.agent.run_agent()
            self.refused.append(None)
        except AGUIError as error:
            self.refused.append(error.code)

    def function(self) -> Callable[..., Any]:
        """A callback or tool."""

        def act(*_: Any) -> Any:
            if not self.is_async and not self.is_calm and self.chance(3):
                self.within()
            return self.anything()

        async def act_later(*_: Any) -> Any:
            if self.is_calm:
                return None
            if self.chance(5):
                await self.within_later()
            if self.chance(2):
                await asyncio.get_running_loop().create_future()
            if self.chance(30):
                await asyncio.sleep(self.random.randrange(3) / 1000)
            return self.anything()

        return act_later if self.is_async and self.chance(50) else act

    def tool(self) -> None:
        function = self.function()
        tool = FrontendTool(function, name="look", description="", parameters={"type": "object"})
        self.agent.tools["look"] = tool

    def subscriber(self) -> Any:
        chosen = {name: staticmethod(self.function()) for name in CALLBACKS if self.chance(30)}
        return type("Chaotic", (AgentSubscriber,), chosen)()

    def recorder(self) -> Any:
        def record(letter: str) -> Callable[..., None]:
            def note(self_: Any, params: Any) -> None:
                self.ends += letter

            return note

        return type("Recorder", (AgentSubscriber,), {name: record(letter) for name, letter in ENDS.items()})()

    def middleware(self) -> Any:
        def plain(input: Any, next: Any) -> Iterator[Any]:
            for event in next(input):
                if self.chance(3):
                    self.anything()
                yield event

        async def later(input: Any, next: Any) -> Any:
            async for event in next(input):
                if self.chance(3):
                    self.anything()
                yield event

        return later if self.is_async else plain

    def transport(self, request: Any) -> Any:
        self.rounds += 1
        number = self.rounds
        if self.is_calm or self.chance(50):
            pieces = run_of(*says("Hello", f"m{number}"))
        else:
            pieces = run_of(*calls("look", "{}", f"c{number}"), *calls("look", "{}", f"d{number}"))
        for piece in pieces:
            if self.chance(1) and not self.is_calm:
                raise OSError("lost")
            yield of_run(piece, request)

    async def run(self, leave: float | None) -> Any:
        if not self.is_async:
            return self.agent.run_agent()
        task = asyncio.ensure_future(self.agent.run_agent())
        if leave is not None:
            asyncio.get_running_loop().call_later(leave, self.random.choice((task.cancel, self.agent.abort_run)))
        return await task

    async def live(self) -> str:
        """Runs the agent. Returns the outcome of the run."""
        outcome = "raised"
        try:
            outcome = (
                await asyncio.wait_for(self.run(self.random.randrange(20) / 1000 if self.chance(20) else None), 20)
            ).outcome
        except (Exception, asyncio.CancelledError) as error:
            assert not isinstance(error, TimeoutError), self.seed
        assert not self.agent.is_running, self.seed
        assert set(self.refused) <= {"agent_busy"}, self.seed
        assert re.fullmatch("(if?z)*", self.ends), (self.seed, self.ends)
        return outcome

    async def live_calmly(self) -> None:
        """Runs the agent once more, with nothing in the way."""
        self.is_calm = True
        self.agent.subscribers.clear()
        result = await self.agent.run_agent() if self.is_async else self.agent.run_agent()
        assert (result.outcome, result.text) == ("success", "Hello"), self.seed


@pytest.mark.parametrize("face", ["async", "sync"])
def test_runs_end_whatever_callbacks_do(face: str) -> None:
    async def work() -> set[str]:
        chaos = [Chaos(seed, face) for seed in range(300)]
        outcomes = await asyncio.gather(*(one.live() for one in chaos))
        # The runs are not parallel, so that none of them exceeds its timeouts.
        for one in chaos:
            await one.live_calmly()
        return set(outcomes)

    # A failure that a subscriber takes on is in the result.
    assert asyncio.run(work()) >= {"success", "aborted", "raised"}


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("given", [5, "text", [], [("stop_propagation", True)], True], ids=repr)
def test_what_a_callback_returns_of_a_wrong_kind_is_reported(
    face: str, given: object, caplog: pytest.LogCaptureFixture
) -> None:
    class Wrong(AgentSubscriber):
        def on_text_message_start_event(self, params: Any) -> Any:
            return given

    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(lambda request: [of_run(piece, request) for piece in run_of(*says("Hello"))])
    agent.subscribe(Wrong())

    async def work() -> Any:
        return await agent.run_agent() if face == "async" else agent.run_agent()

    assert asyncio.run(work()).text == "Hello"
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "a subscriber failed at on_text_message_start_event"
    ]

"""Runs agents without a server: returns their events, and the conversation of the client. Checks engines of logs."""

from __future__ import annotations

import asyncio
import difflib
import json
import threading
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import ag_ui_native
from ag_ui_native import _native
from ag_ui_native._defaults import CALLBACK_GRACE
from ag_ui_native.errors import AGUIError, ProtocolWarning
from ag_ui_native.run_input import read_run_input
from ag_ui_native.server import AgentFunction, Run, RunOptions
from ag_ui_native.server.options import ServerSettings, settings_of
from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.serve import checked, drive
from ag_ui_native.stream import apply_events, decode_events, verify_events

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.core import Event, Interrupt, Message, RunAgentInput
    from ag_ui_native.durable import Log
    from ag_ui_native.durable.rules import LogCase
    from ag_ui_native.typing import EventLike

__all__ = ["AgentRun", "arun_agent", "assert_events", "check_log", "run_agent", "scripted_agent"]

ScriptedStep: TypeAlias = (
    "EventLike | Mapping[str, Any] | str | BaseException | Callable[[Run[Any]], Awaitable[object] | object]"
)
"""A step of a scripted agent: it writes an event or a message, raises, or calls a function with its run."""


@dataclass(frozen=True)
class AgentRun:
    """The result of a run.

    Examples:
        >>> from ag_ui_native.testing import AgentRun, run_agent, scripted_agent
        >>> done: AgentRun = run_agent(scripted_agent(["Hello!"]), "Hi")
        >>> done.text, done.outcome, len(done.events), done.result, done.interrupts
        ('Hello!', 'success', 5, None, [])
    """

    events: list[Event]
    """All events, from RUN_STARTED to the end."""
    messages: list[Message]
    """The client's messages afterwards."""
    state: Any
    """The client's state afterwards."""
    outcome: str
    """``success``, ``interrupt``, ``cancelled`` or ``error``."""
    warnings: list[ProtocolWarning]
    """The warnings about repairs of the input."""
    error: BaseException | None = None
    """The exception of the agent, or the fault in its state or result."""

    @property
    def result(self) -> object:
        """The agent's result."""
        from ag_ui_native.core import RunFinishedEvent

        last = self.events[-1]
        return last.result if isinstance(last, RunFinishedEvent) else None

    @property
    def interrupts(self) -> list[Interrupt]:
        """The pending interrupts of the run."""
        from ag_ui_native.core import RunFinishedEvent

        last = self.events[-1]
        outcome = last.outcome if isinstance(last, RunFinishedEvent) else None
        return list(getattr(outcome, "interrupts", ()))

    @property
    def text(self) -> str:
        """The text of the messages that the agent has written."""
        from ag_ui_native.core import TextMessageContentEvent

        return "".join(event.delta for event in self.events if isinstance(event, TextMessageContentEvent))


def run_agent(
    agent: AgentFunction, input: RunAgentInput | Mapping[str, Any] | str | None = None, **options: Unpack[RunOptions]
) -> AgentRun:
    """Runs an agent, async or not, to its end. The options are those of the server.

    An agent that continues after the end of its run is waited for up to ``time_limit``, or a second without one; then
    it is cancelled. The input is whole, or a dictionary with some members with the keys of the wire, or the text of a
    user's message. A failing agent gives a result, too: its ``outcome`` is ``error``. Raises AGUIValidationError for an
    invalid input.

    Examples:
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def greet(run: Run) -> None:
        ...     await run.write(f"You wrote: {run.messages[-1].content}")
        >>> run_agent(greet, "Hi").text
        'You wrote: Hi'
    """
    results: list[AgentRun] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            results.append(asyncio.run(arun_agent(agent, input, **options)))
        except BaseException as failure:  # noqa: BLE001 It is raised below.
            failures.append(failure)

    if _is_looping():
        # The running event loop of this thread is not used.
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
    if failures:
        raise failures[0]
    return results[0]


async def arun_agent(
    agent: AgentFunction, input: RunAgentInput | Mapping[str, Any] | str | None = None, **options: Unpack[RunOptions]
) -> AgentRun:
    """Runs an agent as ``run_agent`` does, in the running event loop.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.testing import arun_agent, scripted_agent
        >>> asyncio.run(arun_agent(scripted_agent(["Hello!"]), "Hi")).text
        'Hello!'
    """
    agent, settings = checked(agent), settings_of(options)
    asked, warnings = _read(input, settings)
    pieces: list[bytes] = []

    async def send(message: dict[str, Any]) -> None:
        pieces.append(message["body"])

    outlet = Outlet(False, settings, send)
    run: Run[Any] = Run(outlet, asked, settings, warnings)
    await _driven(run, agent, outlet)
    events = verify_events(decode_events(pieces, outlet.content_type, profile="strict"))
    state = {} if asked.state is None else asked.state
    applied = apply_events(events, asked.messages, state, profile="strict")
    return AgentRun(events, applied.messages, applied.state, _outcome(events[-1]), run.warnings, outlet.failure)


async def _driven(run: Run[Any], agent: AgentFunction, outlet: Outlet) -> None:
    """Drives the run to its end. An agent that continues after that is awaited up to a limit."""
    ended = asyncio.get_running_loop().create_future()

    async def finish() -> None:
        await outlet.close()
        ended.set_result(None)

    driving = asyncio.ensure_future(drive(run, agent, outlet, finish))
    try:
        await asyncio.wait({driving, ended}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({driving}, timeout=CALLBACK_GRACE if run._settings.time_limit is None else None)
        if driving.done():
            await driving
        else:
            # A thread cannot be stopped, so it is left running.
            driving.cancel()
            await asyncio.wait({driving}, timeout=CALLBACK_GRACE)
    except asyncio.CancelledError:
        while not driving.done():
            # A second cancellation of this one cancels that one twice.
            driving.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.wait({driving})
        raise


def _read(
    input: RunAgentInput | Mapping[str, Any] | str | None, settings: ServerSettings
) -> tuple[RunAgentInput, list[ProtocolWarning]]:
    from ag_ui_native.core import RunAgentInput

    if isinstance(input, RunAgentInput):
        return input, []
    if isinstance(input, str):
        input = {"messages": [{"id": "user", "role": "user", "content": input}]}
    body = {"threadId": "thread", "runId": "run", "messages": [], **(input or {})}
    return read_run_input(_native.json_text(body), limits=settings.limits)


def scripted_agent(steps: Iterable[ScriptedStep]) -> Callable[[Run[Any]], Awaitable[None]]:
    """Makes an agent that takes the same steps in every run. Texts are whole messages; exceptions are raised;
    functions are called.

    Examples:
        >>> from ag_ui_native.testing import run_agent, scripted_agent
        >>> agent = scripted_agent(["Let me see.", {"type": "CUSTOM", "name": "progress", "value": 1}, ValueError("no model")])
        >>> run_agent(agent).outcome
        'error'
    """
    script = list(steps)

    async def agent(run: Run[Any]) -> None:
        for step in script:
            if isinstance(step, str):
                await run.write(step)
            elif isinstance(step, BaseException):
                raise step
            elif callable(step):
                made = step(run)
                if isinstance(made, Awaitable):
                    await made
            else:
                await run.event(step)

    return agent


def assert_events(
    result: AgentRun | Iterable[EventLike | Mapping[str, Any]],
    expected: Sequence[EventLike | Mapping[str, Any] | str],
) -> None:
    """Fails with a readable difference unless the events are the expected ones. An expected event may be its
    type alone, or a dictionary with some of its members, with the keys of the wire.

    Examples:
        >>> from ag_ui_native.testing import assert_events, run_agent, scripted_agent
        >>> result = run_agent(scripted_agent(["Hello!"]))
        >>> content = {"type": "TEXT_MESSAGE_CONTENT", "delta": "Hello!"}
        >>> assert_events(result, ["RUN_STARTED", "TEXT_MESSAGE_START", content, "TEXT_MESSAGE_END", "RUN_FINISHED"])
    """
    events = [_members(event) for event in (result.events if isinstance(result, AgentRun) else result)]
    wanted = [{"type": str.__str__(event)} if isinstance(event, str) else _members(event) for event in expected]
    shown = [
        {name: value for name, value in event.items() if name in want} if want.keys() <= event.keys() else event
        for event, want in zip(events, wanted, strict=False)
    ]
    shown += events[len(shown) :]
    if not _same(shown, wanted):
        lines = difflib.unified_diff(
            [json.dumps(event, ensure_ascii=False) for event in wanted],
            [json.dumps(event, ensure_ascii=False) for event in shown],
            "expected",
            "written",
            lineterm="",
            n=3,
        )
        raise AssertionError("the events differ from the expected ones\n" + "\n".join(lines))


async def check_log(log: Log) -> None:
    """Fails unless an engine of logs replies as every engine does. It uses threads of its own, which stay there, and takes about
    as long as its longest case waits: some seconds.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.durable import MemoryLog
        >>> from ag_ui_native.testing import check_log
        >>> asyncio.run(check_log(MemoryLog()))
    """
    from ag_ui_native.durable.rules import log_cases

    cases = log_cases(str(uuid.uuid4()))
    ended = await asyncio.gather(*(_play(log, case) for case in cases), return_exceptions=True)
    differences = [str(failure) for failure in ended if isinstance(failure, AssertionError)]
    for failure in ended:
        if failure is not None and not isinstance(failure, AssertionError):
            raise failure
    if differences:
        raise AssertionError("the engine differs from all others\n" + "\n".join(differences))


async def _play(log: Log, case: LogCase) -> None:
    while (step := case.step()) is not None:
        if isinstance(step, float):
            await asyncio.sleep(step)
            continue
        difference = case.difference(json.dumps(await log.execute(json.loads(step))))
        if difference is not None:
            raise AssertionError(difference)


def _same(one: Any, other: Any) -> bool:
    """True if two values are the same JSON. Python compares True as 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _is_looping() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _members(event: Any) -> dict[str, Any]:
    if isinstance(event, Mapping):
        return json.loads(_native.json_text(dict(event)))  # type: ignore[no-any-return]
    return json.loads(ag_ui_native.to_json(event))  # type: ignore[no-any-return]


def _outcome(last: Event) -> str:
    from ag_ui_native.core import RunErrorEvent, RunFinishedEvent

    if isinstance(last, RunErrorEvent):
        return "error"
    if not isinstance(last, RunFinishedEvent):
        raise AGUIError("the run has not ended", code="stream_truncated")
    return "success" if last.outcome is None else last.outcome.type

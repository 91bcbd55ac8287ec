"""``Run``: the run that an agent receives and writes to."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal

from typing_extensions import TypeVar

from ag_ui_native.server.errors import text_of
from ag_ui_native.server.run_state import RunState
from ag_ui_native.server.scope import Scope, listed

if TYPE_CHECKING:
    from ag_ui_native.core import Interrupt, Message, ResumeEntry, RunAgentInput, TokenUsage
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.typing import MessageLike

__all__ = ["Run"]

StateT = TypeVar("StateT", default=Any)


class Run(Scope, Generic[StateT]):
    """A run that an agent writes to. It has begun, and ends when the agent returns, raises or is cancelled.

    The agent's return value is the run's result. Messages, calls and other entities that are open at the end are
    closed first.

    Examples:
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def greet(run: Run) -> dict[str, int]:
        ...     await run.write(f"Hello! This is {run.run_id} of {run.thread_id}.")
        ...     return {"words": 6}
        >>> done = run_agent(greet, "Hi")
        >>> done.text, done.result
        ('Hello! This is run of thread.', {'words': 6})
    """

    def __init__(
        self, outlet: Outlet, input: RunAgentInput, settings: ServerSettings, warnings: Iterable[ProtocolWarning] = ()
    ) -> None:
        super().__init__(outlet, settings, RunState(outlet, input.state, settings), None)
        self.input: RunAgentInput = input
        """The input of the run."""
        self.warnings: list[ProtocolWarning] = list(warnings)
        """The warnings about repairs of the request."""
        outlet.start(input, settings.echo_input)

    @property
    def thread_id(self) -> str:
        """The id of the conversation."""
        return self.input.thread_id

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return self.input.run_id

    @property
    def messages(self) -> list[Message]:
        """The messages of the conversation, as the client has sent them."""
        return self.input.messages

    @property
    def resume(self) -> list[ResumeEntry]:
        """The answers to the interrupts that ended the previous run."""
        return self.input.resume or []

    def answer(self, interrupt_id: str) -> ResumeEntry | None:
        """Returns the answer to one interrupt.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def send(run: Run) -> str | None:
            ...     answer = run.answer("i1")
            ...     if answer is None:
            ...         await run.interrupt({"id": "i1", "reason": "confirmation", "message": "Send the mail?"})
            ...         return None
            ...     return f"{answer.status}, {len(run.resume)} answer"
            >>> run_agent(send).outcome
            'interrupt'
            >>> run_agent(send, {"resume": [{"interruptId": "i1", "status": "resolved"}]}).result
            'resolved, 1 answer'
        """
        return next((entry for entry in self.resume if entry.interrupt_id == interrupt_id), None)

    @property
    def is_running(self) -> bool:
        """True if the run has not ended.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def greet(run: Run) -> None:
            ...     print(run.is_running)
            ...     await run.finish("done")
            ...     print(run.is_running)
            >>> run_agent(greet).result
            True
            False
            'done'
        """
        return self._outlet.is_running

    @property
    def cancelled(self) -> bool:
        """True if the run is cancelled. Agents that are plain functions check this; async agents are cancelled as
        tasks.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> def count(run: Run) -> None:
            ...     for number in range(3):
            ...         if run.cancelled:
            ...             return
            ...         run.write(str(number))
            >>> run_agent(count).text
            '012'
        """
        return self._outlet.is_lost or self._outlet.cancelled

    # The whole conversation.

    def messages_snapshot(self, messages: Iterable[MessageLike | Mapping[str, Any]]) -> Awaitable[None]:
        """Replaces the client's messages.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def forget(run: Run) -> None:
            ...     await run.messages_snapshot(run.messages[-1:])
            >>> said = [{"id": "m1", "role": "user", "content": "Hi"}, {"id": "m2", "role": "user", "content": "Still there?"}]
            >>> [message.id for message in run_agent(forget, {"messages": said}).messages]
            ['m2']
        """
        return self.event({"type": "MESSAGES_SNAPSHOT", "messages": list(messages)})

    def usage(self, entries: TokenUsage | Mapping[str, Any] | Iterable[TokenUsage | Mapping[str, Any]]) -> None:
        """Adds token usage; the end of the run reports the sums.

        Examples:
            >>> from ag_ui_native.core import TokenUsage
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def greet(run: Run) -> None:
            ...     run.usage(TokenUsage(model="large", input_tokens=120))
            ...     run.usage({"model": "large", "inputTokens": 80})
            >>> print(run_agent(greet).events[-1].model_dump()["usage"])
            [{'model': 'large', 'input_tokens': 200}]
        """
        for entry in listed(entries):
            self._outlet.add_usage(entry)

    # The end.

    def finish(self, result: object = None) -> Awaitable[None]:
        """Ends the run with success; ``result`` is any JSON value.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def count(run: Run) -> None:
            ...     await run.finish({"words": 6})
            >>> run_agent(count).result
            {'words': 6}
        """
        return self._end("success", result)

    def interrupt(self, *interrupts: Interrupt | Mapping[str, Any]) -> Awaitable[None]:
        """Ends the run with interrupts: the next run continues when the client has answered them.

        Examples:
            >>> from ag_ui_native.core import Interrupt
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def ask(run: Run) -> None:
            ...     await run.interrupt(Interrupt(id="i1", reason="confirmation", message="Send the mail?"))
            >>> [interrupt.message for interrupt in run_agent(ask).interrupts]
            ['Send the mail?']
        """
        return self._end("interrupt", list(interrupts))

    def cancel(self) -> Awaitable[None]:
        """Ends the run as cancelled.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def stop(run: Run) -> None:
            ...     await run.cancel()
            >>> run_agent(stop).outcome
            'cancelled'
        """
        return self._end("cancelled", None)

    def fail(self, message: str, code: str | None = None) -> Awaitable[None]:
        """Ends the run with an error, whose message the client receives.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import assert_events, run_agent
            >>> async def give_up(run: Run) -> None:
            ...     await run.fail("The model does not answer.", "model_timeout")
            >>> assert_events(run_agent(give_up), ["RUN_STARTED", {"type": "RUN_ERROR", "code": "model_timeout"}])
        """
        return self._outlet.end_run("error", message, code, self._state.tracker)

    def _end(self, ending: Literal["success", "interrupt", "cancelled"], value: object) -> Awaitable[None]:
        return self._outlet.end_run(ending, value, None, self._state.tracker)

    def _conclude(self, cause: Literal["returned", "raised", "called_off"], value: object = None) -> None:
        """Ends the run if it has not ended: the agent is done."""
        text = text_of(value) if isinstance(value, BaseException) else None
        self._outlet.conclude(cause, value, text, self._state.tracker)

    # The state.

    @property
    def state(self) -> StateT:
        """The client's state: plain values, which may be changed at any time. It can be replaced, also by a model or a
        dataclass. Changes are sent as ``state_flush`` says, or by ``flush_state``. A STATE_SNAPSHOT or STATE_DELTA
        that the agent sends itself changes the state too: after that it is plain values.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def add(run: Run) -> None:
            ...     run.state["tasks"].append("Buy milk")
            >>> run_agent(add, {"state": {"tasks": []}}).state
            {'tasks': ['Buy milk']}
        """
        state: StateT = self._state.follow().state
        return state

    @state.setter
    def state(self, state: StateT) -> None:
        self._state.follow().state = state

    def flush_state(self) -> Awaitable[None]:
        """Sends the state to the client as STATE_DELTA or STATE_SNAPSHOT, whichever is shorter. Sends nothing if the
        client has it.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def count(run: Run) -> None:
            ...     for number in (1, 2):
            ...         run.state["count"] = number
            ...         await run.flush_state()
            >>> [event.type.value for event in run_agent(count, state_flush="manual").events][1:-1]
            ['STATE_SNAPSHOT', 'STATE_SNAPSHOT']
        """
        return self._state.flush()

    def state_snapshot(self) -> Awaitable[None]:
        """Sends the whole state.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def show(run: Run) -> None:
            ...     await run.state_snapshot()
            >>> [event.type.value for event in run_agent(show, {"state": {"count": 1}}).events][1:-1]
            ['STATE_SNAPSHOT']
        """
        return self._state.snapshot()

    def __repr__(self) -> str:
        return f"Run(thread_id={self.thread_id!r}, run_id={self.run_id!r}, is_running={self.is_running})"

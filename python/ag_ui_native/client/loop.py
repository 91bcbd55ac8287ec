"""A call: one run, and further runs as long as functions of the application answer its tool calls."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ag_ui_native.client import rules
from ag_ui_native.client.notifier import Notifier
from ag_ui_native.client.options import check_parameters
from ag_ui_native.client.result import RunResult
from ag_ui_native.client.run import ActiveRun, Item
from ag_ui_native.client.scope.cancel_scope import Aborted, code_of
from ag_ui_native.client.tools import calls_of
from ag_ui_native.errors import AGUIError

if TYPE_CHECKING:
    from ag_ui_native.client.conversation import Conversation
    from ag_ui_native.client.options import RunParameters
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import Transport
    from ag_ui_native.core import Message

__all__ = ["RunLoop"]

_logger = logging.getLogger("ag_ui_native.client")

_closing: set[asyncio.Task[None]] = set()
"""Tasks that close connections; the event loop holds only weak references to tasks."""

_closed_here: ContextVar[frozenset[RunLoop]] = ContextVar("_closed_here", default=frozenset())
"""The abandoned runs that the current caller is closing."""


class RunLoop:
    """The loop behind `run`, `stream` and `run_agent`."""

    def __init__(
        self,
        conversation: Conversation[Any],
        transport: Transport,
        parameters: RunParameters,
        make_scope: Callable[[float | None], CancelScope],
        *,
        wants_events: bool,
        joins_text: bool = False,
        prompt: Message | None = None,
    ) -> None:
        self._parameters = check_parameters(parameters)
        if conversation._leaving is None:
            conversation._check_idle()
        self._conversation = conversation
        self._transport = transport
        self._make_scope = make_scope
        self._wants_events = wants_events
        self._joins_text = joins_text
        self._prompt = prompt
        self._scope: CancelScope | None = None
        self._active_run: ActiveRun | None = None
        self._known: frozenset[str] = frozenset()
        self._added: tuple[Message, int] | None = None
        """The user's message and its index."""
        self._runs = rules.Runs()
        self._results: list[RunResult] = []
        self._result: RunResult | None = None
        self._is_reading = False
        self._event_loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Task[None] | None = None
        self.is_over: bool = False
        self.is_left: bool = False
        """True if the run was left: `advance` returns nothing more."""

    @property
    def is_begun(self) -> bool:
        """True if the run has begun."""
        return self._scope is not None

    @property
    def result(self) -> RunResult:
        """The result. Raises RuntimeError before the end."""
        if self._result is None:
            raise RuntimeError("the run has not ended: read all its events first")
        return self._result

    def ready(self) -> list[Item] | None:
        """Applies and returns the next item that has already arrived; None if `advance` has to be called."""
        run = self._active_run
        return None if run is None or not run.events or self._is_reading or self.is_left else run.ready()

    async def run(self) -> RunResult:
        """Applies everything to the end and returns the result. A failure has the result so far as `run`."""
        await self.advance(to_end=True)
        return self.result

    async def advance(self, *, to_end: bool = False) -> list[Item] | None:
        """Applies and returns the next items; None at the end. A failure has the result so far as `run`."""
        if self.is_over:
            return None
        if self._is_reading:
            raise RuntimeError("another task or thread reads this run already: read each run in one place")
        if self.is_left:
            await self.wait_closed()
            return None
        self._is_reading = True
        try:
            while True:
                if self._active_run is None and not await self._begin():
                    self._end()
                    return None
                assert self._active_run is not None
                items = await self._active_run.advance(to_end=to_end)
                if items is not None:
                    return items
                if not await self._finish():
                    self._end()
                    return None
        except GeneratorExit:
            # Nothing can be awaited any more.
            self._end()
            raise
        except BaseException as error:
            if await self._fail(error) or not isinstance(error, Exception):
                raise
            return None
        finally:
            self._is_reading = False

    async def close(self) -> None:
        """Leaves the run and closes the connection."""
        if self._event_loop is not None:
            await self.wait_closed()
            return
        await self._close()

    def detach(self) -> None:
        """Lets the run go on at its server when it is left."""
        if self._scope is not None:
            self._scope.detaches = True

    def leave(self, event_loop: asyncio.AbstractEventLoop) -> None:
        """Leaves the run without waiting: a task closes the connection, in the event loop of the run. May be called from any thread."""
        self.is_left, self._event_loop = True, event_loop
        if self._conversation._running is self._scope:
            self._conversation._leaving = self
        if asyncio._get_running_loop() is event_loop:
            # Set at once: the next run waits for it.
            self._close_soon()
            return
        try:
            event_loop.call_soon_threadsafe(self._close_soon)
        except RuntimeError:
            self._abandon()

    async def wait_closed(self) -> None:
        """Waits until the abandoned run is closed; impossible in an event loop other than its own."""
        event_loop = self._event_loop
        assert event_loop is not None
        if event_loop.is_closed():
            self._abandon()
        elif event_loop is asyncio.get_running_loop():
            await asyncio.wait({self._close_soon()})
            if not self.is_over and not self._is_reading:
                # The task was cancelled before it began.
                self._abandon()

    def _close_soon(self) -> asyncio.Task[None]:
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close())
            _closing.add(self._closing)
            self._closing.add_done_callback(_closing.discard)
        return self._closing

    async def _close(self) -> None:
        _closed_here.set(_closed_here.get() | {self})
        if self._is_reading:
            # The waiting caller closes it.
            self._conversation.abort_run()
            return
        if self._scope is not None and not self.is_over:
            await self._fail(Aborted())
        self.is_over = True

    def _abandon(self) -> None:
        """Ends the run after its event loop was closed: nothing can be awaited, and the connection is lost."""
        abandoned, self._active_run = self._active_run, None
        if abandoned is not None:
            abandoned.end()
            self._results += abandoned.results()
        self._runs.end(None, True, False)
        self._end()

    async def _begin(self) -> bool:
        """Requests the run, or the next one. Returns False if there is none to be read."""
        conversation = self._conversation
        if self._scope is None:
            if not await self._start():
                return False
        else:
            self._scope.raise_if_over()
            conversation._read_messages()
        assert self._scope is not None
        prompt, self._prompt = self._prompt, None
        made = self._make_run(self._scope)
        # A refused message is not part of the conversation.
        made.prepare(prompt)
        self._active_run = made
        if prompt is not None:
            self._added = prompt, len(conversation.messages)
        await made.begin(prompt)
        return True

    async def _start(self) -> bool:
        """Marks the agent as busy. Returns True if there is a run to be read. Raises AGUIConnectionError `agent_busy` if the
        agent is busy already.
        """
        conversation, prompt = self._conversation, self._prompt
        leaving = conversation._leaving
        # A callback that is told of the end of a run cannot wait for that end.
        if leaving is not None and leaving not in _closed_here.get():
            await leaving.wait_closed()
        scope = self._make_scope(conversation._settings.timeouts.total)
        conversation._start(scope)
        self._scope = scope
        self._runs = scope.runs = conversation._runs = conversation._runs.next(conversation._settings.max_runs)
        messages = conversation._read_messages()
        self._known = frozenset(message.id for message in (*messages, *(() if prompt is None else (prompt,))))
        return True

    def _make_notifier(self, scope: CancelScope) -> Notifier:
        conversation, subscriber = self._conversation, self._parameters.get("subscriber")
        subscribers = [*conversation.subscribers, *(() if subscriber is None else (subscriber,))]
        return Notifier(conversation, subscribers, scope, conversation._queue)

    def _make_run(self, scope: CancelScope) -> ActiveRun:
        conversation, parameters = self._conversation, self._parameters
        notifier = self._make_notifier(scope)
        by_event = self._wants_events or notifier.wants_events or bool(conversation._middleware)
        by_event = by_event or conversation._settings.debug
        return ActiveRun(
            conversation, self._transport, scope, parameters, self._runs, notifier, by_event, self._joins_text
        )

    async def _finish(self) -> bool:
        """Ends the answer. Returns True if the agent must run again, because functions have answered all its calls."""
        ended = self._active_run
        assert ended is not None and self._scope is not None
        await ended.close()
        self._active_run = None
        self._scope.end_if_over()
        try:
            await ended.notifier.finalized()
        finally:
            self._results += ended.results()
        return await self._answer(ended.notifier)

    async def _answer(self, notifier: Notifier) -> bool:
        """Runs the functions for the agent's tool calls. Returns True if the agent must run again."""
        conversation, runs, scope = self._conversation, self._runs, self._scope
        assert scope is not None
        # A tool may remove other tools.
        tools = dict(conversation.tools)
        calls = {call.id: call for call in (calls_of(runs.pending, conversation.messages) if tools else ())}
        named = [(call.id, call.function.name) for call in calls.values()]
        runs.calls(named, list(tools))
        while (step := runs.next_step(scope.is_over))[0] == "answer":
            call = calls[step[1]]
            message = await tools[call.function.name]._answer(call, scope, conversation._settings.limits)
            conversation._append_message(message)
            self._results[-1].new_messages.append(message)
            runs.answered(call.id)
            await notifier.changed([message], messages=True, state=False)
        if step[0] == "stop":
            scope.raise_if_over()
        return step[0] == "ask"

    async def _fail(self, error: BaseException) -> bool:
        """Ends the call early. Returns True if the error must be raised; an abort is not raised."""
        # In Python, exceptions that end a task or the program are not subclasses of Exception.
        is_aborted = not isinstance(error, Exception) or (self._scope is not None and self._scope.aborted)
        cause: BaseException | None = error
        while isinstance(cause, (Aborted, asyncio.CancelledError)):
            cause = cause.__cause__
        is_handled = False
        # A second cancellation of the task is raised after all subscribers are notified.
        again: BaseException | None = None
        try:
            if self._scope is not None:
                self._scope.end()
            failed, self._active_run = self._active_run, None
            try:
                if failed is not None:
                    await failed.close()
            except asyncio.CancelledError as cancelled:
                again = cancelled
            finally:
                has_changes = failed is None or failed.has_changes
                code = code_of(cause) if isinstance(cause, Exception) else None
                removes_message, notifies, raises, reports = self._runs.end(code, is_aborted, has_changes)
                if reports:
                    _logger.error("a failure occurred while a run was aborted", exc_info=cause)
                if removes_message and self._added is not None:
                    self._conversation._remove_message(*self._added)
            if failed is not None:
                failure = error if raises and isinstance(error, Exception) else rules.client_error("run_aborted")
                if notifies:
                    with _logged():
                        is_handled = self._runs.is_handled(await failed.notifier.failed(failure))
                with _logged():
                    await failed.notifier.finalized()
            if again is not None:
                raise again
        finally:
            self._results += [] if failed is None else failed.results()
            if is_handled:
                self._results[-1].failure = failure
            self._end()
        if isinstance(error, AGUIError) and self._results:
            error.run = self.result
        return raises and not is_handled

    def _end(self) -> None:
        self.is_over = True
        if self._scope is not None:
            self._scope.close()
        if self._scope is not None and self._conversation._running is self._scope:
            # A caller that does not wait for the connection still gets its results.
            self._conversation._end_run()
            self._conversation._running = None
            self._result = self._sum_up()
        if self._conversation._leaving is self:
            self._conversation._leaving = None

    def _sum_up(self) -> RunResult | None:
        """Makes the result of all runs. Later events do not change it."""
        results = self._results
        if not results:
            return None
        for result, summary in zip(results, self._runs.all(), strict=False):
            result.run_id, result.outcome, result.usage, result.pending_tool_call_ids = summary
        return dataclasses.replace(
            results[-1],
            new_messages=self._conversation._new_messages(self._known),
            usage=self._runs.usage(),
            warnings=[warning for result in results for warning in result.warnings],
            runs=results,
        )


@contextmanager
def _logged() -> Iterator[None]:
    """Raises the failure of the run, not the exceptions of callbacks that were notified of it."""
    try:
        yield
    except Exception as error:
        _logger.error("a subscriber failed when it was notified of a failed run", exc_info=error)

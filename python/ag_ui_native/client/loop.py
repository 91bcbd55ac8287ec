"""A run from its beginning to its end, asked for again as long as tools that run here have answered."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ag_ui_native import ids
from ag_ui_native.client import rules
from ag_ui_native.client.notifier import Notifier
from ag_ui_native.client.options import check_parameters
from ag_ui_native.client.result import RunResult
from ag_ui_native.client.round import Item, Round
from ag_ui_native.client.tools import calls_of
from ag_ui_native.client.waiting import Aborted
from ag_ui_native.errors import AGUIError

if TYPE_CHECKING:
    from ag_ui_native.client.conversation import Conversation
    from ag_ui_native.client.options import RunParameters
    from ag_ui_native.client.transport import Transport
    from ag_ui_native.client.waiting import Waiting
    from ag_ui_native.core import Message

__all__ = ["RunLoop"]

_logger = logging.getLogger("ag_ui_native.client")

_closing: set[asyncio.Task[None]] = set()
"""Connections that are being closed: the loop alone would forget them."""


class RunLoop:
    """What `run`, `stream` and `run_agent` have in common."""

    def __init__(
        self,
        conversation: Conversation[Any],
        transport: Transport,
        parameters: RunParameters,
        make_waiting: Callable[[float | None], Waiting],
        *,
        wants_events: bool,
        joins_text: bool = False,
        said: Message | None = None,
    ) -> None:
        self._parameters = check_parameters(parameters)
        if conversation.leaving is None:
            conversation.need_rest()
        self._conversation = conversation
        self._transport = transport
        self._make_waiting = make_waiting
        self._wants_events = wants_events
        self._joins_text = joins_text
        self._said = said
        self._waiting: Waiting | None = None
        self._round: Round | None = None
        self._known: frozenset[str] = frozenset()
        self._unheard: tuple[Message, int] | None = None
        """What was said, and its place, until the run has changed anything."""
        self._runs = rules.Runs()
        self._results: list[RunResult] = []
        self._result: RunResult | None = None
        self._is_at_work = False
        self._home: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Task[None] | None = None
        self.is_over: bool = False
        self.is_left: bool = False
        """Nobody reads on: `advance` brings nothing more."""

    @property
    def is_begun(self) -> bool:
        """Whether the agent is busy with it, or was."""
        return self._waiting is not None

    @property
    def result(self) -> RunResult:
        """What it has come to. Raises RuntimeError before the end."""
        if self._result is None:
            raise RuntimeError("the run has not ended: read it to its end first")
        return self._result

    def ready(self) -> list[Item] | None:
        """What has come already, when it has been carried out; None: `advance` says what is next."""
        return None if self._round is None or self._is_at_work or self.is_left else self._round.ready()

    async def advance(self) -> list[Item] | None:
        """What comes next, when it has been carried out; None at the end. Failures have the result so far as `run`."""
        if self.is_over:
            return None
        if self._is_at_work:
            raise RuntimeError("somebody else waits for what this run brings")
        if self.is_left:
            await self.gone()
            return None
        self._is_at_work = True
        try:
            while True:
                if self._round is None:
                    await self._begin()
                assert self._round is not None
                items = await self._round.advance()
                if items is not None:
                    if self._unheard is not None and any(changes for _, changes in items):
                        self._unheard = None
                    return items
                if not await self._finish():
                    self._end()
                    return None
        except Aborted:
            await self._fail(rules.client_error("run_aborted"))
            return None
        except GeneratorExit:
            # Nothing can be awaited any more.
            self._end()
            raise
        except BaseException as error:
            is_settled = await self._fail(error)
            if is_settled and isinstance(error, Exception):
                return None
            raise
        finally:
            self._is_at_work = False

    async def close(self) -> None:
        """Nobody reads on: the connection is closed."""
        if self._home is not None:
            await self.gone()
            return
        await self._close()

    def leave(self, home: asyncio.AbstractEventLoop) -> None:
        """Nobody reads on, or can wait: a task closes the connection, in the event loop that the run is read in. From any thread."""
        self.is_left, self._home = True, home
        if self._conversation.running is self._waiting:
            self._conversation.leaving = self
        if asyncio._get_running_loop() is home:
            # At once, so that the next run knows.
            self._close_soon()
            return
        try:
            home.call_soon_threadsafe(self._close_soon)
        except RuntimeError:
            self._abandon()

    async def gone(self) -> None:
        """Waits until a run that was left is closed. In another event loop than its own nobody can."""
        home = self._home
        assert home is not None
        if home.is_closed():
            self._abandon()
        elif home is asyncio.get_running_loop():
            await asyncio.wait({self._close_soon()})
            if not self.is_over and not self._is_at_work:
                # Somebody has cancelled the task before it began.
                self._abandon()

    def _close_soon(self) -> asyncio.Task[None]:
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close())
            _closing.add(self._closing)
            self._closing.add_done_callback(_closing.discard)
        return self._closing

    async def _close(self) -> None:
        if self._is_at_work:
            # Whoever waits closes it.
            self._conversation.abort_run()
            return
        if self._waiting is not None and not self.is_over:
            await self._fail(rules.client_error("run_aborted"))
        self.is_over = True

    def _abandon(self) -> None:
        """Its event loop is closed: nothing can be awaited any more, the connection is gone."""
        abandoned, self._round = self._round, None
        if abandoned is not None:
            abandoned.sum_up()
            self._results += abandoned.results
        self._runs.stop(True)
        self._end()

    async def _begin(self) -> None:
        conversation = self._conversation
        said, self._said = self._said, None
        if self._waiting is None:
            if conversation.leaving is not None:
                await conversation.leaving.gone()
            waiting = self._make_waiting(conversation.settings.timeouts.total)
            conversation.start(waiting)
            self._waiting = waiting
            declared = list(names_of(self._parameters.get("tools", ())))
            self._runs = conversation.runs = conversation.runs.next(conversation.settings.max_rounds, declared)
            # What tools have answered goes on from the run before it.
            self._parameters["parent_run_id"] = self._parameters.get("parent_run_id") or conversation.parent_run_id
            messages = conversation.read_messages()
            if said is not None:
                self._unheard = said, len(messages)
                conversation.append_message(said)
            self._known = frozenset(message.id for message in conversation.messages)
        else:
            self._waiting.need_more()
            conversation.read_messages()
        try:
            made = self._make_round(self._waiting)
            made.prepare()
        except BaseException:
            # What is refused was not said.
            self._take_back()
            raise
        self._round = made
        self._runs.ask(made.run_id)
        if said is not None:
            await self._round.notifier.told([said], messages=True, state=False)
        await self._round.begin()

    def _make_round(self, waiting: Waiting) -> Round:
        conversation, parameters = self._conversation, self._parameters
        subscriber = parameters.get("subscriber")
        subscribers = [*conversation.subscribers, *(() if subscriber is None else (subscriber,))]
        notifier = Notifier(conversation, subscribers, waiting, conversation.turns)
        by_event = self._wants_events or notifier.wants_events or bool(conversation.middleware)
        by_event = by_event or conversation.settings.debug
        members = input_members(parameters, conversation)
        return Round(conversation, self._transport, waiting, members, self._runs, notifier, by_event, self._joins_text)

    async def _finish(self) -> bool:
        """The answer has ended. Whether the agent is asked again, since tools have answered all calls."""
        ended = self._round
        assert ended is not None and self._waiting is not None
        await ended.close()
        self._round = None
        self._results += ended.results
        self._waiting.end_if_over()
        await ended.notifier.finalized()
        await self._answer(ended.notifier)
        if not self._runs.goes_on():
            return False
        for name in ("run_id", "parent_run_id", "resume"):
            self._parameters.pop(name, None)
        return True

    async def _answer(self, notifier: Notifier) -> None:
        """Runs the tools that the agent has called."""
        conversation, runs, waiting = self._conversation, self._runs, self._waiting
        assert waiting is not None
        # A tool may take others away.
        tools = dict(conversation.tools)
        calls = {call.id: call for call in (calls_of(runs.pending, conversation.messages) if tools else ())}
        named = [(call.id, call.function.name) for call in calls.values()]
        for call_id in runs.calls(named, list(tools)):
            call = calls[call_id]
            waiting.need_more()
            message = await tools[call.function.name].answer(call, waiting, conversation.settings.limits)
            conversation.append_message(message)
            self._results[-1].new_messages.append(message)
            runs.answered(call_id)
            await notifier.told([message], messages=True, state=False)

    async def _fail(self, error: BaseException) -> bool:
        """The run has failed. Whether a subscriber says that this is no failure to be raised."""
        stopped = False
        is_aborted = not isinstance(error, Exception) or getattr(error, "code", None) == "run_aborted"
        try:
            if self._waiting is not None:
                self._waiting.end()
            failed, self._round = self._round, None
            try:
                if failed is not None:
                    await failed.close()
            finally:
                is_cut = self._runs.stop(is_aborted)
                self._results += [] if failed is None else failed.results
            if failed is not None:
                told = error if isinstance(error, Exception) else rules.client_error("run_aborted")
                if is_cut:
                    with _logged():
                        stopped = await failed.notifier.failed(told)
                if stopped and not is_aborted:
                    self._results[-1].failure = told
                with _logged():
                    await failed.notifier.finalized()
        finally:
            self._end()
        if not is_aborted:
            # Whoever asks again says it again.
            self._take_back()
        if isinstance(error, AGUIError) and self._results:
            error.run = self.result
        return stopped

    def _take_back(self) -> None:
        unheard, self._unheard = self._unheard, None
        if unheard is not None:
            self._conversation.take_back(*unheard)

    def _end(self) -> None:
        self.is_over = True
        if self._waiting is not None:
            self._waiting.close()
        if self._waiting is not None and self._conversation.running is self._waiting:
            # Whoever does not wait for the connection has what it brought all the same.
            self._conversation.settle()
            self._conversation.running = None
            self._result = self._sum_up()
        if self._conversation.leaving is self:
            self._conversation.leaving = None

    def _sum_up(self) -> RunResult | None:
        """What all runs have come to: nothing that happens afterwards changes it."""
        results = self._results
        if not results:
            return None
        for result, told in zip(results, self._runs.all(), strict=False):
            result.run_id, result.outcome, result.usage, result.pending_tool_call_ids, asks = told
            result.interrupts = result.interrupts if asks else []
        return dataclasses.replace(
            results[-1],
            new_messages=self._conversation.new_messages(self._known),
            usage=self._runs.usage(),
            warnings=[warning for result in results for warning in result.warnings],
            runs=results,
        )


@contextmanager
def _logged() -> Iterator[None]:
    """The run has failed: that is what is raised, not what hearing of it has come to."""
    try:
        yield
    except Exception as error:
        _logger.error("a subscriber failed at the end of a run that has failed", exc_info=error)


def input_members(parameters: dict[str, Any], conversation: Conversation[Any]) -> dict[str, Any]:
    """The members of the input that one run has."""
    members: dict[str, Any] = {
        "runId": parameters.get("run_id") or ids.get_default_generator().run_id(),
        "tools": [*(tool.declaration for tool in conversation.tools.values()), *parameters.get("tools", ())],
        "context": parameters.get("context", []),
        "forwardedProps": {} if parameters.get("forwarded_props") is None else parameters["forwarded_props"],
    }
    parent = parameters.get("parent_run_id")
    if parent is not None:
        members["parentRunId"] = parent
    if "resume" in parameters:
        members["resume"] = parameters["resume"]
    return members


def names_of(tools: Iterable[Any]) -> Iterator[str]:
    """The names of tools that the application declares."""
    for tool in tools:
        name = tool.get("name") if isinstance(tool, Mapping) else getattr(tool, "name", None)
        if isinstance(name, str):
            yield name

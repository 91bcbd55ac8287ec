"""One run: its request, and the effect of its events on the conversation."""

from __future__ import annotations

import logging
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from ag_ui_native import _native
from ag_ui_native.changes import RunEnd
from ag_ui_native.client import rules
from ag_ui_native.client.event_source import EventSource
from ag_ui_native.client.flow import Flow
from ag_ui_native.client.notifier import Notifier
from ag_ui_native.client.result import RunResult
from ag_ui_native.client.scope.cancel_scope import Aborted
from ag_ui_native.client.transport.transport import RunRequest
from ag_ui_native.ids import new_run_id
from ag_ui_native.pipeline.pipeline import EventPipeline
from ag_ui_native.pipeline.reducer import Reducer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ag_ui_native.changes import RunFailure
    from ag_ui_native.client.conversation import Conversation
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import Transport
    from ag_ui_native.core import Message
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["Item", "ActiveRun"]

_logger = logging.getLogger("ag_ui_native.client")

ENDS = ("run_finished", "run_failed")

Item = tuple[Any, list[Any]]
"""An event, if single events are read, and its changes."""


class ActiveRun:
    """Requests one run and applies its events. Whatever happens, the conversation has all events before that.

    If neither the caller nor a subscriber needs single events, bytes become changes in one step. Otherwise
    subscribers are notified of each event before it is applied.
    """

    def __init__(
        self,
        conversation: Conversation[Any],
        transport: Transport,
        scope: CancelScope,
        parameters: dict[str, Any],
        runs: rules.Runs,
        notifier: Notifier,
        by_event: bool,
        joins_text: bool,
    ) -> None:
        from pydantic.alias_generators import to_camel

        self._conversation = conversation
        self._settings = conversation._settings
        self._scope = scope
        given = {name: value for name, value in parameters.items() if name != "subscriber" and value is not None}
        self._parameters = {to_camel(name): value for name, value in given.items()}
        self._runs = runs
        self._first = len(runs)
        self._ends: list[RunEnd | RunFailure] = []
        """The ends of the answer's runs."""
        self.notifier = notifier
        self._by_event = by_event
        self._joins_text = joins_text
        self._known: frozenset[str] = frozenset()
        idle = self._settings.timeouts.idle
        self._source: EventSource | Flow = EventSource(transport, scope, idle, self._make_pipeline)
        if conversation._middleware:
            pipelines: Any = EventPipeline
            make_arrivals = partial(pipelines._before_middleware, peer=self._settings.peer, **self._read_options())

            def make_source(scope: CancelScope) -> EventSource:
                return EventSource(transport, scope, idle, make_arrivals)

            middleware = list(conversation._middleware)
            self._source = Flow(middleware, make_source, self._settings, scope, runs, self._warn)
        self._reducer: Reducer[Any] | None = None
        self._is_plain = False
        """True if events are applied by the reducer alone: no subscriber is notified of them."""
        self.events: deque[tuple[Any, int]] = deque()
        """The events that have arrived, each with its index in the stream."""
        self._failure: BaseException | None = None
        self._warnings: list[ProtocolWarning] = []
        """In the order in which they came."""
        self._input_json = ""
        self._run_id = ""
        self.has_changes: bool = False
        """True if the run has changed the conversation."""
        self._brought: dict[str, int] = {}
        """For messages of later runs, the index of the run in the answer that added the message. Set when the run is
        closed."""

    async def begin(self, prompt: Message | None) -> None:
        """Adds the user's message, sends the request, and waits for the head of the answer."""
        conversation, notifier = self._conversation, self.notifier
        if prompt is not None:
            conversation._append_message(prompt)
        asked_with = list(conversation.messages)
        self._known = frozenset(message.id for message in asked_with)
        if prompt is not None and notifier.is_needed:
            await notifier.changed([prompt], messages=True, state=False)
            asked_with = self._prepare_again(asked_with)
        if notifier.is_needed:
            is_changed = await notifier.initialized()
            self._prepare_again(None if is_changed else asked_with)
        if self._by_event:
            self._reducer = Reducer(
                conversation.messages,
                conversation._plain_state,
                conversation.pending_interrupts,
                **self._read_options(),
            )
            conversation._begin_run(self._reducer)
            notifier.reducer = self._reducer
            self._is_plain = not notifier.wants_events and not self._settings.debug
        request = RunRequest(self._input_json, conversation.thread_id, self._run_id)
        if self._settings.debug:
            _logger.debug("requests the run %r of the thread %r", request.run_id, request.thread_id)
        # The application may have aborted while callbacks ran.
        self._scope.raise_if_cancelled()
        await self._source.open(request)

    def prepare(self, prompt: Message | None = None) -> None:
        """Prepares the input to send. Raises AGUISequenceError with rule L01 or L02, AGUIValidationError,
        AGUILimitError.
        """
        conversation, settings = self._conversation, self._settings
        members = {
            "threadId": conversation.thread_id,
            "runId": "",
            "state": conversation._plain_state,
            "messages": conversation.messages if prompt is None else [*conversation.messages, prompt],
            **self._parameters,
        }
        tools = _native.json_text([tool.declaration for tool in conversation.tools.values()])
        self._run_id, self._input_json, warnings = self._runs.prepare(
            _native.json_text(members),
            (conversation.parent_run_id, tools),
            conversation.pending_interrupts,
            new_run_id,
            settings.peer,
            settings.limits,
        )
        for warning in warnings:
            _logger.warning("%s", warning)
            self._warn(warning)
        self.notifier.begin(self._input_json)

    def _prepare_again(self, asked_with: list[Any] | None) -> list[Any]:
        """Prepares the input again, unless the messages are the given ones. Returns the current messages."""
        messages = list(self._conversation.messages)
        if asked_with is None or list(map(id, messages)) != list(map(id, asked_with)):
            self._conversation._read_messages()
            self.prepare()
        return messages

    def _read_options(self) -> dict[str, Any]:
        settings = self._settings
        return {"profile": settings.profile, "limits": settings.limits, "on_warning": self._warn}

    def _warn(self, warning: ProtocolWarning) -> None:
        self._warnings.append(warning)
        if self._settings.on_warning is not None:
            self._settings.on_warning(warning)

    def _make_pipeline(self, content_type: str) -> EventPipeline[Any, Any]:
        peer, conversation = self._settings.peer, self._conversation
        if self._by_event:
            events: Any = EventPipeline(content_type, peer=peer, reduce=False, **self._read_options())
            events._index_events()
            return events  # type: ignore[no-any-return]  # Its stub does not show what was called.
        pipeline: EventPipeline[Any, Any] = EventPipeline(
            content_type,
            messages=conversation.messages,
            state=conversation._plain_state,
            pending_interrupts=conversation.pending_interrupts,
            peer=peer,
            **self._read_options(),
        )
        if self._joins_text:
            joining: Any = pipeline
            joining._join_text()
        conversation._begin_run(pipeline)
        return pipeline

    def ready(self) -> list[Item] | None:
        """Applies and returns the first of `events`, if no subscriber is notified of it; None if `advance` must be
        called.
        """
        if not self._is_plain or self._scope.aborted:
            return None
        reducer: Any = self._reducer
        event, index = self.events.popleft()
        try:
            changes = reducer._apply_at(event, index)
        except BaseException as error:  # noqa: BLE001 Raised by `advance`.
            self._failure = error
            return None
        self._record_changes(changes)
        return [(event, changes)]

    async def advance(self, *, to_end: bool) -> list[Item] | None:
        """Applies and returns the next items, or with `to_end` all items; None at the end."""
        events, notifier = self.events, self.notifier
        while True:
            if self._failure is not None:
                raise self._failure
            if self._scope.aborted:
                raise Aborted
            event = None
            if events:
                event, index = events.popleft()
                kind = str.__str__(event.type)
                if self._settings.debug:
                    _logger.debug("event of the run %r: %s", self._run_id, kind)
                changes = await notifier.carry_out(event, index, kind)
                self._record_changes(changes)
                if notifier.end is not None:
                    end, notifier.end = notifier.end, None
                    self._record_end(end)
                if notifier.ended is not None:
                    notifier.raise_cancellation()
            else:
                made = await self._source.next()
                if made is None:
                    return None
                if self._by_event:
                    events.extend(made)
                    items = self.ready() if events and not to_end else None
                    if items is not None:
                        return items
                    continue
                changes = made
                self._record_changes(changes)
            if not to_end:
                return [(event, changes)]

    def _record_changes(self, changes: Iterable[Any]) -> None:
        """Records the end of the run and new interrupts, if these changes have any."""
        for change in changes:
            self.has_changes = True
            kind = change.kind
            if kind in ENDS:
                self._record_end(change.value)
            elif kind == "interrupts_set":
                self._conversation._keep_interrupts()

    def _record_end(self, end: RunEnd | RunFailure) -> None:
        self._runs.ended(end)
        self._ends.append(end)

    async def close(self) -> None:
        """Closes the connection."""
        try:
            await self._source.close()
        except Exception as error:
            # A failure to close the connection is only logged.
            _logger.debug("the connection could not be closed", exc_info=error)
        finally:
            self.end()

    def end(self) -> None:
        """Ends the run: no further items follow."""
        live: Any = self._reducer or getattr(self._source, "pipeline", None)
        later, self._brought = ([], {}) if live is None else live._later_runs()
        self._conversation._end_run()
        self._runs.name_later(later)

    def results(self) -> list[RunResult]:
        """Makes the results of the answer's runs. The last one has the data of the whole answer."""
        conversation = self._conversation
        thread_id, run_id = conversation.thread_id, self._run_id
        results = [RunResult(thread_id=thread_id, run_id=run_id) for _ in range(self._first, len(self._runs))]
        for result, end in zip(results, self._ends, strict=False):
            if isinstance(end, RunEnd):
                result.result, result.interrupts = end.result, end.interrupts or []
            else:
                result.error = end
        last = len(results) - 1
        for message in conversation._new_messages(self._known):
            results[min(self._brought.get(message.id, 0), last)].new_messages.append(message)
        whole = results[last]
        # The reader may be ahead of the reducer, so warnings are sorted by event.
        whole.warnings = sorted(self._warnings, key=_place)
        whole.last_event_id = self._source.last_event_id
        if self._settings.debug:
            run_id, outcome, *_ = self._runs.all()[-1]
            _logger.debug("the run %r has ended: %s", run_id, outcome)
        return results


def _place(warning: ProtocolWarning) -> int:
    """The index of the event of a warning. Warnings without an event come first."""
    return -1 if warning.event_index is None else warning.event_index

"""The events of a run that pass through middleware."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ag_ui_native import _native
from ag_ui_native.client import rules
from ag_ui_native.client.event_source import EventSource
from ag_ui_native.client.middleware import aevents, chain, events
from ag_ui_native.client.scope.cancel_scope import Aborted, code_of
from ag_ui_native.client.scope.cancel_scope_async import AsyncCancelScope
from ag_ui_native.client.scope.tasks import END
from ag_ui_native.client.transport.transport import RunRequest
from ag_ui_native.errors import AGUIError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ag_ui_native.client.options import AgentSettings
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["Flow"]


class Flow:
    """A source of events through middleware. Each call of the innermost `next` makes a request; the outermost events are enforced, expanded and verified."""

    def __init__(
        self,
        middleware: Iterable[Callable[..., Any]],
        make_source: Callable[[CancelScope], EventSource],
        settings: AgentSettings,
        scope: CancelScope,
        runs: rules.Runs,
        on_warning: Callable[[ProtocolWarning], None],
    ) -> None:
        self._middleware = middleware
        self._make_source = make_source
        self._settings = settings
        self._scope = scope
        self._runs = runs
        self._inner = scope.inner()
        self._sources: list[EventSource] = []
        self._events: Any = None
        self._given = 0
        """The number of events that the outermost middleware has yielded."""
        self._on_warning = on_warning
        self._failure: Exception | None = None
        self._intake = rules.Intake(profile=settings.profile, limits=settings.limits, on_warning=on_warning)

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream."""
        return self._sources[-1].last_event_id if self._sources else ""

    async def open(self, request: RunRequest) -> None:
        """Calls the outermost middleware."""
        self._intake.ask(request.thread_id, request.run_id)
        input = rules.read_input(request.input_json, self._settings.limits)
        events = await self._scope.call(chain(self._middleware, self._ask), input)
        self._events = self._scope.iterator(events)

    def _ask(self, input: Any) -> Any:
        """Makes the iterator of the innermost middleware, which sends the request."""
        source = self._make_source(self._inner)
        self._sources.append(source)

        async def begin() -> None:
            settings = self._settings
            json, warnings = self._runs.prepare_from_middleware(
                _native.json_text(input), settings.peer, settings.limits
            )
            for warning in warnings:
                self._on_warning(warning)
            await source.open(RunRequest(json, input.thread_id, input.run_id))

        return aevents(source, begin) if isinstance(self._scope, AsyncCancelScope) else events(source, begin)

    async def next(self) -> list[tuple[Any, int]] | None:
        """Returns the events that replace the next event of the outermost middleware, each with the index of that event;
        None at the end.
        """
        if self._failure is not None:
            raise self._failure
        idle = self._intake.idle_time(time.monotonic(), self._settings.timeouts.idle)
        if idle is False:
            return None
        try:
            event = await self._scope.wait(lambda: self._scope.step(self._events), idle, "idle_timeout")
        except Exception as error:
            if self._intake.tolerates_loss(code_of(error)):
                return None
            raise
        if event is END:
            if self._scope.aborted:
                raise Aborted
            self._intake.finish()
            return None
        if event is None:
            raise TypeError("a middleware yielded None: expected an event")
        index, self._given = self._given, self._given + 1
        try:
            made = self._intake.push(dict(event) if isinstance(event, Mapping) else event)
        except AGUIError as error:
            # Events before the failure come first.
            self._failure = error
            made = error.partial
        return [(event, index) for event in made]

    async def close(self) -> None:
        """Closes the middleware and its requests."""
        try:
            with suppress(Exception):
                await self._scope.finish(self._events)
        finally:
            self._inner.close()
            for source in self._sources:
                with suppress(Exception):
                    await source.close()

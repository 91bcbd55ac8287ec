"""The response to one request, read as it arrives: events of a run, or the changes that they make."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ag_ui_native.client import rules
from ag_ui_native.client.scope.cancel_scope import Aborted, code_of
from ag_ui_native.errors import AGUIConnectionError, AGUIError

if TYPE_CHECKING:
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import ResponseReader, RunRequest, Transport
    from ag_ui_native.pipeline.pipeline import EventPipeline

__all__ = ["EventSource"]


class EventSource:
    """Sends the request and feeds the response to a pipeline. Events before a failure are returned before it is raised."""

    def __init__(
        self,
        transport: Transport,
        scope: CancelScope,
        idle: float | None,
        make_pipeline: Callable[[str], EventPipeline[Any, Any]],
    ) -> None:
        self._transport = transport
        self._scope = scope
        self._idle = idle
        self._make_pipeline = make_pipeline
        self._reader: ResponseReader | None = None
        self._failure: Exception | None = None
        self._is_read = False
        self._is_one_run = False
        self.pipeline: Any = None

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream."""
        return "" if self.pipeline is None else self.pipeline.last_event_id

    async def open(self, request: RunRequest) -> None:
        """Sends the request and waits for the head of the response."""
        reader = await self._transport.open(request, self._scope)
        self._reader, self._is_one_run = reader, getattr(reader, "is_one_run", False)
        self._scope.on_abort = reader.abort
        # After an abort, errors of the response are not reported.
        self._scope.raise_if_cancelled()
        self.pipeline = self._make_pipeline(rules.event_content_type(reader.content_type))
        self.pipeline._of_run(request.thread_id, request.run_id)

    async def next(self) -> list[Any] | None:
        """Reads the next piece and returns its events or changes; None at the end."""
        if self._failure is not None:
            raise self._failure
        if self._is_read:
            return None
        assert self._reader is not None
        idle = self._idle
        if self.pipeline._has_ended:
            idle = self.pipeline._idle_time(time.monotonic(), idle, self._is_one_run)
            if idle is False:
                return self._feed(None, None)
        broken: Exception | None = None
        try:
            piece = await self._scope.wait(self._reader.read, idle, "idle_timeout")
            if self._scope.aborted:
                raise Aborted
        except Exception as error:
            # Transports raise anything. After an abort it is ignored.
            if self._scope.aborted:
                raise
            piece, broken = None, error
        return self._feed(piece, broken)

    def _feed(self, piece: bytes | None, broken: Exception | None) -> list[Any]:
        try:
            if piece is not None:
                return self.pipeline.feed(piece)  # type: ignore[no-any-return]  # Two kinds have it.
            self._is_read = True
            if broken is not None:
                self.pipeline._lose(code_of(broken))
            return self.pipeline.close()  # type: ignore[no-any-return]  # Two kinds have it.
        except AGUIError as error:
            # The failure was raised already.
            self._failure = broken if broken is not None and isinstance(error, AGUIConnectionError) else error
            # They are returned here, and not once more by the error.
            made, error.partial = error.partial, []
            return made
        except Exception as error:  # noqa: BLE001 A callback of the application has raised.
            self._failure = error
            kept: list[Any] = []
            with suppress(AGUIError):
                kept = self.pipeline.feed(b"")
            return kept

    async def close(self) -> None:
        """Closes the connection."""
        reader, self._reader = self._reader, None
        if reader is not None:
            await reader.close()

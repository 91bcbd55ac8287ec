"""The answer to one request, read as it arrives: events of a run, or the changes that they make."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ag_ui_native.client import rules
from ag_ui_native.client.waiting import Aborted
from ag_ui_native.errors import AGUIError

if TYPE_CHECKING:
    from ag_ui_native.client.transport import Answer, Request, Transport
    from ag_ui_native.client.waiting import Waiting
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.pipeline import EventPipeline

__all__ = ["Source"]


class Source:
    """Asks, and feeds the answer to a pipeline. What comes before a failure comes out before it is raised."""

    def __init__(
        self,
        transport: Transport,
        waiting: Waiting,
        idle: float | None,
        make_pipeline: Callable[[str], EventPipeline[Any, Any]],
        *,
        verifies: bool = True,
    ) -> None:
        self._transport = transport
        self._waiting = waiting
        self._idle = idle
        self._make_pipeline = make_pipeline
        self._verifies = verifies
        self._has_run = False
        self._answer: Answer | None = None
        self._failure: Exception | None = None
        self._is_read = False
        self._is_ended = False
        self._until: float | None = None
        self.pipeline: EventPipeline[Any, Any] | None = None

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """What was said about the events."""
        return [] if self.pipeline is None else self.pipeline.warnings

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream."""
        return "" if self.pipeline is None else self.pipeline.last_event_id

    def take_indices(self) -> list[int]:
        """Of the events since the last call, the index of each in its stream."""
        pipeline: Any = self.pipeline
        return pipeline._take_indices()  # type: ignore[no-any-return]

    async def open(self, request: Request) -> None:
        """Asks, and waits for the head of the answer."""
        answer = await self._transport.open(request, self._waiting)
        self._answer = answer
        self._waiting.on_abort = answer.abort
        # Who has aborted meanwhile is not told what is wrong with the answer.
        self._waiting.need_time()
        pipeline: Any = self._make_pipeline(rules.event_content_type(answer.content_type))
        pipeline._of_run(request.thread_id, request.run_id)
        self.pipeline = pipeline

    async def next(self) -> list[Any] | None:
        """What the next piece brings; None at the end."""
        if self._failure is not None:
            raise self._failure
        if self._is_read:
            return None
        assert self._answer is not None
        if self._is_ended and getattr(self._answer, "is_one_run", False):
            return self._feed(None, None)
        idle = self._idle
        if self._until is not None:
            idle = self._until - time.monotonic()
            if idle <= 0:
                return self._feed(None, None)
        broken: Exception | None = None
        try:
            piece = await self._waiting.wait(self._answer.read, idle, "idle_timeout")
            if self._waiting.aborted:
                raise Aborted
        except Exception as error:
            # Transports fail in any way. Who has aborted wants nothing more of it.
            if self._waiting.aborted:
                raise
            piece, broken = None, error
        return self._feed(piece, broken)

    def _feed(self, piece: bytes | None, broken: Exception | None) -> list[Any]:
        assert self.pipeline is not None
        try:
            if piece is not None:
                return self._noted(self.pipeline.feed(piece))
            self._is_read = True
            # Where the run has ended, it does not matter how the connection does.
            made = self._noted(self.pipeline.close())
            if not self._verifies and not self._has_run:
                self._failure = broken or rules.client_error("stream_truncated")
            return made
        except AGUIError as error:
            self._failure = error
            if broken is not None and rules.explains(getattr(broken, "code", ""), error.code):
                self._failure = broken
            return error.partial
        except Exception as error:  # noqa: BLE001 A callback of the application has raised.
            self._failure = error
            kept: list[Any] = []
            with suppress(AGUIError):
                kept = self.pipeline.feed(b"")
            return kept

    def _noted(self, made: list[Any]) -> list[Any]:
        """Whether a run has ended is for the pipeline to know, unless somebody changes the events behind it."""
        if made:
            self._until = None
        if made and not self._verifies:
            for event in made:
                if event.type == "RUN_STARTED":
                    self._has_run = self._is_ended = False
                elif event.type in ("RUN_FINISHED", "RUN_ERROR"):
                    self._has_run = True
            if self._has_run:
                # Whoever collects events before he yields any says so too late.
                self.end()
        return made

    def end(self) -> None:
        """The run has ended: some transports bring one run only, on others no more than heartbeats may come for long."""
        self._is_ended = True
        if self._idle is not None:
            self._until = time.monotonic() + self._idle

    async def close(self) -> None:
        """Closes the connection."""
        answer, self._answer = self._answer, None
        if answer is not None:
            await answer.close()

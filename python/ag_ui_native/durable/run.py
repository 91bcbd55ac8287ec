"""Runs an agent whose events are stored, and not sent: no connection owns it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from ag_ui_native.durable.driver import Driver
from ag_ui_native.durable.keeper import keep_lease
from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.run import Run
from ag_ui_native.server.serve import AgentFunction, drive

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.durable.log import Log
    from ag_ui_native.durable.rules import LogKey, Recorder
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import ServerSettings

__all__ = ["LoggedRun"]

_logger = logging.getLogger("ag_ui_native.durable")


class LoggedRun:
    """A run whose writer sends to a log. ``settings`` are those of a server without a heartbeat."""

    def __init__(
        self,
        log: Log,
        key: LogKey,
        recorder: Recorder,
        input: RunAgentInput,
        warnings: list[ProtocolWarning],
        settings: ServerSettings,
    ) -> None:
        self._recorder = recorder
        self._loop = asyncio.get_running_loop()
        self._stored = 0
        self._progress: asyncio.Future[None] | None = None
        self._is_over = False
        self._has_failed = False
        self._leave_lease = keep_lease(log, recorder)
        self._driver = Driver(log, recorder.machine, key, settings.on_log)
        try:
            self._outlet = Outlet(False, settings, self._send)
            self._run: Run[Any] = Run(self._outlet, input, settings, warnings)
        except BaseException:
            # The log stays without frames until its lease is over.
            self._leave_lease()
            self._driver.close()
            recorder.close()
            raise
        self.storing: asyncio.Task[None] = self._loop.create_task(self._store())
        """Stores the run, until its end is stored or cannot be."""

    def drain(self) -> None:
        """The process shuts down: the run ends within its time to drain."""
        self._recorder.drain(self._loop.time())
        self._driver.wake()

    async def serve(self, agent: AgentFunction) -> None:
        """Runs the agent, until its last event is stored."""
        try:
            # A log without events says that the agent has not begun.
            await drive(self._run, agent, self._outlet, self._outlet.finish, before=self._outlet)
        finally:
            if self._outlet.is_lost and not self._has_failed:
                # A frame could not be recorded, so the end is not stored either.
                self._driver.close()
            await asyncio.wait({self.storing})

    async def _send(self, message: dict[str, Any]) -> None:
        """Takes frames from the writer. It waits for their storage where the protocol's order needs it, and else for room."""
        last, is_awaited, has_room = self._recorder.write(self._loop.time(), message["body"])
        self._driver.wake()
        while not self._is_over and not (self._stored >= last if is_awaited else has_room):
            self._progress = self._loop.create_future()
            await self._progress
            has_room = self._recorder.has_room()
        if self._is_over and self._stored < last:
            raise ConnectionAbortedError("the log takes no more events of this run")

    async def _store(self) -> None:
        """Carries out the recorder's commands."""
        try:
            while (command := await self._driver.next()) is not None:
                name, value, has_end = command
                if name == "stored":
                    self._stored = value
                elif name == "stop":
                    self._stop(value, has_end)
                self._advance()
        finally:
            self._is_over = True
            self._leave_lease()
            self._driver.close()
            self._recorder.close()
            self._advance()

    def _advance(self) -> None:
        if self._progress is not None and not self._progress.done():
            self._progress.set_result(None)

    def _stop(self, reason: str, has_end: bool) -> None:
        run = f"run {self._run.run_id!r} of thread {self._run.thread_id!r}"
        if reason in ("cancelled", "unattended"):
            _logger.debug("%s: the agent is cancelled: %s", run, reason)
            # The agent is cancelled as for a client that has gone, but the end of its run is still stored.
            self._outlet.on_lost()
            return
        level = logging.WARNING if reason == "drained" else logging.ERROR
        failure = None if has_end else self._driver.failure
        _logger.log(level, "%s: %s", run, _REASONS[reason], exc_info=failure)
        self._has_failed = True
        self._outlet.lose()


_REASONS = {
    "too_big": "the run has reached the limit log_bytes",
    "too_old": "the run has reached the limit max_age",
    "drained": "the process shuts down, and the run was ended",
    "fenced": "the lease was lost, and the run was ended for its readers",
    "log_failed": "the log has failed",
}

"""Renews the leases of runs in a thread of its own: they outlast Python code that blocks the event loop of its run."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from ag_ui_native.durable.driver import Command
from ag_ui_native.durable.loop_thread import LoopThread

if TYPE_CHECKING:
    from collections.abc import Callable

    from ag_ui_native.durable.log import Log
    from ag_ui_native.durable.rules import Hint, Operation, Recorder, Reply, Ticket

__all__ = ["KeptRecorder"]

_logger = logging.getLogger("ag_ui_native.durable")
_thread = LoopThread("leases of runs")
_kept: Counter[Log] = Counter()
"""The number of runs of each log whose leases are renewed. It belongs to the thread."""


class KeptRecorder:
    """A recorder whose lease is also renewed in the thread, if its log serves several event loops."""

    def __init__(self, log: Log, recorder: Recorder) -> None:
        self._recorder = recorder
        self._renewed_at: float | None = None
        self._renewing: Future[None] | None = None
        self.reply: Callable[[float, Ticket, Reply | None], None] = recorder.reply
        self.hint: Callable[[Hint], None] = recorder.hint
        self.deadline: Callable[[], float | None] = recorder.deadline
        self.notice: Callable[[], tuple[str, dict[str, Any]] | None] = recorder.notice
        if log._serves_loops:
            self._renewing = asyncio.run_coroutine_threadsafe(self._renew(log, *recorder.renewal()), _thread.start())

    def poll(self, now: float) -> Command | None:
        if self._renewed_at is not None:
            self._recorder.keep(self._renewed_at)
        return self._recorder.poll(now)

    def close(self) -> None:
        """Ends the renewals."""
        if self._renewing is not None:
            self._renewing.cancel()

    async def _renew(self, log: Log, renewal: Operation, pause: float) -> None:
        _kept[log] += 1
        try:
            while True:
                await asyncio.sleep(pause)
                sent_at = time.monotonic()
                try:
                    reply = await log._send(renewal)
                except Exception as error:
                    _logger.debug("a lease could not be renewed: it is tried again", exc_info=error)
                    continue
                if reply is not None and reply.to_json()["reply"] == "renewed":
                    self._renewed_at = sent_at
        finally:
            _kept[log] -= 1
            if not _kept[log]:
                del _kept[log]
                # The connection of this thread.
                await log.aclose()

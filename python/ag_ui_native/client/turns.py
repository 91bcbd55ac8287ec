"""When subscribers of an agent are told: of one thing after the other, in the order in which it has happened."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar

__all__ = ["Turns"]

_logger = logging.getLogger("ag_ui_native.client")

_within: ContextVar[asyncio.Task[None] | None] = ContextVar("ag_ui_native_telling", default=None)
"""The telling of the application that a callback belongs to: a run that is asked for there does not wait for it."""


class Turns:
    """The run tells first of what the application has changed before, and the application when nobody else is told."""

    def __init__(self) -> None:
        self.holder: object | None = None
        """Who is telling."""
        self.telling: asyncio.Task[None] | None = None
        """The last telling of the application that is still to come to its end."""
        self._last: asyncio.Future[None] | None = None
        """When that is over, or waited for no longer."""
        self._now: asyncio.Future[None] | None = None
        """The same of the telling that is at work."""
        self._given: list[asyncio.Future[None]] = []
        self._later: deque[Callable[[], object]] = deque()

    @property
    def is_behind(self) -> bool:
        """Whether somebody is to be told of something before."""
        telling, within = self.telling, _within.get()
        if telling is None or telling.done() or telling.get_loop() is not asyncio._get_running_loop():
            return False
        return within is None or within.done()

    async def come(self) -> None:
        """Waits until nothing is left that was before."""
        if self.telling is not None:
            await asyncio.wait({self.telling})

    def overtake(self) -> None:
        """Waits no longer. What is at work goes on beside others, and those behind it come in turn."""
        self.telling = None
        if self._now is not None:
            _finish(self._now)
            self.give(self.holder)

    def give(self, holder: object) -> None:
        """Others may tell now, unless they do already."""
        if self.holder is not holder:
            return
        self.holder = None
        while self._given:
            given = self._given.pop()
            # A loop that is closed runs nothing.
            with suppress(RuntimeError):
                given.get_loop().call_soon_threadsafe(_finish, given)
        while self._later and self.holder is None:
            self._later.popleft()()

    def tell(self, work: Callable[[], Awaitable[None]]) -> None:
        """Tells in a task, when it is its turn."""
        loop = asyncio.get_running_loop()
        before, over = self._last, loop.create_future()
        telling = loop.create_task(self._tell(before, over, work))
        self.telling, self._last = telling, over
        telling.add_done_callback(self._forget)

    def tell_now(self, work: Callable[[], object]) -> None:
        """Tells at once, or if somebody is told of something else behind that. What fails then is for the log."""
        if self.holder is None:
            work()
            return
        self._later.append(lambda: _logged(work))
        if self.holder is None:
            # Another thread was telling.
            self.give(None)

    async def _tell(
        self, before: asyncio.Future[None] | None, over: asyncio.Future[None], work: Callable[[], Awaitable[None]]
    ) -> None:
        _within.set(asyncio.current_task())
        loop = asyncio.get_running_loop()
        try:
            if before is not None and before.get_loop() is loop:
                await asyncio.wait({before})
            while self.holder is not None:
                given = loop.create_future()
                self._given.append(given)
                await given
            self._now = over
            await work()
        except Exception as error:
            _logger.error("a subscriber failed", exc_info=error)
        finally:
            _finish(over)
            if self._now is over:
                self._now = None

    def _forget(self, telling: asyncio.Task[None]) -> None:
        if self.telling is telling:
            self.telling = None


def _finish(given: asyncio.Future[None]) -> None:
    if not given.done():
        given.set_result(None)


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:
        _logger.error("a subscriber failed", exc_info=error)

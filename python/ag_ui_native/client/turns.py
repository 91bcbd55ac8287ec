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
        self.is_taken: bool = False
        """The run is telling, or a blocking agent is."""
        self.telling: asyncio.Task[None] | None = None
        """The last telling of the application that is still to come to its end."""
        self._given: list[asyncio.Future[None]] = []
        self._later: deque[Callable[[], object]] = deque()

    @property
    def is_behind(self) -> bool:
        """Whether somebody is to be told of something before."""
        telling, within = self.telling, _within.get()
        if telling is None or telling.done() or telling.get_loop().is_closed():
            return False
        return within is None or within.done()

    async def come(self) -> None:
        """Waits until nothing is left that was before."""
        telling = self.telling
        if telling is not None and telling.get_loop() is asyncio.get_running_loop():
            await asyncio.wait({telling})

    def give(self) -> None:
        """Others may tell now."""
        self.is_taken = False
        while self._given:
            given = self._given.pop()
            # A loop that is closed runs nothing.
            with suppress(RuntimeError):
                given.get_loop().call_soon_threadsafe(_finish, given)
        while self._later and not self.is_taken:
            self._later.popleft()()

    def tell(self, work: Callable[[], Awaitable[None]]) -> None:
        """Tells in a task, when it is its turn."""
        telling = asyncio.get_running_loop().create_task(self._tell(self.telling, work))
        self.telling = telling
        telling.add_done_callback(self._forget)

    def tell_now(self, work: Callable[[], object]) -> None:
        """Tells at once, or if somebody is told of something else behind that. What fails then is for the log."""
        if not self.is_taken:
            work()
            return
        self._later.append(lambda: _logged(work))
        if not self.is_taken:
            # Another thread was telling.
            self.give()

    async def _tell(self, before: asyncio.Task[None] | None, work: Callable[[], Awaitable[None]]) -> None:
        _within.set(asyncio.current_task())
        loop = asyncio.get_running_loop()
        if before is not None and not before.done() and before.get_loop() is loop:
            await asyncio.wait({before})
        while self.is_taken:
            given = loop.create_future()
            self._given.append(given)
            await given
        try:
            await work()
        except Exception as error:
            _logger.error("a subscriber failed", exc_info=error)

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

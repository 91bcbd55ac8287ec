"""The queue of notifications to the subscribers of an agent: one at a time, in the order of the changes."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar

__all__ = ["NotificationQueue"]

_logger = logging.getLogger("ag_ui_native.client")

_within: ContextVar[asyncio.Task[None] | None] = ContextVar("ag_ui_native_notifying", default=None)
"""The notification by the application that a callback belongs to: a run that the callback starts does not wait for it."""


class NotificationQueue:
    """A run waits for earlier notifications by the application; the application waits until the queue is free."""

    def __init__(self) -> None:
        self.holder: object | None = None
        """The notifier that has the queue."""
        self.current: asyncio.Task[None] | None = None
        """The last notification by the application that has not ended."""
        self._last: asyncio.Future[None] | None = None
        """Resolved when the last notification has ended or was overtaken."""
        self._now: asyncio.Future[None] | None = None
        """Resolved when the current notification has ended or was overtaken."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: list[asyncio.Future[None]] = []
        self._later: deque[Callable[[], object]] = deque()

    @property
    def must_wait(self) -> bool:
        """True if an earlier notification must end first."""
        within = _within.get()
        return _is_active(self.current) and (within is None or within.done())

    async def wait_for_earlier(self) -> None:
        """Waits until the earlier notifications have ended."""
        if self.current is not None:
            await _wait_for(self.current)

    def overtake(self) -> None:
        """Stops waiting. The current notification continues at the same time as others; those after it follow in
        order.
        """
        self.current = None
        if self._now is not None:
            _resolve_threadsafe(self._now)
            self.release(self.holder)

    def release(self, holder: object) -> None:
        """Releases the queue if `holder` has it."""
        if self.holder is not holder:
            return
        self.holder = None
        while self._waiting:
            _resolve_threadsafe(self._waiting.pop())
        while self._later and self.holder is None:
            self._later.popleft()()

    def notify_later(self, work: Callable[[], Awaitable[None]]) -> None:
        """Notifies in a task, when the queue is free."""
        loop = asyncio.get_running_loop()
        before, over = self._last, loop.create_future()
        notification = loop.create_task(self._notify(before, over, work))
        self.current, self._last = notification, over
        self._tasks.add(notification)
        notification.add_done_callback(self._forget)

    def notify_now(self, work: Callable[[], object]) -> None:
        """Notifies at once, or after the current notification; then failures are logged."""
        if self.holder is None and not _is_active(self.current):
            work()
            return
        self._later.append(lambda: _logged(work))
        if self.holder is None and not _is_active(self.current):
            # Another thread held the queue.
            self.release(None)

    def notify_anywhere(self, work: Callable[[], Awaitable[None]]) -> None:
        """Notifies in this event loop. Without one, it notifies at once in a new loop, or after the current
        notification in the loop of that one.
        """
        if asyncio._get_running_loop() is not None:
            self.notify_later(work)
        else:
            self.notify_now(lambda: self._notify_here(work))

    def _notify_here(self, work: Callable[[], Awaitable[None]]) -> None:
        if asyncio._get_running_loop() is not None:
            self.notify_later(work)
        else:
            asyncio.run(self._notify_all(work))

    async def _notify_all(self, work: Callable[[], Awaitable[None]]) -> None:
        self.notify_later(work)
        # Callbacks may add something.
        while here := {
            notification for notification in list(self._tasks) if notification.get_loop() is asyncio.get_running_loop()
        }:
            await asyncio.wait(here)
            await asyncio.sleep(0)

    async def _notify(
        self, before: asyncio.Future[None] | None, over: asyncio.Future[None], work: Callable[[], Awaitable[None]]
    ) -> None:
        _within.set(asyncio.current_task())
        loop = asyncio.get_running_loop()
        try:
            if before is not None:
                await _wait_for(before)
            while self.holder is not None:
                given = loop.create_future()
                self._waiting.append(given)
                await given
            self._now = over
            await work()
        except Exception as error:
            _logger.error("a subscriber failed", exc_info=error)
        finally:
            _resolve(over)
            if self._now is over:
                self._now = None

    def _forget(self, notification: asyncio.Task[None]) -> None:
        self._tasks.discard(notification)
        if self.current is notification:
            self.current = None
        while self._later and self.holder is None:
            self._later.popleft()()


def _is_active(notification: asyncio.Future[None] | None) -> bool:
    """True if it can still end: its event loop runs."""
    return notification is not None and not notification.done() and notification.get_loop().is_running()


async def _wait_for(notification: asyncio.Future[None]) -> None:
    """Waits until it has ended, in any event loop."""
    here = asyncio.get_running_loop()
    if notification.get_loop() is here:
        await asyncio.wait({notification})
        return
    over: asyncio.Future[None] = here.create_future()

    def done(_: object) -> None:
        _resolve_threadsafe(over)

    # Its loop may be closed at any moment; then no callback comes.
    with suppress(RuntimeError):
        notification.get_loop().call_soon_threadsafe(notification.add_done_callback, done)
    while _is_active(notification) and not over.done():
        await asyncio.wait({over}, timeout=1)


def _resolve_threadsafe(given: asyncio.Future[None]) -> None:
    """Resolves a future from any thread."""
    # A closed loop runs nothing.
    with suppress(RuntimeError):
        given.get_loop().call_soon_threadsafe(_resolve, given)


def _resolve(given: asyncio.Future[None]) -> None:
    if not given.done():
        given.set_result(None)


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:
        _logger.error("a subscriber failed", exc_info=error)

"""Sends the frames of a run from an event loop, and makes writers wait that are faster than the client."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from ag_ui_native.run_writer import RunWriter
from ag_ui_native.server.sender import Sender

if TYPE_CHECKING:
    from ag_ui_native.server.options import ServerSettings

__all__ = ["Outlet"]

_logger = logging.getLogger("ag_ui_native.server")

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[object]]

PRESSURE = 64 * 1024
"""The number of waiting bytes from which on a writer waits."""


class Outlet(RunWriter):
    """The writer of a run in an event loop. Awaiting it sends the waiting frames, as ASGI applications send a body.

    Writes that are not awaited are sent in the next turn of the loop, all of them as one piece.
    """

    def __new__(cls, binary: bool, settings: ServerSettings, send: Send) -> Self:
        terms: Any = {"state_flush": settings.state_flush, "show_errors": settings.show_errors}
        return super().__new__(cls, binary, settings.limits, **terms)

    def __init__(self, binary: bool, settings: ServerSettings, send: Send) -> None:
        self.on_lost: Callable[[], object] = _nothing
        self.before_await: Callable[[], object] = _nothing
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the run has ended."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        # Called for each token that is not awaited, so it is no Python function: that would be slower.
        self.wake: Callable[[], object] = partial(self._loop.call_soon, self.tick)
        self._max_waiting = settings.max_waiting
        self._queue: list[asyncio.Future[None]] = []
        self._room = threading.Condition()
        self.cancelled: bool = False
        """True if writers in other threads must end."""
        self.failure: BaseException | None = None
        """The exception that the agent has raised."""
        self._timer: asyncio.TimerHandle | None = None
        self.keep_alive(settings.heartbeat or 0, self._loop.time())
        self._check_later()
        self._sender = Sender(self._loop, send, self._sent)
        # Replaces the method of this name: this avoids the call of a Python function.
        self.begin: Callable[[bytes], bool] = self._sender.begin  # type: ignore[assignment]
        self.attend_at(min(PRESSURE, settings.max_waiting))

    # Called by the writer.

    def wake_from_thread(self) -> None:
        """Has the loop send the waiting frames in its next turn."""
        try:
            self._loop.call_soon_threadsafe(self.tick)
        except RuntimeError:
            # The loop is closed, so the task that listens to the client is gone too.
            self.drop_frames()

    def attend(self) -> None:
        """Makes the writer wait, refuses it, or cancels the thread that writes."""
        if threading.get_ident() == self._thread:
            self.check_room(self._max_waiting)
            return
        with self._room:
            while self._is_full() and self.is_running and not self.cancelled:
                self._room.wait()
            if self.cancelled:
                # The thread is cancelled once, as tasks are: its cleanup may write.
                self.attend_at(1 << 62)
                raise asyncio.CancelledError

    def warn(self, message: str) -> None:
        """Logs a warning."""
        _logger.warning(message)

    def note(self, text: str, is_failure: bool, error: BaseException | None) -> None:
        """Logs a note about the end of the run, as an error or as a warning."""
        if is_failure:
            self.failure = self.failure or error
        _logger.log(logging.ERROR if is_failure else logging.WARNING, text, exc_info=error)

    def over(self) -> None:
        """Called when the run has ended: the agent no longer waits for the client."""
        if threading.get_ident() == self._thread:
            self._release()
            return
        with suppress(RuntimeError):  # The loop is closed, so no task waits.
            self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        _set(self.ended)
        self.let_go()

    def cancel_threads(self) -> None:
        """Cancels writers in other threads at their next call."""
        with self._room:
            if not self.cancelled:
                self.cancelled = True
                self.attend_at(0)
                self._room.notify_all()

    def _is_full(self) -> bool:
        self.expect_room()
        return self.waiting >= min(PRESSURE, self._max_waiting)

    # Sending.

    def push_later(self) -> Generator[Any, None, None]:
        """Waits for the piece that is being sent, then sends the waiting frames. After the end of the run it does not
        wait: `close` sends the rest.
        """
        while not self.push():
            if not self.is_running:
                yield
                return
            yield from self._next_sent().__await__()

    def _next_sent(self) -> asyncio.Future[None]:
        """Returns a future that is done when a piece has been sent or the run has ended."""
        turn = self._loop.create_future()
        self._queue.append(turn)
        self.expect_room()
        return turn

    @staticmethod
    def pause() -> Generator[Any, None, None]:
        """Waits for the next turn of the loop."""
        yield

    def _sent(self, error: BaseException | None) -> None:
        """Called when a piece that had to wait has been sent, or has failed."""
        if error is not None:
            self.failed(error)
        self.sent()
        if self.waiting:
            self.wake()

    def failed(self, error: BaseException) -> None:
        """Called when a piece cannot be sent: no other piece follows."""
        level = logging.DEBUG if isinstance(error, (OSError, asyncio.CancelledError)) else logging.WARNING
        _logger.log(level, "the answer cannot be sent to the client", exc_info=error)
        self.lose()

    def let_go(self) -> None:
        """Wakes the tasks and threads that wait for the transport."""
        queue, self._queue = self._queue, []
        for turn in queue:
            _set(turn)
        with self._room:
            self._room.notify_all()

    def lose(self) -> None:
        """Notes that the client has disconnected: later writes are verified and dropped."""
        if not self.is_lost:
            self.drop_frames()
            with self._room:
                self._room.notify_all()
            self.on_lost()

    async def close(self) -> None:
        """Sends the remaining frames, and stops the heartbeat."""
        if self._timer is not None:
            self._timer.cancel()
        self.precede_awaits(False)
        while self.is_sending or self.waiting:
            if not self.push():
                await self._next_sent()
        self._end_sending()

    async def finish(self, end: Callable[[], Awaitable[object]] | None = None) -> None:
        """Sends the remaining frames, then ends the response. If the client does not read it within the grace time,
        the rest is dropped.
        """
        try:
            async with asyncio.timeout(self.grace):
                await self.close()
                if end is not None and not self.is_lost:
                    await end()
        except TimeoutError:
            _logger.warning("the client did not read the end of its run in time")
            self.lose()
            self._end_sending()

    def _end_sending(self) -> None:
        self._sender.close()
        # These attributes refer back to this object.
        for name in ("begin", "wake"):
            self.__dict__.pop(name, None)

    def _check_later(self) -> None:
        if (at := self.next_check) is not None:
            self._timer = self._loop.call_at(at, self._check)

    def _check(self) -> None:
        """Sends a comment if the connection has been silent for too long."""
        if self.check_silence(self._loop.time()):
            self.push()
        self._check_later()


def _set(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


def _nothing() -> None:
    """Does nothing."""

"""Sends the frames of a run from an event loop, and holds up writers that are faster than the client."""

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
    from ag_ui_native.server.options import Settings

__all__ = ["Outlet"]

_logger = logging.getLogger("ag_ui_native.server")

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[object]]

PRESSURE = 64 * 1024
"""From so many waiting bytes on, writers in other threads wait."""


class Outlet(RunWriter):
    """A run's writer in an event loop. Awaiting it sends what waits, as ASGI applications send the body of a response.

    Writes that are not awaited are sent in the next turn of the loop. Everything written until then is one piece.
    """

    def __new__(cls, binary: bool, settings: Settings, send: Send) -> Self:
        terms: Any = {"state_flush": settings.state_flush, "show_errors": settings.show_errors}
        return super().__new__(cls, binary, settings.limits, **terms)

    def __init__(self, binary: bool, settings: Settings, send: Send) -> None:
        self.on_lost: Callable[[], object] = _nothing
        self.before_await: Callable[[], object] = _nothing
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the run has ended."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        # Called for each token that is not awaited: a Python function would cost too much.
        self.wake: Callable[[], object] = partial(self._loop.call_soon, self.tick)
        self._max_waiting = settings.max_waiting
        self._queue: list[asyncio.Future[None]] = []
        self._room = threading.Condition()
        self.cancelled: bool = False
        """Writers in other threads are to end."""
        self.failure: BaseException | None = None
        """The exception by which the agent has failed."""
        self._timer: asyncio.TimerHandle | None = None
        self.keep_alive(settings.heartbeat or 0, self._loop.time())
        self._look_later()
        self._sender = Sender(self._loop, send, self._sent)
        # In place of the method: no call of a Python function here, either.
        self.begin: Callable[[bytes], bool] = self._sender.begin  # type: ignore[assignment]
        self.attend_at(min(PRESSURE, settings.max_waiting))

    # What the writer calls.

    def wake_from_thread(self) -> None:
        """Has what waits sent in the next turn."""
        try:
            self._loop.call_soon_threadsafe(self.tick)
        except RuntimeError:
            # The loop is gone, and with it the listener.
            self.drop_frames()

    def attend(self) -> None:
        """Much waits, or a thread is to be cancelled."""
        if threading.get_ident() == self._thread:
            self.check_room(self._max_waiting)
            return
        with self._room:
            while self._is_full() and self.is_running and not self.cancelled:
                self._room.wait()
            if self.cancelled:
                # Once, as a task is cancelled: its cleanup may write.
                self.attend_at(1 << 62)
                raise asyncio.CancelledError

    def warn(self, message: str) -> None:
        """Logs a warning."""
        _logger.warning(message)

    def note(self, text: str, is_failure: bool, error: BaseException | None) -> None:
        """Logs a note about the end of the run: an error, or a warning."""
        if is_failure:
            self.failure = self.failure or error
        _logger.log(logging.ERROR if is_failure else logging.WARNING, text, exc_info=error)

    def over(self) -> None:
        """The run has ended: its agent waits for the client no longer."""
        if threading.get_ident() == self._thread:
            self._release()
            return
        with suppress(RuntimeError):  # Without the loop no task waits.
            self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        _set(self.ended)
        self.let_go()

    def cancel_threads(self) -> None:
        """Ends writers in other threads at their next call."""
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
        """Sends what waits when others have sent. After the end of the run, writers do not wait: `close` sends the rest."""
        while not self.push():
            if not self.is_running:
                yield
                return
            yield from self._next_sent().__await__()

    def _next_sent(self) -> asyncio.Future[None]:
        """Done when something has been sent, or the run has ended."""
        turn = self._loop.create_future()
        self._queue.append(turn)
        self.expect_room()
        return turn

    @staticmethod
    def pause() -> Generator[Any, None, None]:
        """Waits for the next turn of the loop."""
        yield

    def _sent(self, error: BaseException | None) -> None:
        """A piece that had to wait is sent, or will never be."""
        if error is not None:
            self.failed(error)
        self.sent()
        if self.waiting:
            self.wake()

    def failed(self, error: BaseException) -> None:
        """A piece will never be sent, and so no other."""
        level = logging.DEBUG if isinstance(error, (OSError, asyncio.CancelledError)) else logging.WARNING
        _logger.log(level, "the client cannot be reached", exc_info=error)
        self.lose()

    def let_go(self) -> None:
        """Those that wait for the transport go on."""
        queue, self._queue = self._queue, []
        for turn in queue:
            _set(turn)
        with self._room:
            self._room.notify_all()

    def lose(self) -> None:
        """Notes that the client has gone: later writes are verified and dropped."""
        if not self.is_lost:
            self.drop_frames()
            with self._room:
                self._room.notify_all()
            self.on_lost()

    async def close(self) -> None:
        """Sends what is left, and no heartbeat any more."""
        if self._timer is not None:
            self._timer.cancel()
        self.precede_awaits(False)
        while self.is_sending or self.waiting:
            if not self.push():
                await self._next_sent()
        self._end_sending()

    async def finish(self, end: Callable[[], Awaitable[object]] | None = None) -> None:
        """Sends what is left, then ends the answer. A client that does not read it within the grace time gets no more."""
        try:
            async with asyncio.timeout(self.grace):
                await self.close()
                if end is not None and not self.is_lost:
                    await end()
        except TimeoutError:
            _logger.warning("the client does not read: the end of its run is lost")
            self.lose()
            self._end_sending()

    def _end_sending(self) -> None:
        self._sender.close()
        # They refer back to this.
        for name in ("begin", "wake"):
            self.__dict__.pop(name, None)

    def _look_later(self) -> None:
        if (at := self.next_look) is not None:
            self._timer = self._loop.call_at(at, self._look)

    def _look(self) -> None:
        """Fills silence, if it is time to."""
        if self.look(self._loop.time()):
            self.push()
        self._look_later()


def _set(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


def _nothing() -> None:
    """Does nothing."""

"""What the event loops of this process do for a log, until they shut down."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from ag_ui_native.durable.log import Log

__all__ = ["Work", "all_work_here", "drain_everywhere", "work_here"]

LOOK = 0.1
"""The time between two looks at a server that has connections: uvicorn looks as often whether it was stopped."""


class StoredRun(Protocol):
    """A run that is stored."""

    storing: asyncio.Task[None]

    def drain(self) -> None: ...


class Work:
    """The runs and the connections of a log in one event loop."""

    def __init__(self) -> None:
        self.is_draining: bool = False
        self._runs: dict[asyncio.Task[None], StoredRun] = {}
        self._readers: set[Callable[[], None]] = set()
        self._look: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """A server starts: runs begin again."""
        self.is_draining = False

    def add(self, serving: asyncio.Task[None], run: StoredRun) -> None:
        """Adds a run, and the task that serves it."""
        self._runs[serving] = run
        serving.add_done_callback(self._runs.pop)
        if self.is_draining:
            run.drain()

    @contextmanager
    def reading(self, drain: Callable[[], None]) -> Iterator[None]:
        """A connection that reads a log: ``drain`` tells it to end soon."""
        self._readers.add(drain)
        if self.is_draining:
            drain()
        elif self._look is None:
            self._look_later()
        try:
            yield
        finally:
            self._readers.discard(drain)

    def drain(self) -> None:
        """Starts no more runs. Those that go on, and the connections, end in time."""
        if not self.is_draining:
            self.is_draining = True
            for run in list(self._runs.values()):
                run.drain()
            for drain in list(self._readers):
                drain()

    async def drained(self) -> None:
        """Drains, and waits until the ends of the runs are stored."""
        self.drain()
        if self._runs:
            await asyncio.wait({run.storing for run in self._runs.values()})

    def _look_later(self) -> None:
        """Servers wait for their connections before they tell applications that they stop."""
        self._look = None
        if is_stopping():
            self.drain()
        elif self._readers:
            self._look = asyncio.get_running_loop().call_later(LOOK, self._look_later)


_work: WeakKeyDictionary[Log, WeakKeyDictionary[asyncio.AbstractEventLoop, Work]] = WeakKeyDictionary()
_lock = threading.Lock()


def work_here(log: Log) -> Work:
    """The work for a log in the running event loop."""
    with _lock:
        return _work.setdefault(log, WeakKeyDictionary()).setdefault(asyncio.get_running_loop(), Work())


def all_work_here() -> list[Work]:
    """The work for all logs in the running event loop."""
    loop = asyncio.get_running_loop()
    with _lock:
        return [loops[loop] for loops in _work.values() if loop in loops]


async def drain_everywhere(log: Log) -> None:
    """Drains the work for a log in every event loop of this process that runs."""
    here = asyncio.get_running_loop()
    with _lock:
        loops = list(_work[log].items()) if log in _work else []
    drained: list[Awaitable[None]] = [
        work.drained() if loop is here else asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work.drained(), loop))
        for loop, work in loops
        if loop.is_running()
    ]
    # An event loop that ends meanwhile cancels its part.
    await asyncio.gather(*drained, return_exceptions=True)


def is_stopping() -> bool:
    """True if the program, or the server that handles SIGTERM, was told to stop: uvicorn and gunicorn say so in an attribute."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    is_told = getattr(server, "should_exit", False) is True or getattr(server, "alive", True) is False
    return is_told or not threading.main_thread().is_alive()

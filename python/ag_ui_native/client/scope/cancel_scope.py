"""The two ways in which a run waits: in an event loop (`cancel_scope_async.py`), or by blocking its thread
(`cancel_scope_blocking.py`). The code of runs is the same for both.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

from ag_ui_native.client import rules
from ag_ui_native.client.scope.tasks import Cancelled
from ag_ui_native.errors import AGUIConnectionError, AGUIError

__all__ = [
    "Aborted",
    "Limit",
    "DeadlineReached",
    "CancelScope",
    "call_plainly",
    "close_plainly",
    "code_of",
    "complete",
    "drop",
]

T = TypeVar("T")


class Aborted(Exception):
    """The run was aborted."""

    code = "run_aborted"


def code_of(error: BaseException | None) -> str:
    """The code of an error for core: empty for exceptions of the application."""
    return (error.code or "") if isinstance(error, (AGUIError, Aborted)) else ""


class DeadlineReached(Exception):
    """The deadline of a wait has passed."""


class Limit(NamedTuple):
    """A limit of time."""

    left: float | None
    """The seconds that are left; None for no limit."""
    timeout: str
    """The name of the timeout."""
    seconds: float | None
    """The duration of the timeout."""

    def error(self) -> AGUIConnectionError:
        """Makes the error of this timeout."""
        return rules.timeout_error(self.timeout, self.seconds)


class CancelScope(ABC):
    """Waits for one run, until its time limit or an abort."""

    def __init__(self, total: float | None) -> None:
        self.begun: float = time.monotonic()
        """The beginning, by `time.monotonic`."""
        self.total = total
        """The time limit of the whole call."""
        self.aborted = False
        self.on_abort: Callable[[], object] = _nothing
        """Ends waits that the scope cannot wake."""
        self.runs: rules.Runs = rules.Runs()
        """The machine of the call, which sets the deadline of callbacks at its end."""
        self.outer: CancelScope | None = None
        """The scope in which this one was made."""
        self._detaches = False
        self._until = None if total is None or total > threading.TIMEOUT_MAX else self.begun + total
        self._has_ended = False

    @property
    def detaches(self) -> bool:
        """True if the run goes on at its server when it is left."""
        return self._detaches or (self.outer is not None and self.outer.detaches)

    @detaches.setter
    def detaches(self, detaches: bool) -> None:
        self._detaches = detaches

    def bound(self, seconds: float | None, name: str) -> Limit:
        """Returns the limit of a wait: this timeout, or the time limit of the run if that comes first."""
        if seconds is not None and seconds > threading.TIMEOUT_MAX:
            seconds = None
        if self._until is None or self._has_ended:
            return Limit(seconds, name, seconds)
        assert self.total is not None
        return Limit(*rules.limit_within(time.monotonic() - self.begun, self.total, name, seconds))

    def seconds_until(self, moment: float | None) -> float | None:
        """Returns the seconds until a moment of `time.monotonic`. Raises DeadlineReached if it has passed, and Aborted."""
        if self.aborted and not self._has_ended:
            raise Aborted
        if moment is None:
            return None
        left = moment - time.monotonic()
        if left <= 0:
            raise DeadlineReached
        return min(left, threading.TIMEOUT_MAX)

    def raise_if_cancelled(self) -> None:
        """Raises AGUIConnectionError `timed_out`, or Aborted, if the run has no time left."""
        if (self.aborted or self._until is not None) and not self._has_ended:
            self.raise_if_over()

    def raise_if_over(self) -> None:
        """As `raise_if_cancelled`, also after the end of the run."""
        if self.aborted:
            raise Aborted
        if self._is_late():
            raise rules.timeout_error("total_timeout", self.total)

    @property
    def is_over(self) -> bool:
        """True if the run is aborted, or has no time left."""
        return self.aborted or self._is_late()

    def end_if_over(self) -> None:
        """Calls `end` if the run was aborted or its time is over."""
        if self.is_over:
            self.end()

    def end(self) -> None:
        """Marks the run as over: notifications and closing get a grace time, and an abort has no effect any more."""
        self._has_ended = True

    def reopen(self) -> None:
        """Undoes `end` after subscribers were notified of an end, because the run may continue."""
        self._has_ended = False

    def _remaining_grace(self) -> float:
        now = time.monotonic()
        return max(self.runs.callback_deadline(now, True) - now, 0.0)

    def _is_late(self) -> bool:
        return self._until is not None and self._until <= time.monotonic()

    async def until(self, step: Callable[[], Awaitable[T]], moment: float | None) -> T:
        """Runs a step and returns its result. Raises DeadlineReached at a moment of `time.monotonic`, and Aborted. The time limit of the run does not
        apply.
        """
        return await self.wait(step, self.seconds_until(moment), None)

    async def call(self, function: Callable[..., object], *arguments: object) -> Any:
        """Calls a function of the application and returns its result. Raises as `wait`."""
        return await self.returned(function, call_plainly(function, arguments))

    @abstractmethod
    def inner(self) -> CancelScope:
        """Makes a scope for waits inside a function of the application; it ends when that function is left."""

    @abstractmethod
    async def wait(self, step: Callable[[], Awaitable[T]], seconds: float | None, name: str | None) -> T:
        """Runs a step and returns its result. Raises AGUIConnectionError `timed_out` (DeadlineReached without a name) and Aborted."""

    @abstractmethod
    async def turn(self) -> None:
        """Yields to other tasks from time to time, for code that never suspends."""

    @abstractmethod
    async def pause(self, moment: float | None) -> None:
        """Sleeps until a moment of `time.monotonic`. Raises Aborted."""

    @abstractmethod
    async def returned(self, function: Callable[..., object], result: object) -> Any:
        """Returns `result`, the result of a called function, or awaits it if it is awaitable. Raises as `wait`, and after
        the end of the run DeadlineReached: all callbacks share one deadline there.
        """

    @abstractmethod
    def iterator(self, items: Any) -> Any:
        """Makes an iterator of the application's items, for `step`; `finish` ends it."""

    @abstractmethod
    async def step(self, iterator: Any) -> Any:
        """Returns the next item; END at the end."""

    @abstractmethod
    async def finish(self, iterator: Any) -> None:
        """Stops the iteration and drops the remaining items."""

    @abstractmethod
    def check(self, function: Callable[..., object]) -> None:
        """Raises TypeError for an async function in a blocking agent."""

    @abstractmethod
    def abort(self) -> None:
        """Cancels all waits, from any thread."""

    @abstractmethod
    def close(self) -> None:
        """Releases timers."""


def complete(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never suspends, and returns its result."""
    try:
        coroutine.send(None)
    except StopIteration as returned:
        return returned.value  # type: ignore[no-any-return]
    coroutine.close()
    raise TypeError(
        "a sync agent got a function or an iterable that waits in an event loop: give it plain ones, or use an async agent"
    )


def _nothing() -> None:
    """Does nothing."""


def call_plainly(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    """Calls a function and returns its result, awaitable or not. Its own CancelledError becomes Cancelled, so that it does not cancel this task."""
    try:
        return function(*arguments)
    except asyncio.CancelledError as error:
        raise Cancelled from error


def drop(awaitable: object) -> None:
    """Closes a coroutine that is not awaited."""
    if inspect.iscoroutine(awaitable):
        awaitable.close()


def close_plainly(iterator: Any) -> None:
    """Closes an iterator if it has `close`."""
    closing = getattr(iterator, "close", None)
    if closing is not None:
        closing()

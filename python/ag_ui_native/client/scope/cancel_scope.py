"""The two ways in which a run waits: in an event loop (`waiting_async.py`), or by blocking its thread (`waiting_blocking.py`). The run is written once,
for both."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple, Protocol, TypeVar

from ag_ui_native.client import rules
from ag_ui_native.client.scope.tasks import Cancelled
from ag_ui_native.errors import AGUIConnectionError, AGUIError

__all__ = [
    "Aborted",
    "Limit",
    "DeadlineReached",
    "BaseCancelScope",
    "CancelScope",
    "call_plainly",
    "close_plainly",
    "code_of",
    "complete",
    "drop",
]

T = TypeVar("T")


class Aborted(Exception):
    """The run is not wanted any more."""

    code = "run_aborted"


def code_of(error: BaseException | None) -> str:
    """The code of an error for core: empty for exceptions of the application."""
    return (error.code or "") if isinstance(error, (AGUIError, Aborted)) else ""


class DeadlineReached(Exception):
    """The moment is there until which somebody has waited."""


class Limit(NamedTuple):
    """A limit of time."""

    left: float | None
    """The seconds that are left; None is for ever."""
    timeout: str
    """The timeout that sets it."""
    seconds: float | None
    """That timeout."""

    def error(self) -> AGUIConnectionError:
        """The failure that it is when the time is over."""
        return rules.timeout_error(self.timeout, self.seconds)


class CancelScope(Protocol):
    """Waits for one run, until its time is over or somebody aborts it."""

    begun: float
    """When, as `time.monotonic` has it."""
    total: float | None
    """The time limit of the whole call."""
    aborted: bool
    runs: rules.Runs
    """The machine of the call: it says until when callbacks of its end are waited for."""
    on_abort: Callable[[], object]
    """Ends what this cannot wake."""

    def bound(self, seconds: float | None, name: str) -> Limit:
        """The limit of a wait for so many seconds, as this timeout says; that of the run, if it comes first."""

    def left(self, moment: float | None) -> float | None:
        """The seconds until a moment of `time.monotonic`. Raises DeadlineReached if the moment has passed, and Aborted."""

    def need_time(self) -> None:
        """Raises AGUIConnectionError `timed_out`, or Aborted, if the run has no more time."""

    @property
    def is_over(self) -> bool:
        """True if the run is aborted, or has no more time."""

    def need_more(self) -> None:
        """Raises the same for what would be begun behind the end of the run."""

    def end_if_over(self) -> None:
        """The run has ended. An abort or a time limit came later: what is still to be said of it is said."""

    def end(self) -> None:
        """The run is over: whatever is still to be said and closed has a moment, and nothing more is aborted."""

    def go_on(self) -> None:
        """Ends the telling of an end: more may come."""

    def inner(self) -> CancelScope:
        """Waits behind a function of the application, which is waited for itself: so this ends when that is left."""

    async def wait(self, step: Callable[[], Awaitable[T]], seconds: float | None, name: str | None) -> T:
        """Runs a step and returns its result. Raises AGUIConnectionError `timed_out`, and Aborted. Without a name it raises DeadlineReached."""

    async def turn(self) -> None:
        """Leaves time to others, now and then: for what never suspends."""

    async def until(self, step: Callable[[], Awaitable[T]], moment: float | None) -> T:
        """Runs a step and returns its result. Raises DeadlineReached at a moment of `time.monotonic`, and Aborted. The time limit of the run does not
        apply.
        """

    async def pause(self, moment: float | None) -> None:
        """Does nothing until then. Raises Aborted."""

    async def call(self, function: Callable[..., object], *arguments: object) -> Any:
        """Calls a function of the application and returns its result. Raises as `wait`."""

    async def returned(self, function: Callable[..., object], result: object) -> Any:
        """Returns `result`, or awaits it if it is awaitable: the result of a called function. Raises as `wait`, and after
        the end of the run DeadlineReached: all callbacks share one moment there.
        """

    def iterator(self, items: Any) -> Any:
        """Makes an iterator of the application's items, for `step`; `finish` ends it."""

    async def step(self, iterator: Any) -> Any:
        """The next item; END at the end."""

    async def finish(self, iterator: Any) -> None:
        """Nobody wants the other items."""

    def check(self, function: Callable[..., object]) -> None:
        """Raises TypeError for a function that cannot be called here."""

    def abort(self) -> None:
        """Cancels all waits, from any thread."""

    def close(self) -> None:
        """Nothing is waited for any more."""


class BaseCancelScope:
    """The state that both share: the time limit of the run, and if it was aborted."""

    def __init__(self, total: float | None) -> None:
        self.aborted = False
        self.on_abort: Callable[[], object] = _nothing
        self.begun: float = time.monotonic()
        self.total = total
        self._until = None if total is None or total > threading.TIMEOUT_MAX else self.begun + total
        self._has_ended = False
        self.runs: rules.Runs = rules.Runs()

    def bound(self, seconds: float | None, name: str) -> Limit:
        if seconds is not None and seconds > threading.TIMEOUT_MAX:
            seconds = None
        if self._until is None or self._has_ended:
            return Limit(seconds, name, seconds)
        left = max(self._until - time.monotonic(), 0.0)
        if seconds is not None and seconds <= left:
            return Limit(seconds, name, seconds)
        return Limit(left, "total_timeout", self.total)

    def need_time(self) -> None:
        if (self.aborted or self._until is not None) and not self._has_ended:
            self.need_more()

    def need_more(self) -> None:
        if self.aborted:
            raise Aborted
        if self._is_late():
            raise rules.timeout_error("total_timeout", self.total)

    def left(self, moment: float | None) -> float | None:
        if self.aborted and not self._has_ended:
            raise Aborted
        if moment is None:
            return None
        left = moment - time.monotonic()
        if left <= 0:
            raise DeadlineReached
        return min(left, threading.TIMEOUT_MAX)

    @property
    def is_over(self) -> bool:
        return self.aborted or self._is_late()

    def end_if_over(self) -> None:
        if self.is_over:
            self.end()

    def end(self) -> None:
        self._has_ended = True

    def go_on(self) -> None:
        self._has_ended = False

    def _left_of_grace(self) -> float:
        now = time.monotonic()
        return max(self.runs.callback_deadline(now, True) - now, 0.0)

    def _is_late(self) -> bool:
        return self._until is not None and self._until <= time.monotonic()


def complete(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never suspends, and returns its result."""
    try:
        coroutine.send(None)
    except StopIteration as returned:
        return returned.value  # type: ignore[no-any-return]
    coroutine.close()
    raise TypeError("a sync agent was given something that waits in an event loop")


def _nothing() -> None:
    """There is nothing to end."""


def call_plainly(function: Callable[..., object], arguments: tuple[object, ...]) -> object:
    """Calls a function and returns its result, awaitable or not. The function cannot change if this task is cancelled."""
    try:
        return function(*arguments)
    except asyncio.CancelledError as error:
        raise Cancelled from error


def drop(awaitable: object) -> None:
    """Nobody will await it."""
    if inspect.iscoroutine(awaitable):
        awaitable.close()


def close_plainly(iterator: Any) -> None:
    """Closes what can be."""
    closing = getattr(iterator, "close", None)
    if closing is not None:
        closing()

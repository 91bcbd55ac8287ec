"""Waits by blocking the thread."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from ag_ui_native.client.scope.cancel_scope import (
    Aborted,
    CancelScope,
    DeadlineReached,
    Limit,
    close_plainly,
    drop,
)
from ag_ui_native.client.scope.tasks import END

__all__ = ["BlockingCancelScope"]

T = TypeVar("T")

PLAIN = "give a sync agent plain functions and iterables, or use an async agent"


class BlockingCancelScope(CancelScope):
    """Waits by blocking the thread. Coroutines never suspend here; transports limit their own blocking calls."""

    def __init__(self, total: float | None) -> None:
        super().__init__(total)
        self._woken = threading.Event()
        self.limit: Limit = Limit(None, "", None)
        """Returns the longest time that a transport may block now, with the name of the timeout."""

    def inner(self) -> BlockingCancelScope:
        # There is one thread only.
        return self

    async def wait(self, step: Callable[[], Awaitable[T]], seconds: float | None, name: str | None) -> T:
        if name is not None:
            self.raise_if_cancelled()
            self.limit = self.bound(seconds, name)
        try:
            # The result is not dropped: it has to be closed.
            return await step()
        except Exception as error:
            if self.aborted and not self._has_ended:
                raise Aborted from error
            raise

    async def turn(self) -> None:
        """Does nothing: other threads run anyway."""

    async def pause(self, moment: float | None) -> None:
        with suppress(DeadlineReached):
            if self._woken.wait(self.seconds_until(moment)):
                raise Aborted

    async def returned(self, function: Callable[..., object], result: object) -> Any:
        if inspect.isawaitable(result):
            drop(result)
            raise TypeError(f"{name_of(function)} is async: {PLAIN}")
        return result

    def iterator(self, items: Any) -> Any:
        if hasattr(items, "__aiter__"):
            raise TypeError(f"{type(items).__name__} is async: {PLAIN}")
        return iter(items)

    async def step(self, iterator: Any) -> Any:
        return next(iterator, END)

    async def finish(self, iterator: Any) -> None:
        close_plainly(iterator)

    def check(self, function: Callable[..., object]) -> None:
        require_plain(function)

    def abort(self) -> None:
        self.aborted = True
        self._woken.set()
        self.on_abort()

    def close(self) -> None:
        """Does nothing: there is no timer."""


def require_plain(function: Any) -> None:
    """Raises TypeError for an async function, where it is declared."""
    for called in (function, getattr(function, "__call__", None)):  # noqa: B004
        if inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called):
            raise TypeError(f"{name_of(function)} is async: {PLAIN}")


def name_of(function: Callable[..., object]) -> str:
    """Returns the name of a function, without its bound object."""
    return function.__qualname__ if inspect.isroutine(function) else type(function).__name__

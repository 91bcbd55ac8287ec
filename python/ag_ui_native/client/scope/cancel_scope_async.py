"""Waits in an event loop."""

from __future__ import annotations

import asyncio
import inspect
import types
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from typing import Any, TypeVar

from ag_ui_native._defaults import YIELD_INTERVAL
from ag_ui_native.client.scope.cancel_scope import (
    Aborted,
    CancelScope,
    DeadlineReached,
    Limit,
    close_plainly,
    drop,
)
from ag_ui_native.client.scope.tasks import (
    END,
    Cancelled,
    TaskIterator,
    awaited_result,
    forward_result,
    keep,
    leave,
    start,
)

__all__ = ["AsyncCancelScope"]

T = TypeVar("T")


class _Wait:
    """A task that waits."""

    __slots__ = ("deadline", "ended", "name", "seconds", "task")

    def __init__(
        self, task: asyncio.Task[Any], deadline: float | None, name: str | None, seconds: float | None
    ) -> None:
        self.task = task
        self.deadline = deadline
        self.name = name
        self.seconds = seconds
        self.ended: Exception | None = None
        """The reason of its cancellation."""

    def error(self) -> Exception:
        """Makes the error of a wait whose time is over."""
        return DeadlineReached() if self.name is None else Limit(None, self.name, self.seconds).error()

    def end(self, why: Exception) -> None:
        # The task is suspended here, so the cancellation reaches this wait and nothing behind it.
        if self.ended is None:
            self.ended = why
            self.task.cancel()


class AsyncCancelScope(CancelScope):
    """Waits in an event loop: other tasks run meanwhile.

    One timer watches all waits of a run. `asyncio.timeout` would have one for each wait, but most pieces of an
    answer arrive long before their deadline: their waits only record the deadline. Awaitables of the application
    run in tasks of their own.
    """

    def __init__(self, total: float | None) -> None:
        super().__init__(total)
        self._loop = asyncio.get_running_loop()
        # Middleware may call `next` several times at once.
        self._waits: list[_Wait] = []
        self._timer: asyncio.TimerHandle | None = None
        self._turn = self._loop.time()

    def inner(self) -> AsyncCancelScope:
        made = AsyncCancelScope(None)
        made.outer = self
        self.on_abort: Callable[[], object] = lambda: made.on_abort()
        return made

    async def wait(self, step: Callable[[], Awaitable[T]], seconds: float | None, name: str | None) -> T:
        # As `raise_if_cancelled`, without a call for each piece of an answer.
        if name is not None and (self.aborted or self._until is not None) and not self._has_ended:
            self.raise_if_over()
        begun = step().__await__()
        try:
            first = next(begun)
        except StopIteration as made:
            # Most pieces have already arrived and need no timer.
            return made.value  # type: ignore[no-any-return]  # A T, as steps are typed.
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise Cancelled from error
        return await self._wait_limited(_continued(begun, first), seconds, name)

    async def _wait_limited(self, rest: Awaitable[T], seconds: float | None, name: str | None) -> T:
        left = seconds
        # A limit of its own costs more than the rest: only a run with a time limit has one for each wait.
        if name is not None and self.total is not None:
            left, name, seconds = self.bound(seconds, name)
        task = asyncio.current_task(self._loop)
        assert task is not None
        cancelling = task.cancelling()
        deadline = None if left is None else self._loop.time() + left
        wait = _Wait(task, deadline, name, seconds)
        self._waits.append(wait)
        if deadline is not None:
            self._set_timer(deadline)
        try:
            return await rest
        except asyncio.CancelledError as error:
            others = task.cancelling() - (wait.ended is not None)
            # The task may have been cancelled by others, too.
            if others > cancelling or (others and wait.ended is None):
                raise
            raise (wait.ended or Cancelled()) from error
        except Exception as error:
            if wait.ended is not None:
                raise wait.ended from error
            raise
        finally:
            self._waits.remove(wait)
            if wait.ended is not None:
                task.uncancel()

    async def pause(self, moment: float | None) -> None:
        with suppress(DeadlineReached):
            await self.until(self._loop.create_future, moment)

    def _set_timer(self, deadline: float) -> None:
        """Sets the timer for the earliest limit."""
        if self._timer is None or self._timer.when() > deadline:
            self.close()
            self._timer = self._loop.call_at(deadline, self._cancel_expired)

    def _cancel_expired(self) -> None:
        """Wakes the waits whose time is over."""
        self._timer = None
        now = self._loop.time()
        for wait in self._waits:
            if wait.ended is not None or wait.deadline is None:
                continue
            if wait.deadline <= now:
                wait.end(wait.error())
            else:
                self._set_timer(wait.deadline)

    def close(self) -> None:
        """Cancels the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def returned(self, function: Callable[..., object], result: object) -> Any:
        if not inspect.isawaitable(result):
            return result
        try:
            self.raise_if_cancelled()
        except Exception:
            drop(result)
            raise
        made: asyncio.Future[Any] = self._loop.create_future()
        task = start(forward_result(result, made))
        try:
            if made.done():
                return made.result()
            if self._has_ended:
                return await self._wait_limited(awaited_result(made), self._remaining_grace(), None)
            return await self._wait_limited(awaited_result(made), None, "total_timeout")
        except BaseException as error:
            has_returned = made.done() and not made.cancelled() and made.exception() is None
            # The task may continue by itself, or have raised something that was not seen.
            keep(task)
            await leave(task, self._remaining_grace() if self._has_ended else None)
            # A callback that aborts the run and returns at once has returned a value that counts.
            if has_returned and isinstance(error, Aborted):
                return made.result()
            raise

    def iterator(self, items: Any) -> Any:
        return TaskIterator(items) if hasattr(items, "__aiter__") else iter(items)

    async def step(self, iterator: Any) -> Any:
        if isinstance(iterator, TaskIterator):
            return await iterator.next()
        await self.turn()
        return next(iterator, END)

    async def turn(self) -> None:
        # Code that never suspends leaves no time to other tasks or the timer.
        now = self._loop.time()
        if now - self._turn > YIELD_INTERVAL:
            self._turn = now
            await asyncio.sleep(0)

    async def finish(self, iterator: Any) -> None:
        await iterator.close() if isinstance(iterator, TaskIterator) else close_plainly(iterator)

    def check(self, function: Callable[..., object]) -> None:
        """Accepts every function."""

    def abort(self) -> None:
        self.aborted = True
        # Not at once: a task that aborts itself must not be cancelled at its next, unrelated wait.
        with suppress(RuntimeError):
            # A closed loop runs nothing.
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if self._has_ended:
            return
        if not self._waits:
            self.on_abort()
        for wait in self._waits:
            wait.end(Aborted())


@types.coroutine
def _continued(begun: Generator[Any, Any, T], waited_for: Any) -> Generator[Any, Any, T]:
    """Continues a step that has already suspended."""
    while True:
        try:
            yield waited_for
            break
        except BaseException as error:  # noqa: BLE001 The step handles it.
            try:
                waited_for = begun.throw(error)
            except StopIteration as made:
                return made.value  # type: ignore[no-any-return]  # A T, as steps are typed.
    return (yield from begun)

"""Runs async code of the application in separate tasks, so that a caller can leave without waiting for that code to end."""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
from collections.abc import AsyncIterable, Awaitable, Coroutine
from typing import Any

from ag_ui_native._defaults import CALLBACK_GRACE
from ag_ui_native._exits import is_failure

__all__ = [
    "END",
    "Cancelled",
    "TaskIterator",
    "begin",
    "finish",
    "forward_result",
    "keep",
    "leave",
    "start",
    "awaited_result",
]

_logger = logging.getLogger("ag_ui_native.client")

END: Any = object()
"""Returned behind the last item; None may be an item."""

_going: set[asyncio.Task[Any]] = set()
"""Running tasks; the event loop holds only weak references."""


class Cancelled(RuntimeError):
    """The awaited code was cancelled, although the waiting task was not."""

    def __init__(self) -> None:
        super().__init__("the code that the run awaits was cancelled")


def begin(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Runs a coroutine in a task. What it raises goes to the log."""
    task = start(coroutine)
    keep(task)
    return task


def start(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Runs a coroutine in a task that the caller keeps."""
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        # A coroutine that does not suspend needs no turn of the loop.
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    return loop.create_task(coroutine)


def keep(task: asyncio.Task[Any]) -> None:
    """Keeps a task until it is over. What it raises goes to the log."""
    _going.add(task)
    if task.done():
        _forget(task)
    else:
        task.add_done_callback(_forget)


async def forward_result(awaitable: Awaitable[Any], made: asyncio.Future[Any]) -> None:
    """Awaits an awaitable and forwards its result or error to a future, unless the future was cancelled."""
    try:
        result = await awaitable
        if not made.done():
            made.set_result(result)
    except BaseException as error:
        is_over = is_failure(error)
        if not made.done():
            made.set_exception(error if is_over else Cancelled())
            if not is_over:
                # The exception is marked as retrieved: if no task waits any more, asyncio must not log it.
                made.exception()
        elif is_over:
            _log(error)
        # SystemExit would end the event loop here, so it is raised in the waiting task.
        if not is_over:
            raise


async def awaited_result(made: asyncio.Future[Any]) -> Any:
    """Awaits the result. A caller that is cancelled although the future has failed gets the failure as the cause."""
    try:
        return await made
    except asyncio.CancelledError as error:
        raise error from _failure_of(made)


def _failure_of(made: asyncio.Future[Any]) -> BaseException | None:
    return made.exception() if made.done() and not made.cancelled() else None


async def leave(task: asyncio.Task[Any], grace: float | None = None) -> None:
    """Ends a task, unless it is over, and waits a moment for it."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CALLBACK_GRACE if grace is None else grace)


async def finish(coroutine: Coroutine[Any, Any, None]) -> None:
    """Runs a coroutine and waits a grace time for its end."""
    await asyncio.wait({begin(coroutine)}, timeout=CALLBACK_GRACE)


class TaskIterator:
    """Iterates over an async iterable in one task, so that timeouts and task groups are closed in the task that opened them."""

    def __init__(self, items: AsyncIterable[Any]) -> None:
        self._items = aiter(items)
        self._task: asyncio.Task[None] | None = None
        self._asked: asyncio.Future[None]
        self._made: asyncio.Future[Any]

    async def next(self) -> Any:
        """Returns the next item; END at the end. A cancelled caller leaves at once and has to call `close`."""
        self._made = asyncio.get_running_loop().create_future()
        if self._task is None:
            self._task = begin(self._work())
        elif self._task.done():
            return END
        else:
            self._asked.set_result(None)
        made = self._made
        # As `awaited_result` does, without another coroutine: this runs for each piece of an answer.
        try:
            return await made
        except asyncio.CancelledError as error:
            raise error from _failure_of(made)

    async def close(self) -> None:
        """Ends the iteration."""
        await (finish(self._close()) if self._task is None else leave(self._task))

    async def _work(self) -> None:
        try:
            while True:
                self._asked = asyncio.get_running_loop().create_future()
                made = self._made
                await forward_result(self._step(), made)
                if made.cancelled() or made.exception() is not None or made.result() is END:
                    break
                await self._asked
        finally:
            await self._close()

    async def _step(self) -> Any:
        # Not anext with a default: CPython crashes where `__anext__` itself raises.
        try:
            return await anext(self._items)
        except StopAsyncIteration:
            return END

    async def _close(self) -> None:
        closing = getattr(self._items, "aclose", None)
        closed = None if closing is None else closing()
        if inspect.isawaitable(closed):
            await closed


def _forget(task: asyncio.Task[Any]) -> None:
    _going.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        _log(error)


def _log(error: BaseException) -> None:
    _logger.error("a task that outlived its run failed", exc_info=error)

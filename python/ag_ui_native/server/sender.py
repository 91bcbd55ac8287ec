"""Sends in a task of its own, without a switch of tasks where the server takes a piece at once."""

from __future__ import annotations

import asyncio
import contextvars
import types
from asyncio import tasks
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from ag_ui_native.run_writer import FirstStep

__all__ = ["Sender"]

_CURRENT_TASK: Any = vars(tasks).get("_swap_current_task") or vars(tasks)["_current_tasks"]
"""Says which task of a loop is the current one: a function, and before Python 3.12 a table."""


class Sender:
    """Sends pieces so that each sending belongs to one task: middleware may set timeouts and context variables.

    ``begin`` sends a piece of a body, and says whether that is done. The first step of a sending is taken in the name of the task,
    at once; only if it waits is the task needed. ``on_sent`` hears how what has waited has ended.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        send: Callable[[dict[str, Any]], Awaitable[object]],
        on_sent: Callable[[BaseException | None], object],
    ) -> None:
        self._loop = loop
        self._on_sent = on_sent
        self._begun: tuple[Generator[Any, Any, Any], Any] | None = None
        self._turn: asyncio.Future[None] | None = None
        context = contextvars.copy_context()
        self._task = loop.create_task(self._run(), context=context)
        self.begin: Callable[[bytes], bool] = FirstStep(
            send, loop, self._task, context.run, self._wait, _CURRENT_TASK
        ).begin

    def _wait(self, steps: Generator[Any, Any, Any], blocker: object) -> None:
        """Has the task take the other steps of a sending."""
        if self._task.done():
            # The loop ends: it has cancelled all tasks.
            steps.close()
            raise ConnectionError("the event loop ends: the rest of the answer cannot be sent")
        self._begun = (steps, blocker)
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def close(self) -> None:
        """Nothing is sent any more."""
        self._task.cancel()
        self._on_sent = _nothing
        self.__dict__.pop("begin", None)

    async def _run(self) -> None:
        await self._work()

    @types.coroutine
    def _work(self) -> Generator[Any, Any, None]:
        while True:
            cancelled: BaseException | None = None
            if self._begun is None:
                self._turn = self._loop.create_future()
                try:
                    yield from self._turn
                except asyncio.CancelledError as error:
                    # A timeout of a sending that has just begun, or the end of this.
                    cancelled = error
            if self._begun is None:
                if cancelled is not None:
                    raise cancelled
                continue
            steps, blocker = self._begun
            self._begun = None
            try:
                yield from _carry_on(steps, blocker, cancelled)
            except Exception as error:  # noqa: BLE001 Servers and what stands between fail in any way.
                self._on_sent(error)
            except BaseException as error:
                self._on_sent(error)
                raise
            else:
                self._on_sent(None)


def _carry_on(steps: Generator[Any, Any, Any], blocker: Any, error: BaseException | None) -> Generator[Any, Any, None]:
    """The rest of a sending that waits for something. What is thrown at it arrives there."""
    while True:
        if error is not None:
            try:
                blocker = steps.throw(error)
            except StopIteration:
                return
        try:
            yield blocker
        except GeneratorExit:
            raise
        except BaseException as thrown:  # noqa: BLE001 It is thrown above.
            error = thrown
        else:
            break
    yield from steps


def _nothing(_: object) -> None:
    """Does nothing."""

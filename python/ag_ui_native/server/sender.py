"""Sends pieces in a task of their own, without switching tasks if the server takes a piece at once."""

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
"""Sets the current task of a loop: a function, or before Python 3.12 a table."""


class Sender:
    """Sends pieces in one task, so that middleware may set timeouts and context variables.

    ``begin`` sends a piece of a body, and returns true if it is sent at once. It runs the first step of the sending
    itself, as if the task did; the task runs only if that step waits. ``on_sent`` is called when a piece that had
    to wait has been sent or has failed.
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
        """Has the task run the remaining steps of a sending."""
        if self._task.done():
            # The loop is ending: it has cancelled all tasks.
            steps.close()
            raise ConnectionError("the event loop is closing: the rest of the answer cannot be sent")
        self._begun = (steps, blocker)
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def close(self) -> None:
        """Stops sending."""
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
                    # A timeout of a sending that has just begun, or `close`.
                    cancelled = error
            if self._begun is None:
                if cancelled is not None:
                    raise cancelled
                continue
            steps, blocker = self._begun
            self._begun = None
            try:
                yield from _carry_on(steps, blocker, cancelled)
            except Exception as error:  # noqa: BLE001 Servers and middleware may raise anything.
                self._on_sent(error)
            except BaseException as error:
                self._on_sent(error)
                raise
            else:
                self._on_sent(None)


def _carry_on(steps: Generator[Any, Any, Any], blocker: Any, error: BaseException | None) -> Generator[Any, Any, None]:
    """Runs the rest of a sending that waits. Exceptions that are thrown into this generator are thrown into the
    sending.
    """
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
        except BaseException as thrown:  # noqa: BLE001 Thrown into the sending above.
            error = thrown
        else:
            break
    yield from steps


def _nothing(_: object) -> None:
    """Does nothing."""

"""Runs one machine of core over an engine: sends its operations, and waits for replies, hints and moments."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ag_ui_native.durable.log import Log
from ag_ui_native.durable.rules import Hint, LogKey, Machine, Operation, Ticket

__all__ = ["Command", "Driver", "OnLog", "notify"]

_logger = logging.getLogger("ag_ui_native.durable")

Command = tuple[str, Any, Any]

OnLog = Callable[[str, dict[str, Any]], object]

LONGEST_WAIT = 3600.0
"""The longest time between two looks at a machine: event loops do not take any number."""

_sent: set[asyncio.Task[Any]] = set()
"""The operations on their way. They are never cancelled: a client could take the reply for that of the next command."""


def notify(on_log: OnLog, name: str, fields: dict[str, Any]) -> None:
    """Gives a notice to the application. An exception of its function changes nothing."""
    try:
        on_log(name, fields)
    except Exception as error:
        _logger.error("on_log failed: its notice %r is lost", name, exc_info=error)


class Driver:
    """Carries out the commands `send` of a machine, and hands out the others. With a key, it watches that log."""

    def __init__(self, log: Log, machine: Machine, key: LogKey | None = None, on_log: OnLog | None = None) -> None:
        self._log = log
        self._machine = machine
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._turn: asyncio.Future[None] | None = None
        self._is_closed = False
        self._on_log = on_log
        self.failure: Exception | None = None
        """The last exception of the engine."""
        self._unwatch = _nothing if key is None else log._watch(key, self._hint)

    async def next(self) -> Command | None:
        """The next command; None at the end, and when this is closed."""
        machine, loop = self._machine, self._loop
        while not self._is_closed:
            while (command := machine.poll(loop.time())) is not None:
                self._tell()
                if command[0] != "send":
                    return command
                _spawn(self._execute(command[1], command[2]))
            deadline = machine.deadline()
            if deadline is None:
                break
            await self._wait(deadline)
        return None

    def _tell(self) -> None:
        while self._on_log is not None and (notice := self._machine.notice()) is not None:
            notify(self._on_log, *notice)

    def wake(self) -> None:
        """Has the machine looked at, since it has got an input."""
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)

    def close(self) -> None:
        """Ends this. Operations on their way end by themselves."""
        if not self._is_closed:
            self._is_closed = True
            self._unwatch()
            self.wake()

    async def _wait(self, deadline: float) -> None:
        self._turn = self._loop.create_future()
        timer = self._loop.call_at(min(deadline, self._loop.time() + LONGEST_WAIT), self.wake)
        try:
            await self._turn
        finally:
            timer.cancel()
            self._turn = None

    async def _execute(self, ticket: Ticket, operation: Operation) -> None:
        reply = None
        try:
            reply = await self._log._send(operation)
        except Exception as error:
            self.failure = error
            _logger.debug("an operation of the log has failed", exc_info=error)
        self._machine.reply(self._loop.time(), ticket, reply)
        self.wake()

    def _hint(self, hint: Hint) -> None:
        if threading.get_ident() != self._thread:
            with suppress(RuntimeError):  # The loop is closed, so this is, too.
                self._loop.call_soon_threadsafe(self._hint, hint)
            return
        self._machine.hint(hint)
        self.wake()


def _spawn(work: Any) -> asyncio.Task[Any]:
    task = asyncio.get_running_loop().create_task(work)
    _sent.add(task)
    task.add_done_callback(_sent.discard)
    return task


def _nothing() -> None:
    """Does nothing: no log is watched."""

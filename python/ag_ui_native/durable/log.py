"""``Log``: the interface of an engine that keeps the logs of runs."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from ag_ui_native.durable.rules import Hint, LogKey, Operation, Reply
from ag_ui_native.durable.work import drain_everywhere

__all__ = ["EngineLog", "Log", "Unwatch", "Watchers", "delete_thread"]

Unwatch: TypeAlias = Callable[[], object]

_logger = logging.getLogger("ag_ui_native.durable")


class Log(ABC):
    """An engine that keeps the logs of runs.

    Others can be written: ``ag_ui_native.testing.check_log`` tells if one replies as all do.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.durable import Log, MemoryLog
        >>> async def close(log: Log) -> None:
        ...     await log.drain()
        ...     await log.aclose()
        >>> asyncio.run(close(MemoryLog()))
    """

    @abstractmethod
    async def execute(self, operation: dict[str, Any]) -> dict[str, Any]:
        """Executes an operation as one step, and returns its reply. Both are JSON objects. An exception means that there is
        no reply: the operation is repeated, so one that was executed must be known again.
        """

    @abstractmethod
    def watch(self, key: dict[str, Any], callback: Callable[[dict[str, Any]], object]) -> Unwatch:
        """Calls back with a hint when a log changes, from any thread. Returns a function that ends this. Hints may be lost,
        late or repeated: an engine without hints returns a function that does nothing.
        """

    @property
    def _serves_loops(self) -> bool:
        """True if it can be used in several event loops at once."""
        return False

    async def drain(self) -> None:
        """Starts no more runs in the event loops that serve this log now, and waits until theirs have ended: each has the time of the
        option ``drain``, and ends with RUN_ERROR ``producer_lost`` after it. Connections that read end a second later: their clients
        resume at another process. For the shutdown of a process; ``asgi_app`` calls it when it is told by ``lifespan``.
        """
        await drain_everywhere(self)

    async def aclose(self) -> None:  # noqa: B027 An engine without connections closes nothing.
        """Closes what the engine has opened for the running event loop."""

    async def _send(self, operation: Operation) -> Reply:
        return Reply.from_json(await self.execute(operation.to_json()))

    def _watch(self, key: LogKey, callback: Callable[[Hint], object]) -> Unwatch:
        return self.watch(key.to_json(), lambda hint: callback(Hint.from_json(hint)))


async def delete_thread(log: Log, scope: str, thread_id: str) -> None:
    """Deletes a thread: its messages, its state, and the logs of its runs. If a run is active, its agent is stopped. ``scope`` is
    that which ``authorize`` returns for it; ``""`` with ``authorize="public"``. Raises what the engine raises: then try it again.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.durable import MemoryLog, delete_thread
        >>> asyncio.run(delete_thread(MemoryLog(), "user-7", "t1"))
    """
    await log._send(Operation.delete_thread(scope, thread_id))


class EngineLog(Log):
    """An engine of this package: it takes operations as core makes them."""

    @property
    def _serves_loops(self) -> bool:
        return True

    async def execute(self, operation: dict[str, Any]) -> dict[str, Any]:
        reply = await self._send(Operation.from_json(operation))
        return reply.to_json()

    def watch(self, key: dict[str, Any], callback: Callable[[dict[str, Any]], object]) -> Unwatch:
        return self._watch(LogKey.from_json(key), lambda hint: callback(hint.to_json()))

    @abstractmethod
    async def _send(self, operation: Operation) -> Reply: ...

    @abstractmethod
    def _watch(self, key: LogKey, callback: Callable[[Hint], object]) -> Unwatch: ...


class Watchers:
    """The callbacks of those who watch, by log or by channel. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: dict[object, list[Callable[[Hint], object]]] = {}

    def add(self, key: object, callback: Callable[[Hint], object]) -> Unwatch:
        """Adds a callback. Returns a function that removes it."""
        with self._lock:
            self._callbacks.setdefault(key, []).append(callback)

        def remove() -> None:
            with self._lock:
                callbacks = self._callbacks.get(key, [])
                if callback in callbacks:
                    callbacks.remove(callback)
                if not callbacks:
                    self._callbacks.pop(key, None)

        return remove

    def tell(self, key: object, hint: Hint) -> None:
        """Calls back with a hint. The operation that is executed succeeds, whatever a callback raises."""
        with self._lock:
            callbacks = list(self._callbacks.get(key, ()))
        for callback in callbacks:
            try:
                callback(hint)
            except Exception:
                _logger.exception("a callback of `watch` has raised")

    def keys(self) -> set[object]:
        """The logs or channels that are watched."""
        with self._lock:
            return set(self._callbacks)

"""``MemoryLog``: the logs of one process."""

from __future__ import annotations

import time
from collections.abc import Callable

from ag_ui_native._option_reader import OptionReader, is_whole, one
from ag_ui_native.durable.log import EngineLog, Unwatch, Watchers
from ag_ui_native.durable.rules import Hint, LogKey, MemoryStore, Operation, Reply

__all__ = ["MemoryLog"]

_COUNT = OptionReader("a whole number, 0 or more", one(is_whole))


class MemoryLog(EngineLog):
    """Keeps logs in the memory of this process, for all its threads. They end with it.

    Examples:
        >>> from ag_ui_native.durable import MemoryLog
        >>> from ag_ui_native.server import asgi_app
        >>> from ag_ui_native.testing import scripted_agent
        >>> app = asgi_app(scripted_agent(["Hello!"]), log=MemoryLog(max_logs=1000), authorize="public")
    """

    def __init__(
        self, *, max_logs: int | None = None, max_threads: int | None = None, max_bytes: int | None = None
    ) -> None:
        """Makes room for this number of logs, of threads, and of bytes of their events; by default 10000, 10000 and 256 MiB.
        Logs of runs that have ended make room for others. Raises AGUIValidationError for what is no count.
        """
        for name, value in {"max_logs": max_logs, "max_threads": max_threads, "max_bytes": max_bytes}.items():
            _COUNT.check(name, value)
        self._store = MemoryStore(max_logs, max_threads, max_bytes)
        self._watchers = Watchers()

    async def _send(self, operation: Operation) -> Reply:
        reply, hints = self._store.execute(time.monotonic(), operation)
        for key, hint in hints:
            self._watchers.tell(key, hint)
        return reply

    def _watch(self, key: LogKey, callback: Callable[[Hint], object]) -> Unwatch:
        return self._watchers.add(key, callback)

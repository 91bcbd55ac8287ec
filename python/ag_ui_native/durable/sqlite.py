"""``SQLiteLog``: the logs of the processes of one machine, in a file."""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Callable
from contextlib import suppress

from ag_ui_native.durable.log import EngineLog, Unwatch
from ag_ui_native.durable.rules import Hint, LogKey, Operation, Reply, SqliteStore

__all__ = ["SQLiteLog"]


class SQLiteLog(EngineLog):
    """Keeps logs in a file of SQLite, for the processes of this machine. They outlive the processes.

    Examples:
        >>> import asyncio, tempfile
        >>> from pathlib import Path
        >>> from ag_ui_native.durable import SQLiteLog, delete_thread
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     log = SQLiteLog(Path(folder) / "runs.db")
        ...     asyncio.run(delete_thread(log, "user-7", "t1"))
        ...     log.close()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens the file, or makes it."""
        self._store = SqliteStore(os.fspath(path))

    async def _send(self, operation: Operation) -> Reply:
        loop = asyncio.get_running_loop()
        replied: asyncio.Future[Reply] = loop.create_future()

        def settle(reply: Reply | None, reason: str | None) -> None:
            if replied.done():
                return
            if reply is None:
                replied.set_exception(ConnectionError(reason))
            else:
                replied.set_result(reply)

        def call_back(reply: Reply | None, reason: str | None) -> None:
            with suppress(RuntimeError):  # The loop is closed: no task waits.
                loop.call_soon_threadsafe(settle, reply, reason)

        self._store.execute(operation, call_back)
        return await replied

    def _watch(self, key: LogKey, callback: Callable[[Hint], object]) -> Unwatch:
        return self._store.watch(key, callback).close

    def close(self) -> None:
        """Finishes all operations, and closes the file."""
        self._store.close()


# The thread of a store that calls back while the interpreter ends would abort the process.
atexit.register(SqliteStore.before_exit)

if hasattr(os, "register_at_fork"):
    # A child must find no file in use, and no thread in the midst of a callback: nothing that a thread of its parent has begun ends there.
    os.register_at_fork(
        before=SqliteStore.before_fork,
        after_in_parent=SqliteStore.after_fork,
        after_in_child=SqliteStore.after_fork,
    )

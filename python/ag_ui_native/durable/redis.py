"""``RedisLog``: the logs of many machines, in Redis 6.2 or newer."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ag_ui_native._defaults import LOG_PATIENCE, SUBSCRIBE_PAUSE
from ag_ui_native.durable.log import EngineLog, Unwatch, Watchers
from ag_ui_native.durable.rules import Hint, LogKey, Operation, RedisKeyspace, Reply

__all__ = ["RedisLog"]

_logger = logging.getLogger("ag_ui_native.durable")


class RedisLog(EngineLog):
    """Keeps logs in Redis, for all machines. The client is that of ``redis.asyncio``, and the application's own.

    Examples:
        >>> from ag_ui_native.durable import RedisLog
        >>> from ag_ui_native.server import asgi_app
        >>> from ag_ui_native.testing import scripted_agent
        >>> log = RedisLog("redis://127.0.0.1:6379/0", prefix="shop:")
        >>> app = asgi_app(scripted_agent(["Hello!"]), log=log, authorize="public")
    """

    def __init__(self, redis: Any, *, prefix: str = "agui:") -> None:
        """Takes a URL, a function that makes a client, or a client. Of the first two, each event loop gets a client of its own;
        a client that is given belongs to one event loop. ``prefix`` begins the name of every key.
        """
        self._make, self._is_own = _maker(redis)
        self._prefix = prefix
        self._keyspace = RedisKeyspace(prefix)
        self._lock = threading.Lock()
        self._connections: dict[asyncio.AbstractEventLoop, _Connection] = {}

    @property
    def _serves_loops(self) -> bool:
        return self._is_own

    async def _send(self, operation: Operation) -> Reply:
        connection = self._connection()
        begun = self._keyspace.begin(operation)
        step = begun.start()
        while isinstance(step, list):
            try:
                value = await connection.send(step)
            except Exception as error:
                if not _is_unknown_script(error):
                    raise
                step = begun.error("NOSCRIPT")
            else:
                step = begun.reply(value)
        warning = begun.warning()
        if warning is not None:
            _logger.warning(warning)
        return step

    def _watch(self, key: LogKey, callback: Callable[[Hint], object]) -> Unwatch:
        return self._connection().watch(self._keyspace.channel(key), callback)

    def _connection(self) -> _Connection:
        loop = asyncio.get_running_loop()
        with self._lock:
            connection = self._connections.get(loop)
            if connection is None:
                # Those of loops that are closed cannot be used any more.
                for closed in [loop for loop in self._connections if loop.is_closed()]:
                    del self._connections[closed]
                connection = _Connection(self._make(), self._keyspace, f"{self._prefix}hints")
                self._connections[loop] = connection
            return connection

    async def aclose(self) -> None:
        """Closes the connections that were opened for the running event loop. A client that was given stays open."""
        with self._lock:
            connection = self._connections.pop(asyncio.get_running_loop(), None)
        if connection is not None:
            await connection.unsubscribe()
            if self._is_own:
                await connection.client.aclose()


class _Connection:
    """The client of one event loop. The commands of all runs go through one pipeline; the subscriptions, a channel of each log
    that is watched, have a connection of their own.
    """

    def __init__(self, client: Any, keyspace: RedisKeyspace, channel: str) -> None:
        self.client = client
        self._keyspace = keyspace
        # With a channel that always is there, the connection stays open while no log is watched.
        self._channel = channel
        self._watchers = Watchers()
        self._pubsub: Any = None
        self._subscribed: set[object] = set()
        self._changing = asyncio.Lock()
        self._listener: asyncio.Task[None] | None = None
        self._changes: set[asyncio.Task[None]] = set()
        self._waiting: list[tuple[list[str], asyncio.Future[Any]]] = []
        self._sender: asyncio.Task[None] | None = None
        # A client of a cluster sends commands to many machines: it does that itself.
        self._has_pipeline = hasattr(client, "pipeline") and hasattr(client, "pubsub")

    async def send(self, words: list[str]) -> Any:
        """Sends a command, together with those that wait for the replies to earlier ones. Returns its reply."""
        if not self._has_pipeline:
            return await self.client.execute_command(*words)
        loop = asyncio.get_running_loop()
        replied: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((words, replied))
        if self._sender is None:
            self._sender = loop.create_task(self._send_waiting())
        return await replied

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                sent, self._waiting = self._waiting, []
                for (_, replied), reply in zip(sent, await self._replies([words for words, _ in sent]), strict=True):
                    if replied.done():
                        continue
                    if isinstance(reply, Exception):
                        replied.set_exception(reply)
                    else:
                        replied.set_result(reply)
        finally:
            self._sender = None

    async def _replies(self, commands: list[list[str]]) -> list[Any]:
        """The replies to commands, or their errors."""
        try:
            async with asyncio.timeout(LOG_PATIENCE):
                # A pipeline of one command takes longer than the command.
                if len(commands) == 1:
                    return [await self.client.execute_command(*commands[0])]
                async with self.client.pipeline(transaction=False) as pipeline:
                    for words in commands:
                        pipeline.execute_command(*words)
                    replies: list[Any] = await pipeline.execute(raise_on_error=False)
                    return replies
        except Exception as error:
            _logger.debug("commands have no replies", exc_info=error)
            return [error] * len(commands)

    def watch(self, channel: str, callback: Callable[[Hint], object]) -> Unwatch:
        loop = asyncio.get_running_loop()
        remove = self._watchers.add(channel, callback)
        if self._listener is None and hasattr(self.client, "pubsub"):
            self._listener = loop.create_task(self._listen())
        self._change_soon()

        def unwatch() -> None:
            remove()
            if not loop.is_closed():
                self._change_soon()

        return unwatch

    async def unsubscribe(self) -> None:
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait({self._listener, *self._changes})
        await self._close()

    async def _listen(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        # redis-py may take a cancellation for a failure of its connection, and go on.
        while not task.cancelling():
            try:
                self._pubsub = self.client.pubsub()
                await self._pubsub.subscribe(self._channel)
                await self._change()
                while not task.cancelling():
                    # A read without an end would fail with a client that has a time limit.
                    message = await self._pubsub.get_message(timeout=5)
                    if message is not None:
                        self._receive(message)
            except Exception as error:
                _logger.debug("the subscription to hints has failed: it is made again", exc_info=error)
            await self._close()
            if not task.cancelling():
                await asyncio.sleep(SUBSCRIBE_PAUSE)

    def _receive(self, message: dict[str, Any]) -> None:
        channel, kind = message["channel"], message["type"]
        channel = channel.decode() if isinstance(channel, bytes) else channel
        if kind == "subscribe":
            # What was told before is lost, so the log is looked at once.
            self._watchers.tell(channel, NEWS)
        elif kind == "message":
            hint = self._keyspace.hint(message["data"])
            if hint is not None:
                self._watchers.tell(channel, hint)

    def _change_soon(self) -> None:
        if self._pubsub is not None:
            task = asyncio.get_running_loop().create_task(self._change())
            self._changes.add(task)
            task.add_done_callback(self._changes.discard)

    async def _change(self) -> None:
        """Subscribes to the channels that are watched, and to no others."""
        async with self._changing:
            pubsub, wanted = self._pubsub, self._watchers.keys()
            new, old = wanted - self._subscribed, self._subscribed - wanted
            if pubsub is None:
                return
            self._subscribed = wanted
            try:
                if new:
                    await pubsub.subscribe(*new)
                if old:
                    await pubsub.unsubscribe(*old)
            except Exception as error:
                # The next change subscribes to all channels again; until then readers look at the log.
                self._subscribed = set()
                _logger.debug("the subscription to hints has failed", exc_info=error)

    async def _close(self) -> None:
        pubsub, self._pubsub, self._subscribed = self._pubsub, None, set()
        if pubsub is not None:
            with suppress(Exception):
                await pubsub.aclose()


NEWS = Hint.from_json({"hint": "appended", "next": (1 << 53) - 1})
"""The hint that there may be frames."""


def _maker(redis: Any) -> tuple[Callable[[], Any], bool]:
    """Returns a function that gives a client, and true if the client is ours to close."""
    if isinstance(redis, str):
        try:
            from redis.asyncio import Redis
        except ImportError as error:
            raise ImportError('RedisLog with a URL needs redis: pip install "ag-ui-native[redis]"') from error
        Redis.from_url(redis)  # An address that cannot be read is an error here, not in the first run.
        return lambda: Redis.from_url(redis), True
    if not isinstance(redis, type) and hasattr(redis, "execute_command"):
        if not inspect.iscoroutinefunction(redis.execute_command):
            raise TypeError(f"RedisLog: expected a client of redis.asyncio, got {type(redis).__name__}")
        return lambda: redis, False
    if callable(redis):
        return redis, True
    raise TypeError(f"RedisLog: expected a URL, a client or a function that makes one, got {type(redis).__name__}")


def _is_unknown_script(error: Exception) -> bool:
    return any(kind.__name__ == "NoScriptError" for kind in type(error).__mro__) or str(error).startswith("NOSCRIPT")

"""Transports that need an event loop, for agents that block: each run has a thread with a loop of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from ag_ui_native.client.scope.cancel_scope_async import AsyncCancelScope
from ag_ui_native.client.scope.cancel_scope_blocking import BlockingCancelScope

if TYPE_CHECKING:
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import ResponseReader, RunRequest, Transport

__all__ = ["BridgeTransport"]

T = TypeVar("T")


class BridgeTransport:
    """Runs another transport in a thread."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        assert isinstance(scope, BlockingCancelScope)
        reader = BridgeReader(scope)
        try:
            # An abort before the response was not forwarded to it.
            scope.raise_if_cancelled()
            reader.begin(self._transport, request)
        except BaseException:
            await reader.close()
            raise
        return reader


class BridgeReader:
    """A response that is read in the thread. The thread ends with the run, and cancels all tasks that remain."""

    content_type: str | None
    is_one_run: bool

    def __init__(self, scope: BlockingCancelScope) -> None:
        self._outer = scope
        self._is_ready = threading.Event()
        self._reader: ResponseReader | None = None
        self._failure: BaseException | None = None
        self._doing: Future[Any] | None = None
        self._is_over = False
        # A daemon: the program may end before the thread does.
        thread = threading.Thread(target=contextvars.copy_context().run, args=(self._run,), daemon=True)
        thread.start()
        self._is_ready.wait()
        if self._failure is not None:
            raise self._failure
        scope.on_abort = self.abort

    def _run(self) -> None:
        living = self._live()
        try:
            with asyncio.Runner() as runner:
                try:
                    runner.run(living)
                except BaseException as error:
                    # SystemExit of an agent ends the loop: a waiting caller hears of that, not of a cancellation.
                    self._failure = error
                    raise
        except BaseException as error:  # noqa: BLE001 It is raised in the waiting thread.
            self._failure = self._failure or error
        finally:
            living.close()
            self._is_over = True
            self._is_ready.set()
            if self._doing is not None:
                self._doing.cancel()

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._inner = AsyncCancelScope(self._outer.bound(None, "").left)
        self._is_ready.set()
        await self._over.wait()

    def begin(self, transport: Transport, request: RunRequest) -> None:
        """Sends the request and waits for the head of the response."""
        self._reader = reader = self._do(lambda: transport.open(request, self._inner))
        self.content_type = reader.content_type
        self.is_one_run = getattr(reader, "is_one_run", False)

    def _do(self, step: Callable[[], Awaitable[T]]) -> T:
        async def do() -> T:
            return await step()

        taken = do()
        try:
            doing: Future[T] = asyncio.run_coroutine_threadsafe(taken, self._loop)
            self._doing = doing
            if self._is_over:
                # A loop that has ended meanwhile runs nothing and raises nothing.
                doing.cancel()
            return doing.result()
        finally:
            if self._is_over:
                taken.close()
            if self._failure is not None:
                raise self._failure

    async def read(self) -> bytes | None:
        assert self._reader is not None
        read, (seconds, name, _) = self._reader.read, self._outer.limit
        return self._do(lambda: self._inner.wait(read, seconds, name))

    async def close(self) -> None:
        reader = self._reader
        try:
            if reader is not None and self._failure is None:
                self._inner.end()
                self._do(reader.close)
        finally:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._over.set)

    def abort(self) -> None:
        self._inner.abort()

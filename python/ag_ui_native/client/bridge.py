"""Transports that need an event loop, for agents that block: each run has a thread with a loop of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from ag_ui_native.client.waiting_async import AsyncWaiting
from ag_ui_native.client.waiting_blocking import BlockingWaiting

if TYPE_CHECKING:
    from ag_ui_native.client.transport import Answer, Request, Transport
    from ag_ui_native.client.waiting import Waiting

__all__ = ["BridgeTransport"]

T = TypeVar("T")


class BridgeTransport:
    """Asks by another transport."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def open(self, request: Request, waiting: Waiting) -> Answer:
        assert isinstance(waiting, BlockingWaiting)
        answer = BridgeAnswer(waiting)
        try:
            # Who has aborted before there was an answer has not told it.
            waiting.need_time()
            answer.begin(self._transport, request)
        except BaseException:
            await answer.close()
            raise
        return answer


class BridgeAnswer:
    """An answer that is read in the thread. It ends when the run does, and with it whatever still goes on there."""

    content_type: str | None
    is_one_run: bool

    def __init__(self, waiting: BlockingWaiting) -> None:
        self._outer = waiting
        self._is_ready = threading.Event()
        self._answer: Answer | None = None
        self._failure: Exception | None = None
        # A program may end before the thread does.
        thread = threading.Thread(target=contextvars.copy_context().run, args=(self._run,), daemon=True)
        thread.start()
        self._is_ready.wait()
        if self._failure is not None:
            raise self._failure
        waiting.on_abort = self.abort

    def _run(self) -> None:
        living = self._live()
        try:
            asyncio.run(living)
        except Exception as error:
            if self._is_ready.is_set():
                raise
            self._failure = error
        finally:
            living.close()
            self._is_ready.set()

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._inner = AsyncWaiting(self._outer.bound(None, "")[0])
        self._is_ready.set()
        await self._over.wait()

    def begin(self, transport: Transport, request: Request) -> None:
        """Asks, and waits for the head of the answer."""
        self._answer = answer = self._do(lambda: transport.open(request, self._inner))
        self.content_type = answer.content_type
        self.is_one_run = getattr(answer, "is_one_run", False)

    def _do(self, step: Callable[[], Awaitable[T]]) -> T:
        async def do() -> T:
            return await step()

        return asyncio.run_coroutine_threadsafe(do(), self._loop).result()

    async def read(self) -> bytes | None:
        assert self._answer is not None
        read, (seconds, name) = self._answer.read, self._outer.limit
        return self._do(lambda: self._inner.wait(read, seconds, name))

    async def close(self) -> None:
        answer = self._answer
        try:
            if answer is not None:
                self._inner.end()
                self._do(answer.close)
        finally:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._over.set)

    def abort(self) -> None:
        self._inner.abort()

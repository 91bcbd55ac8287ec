"""What a run brings, one after the other."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from ag_ui_native.client.waiting import complete

if TYPE_CHECKING:
    from ag_ui_native.client.loop import RunLoop
    from ag_ui_native.client.result import RunResult
    from ag_ui_native.client.round import Item

__all__ = ["RunStream", "SyncRunStream"]

ItemT = TypeVar("ItemT")


class _Stream(Generic[ItemT]):
    def __init__(self, loop: RunLoop, pick: Callable[[Item], list[Any]]) -> None:
        self._run = loop
        self._pick = pick
        self._ready: deque[ItemT] = deque()

    @property
    def result(self) -> RunResult:
        """What the run has come to. Raises RuntimeError before its end."""
        return self._run.result

    def _take(self, items: list[Item]) -> None:
        for item in items:
            self._ready.extend(self._pick(item))


class RunStream(_Stream[ItemT]):
    """Iterates over what a run brings. Leaving the loop closes the connection; `async with` says exactly when."""

    _home: asyncio.AbstractEventLoop | None = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ItemT:
        while not self._ready:
            if self._home is None:
                self._home = asyncio.get_running_loop()
            items = self._run.ready() or await self._run.advance()
            if items is None:
                raise StopAsyncIteration
            self._take(items)
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Closes the connection; the run's outcome is `aborted` if it has not ended."""
        await self._run.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        home = self._home
        if home is None or self._run.is_over:
            return
        if asyncio._get_running_loop() is home:
            # At once, so that the next run knows.
            self._run.leave()
            return
        with suppress(RuntimeError):
            # A loop that is closed, be it at this moment, runs nothing.
            home.call_soon_threadsafe(self._run.leave)


class SyncRunStream(_Stream[ItemT]):
    """Iterates over what a run brings. Leaving the loop closes the connection; `with` says exactly when."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> ItemT:
        while not self._ready:
            items = self._run.ready() or complete(self._run.advance())
            if items is None:
                raise StopIteration
            self._take(items)
        return self._ready.popleft()

    def close(self) -> None:
        """Closes the connection; the run's outcome is `aborted` if it has not ended."""
        complete(self._run.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if not self._run.is_over:
            self.close()

"""The iterators over a run."""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from ag_ui_native.client.scope.cancel_scope import complete

if TYPE_CHECKING:
    from ag_ui_native.client.loop import RunLoop
    from ag_ui_native.client.result import RunResult
    from ag_ui_native.client.run import Item

__all__ = ["RunIterator", "RunStream", "SyncRunIterator", "SyncRunStream"]

ItemT = TypeVar("ItemT")


class Hold:
    """Shared by the iterators of a run: when the last one is released, the run is left."""

    __slots__ = ("__weakref__", "event_loop", "run")

    def __init__(self, run: RunLoop) -> None:
        self.run: RunLoop = run
        self.event_loop: asyncio.AbstractEventLoop | None = None
        """The event loop of the reader; None before the first read and in sync agents."""

    def __del__(self) -> None:
        if not self.run.is_begun or self.run.is_over:
            return
        if self.event_loop is None:
            complete(self.run.close())
        else:
            self.run.leave(self.event_loop)


class _Reading(Generic[ItemT]):
    __slots__ = ("_hold", "_pick", "_ready", "_run")

    def __init__(self, hold: Hold, pick: Callable[[Item], list[Any]], ready: deque[ItemT]) -> None:
        self._hold = hold
        self._run = hold.run
        self._pick = pick
        self._ready = ready

    def _take(self, items: list[Item]) -> None:
        for item in items:
            self._ready.extend(self._pick(item))


class RunIterator(_Reading[ItemT]):
    """One iteration over a stream. While it exists, the run continues and its agent is busy."""

    __slots__ = ()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ItemT:
        while not self._ready:
            if self._hold.event_loop is None:
                self._hold.event_loop = asyncio.get_running_loop()
            items = self._run.ready() or await self._run.advance()
            if items is None:
                raise StopAsyncIteration
            self._take(items)
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Closes the connection, also while another task reads; the run's outcome is `aborted` if it has not ended."""
        self._ready.clear()
        await self._run.close()


class SyncRunIterator(_Reading[ItemT]):
    """One iteration over a stream. While it exists, the run continues and its agent is busy."""

    __slots__ = ()

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
        """Closes the connection, also while another task reads; the run's outcome is `aborted` if it has not ended."""
        self._ready.clear()
        complete(self._run.close())


class _Stream(Generic[ItemT]):
    def __init__(self, loop: RunLoop, pick: Callable[[Item], list[Any]]) -> None:
        self._run = loop
        self._pick = pick
        self._ready: deque[ItemT] = deque()
        self._hold: weakref.ref[Hold] | None = None

    @property
    def result(self) -> RunResult:
        """The result of the run. Raises RuntimeError before its end."""
        return self._run.result

    def _held(self) -> Hold:
        hold = None if self._hold is None else self._hold()
        if hold is None:
            if self._run.is_left:
                # Items before the close are dropped.
                self._ready.clear()
            hold = Hold(self._run)
            self._hold = weakref.ref(hold)
        return hold


class RunStream(_Stream[ItemT]):
    """Iterates over the items of a run. Each iteration has an iterator of its own; leaving the last one closes the
    connection.

    In an `async with` block, the end of the block closes it: loops in the block continue where the previous loop
    has stopped.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.client import LocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> async def main() -> None:
        ...     async with LocalAgent(scripted_agent(["Hello!"])).run() as stream:
        ...         async for event in stream:
        ...             print(event.type.value)
        ...             if event.type.value == "TEXT_MESSAGE_START":
        ...                 await stream.detach()
        ...     print(stream.result.outcome)
        >>> asyncio.run(main())
        RUN_STARTED
        TEXT_MESSAGE_START
        aborted
    """

    _own: RunIterator[ItemT] | None = None
    """Held by `async with`/`with` blocks and by reads without a loop."""

    def __aiter__(self) -> RunIterator[ItemT]:
        return RunIterator(self._held(), self._pick, self._ready)

    async def __anext__(self) -> ItemT:
        return await self._itself().__anext__()

    async def aclose(self) -> None:
        """Closes the connection; the run's outcome is `aborted` if it has not ended.

        Examples:
            >>> import asyncio
            >>> from ag_ui_native.client import LocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> async def main() -> None:
            ...     stream = LocalAgent(scripted_agent(["Hello!"])).run()
            ...     print((await anext(stream)).type.value)
            ...     await stream.aclose()
            >>> asyncio.run(main())
            RUN_STARTED
        """
        self._ready.clear()
        try:
            await self._run.close()
        finally:
            self._own = None

    async def detach(self) -> None:
        """Stops reading. At a server with a log the run goes on; another one ends it as it does for a client whose
        connection is lost. The result has all that has arrived. Detach within the loop, which ends then, or within a `with`
        block: leaving a loop cancels the run.
        """
        self._run.detach()
        await self.aclose()

    async def __aenter__(self) -> Self:
        self._itself()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def _itself(self) -> RunIterator[ItemT]:
        if self._own is None:
            self._own = self.__aiter__()
        return self._own


class SyncRunStream(_Stream[ItemT]):
    """Iterates over the items of a run. Each iteration has an iterator of its own; leaving the last one closes the
    connection.

    In a `with` block, the end of the block closes it: loops in the block continue where the previous loop has
    stopped.

    Examples:
        >>> from ag_ui_native.client import SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> with SyncLocalAgent(scripted_agent(["Hello!"])).run() as stream:
        ...     for event in stream:
        ...         print(event.type.value)
        ...         if event.type.value == "TEXT_MESSAGE_START":
        ...             stream.detach()
        RUN_STARTED
        TEXT_MESSAGE_START
        >>> stream.close()
        >>> stream.result.outcome
        'aborted'
    """

    _own: SyncRunIterator[ItemT] | None = None
    """Held by `async with`/`with` blocks and by reads without a loop."""

    def __iter__(self) -> SyncRunIterator[ItemT]:
        return SyncRunIterator(self._held(), self._pick, self._ready)

    def __next__(self) -> ItemT:
        return next(self._itself())

    def close(self) -> None:
        """Closes the connection; the run's outcome is `aborted` if it has not ended."""
        self._ready.clear()
        try:
            complete(self._run.close())
        finally:
            self._own = None

    def detach(self) -> None:
        """Stops reading. At a server with a log the run goes on; another one ends it as it does for a client whose
        connection is lost. The result has all that has arrived. Detach within the loop, which ends then, or within a `with`
        block: leaving a loop cancels the run.
        """
        self._run.detach()
        self.close()

    def __enter__(self) -> Self:
        self._itself()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _itself(self) -> SyncRunIterator[ItemT]:
        if self._own is None:
            self._own = self.__iter__()
        return self._own

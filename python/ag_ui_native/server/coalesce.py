"""Joins adjacent deltas of an async stream of events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator
from typing import TypeVar

from ag_ui_native._defaults import COALESCE_BYTES, COALESCE_DELAY
from ag_ui_native.server.coalescer import Coalescer

__all__ = ["Coalescer", "coalesce_events"]

_EventT = TypeVar("_EventT")


async def coalesce_events(
    events: AsyncIterable[_EventT], *, max_bytes: int = COALESCE_BYTES, max_delay: float = COALESCE_DELAY
) -> AsyncIterator[_EventT]:
    """Yields the events, with adjacent deltas of one entity joined as ``Coalescer`` does it. Delays are in seconds.

    If ``events`` raises, waiting events are yielded first. A task of its own reads ``events``, at most one event
    ahead. The task is cancelled and closed when this iterator is closed. Needs asyncio.

    Examples:
        >>> import asyncio
        >>> from collections.abc import AsyncIterator
        >>> from ag_ui_native.core import TextMessageContentEvent
        >>> from ag_ui_native.server import coalesce_events
        >>> async def words() -> AsyncIterator[TextMessageContentEvent]:
        ...     for delta in ("One", " two", " three"):
        ...         yield TextMessageContentEvent(message_id="m1", delta=delta)
        >>> async def main() -> None:
        ...     print([event.delta async for event in coalesce_events(words(), max_delay=5)])
        >>> asyncio.run(main())
        ['One', ' two three']
    """
    coalescer: Coalescer[_EventT] = Coalescer(max_bytes=max_bytes, max_delay=max_delay)
    arrived: asyncio.Queue[tuple[_EventT] | None] = asyncio.Queue()
    room = asyncio.Semaphore()
    failure: BaseException | None = None
    is_over = False

    async def read() -> None:
        nonlocal failure
        try:
            try:
                async for event in events:
                    if is_over:
                        # This event came after the cancellation: drop it.
                        break
                    await room.acquire()
                    arrived.put_nowait((event,))
            finally:
                # Closed in the same task that has iterated it.
                if isinstance(events, AsyncGenerator):
                    await events.aclose()
        except BaseException as error:
            if is_over:
                raise
            failure = error
        # The end takes no room: the reader may be gone.
        arrived.put_nowait(None)

    source = asyncio.create_task(read())
    try:
        while True:
            deadline = coalescer.deadline
            timeout = None if deadline is None else deadline - time.monotonic()
            try:
                event = await asyncio.wait_for(arrived.get(), timeout)
            except TimeoutError:
                for out in coalescer.flush():
                    yield out
                continue
            if event is None:
                break
            room.release()
            for out in coalescer.push(event[0]):
                yield out
        for out in coalescer.flush():
            yield out
        if failure is not None:
            raise failure
    finally:
        is_over = True
        source.cancel()
        # The task itself is not awaited: in CPython 3.11, a generator that is cancelled while it is being closed stays
        # marked as running.
        await asyncio.wait({source})
        if not source.cancelled() and (error := source.exception()) is not None:
            raise error

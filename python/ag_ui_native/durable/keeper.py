"""Renews the leases of runs in a thread of its own: they outlast Python code that blocks the event loop of its run."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from ag_ui_native.durable.driver import Driver
from ag_ui_native.durable.loop_thread import LoopThread

if TYPE_CHECKING:
    from collections.abc import Callable

    from ag_ui_native.durable.log import Log
    from ag_ui_native.durable.rules import Machine, Recorder

__all__ = ["keep_lease"]

_thread = LoopThread("leases of runs")
_kept: Counter[Log] = Counter()
"""The number of runs of each log whose leases are renewed. It belongs to the thread."""


def keep_lease(log: Log, recorder: Recorder) -> Callable[[], object]:
    """Renews the lease of a run, if its log serves several event loops. Returns a function that ends this."""
    if not log._serves_loops:
        return _nothing
    return asyncio.run_coroutine_threadsafe(_renew(log, recorder.renewal()), _thread.start()).cancel


async def _renew(log: Log, renewal: Machine) -> None:
    _kept[log] += 1
    driver = Driver(log, renewal)
    try:
        await driver.next()
    finally:
        driver.close()
        _kept[log] -= 1
        if not _kept[log]:
            del _kept[log]
            # The connection of this thread.
            await log.aclose()


def _nothing() -> None:
    """Does nothing: the recorder alone renews the lease."""

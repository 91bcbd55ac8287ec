"""How what belongs to the application ends: what it raises that is no ordinary exception."""

from __future__ import annotations

import asyncio
import signal
import threading

__all__ = ["Exited", "is_failure"]


class Exited(Exception):
    """An agent has raised SystemExit or KeyboardInterrupt, its cause: where a task raises these, its event loop ends."""


def is_failure(raised: BaseException) -> bool:
    """True if who raises this has failed: ``sys.exit`` in a library is no reason to stop a server.

    Cancellation is none, and neither is Ctrl-C, which Python raises wherever the program is.
    """
    if isinstance(raised, KeyboardInterrupt):
        return not (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
    return not isinstance(raised, (asyncio.CancelledError, GeneratorExit))

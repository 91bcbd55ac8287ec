"""The treatment of exceptions from the application that are not subclasses of Exception."""

from __future__ import annotations

import asyncio
import signal
import threading

__all__ = ["Exited", "is_failure"]


class Exited(Exception):
    """An agent has raised SystemExit or KeyboardInterrupt, which is the cause. If a task raised these, its event loop
    would end.
    """


def is_failure(raised: BaseException) -> bool:
    """True if the exception is a failure of its code: ``sys.exit`` in a library must not stop a
    server. Cancellation is no failure. Neither is Ctrl-C, which Python raises at any place in the
    program.
    """
    if isinstance(raised, KeyboardInterrupt):
        return not (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
    return not isinstance(raised, (asyncio.CancelledError, GeneratorExit))

"""An event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import os
import threading

__all__ = ["LoopThread"]


class LoopThread:
    """An event loop whose thread starts when it is needed, and does not keep the process alive. A child after a fork gets a loop of
    its own.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._forget()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self.running: asyncio.AbstractEventLoop | None = None
        """The loop, if it was needed."""
        self._lock = threading.Lock()

    def start(self) -> asyncio.AbstractEventLoop:
        """Returns the loop, which runs."""
        with self._lock:
            if self.running is None:
                self.running = asyncio.new_event_loop()
                threading.Thread(target=self.running.run_forever, name=self._name, daemon=True).start()
            return self.running

"""A web process: `worker.py ENGINE PLACE OPTIONS`. It prints lines of JSON: its port, and each begin and end of its agent.

OPTIONS is JSON: the options of the server, times in seconds, and `faults` of its log. `forwardedProps` of a run say what its
agent does. `worker.mjs` is the same in Node.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import uvicorn

from ag_ui_native.durable import Log, MemoryLog, RedisLog, SQLiteLog
from ag_ui_native.server import Run, asgi_app

ENGINE, PLACE, given = sys.argv[1:]
OPTIONS = json.loads(given)
FAULTS = OPTIONS.pop("faults", {})
FORKS = OPTIONS.pop("forks", 0)


def say(**line: Any) -> None:
    # In one piece: processes that have forked share the pipe.
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def agent(run: Run[Any]) -> None:
    asked = run.input.forwarded_props or {}
    say(begun=run.run_id)
    try:
        async with run.text_message() as message:
            for number in range(asked.get("words", 0)):
                await message.write(f"{time.monotonic():.4f} " if asked.get("stamps") else f"{number} ")
                if number == asked.get("blocksAt"):
                    time.sleep(asked["blocks"])  # noqa: ASYNC251 The fault under test.
                await asyncio.sleep(asked.get("pause", 0))
            if asked.get("waits"):
                await asyncio.Event().wait()
    except asyncio.CancelledError:
        say(ended=run.run_id, how="cancelled")
        raise
    say(ended=run.run_id, how="returned")


class FaultyLog(Log):
    """A log that loses replies and hints, repeats what is old, and kills its process at a point of a run."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._counts: Counter[str] = Counter()
        self._old: list[dict[str, Any]] = []

    async def execute(self, operation: dict[str, Any]) -> dict[str, Any]:
        name = operation["operation"]
        self._counts[name] += 1
        count, is_end = self._counts[name], "end" in operation
        self._die(f"before {name} {count}", "before end" if is_end else "")
        reply = await self._log.execute(operation)
        self._die(f"after {name} {count}", "after end" if is_end else "")
        if name == "append" and FAULTS.get("repeats"):
            self._old.append(operation)
            await self._log.execute(self._old[count * 7 % len(self._old)])
        if name == "append" and FAULTS.get("loses") and count % FAULTS["loses"] == 0:
            raise ConnectionError("the reply is lost")
        return reply

    def watch(self, key: dict[str, Any], callback: Callable[[dict[str, Any]], object]) -> Callable[[], object]:
        return (lambda: None) if FAULTS.get("deaf") else self._log.watch(key, callback)

    def _die(self, *points: str) -> None:
        if FAULTS.get("kill") in points:
            os.kill(os.getpid(), signal.SIGKILL)


def make_log() -> Log:
    engines: dict[str, Callable[[], Log]] = {
        "memory": MemoryLog,
        "sqlite": lambda: SQLiteLog(PLACE),
        "redis": lambda: RedisLog(PLACE),
    }
    return FaultyLog(engines[ENGINE]()) if FAULTS else engines[ENGINE]()


app = asgi_app(
    agent, log=make_log(), authorize=lambda scope, *_: dict(scope["headers"]).get(b"x-user", b"").decode(), **OPTIONS
)


def serve() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        say(port=listener.getsockname()[1])
        config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)
        asyncio.run(uvicorn.Server(config).serve([listener]))


# Children of a process that has opened its log, as of a server with preloading.
for _ in range(FORKS):
    if os.fork() == 0:
        break
serve()

"""A process that serves an agent with a log: `worker.py ENGINE PLACE [DRAIN]`. It prints its port."""

from __future__ import annotations

import asyncio
import os
import socket
import sys

import uvicorn

from ag_ui_native.core import Interrupt
from ag_ui_native.durable import Log, RedisLog, SQLiteLog
from ag_ui_native.server import Run, asgi_app

ENGINE, PLACE, *DRAIN = sys.argv[1:]


def make_log() -> Log:
    if ENGINE == "sqlite":
        return SQLiteLog(PLACE)
    url, prefix = PLACE.split("#")
    return RedisLog(url, prefix=prefix)


async def agent(run: Run) -> None:
    """Says its process, and then waits for its end or asks a question if the run asks for that."""
    await run.write(f"process {os.getpid()}")
    if run.run_id.startswith("wait"):
        await asyncio.Event().wait()
    if run.run_id == "brief":
        await asyncio.sleep(1)
    if run.run_id == "asks":
        run.interrupt(Interrupt(id="i-asks", reason="tool_call"))
        return
    for answer in run.resume:
        await run.write(f"answered {answer.interrupt_id}")
    for number in range(100):
        await run.write(f"word {number}")


app = asgi_app(
    agent, log=make_log(), authorize="public", lease=30 if DRAIN else 1, grace=60, drain=float(*DRAIN or [10])
)

with socket.create_server(("127.0.0.1", 0)) as listener:
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    asyncio.run(uvicorn.Server(config).serve([listener]))

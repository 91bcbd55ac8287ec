"""A process that forks while its thread renews the lease of a run: `forking_lease.py ENGINE PLACE HOW`. It prints its port.

The run of the thread `forks` makes a child, by `os.fork` or by multiprocessing. The child runs an agent of its own with the same log, then
lives on longer than its parent. The run goes on in the parent.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import socket
import sys
import threading
import time
from typing import Any

import uvicorn

from ag_ui_native.durable import Log, RedisLog, SQLiteLog
from ag_ui_native.server import Run, asgi_app

ENGINE, PLACE, HOW = sys.argv[1:]
LEASE = 1.0


def make_log() -> Log:
    if ENGINE == "sqlite":
        return SQLiteLog(PLACE)
    url, prefix = PLACE.split("#")
    return RedisLog(url, prefix=prefix)


log = make_log()


async def own_run() -> bool:
    """Runs an agent in the child, for longer than a lease."""
    sent: list[dict[str, Any]] = []
    body = {"threadId": "child", "runId": f"r{os.getpid()}", "messages": [], "tools": [], "context": []}
    requests = [{"type": "http.request", "body": json.dumps(body).encode()}]

    async def receive() -> Any:
        if not requests:
            await asyncio.Event().wait()
        return requests.pop()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"ag-ui-resume", b"1")]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    await app(scope, receive, send)
    return b"RUN_FINISHED" in b"".join(message.get("body", b"") for message in sent)


def child(done: int) -> None:
    """Writes a word about its life, and lives on."""
    renews = any(thread.name == "leases of runs" for thread in threading.enumerate())
    try:
        word = "renews" if renews else "lives" if asyncio.run(own_run()) else "its run has not ended"
    except BaseException as error:
        word = repr(error)
    os.write(done, word.encode())
    os.close(done)
    time.sleep(60)


def fork() -> tuple[int, int]:
    """Makes a child. Returns its id, and the place where its word is read."""
    reads, writes = os.pipe()
    if HOW == "multiprocessing":
        made = multiprocessing.get_context("fork").Process(target=child, args=(writes,), daemon=True)
        made.start()
        assert made.pid is not None
        return made.pid, reads
    pid = os.fork()
    if pid == 0:
        child(writes)
        os._exit(0)
    return pid, reads


async def agent(run: Run) -> None:
    await run.write("begun")
    if run.thread_id == "forks":
        await asyncio.sleep(LEASE)  # The thread has renewed the lease.
        pid, reads = await asyncio.get_running_loop().run_in_executor(None, fork)
        word = await asyncio.get_running_loop().run_in_executor(None, os.read, reads, 1000)
        await run.write(f" child {pid} {word.decode()}")
        await asyncio.Event().wait()
    await asyncio.sleep(2 * LEASE)
    await run.write(" gone on")


app = asgi_app(agent, log=log, authorize="public", lease=LEASE, grace=60)

if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        asyncio.run(uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve([listener]))

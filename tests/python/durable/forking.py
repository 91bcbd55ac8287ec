"""A process that forks while its threads write: `forking.py FILE FORKS EMPTY`. Each of FORKS children writes and reads a run of its
own; EMPTY others only end: a child may hang before its first line.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from itertools import count
from typing import Any

from ag_ui_native.durable import SQLiteLog
from ag_ui_native.durable.rules import LogKey

FILE, FORKS, EMPTY = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
WRITERS, LONGEST = 4, 30


def creation(thread: str, run: str) -> dict[str, Any]:
    return {
        "operation": "create",
        "key": LogKey("", thread, run).to_json(),
        "incarnation": "A" * 21 + "A",
        "runId": run,
        "digest": "A" * 43,
        "owner": run,
        "lease": 60_000,
        "policy": {"maxBytes": 1 << 20, "keep": 60_000, "keepThread": 60_000},
    }


async def write_run(log: SQLiteLog, thread: str, run: str) -> None:
    """Creates a log, writes it frame by frame, and reads it."""
    created = await log.execute(creation(thread, run))
    assert created["reply"] == "created", created
    key = LogKey("", thread, run).to_json()
    for first in range(1, 5):
        append = {"operation": "append", "key": key, "epoch": 1, "first": first, "frames": ["{}"]}
        appended = await log.execute(append | ({"end": {}} if first == 4 else {}))
        assert appended == {"reply": "appended", "next": first + 1}, appended
    page = await log.execute({"operation": "read", "key": key, "maxBytes": 1 << 20})
    assert page["isClosed"] and len(page["frames"]) == 4, page


async def write_on(log: SQLiteLog, name: str, ended: threading.Event) -> int:
    for number in count():
        if ended.is_set():
            return number
        await write_run(log, name, f"r{number}")
    raise AssertionError


def child(log: SQLiteLog, number: int) -> int:
    try:
        asyncio.run(write_run(log, f"child {number}", "r"))
    except BaseException as error:
        print(f"child {number}: {error!r}", file=sys.stderr, flush=True)
        return 1
    return 0


def ends_well(process: int) -> bool:
    """A child that hangs is killed, and found."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.0005)
    print(f"a child hangs: {process}", file=sys.stderr, flush=True)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return False


def main() -> None:
    log, ended, written = SQLiteLog(FILE), threading.Event(), [0] * WRITERS

    def run(number: int) -> None:
        written[number] = asyncio.run(write_on(log, f"writer {number}", ended))

    writers = [threading.Thread(target=run, args=(number,)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    failed = 0
    for number in range(FORKS + EMPTY):
        process = os.fork()
        if process == 0:
            os._exit(child(log, number) if number < FORKS else 0)
        failed += not ends_well(process)
        if failed > 2:
            break
    ended.set()
    for writer in writers:
        writer.join()
    log.close()
    print(f"{failed} of {number + 1} children failed; the parent wrote {min(written)} runs in each thread")
    sys.exit(failed > 0 or min(written) == 0)


main()

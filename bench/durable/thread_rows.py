"""What the snapshot of a thread costs: a run that begins behind a long conversation."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from durable_table import Row
from redis_rows import create
from redis_server import Observer, redis_server

from ag_ui_native.durable import Log, RedisLog, SQLiteLog

SIZES = (57_000, 570_000, 5_700_000)
"""The bytes of conversations."""


def beginning(thread: str, run: str, snapshot: str) -> dict[str, Any]:
    made = create(run)
    return made | {"key": {"thread": thread, "run": run}, "runId": run, "snapshot": snapshot}


async def begun_and_ended(log: Log, thread: str, run: str, snapshot: str) -> float:
    """Begins a run, and ends it. Returns the time of its beginning, in seconds."""
    made = beginning(thread, run, snapshot)
    begin = time.perf_counter()
    reply = await log.execute(made)
    took = time.perf_counter() - begin
    assert reply["reply"] == "created", reply
    ended = {"operation": "append", "key": made["key"], "epoch": 1, "first": 1, "frames": ["{}"], "end": {}}
    assert (await log.execute(ended))["reply"] == "appended"
    return took


async def rows_of(engine: str, log: Log, rounds: int) -> list[Row]:
    rows = []
    for size in SIZES:
        times = [await begun_and_ended(log, f"{size}", f"r{number}", "x" * size) for number in range(rounds)]
        took = sorted(times)[len(times) // 2]
        name = f"{engine}, a run begins behind {size / 1e6:,.2g} MB of messages and state"
        rows.append(Row(name, took * 1e3, "ms"))
    await log.aclose()
    return rows


def bytes_of_redis(url: str) -> list[Row]:
    """What one thread takes, after all of its runs."""
    kept = Observer(url).client.info("memory")["used_memory_dataset"]
    return [Row("Redis, memory of three threads of these, to their bytes", kept / sum(SIZES), "times")]


def measure(quick: bool) -> list[Row]:
    rounds = 5 if quick else 20
    with redis_server() as url:
        rows = asyncio.run(rows_of("Redis", RedisLog(url), rounds)) + bytes_of_redis(url)
    with tempfile.TemporaryDirectory(prefix="ag-ui-bench-", dir=os.environ.get("BENCH_FOLDER")) as folder:
        file = Path(folder, "runs.db")
        rows += asyncio.run(rows_of("SQLite", SQLiteLog(file), rounds))
        rows.append(
            Row("SQLite, bytes of that file to those of the threads", file.stat().st_size / sum(SIZES), "times")
        )
    return rows

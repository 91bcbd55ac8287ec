"""What a log costs Redis: bytes an event, time of the script, events a second of one producer."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from durable_table import Row
from redis.asyncio import Redis
from redis_server import Observer

from ag_ui_native.durable import RedisLog
from ag_ui_native.durable.rules import Operation, RedisKeyspace

FRAME = '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}'
FRAME = FRAME.replace('""', '"' + "x" * (101 - len(FRAME)) + '"')
PREFIX = "bench:"
IN_FLIGHT = 8
"""The appends of one pipeline."""


def create(run: str) -> dict[str, Any]:
    key = {"thread": "t" * 43, "run": run}
    policy = {"maxBytes": 1 << 30, "keep": 60_000, "keepThread": 60_000}
    return {"operation": "create", "key": key, "incarnation": "BwcHBwcHBwcHBwcHBwcHBw", "runId": "r"} | {
        "digest": "RBNvo1WzZ4oRRq0W90hknwBfSp8W7LcE5mNhdSG2cME",
        "owner": "one",
        "lease": 3_600_000,
        "policy": policy,
    }


def append(key: dict[str, str], first: int, count: int) -> dict[str, Any]:
    return {"operation": "append", "key": key, "epoch": 1, "first": first, "frames": [FRAME] * count}


async def fill(log: RedisLog, key: dict[str, str], events: int, batch: int) -> float:
    """Appends events, each batch when the one before is stored. Returns the time in seconds."""
    begin = time.perf_counter()
    for first in range(1, events + 1, batch):
        reply = await log.execute(append(key, first, min(batch, events + 1 - first)))
        assert reply["reply"] == "appended", reply
    return time.perf_counter() - begin


async def pipeline(client: Redis, key: dict[str, str], events: int, batch: int) -> float:
    """As many appends at once as a pipeline has, without waiting for their replies. Returns the time in seconds."""
    keyspace, pipelines = RedisKeyspace(PREFIX), []
    for first in range(1, events + 1, batch * IN_FLIGHT):
        commands = client.pipeline(transaction=False)
        for at in range(first, first + batch * IN_FLIGHT, batch):
            words = keyspace.begin(Operation.from_json(append(key, at, batch))).start()
            assert isinstance(words, list)
            commands.execute_command(*words)
        pipelines.append(commands)
    begin = time.perf_counter()
    for commands in pipelines:
        for reply in await commands.execute():
            assert reply[0] in (b"appended", "appended"), reply
    return time.perf_counter() - begin


async def redis_rows(url: str, quick: bool) -> list[Row]:
    observer, rows = Observer(url), []
    client = Redis.from_url(url)
    log = RedisLog(client, prefix=PREFIX)

    async def begin() -> dict[str, str]:
        observer.empty()
        made = create("r" * 43)
        assert (await log.execute(made))["reply"] == "created"
        return made["key"]

    for events in (1, 100, 1_000, 50_000):
        await fill(log, await begin(), events, 32)
        aim = len(FRAME) + 32 if events >= 1_000 else None
        rows.append(
            Row(
                f"Redis, bytes an event of {len(FRAME)} bytes, {events:,} events",
                observer.stream_bytes() / events,
                "B",
                aim,
            )
        )
    for batch in (1, 4, 16):
        key = await begin()
        observer.reset()
        spent = observer.cpu()
        events = batch * (300 if quick else 2_000)
        await fill(log, key, events, batch)
        spent = observer.cpu() - spent
        aim = 10 if batch == 16 else None
        rows.append(Row(f"Redis, script of {batch} frames, an event", observer.script() / batch, "µs", aim))
        rows.append(Row(f"Redis, all of its CPU for {batch} frames a script, an event", spent / events, "µs"))
    events = 12_800 if quick else 51_200
    rows.append(
        Row(
            "Redis, one producer, pipelined, 32 frames an append",
            events / await pipeline(client, await begin(), events, 32),
            "events/s",
            50_000,
            is_least=True,
        )
    )
    rows.append(
        Row(
            "Redis, one producer of RedisLog, 32 frames an append",
            events / await fill(log, await begin(), events, 32),
            "events/s",
        )
    )
    events = 500 if quick else 2_000
    rows.append(
        Row(
            "Redis, one producer of RedisLog, one frame an append",
            events / await fill(log, await begin(), events, 1),
            "events/s",
        )
    )
    observer.empty()
    await client.aclose()
    return rows


def measure(url: str, quick: bool) -> list[Row]:
    return asyncio.run(redis_rows(url, quick))

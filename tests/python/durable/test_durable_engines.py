"""The replies of engines: the cases of `engine.json`, and hints."""

from __future__ import annotations

import asyncio
import base64
import json
import uuid
from typing import Any

import pytest
from redis.asyncio import Redis

from ag_ui_native.durable import Log, MemoryLog, RedisLog
from ag_ui_native.durable.rules import LogKey, Operation, RedisKeyspace, Reply
from ag_ui_native.errors import AGUIConnectionError, AGUIValidationError
from conftest import FIXTURES
from engines import ENGINES, redis_server, redis_url, shared_logs
from servers import eventually

SUITE = json.loads((FIXTURES / "durable" / "engine.json").read_text("utf-8"))


def operation(case: str, name: str, given: dict[str, Any]) -> dict[str, Any]:
    """The operation of a step; the case is the scope of its keys."""
    members = {"operation": name, **SUITE["defaults"][name], **given}
    for member in ("key", "parent"):
        if member in members:
            members[member] = LogKey(case, *members[member].split("/")).to_json()
    if "thread" in members:
        members["thread"] = LogKey(case, members["thread"], "").to_json()["thread"]
    return members


async def play(log: Log, case: dict[str, Any]) -> None:
    """Executes the steps of a case."""
    for number, step in enumerate(case["steps"]):
        if step[0] == "wait":
            await asyncio.sleep(step[1] / 1000)
            continue
        reply = await log.execute(operation(case["name"], step[0], step[1]))
        found = {member: reply.get(member) for member in step[2]}
        assert found == step[2], (case["name"], number, step)


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_replies_as_the_suite_says(name: str) -> None:
    async def main() -> None:
        log = make()
        try:
            # The cases have scopes of their own, and wait together.
            await asyncio.gather(*(play(log, case) for case in SUITE["cases"]))
        finally:
            await log.aclose()

    with shared_logs(name) as make:
        asyncio.run(main())


@pytest.mark.parametrize("name", ENGINES)
def test_engines_tell_of_frames_and_cancels(name: str) -> None:
    async def main() -> None:
        log, hints = make(), []
        loop = asyncio.get_running_loop()
        key = LogKey("hints", "t", "r").to_json()
        unwatch = log.watch(key, lambda hint: loop.call_soon_threadsafe(hints.append, hint))
        try:
            await log.execute(operation("hints", "create", {}))
            if name == "redis":
                # The subscription tells that there may be frames.
                await eventually(lambda: hints)
                hints.clear()
            await log.execute(operation("hints", "append", {"first": 1, "frames": ["a"]}))
            await eventually(lambda: {"hint": "appended", "next": 2} in hints)
            await log.execute(operation("hints", "cancel", {}))
            await eventually(lambda: {"hint": "cancelled"} in hints)
            unwatch()
            told = len(hints)
            await log.execute(operation("hints", "append", {"first": 2, "frames": ["b"]}))
            await asyncio.sleep(0)
            assert len(hints) == told
        finally:
            await log.aclose()

    with shared_logs(name) as make:
        asyncio.run(main())


def test_forms_that_are_no_operations_are_refused() -> None:
    deep: Any = []
    for _ in range(300_000):
        deep = [deep]
    endless: list[Any] = []
    endless.append(endless)
    key = {"thread": "t", "run": "r"}
    strange = [{"operation": "cancel", "key": key, "more": more} for more in (deep, endless, object())]
    wrong: list[Any] = [
        {},
        {"operation": "other"},
        {"operation": "read", "key": 1},
        {"operation": "renew", "key": {}},
        1,
    ]
    for form in (*wrong, *strange):
        with pytest.raises(AGUIValidationError):
            asyncio.run(MemoryLog().execute(form))


def test_replies_that_redis_does_not_give_are_failures() -> None:
    deep: Any = []
    for _ in range(300_000):
        deep = [deep]
    cancel = Operation.from_json({"operation": "cancel", "key": {"thread": "t", "run": "r"}})
    for value in (deep, [b"done", deep], object(), 1.5, [], [b"other"], "done", 1 << 70, [b"appended", 1.5]):
        begun = RedisKeyspace("agui:").begin(cancel)
        begun.start()
        with pytest.raises(AGUIConnectionError, match="log_unavailable"):
            begun.reply(value)
    reply = RedisKeyspace("agui:").begin(cancel).reply([b"done"])
    assert isinstance(reply, Reply) and reply.to_json() == {"reply": "done"}


def test_redis_takes_clients_of_asyncio_alone() -> None:
    import redis

    with pytest.raises(TypeError, match=r"redis\.asyncio"):
        RedisLog(redis.Redis())
    with pytest.raises(TypeError, match="a URL, a client or a function"):
        RedisLog(1)


def test_redis_takes_a_client_and_a_factory() -> None:
    async def main() -> None:
        client = Redis.from_url(redis_url(), decode_responses=True)
        for number, log in enumerate((RedisLog(client), RedisLog(lambda: Redis.from_url(redis_url())))):
            reply = await log.execute(operation(f"client {number}", "create", {}))
            assert reply["reply"] == "created"
            await log.aclose()
        assert await client.ping(), "a client that was given stays open"
        await client.aclose()

    asyncio.run(main())


def test_redis_serves_two_event_loops_with_one_log() -> None:
    log = RedisLog(redis_url(), prefix="loops:")

    async def create() -> Any:
        reply = await log.execute(operation("loops", "create", {"owner": "one"}))
        await log.aclose()
        return reply["reply"]

    assert [asyncio.run(create()), asyncio.run(create())] == ["created", "created"]


def test_commands_at_the_same_time_share_a_connection_to_redis() -> None:
    async def connections() -> int:
        url, key = redis_url(), {"thread": "t", "run": "r"}
        log, observer = RedisLog(url, prefix=f"{uuid.uuid4()}:"), Redis.from_url(url)
        before = (await observer.info("clients"))["connected_clients"]
        replies = await asyncio.gather(*[log.execute({"operation": "info", "key": key}) for _ in range(50)])
        assert replies == [{"reply": "unknown"}] * 50
        after = (await observer.info("clients"))["connected_clients"]
        await log.aclose()
        await observer.aclose()
        return int(after - before)

    assert asyncio.run(connections()) == 1


def test_logs_of_format_1_are_read_and_newer_ones_are_refused() -> None:
    kept = json.loads((FIXTURES / "durable" / "format-1.redis.json").read_text("utf-8"))
    operations = [operation("kept", step[0], step[1]) for step in kept["steps"]]

    async def main(url: str) -> None:
        client, log = Redis.from_url(url), RedisLog(url)
        try:
            for key, dumped in kept["keys"].items():
                await client.restore(key, 0, base64.b64decode(dumped))
            await play(log, {"name": "kept", "steps": kept["steps"]})
            for key in await client.keys("agui:*"):
                if await client.type(key) == b"hash":
                    await client.hset(key, "format", "2")
            before = {key: await client.dump(key) for key in await client.keys()}
            for refused in operations:
                with pytest.raises(AGUIConnectionError, match=r"format 2.*reads format 1") as caught:
                    await log.execute(refused)
                assert caught.value.code == "log_unreadable"
            assert {key: await client.dump(key) for key in await client.keys()} == before
        finally:
            await log.aclose()
            await client.aclose()

    with redis_server() as url:
        asyncio.run(main(url))

"""The replies of engines: the suite that all of them pass, and hints."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from ag_ui_native.durable import MemoryLog, RedisLog
from ag_ui_native.durable.rules import LogKey, Operation, RedisKeyspace, Reply
from ag_ui_native.errors import AGUIConnectionError, AGUIValidationError
from ag_ui_native.testing import check_log
from conftest import FIXTURES
from engine_suite import check_hints, operation, play
from engines import ENGINES, ForwardingLog, redis_server, redis_url, shared_logs
from servers import PATIENCE, eventually


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_replies_as_the_suite_says(name: str) -> None:
    async def main() -> None:
        log = make()
        try:
            await check_log(log)
        finally:
            await log.aclose()

    with shared_logs(name) as make:
        asyncio.run(main())


class OddLog(ForwardingLog):
    """An engine that is wrong in one way."""

    def __init__(self, change: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]) -> None:
        super().__init__()
        self._change = change

    async def execute(self, operation: dict[str, Any]) -> dict[str, Any]:
        return self._change(operation, await super().execute(operation))


@pytest.mark.parametrize(
    ("reply", "other", "named"),
    [
        ("gap", {"reply": "appended"}, "a repeated append changes nothing"),
        ("fenced", {"reply": "appended"}, "only the last lease writes"),
        ("busy", {"reply": "created"}, "a log is created once"),
        ("stale", {"reply": "created"}, "a run that follows another one than the last is stale"),
        ("tooBig", {"reply": "appended"}, "a log has room for its end"),
    ],
)
def test_an_engine_that_differs_does_not_pass(reply: str, other: dict[str, Any], named: str) -> None:
    odd = OddLog(lambda operation, given: other if given["reply"] == reply else given)
    with pytest.raises(AssertionError, match="differs from all others") as caught:
        asyncio.run(check_log(odd))
    assert f'"{named}"' in str(caught.value)


KEEPS_NOTHING = """
import asyncio, sys
from ag_ui_native.durable import RedisLog, SQLiteLog
async def main(name, place):
    log = SQLiteLog(place) if name == "sqlite" else RedisLog(place)
    key = {"thread": "t", "run": "r"}
    unwatch = log.watch(key, lambda hint: None)
    print((await log.execute({"operation": "info", "key": key}))["reply"])
asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("name", ["sqlite", "redis"])
def test_an_open_log_keeps_no_process_alive(name: str, tmp_path: Path) -> None:
    place = str(tmp_path / "runs.db") if name == "sqlite" else redis_url()
    program = [sys.executable, "-c", KEEPS_NOTHING, name, place]
    for _ in range(10):  # A thread of the log may be in the middle of a call then.
        done = subprocess.run(program, check=False, capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stdout) == (0, "unknown\n"), done.stderr


def test_an_engine_without_replies_does_not_pass() -> None:
    silent = ForwardingLog()
    silent.fails = lambda operation: operation == "claim"
    with pytest.raises(ConnectionError, match="the engine is down"):
        asyncio.run(check_log(silent))


@pytest.mark.parametrize("name", ENGINES)
def test_engines_tell_of_frames_and_cancels(name: str) -> None:
    async def main() -> None:
        await check_hints(make(), waits_for_subscription=name == "redis")

    with shared_logs(name) as make:
        asyncio.run(main())


@pytest.mark.parametrize("name", ENGINES)
def test_a_watch_that_has_ended_calls_nobody(name: str) -> None:
    """A thread of the engine may be about to call: it waits for the interpreter while the watch ends."""
    late: list[Any] = []

    async def main() -> None:
        log = make()
        try:
            for number in range(20):
                key, ended = f"t{number}/r", threading.Event()
                await log.execute(operation("ends", "create", {"key": key}))
                watched = operation("ends", "cancel", {"key": key})["key"]
                unwatch = log.watch(watched, lambda hint, ended=ended: late.append(hint) if ended.is_set() else None)
                append = operation("ends", "append", {"key": key, "first": 1, "frames": ["a"]})
                appended = asyncio.create_task(log.execute(append))
                await asyncio.sleep(0)
                computed = time.perf_counter() + 0.01
                while time.perf_counter() < computed:
                    pass
                unwatch()
                ended.set()
                await appended
        finally:
            await log.aclose()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1)
    try:
        with shared_logs(name) as make:
            asyncio.run(main())
    finally:
        sys.setswitchinterval(interval)
    assert late == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # What SQLite's thread cannot raise.
@pytest.mark.parametrize("name", ["memory", "sqlite", "redis"])
def test_a_callback_that_raises_disturbs_nobody(name: str) -> None:
    def fail(hint: Any) -> None:
        raise ValueError("a callback")

    async def main() -> None:
        log, hints = make(), []
        key = LogKey("raises", "t", "r").to_json()
        unwatches = [log.watch(key, fail), log.watch(key, hints.append)]
        try:
            assert (await log.execute(operation("raises", "create", {})))["reply"] == "created"
            if name == "redis":  # A subscription that begins behind the append tells of news without their number.
                await eventually(lambda: hints)
            appended = await log.execute(operation("raises", "append", {"first": 1, "frames": ["a"]}))
            assert appended["reply"] == "appended"
            await eventually(lambda: {"hint": "appended", "next": 2} in hints)
        finally:
            for unwatch in unwatches:
                unwatch()
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


@pytest.mark.parametrize(("policy", "count"), [("allkeys-lru", 1), ("noeviction", 0)])
def test_a_redis_that_evicts_is_warned_of(policy: str, count: int, caplog: pytest.LogCaptureFixture) -> None:
    async def main(url: str) -> None:
        log = RedisLog(url)
        for run in ("a", "b"):
            await log.execute(operation("evicts", "create", {"key": f"{run}/{run}"}))
        await log.aclose()

    with redis_server("--maxmemory-policy", policy, "--maxmemory", "100mb") as url:
        asyncio.run(main(url))
    told = [record.getMessage() for record in caplog.records if record.name == "ag_ui_native.durable"]
    assert len(told) == count and all("set noeviction" in text for text in told)


def test_redis_serves_two_event_loops_with_one_log() -> None:
    log = RedisLog(redis_url(), prefix="loops:")

    async def create() -> Any:
        reply = await log.execute(operation("loops", "create", {"owner": "one"}))
        await log.aclose()
        return reply["reply"]

    assert [asyncio.run(create()), asyncio.run(create())] == ["created", "created"]


def test_commands_at_the_same_time_share_a_connection_to_redis() -> None:
    async def connections(url: str) -> int:
        key = {"thread": "t", "run": "r"}
        log, observer = RedisLog(url, prefix=f"{uuid.uuid4()}:"), Redis.from_url(url)
        before = (await observer.info("clients"))["connected_clients"]
        replies = await asyncio.gather(*[log.execute({"operation": "info", "key": key}) for _ in range(50)])
        assert replies == [{"reply": "unknown"}] * 50
        after = (await observer.info("clients"))["connected_clients"]
        await log.aclose()
        await observer.aclose()
        return int(after - before)

    with redis_server() as url:  # Nobody else connects to it.
        assert asyncio.run(connections(url)) == 1


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

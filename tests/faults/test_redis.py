"""Redis that is killed and started again, that is emptied, and that has no memory: readers never get other bytes under an old id."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from redis import Redis

from places import redis_server, until
from tally import IS_LONG, tally
from workers import SERVER_LANGUAGES, differences, ends, events, frames, told, worker

LEASE = 2.0
APPEND_ONLY = ("--appendonly", "yes", "--auto-aof-rewrite-percentage", "0")


@pytest.mark.parametrize("language", SERVER_LANGUAGES)
@pytest.mark.parametrize("sync", ["always", "everysec"])
def test_redis_is_killed_in_the_middle_of_runs(language: str, sync: str) -> None:
    """The system outlives it, so nothing that was acknowledged is lost; runs go on, since the pause is shorter than their lease."""
    with (
        redis_server(*APPEND_ONLY, "--appendfsync", sync) as redis,
        worker(language, "redis", redis.url, lease=10) as server,
    ):
        starts = 0
        for number in range(10 if IS_LONG else 2):
            run, thread = f"r{number}", f"t{number}"
            with server.begin(run, thread, words=150, pause=0.005) as response:
                received = b""
                for piece in response.iter_raw():
                    received += piece
                    if len(frames(received)) > 20 and starts == number:
                        until(lambda: has_written(redis.client))
                        redis.kill()
                        redis.start()
                        starts += 1
            expected = told(server.whole(run, thread))
            assert told(received) == expected and ends(received) == ["success"]
            assert "".join(event.get("delta", "") for event in events(received)) == "".join(f"{n} " for n in range(150))
            tally(f"kill -9 of Redis, {sync}", runs=1, faults=1, **differences(expected, told(received)))


def has_written(client: Redis) -> bool:
    """True if the system has what was acknowledged. With `everysec`, Redis keeps it to itself while it waits for a slow disk."""
    found = client.info("persistence")
    return not found["aof_pending_bio_fsync"] and not found["aof_buffer_length"]


@pytest.mark.parametrize("language", SERVER_LANGUAGES)
@pytest.mark.parametrize("lost", [1, 2, 8])
def test_redis_has_lost_its_last_writes(language: str, lost: int) -> None:
    """As after a power failure with `everysec`: the end of its file is missing. Readers that were ahead of it are told so."""
    with (
        redis_server(*APPEND_ONLY, "--appendfsync", "everysec") as redis,
        worker(language, "redis", redis.url, lease=LEASE) as server,
    ):
        begun = server.start("r", count=24, words=100_000, pause=0.01)
        # What is acknowledged from here on is lost with the file's end.
        # Redis 6.2 has one file.
        place = next(redis.folder.rglob("appendonly*.aof"))
        kept = place.stat().st_size
        stored = redis.client.xlen(next(redis.client.scan_iter("agui:*:frames")))
        ahead: list[tuple[str, str]] = []
        with server.client.stream("GET", "", params={"thread": "t", "run": "r", "after": begun[-1][0]}) as response:
            received = b""
            for piece in response.iter_raw():
                received += piece
                ahead = frames(received)
                if ahead and int(ahead[-1][0].rpartition("-")[2]) >= stored + lost:
                    break
        redis.kill()
        truncate(place, kept)
        redis.start()
        assert until(lambda: server.ended("r")) == ["cancelled"]
        until(lambda: server.post("next", words=1).status_code == 200)
        stored = frames(server.whole("r"))
        assert ends(server.whole("r")) == ["producer_lost"]
        known = dict(begun + ahead)
        for ident, data in stored:
            assert known.get(ident, data) == data, "other bytes under an old id"
        answer = server.read("r", after=ahead[-1][0])
        assert answer.json()["code"] in ("cursor_ahead", "log_replaced")
        tally("Redis has lost its last writes", runs=1, faults=1, events=len(stored))


def truncate(file: Path, length: int) -> None:
    with file.open("r+b") as opened:
        opened.truncate(length)


@pytest.mark.parametrize("language", SERVER_LANGUAGES)
def test_redis_is_emptied_in_the_middle_of_a_run(language: str) -> None:
    with redis_server() as redis, worker(language, "redis", redis.url, lease=LEASE) as server:
        begun = server.start("r", count=5, words=100_000, pause=0.01)
        redis.client.flushall()
        assert until(lambda: server.ended("r")) == ["cancelled"]
        gone = server.read("r", after=begun[-1][0])
        assert (gone.status_code, gone.json()["code"]) == (404, "run_unknown")
        # The run may be made anew; places in the old one are not places in the new one.
        again = server.post("r", words=5)
        assert ends(again.content) == ["success"]
        replaced = server.read("r", after=begun[-1][0])
        assert (replaced.status_code, replaced.json()["code"]) == (410, "log_replaced")
        tally("FLUSHALL", runs=2, faults=1, events=len(begun) + len(frames(again.content)))


@pytest.mark.parametrize("language", SERVER_LANGUAGES)
def test_redis_has_no_memory(language: str) -> None:
    """Runs that cannot be stored end, new ones are refused, what is stored can be read, and all goes on when there is room."""
    with redis_server() as redis, worker(language, "redis", redis.url, lease=LEASE) as server:
        before = server.post("before", "t0", words=20).content
        begun = server.start("r", count=5, words=100_000, pause=0.01)
        used = redis.client.info("memory")["used_memory"]
        redis.client.config_set("maxmemory", used // 2)
        assert until(lambda: server.ended("r")) == ["cancelled"]
        refused = server.post("q", "t1", words=1)
        assert (refused.status_code, refused.json()["code"]) == (503, "log_unavailable")
        assert server.whole("before", "t0") == before
        redis.client.config_set("maxmemory", 0)
        begin = time.monotonic()
        whole = server.whole("r")
        assert time.monotonic() - begin < LEASE + 5
        assert ends(whole) == ["producer_lost"] and frames(whole)[: len(begun)] == begun
        assert ends(server.post("next", words=3).content) == ["success"], "the thread is free"
        tally("Redis out of memory", runs=3, faults=1, **differences(told(whole), told(server.whole("r"))))

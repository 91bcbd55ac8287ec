"""Threads with conversations of 5 MB: each run replaces the snapshot of its thread, and no copy is left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from redis import Redis

from ag_ui_native.durable import Log, MemoryLog, RedisLog, SQLiteLog
from engines import redis_server
from logged_servers import body_of, greet, served, types

MEGABYTES = 5
RUNS = 3


def conversation() -> list[dict[str, Any]]:
    return [{"id": f"m{number}", "role": "user", "content": "x" * 1000} for number in range(MEGABYTES * 1000)]


def check_runs(log: Log) -> None:
    """Each run has the whole conversation, and adds to it."""
    with served(greet, log) as client:
        messages = conversation()
        for number in range(RUNS):
            response = client.post("", json={**body_of(f"r{number}"), "messages": messages})
            assert types(response.content)[-1] == "RUN_FINISHED"
            messages = client.get("", params={"thread": "t"}).json()["messages"]
            assert len(messages) == MEGABYTES * 1000 + 4 * (number + 1)
            assert messages[-1]["content"] == "!"


def test_memory_keeps_one_snapshot() -> None:
    # Two would not fit.
    check_runs(MemoryLog(max_bytes=int(1.5 * MEGABYTES * 1_000_000)))


def test_a_file_keeps_one_snapshot(tmp_path: Path) -> None:
    check_runs(SQLiteLog(tmp_path / "runs.db"))
    assert (tmp_path / "runs.db").stat().st_size < 2.5 * MEGABYTES * 1_000_000, "pages are used again"


def test_redis_keeps_one_snapshot() -> None:
    with redis_server() as url:
        check_runs(RedisLog(url))
        with Redis.from_url(url) as client:
            used = client.info("memory")["used_memory_dataset"]
        assert used < 2.5 * MEGABYTES * 1_000_000


def refusal_of(client: httpx.Client) -> tuple[int, str]:
    response = client.post("", json={**body_of("large", "large"), "messages": conversation()})
    return response.status_code, response.json()["code"]


@pytest.mark.parametrize("engine", ["memory", "redis"])
def test_a_conversation_for_which_there_is_no_room_is_refused(engine: str) -> None:
    with redis_server("--maxmemory", "4mb", "--maxmemory-policy", "noeviction") as url:
        log = RedisLog(url) if engine == "redis" else MemoryLog(max_bytes=4_000_000)
        with served(greet, log) as client:
            assert types(client.post("", json=body_of()).content)[-1] == "RUN_FINISHED"
            assert refusal_of(client) == (503, "log_unavailable")
            assert "activeRunId" not in client.get("", params={"thread": "large"}).json()
            assert types(client.post("", json=body_of("q")).content)[-1] == "RUN_FINISHED", "small ones go on"

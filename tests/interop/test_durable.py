"""Servers of two of the three languages on the same logs: each reads, resumes and cancels the runs of the other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import Any

import httpx
import pytest

TESTS = Path(__file__).parents[1]
sys.path += [str(TESTS / "python"), str(TESTS / "python" / "durable")]

from peer import rust_example

from engines import redis_server

LANGUAGES = ("python", "node", "rust")


def command(language: str, engine: str, place: str) -> list[Any]:
    if language == "rust":
        return [rust_example("durable_worker"), engine, place, json.dumps({"lease": 1})]
    if language == "node":
        name = "SQLiteLog" if engine == "sqlite" else "RedisLog"
        return ["node", TESTS / "node" / "durable" / "worker.mjs", name, place, "1000"]
    place = place if engine == "sqlite" else f"{place}#agui:"
    return [sys.executable, TESTS / "python" / "durable" / "worker.py", engine, place]


@contextmanager
def served(language: str, engine: str, place: str) -> Iterator[str]:
    """A running server, and its address."""
    process = subprocess.Popen(command(language, engine, place), stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        said = json.loads(process.stdout.readline())
        yield f"http://127.0.0.1:{said['port'] if language == 'rust' else said}/"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with redis_server() as url:
        yield {"redis": url, "sqlite": str(tmp_path_factory.mktemp("logs") / "runs.db")}


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]


@pytest.mark.parametrize("engine", ["redis", "sqlite"])
@pytest.mark.parametrize(("writer", "other"), list(permutations(LANGUAGES, 2)))
def test_a_run_is_read_and_cancelled_in_another_language(
    engine: str, writer: str, other: str, places: dict[str, str]
) -> None:
    asked = {
        "threadId": f"{writer} and {other}",
        "runId": "waits",
        "messages": [],
        "state": {"seen": 1.0},
        "tools": [],
        "context": [],
        # What the agent in Rust does.
        "forwardedProps": {"words": 1, "waits": True},
    }
    run = {"thread": asked["threadId"], "run": "waits"}
    with served(writer, engine, places[engine]) as one, served(other, engine, places[engine]) as two:
        with httpx.stream("POST", one, json=asked, timeout=20) as first:
            # The same input gives the same digest in both.
            with httpx.stream("POST", two, json=asked, timeout=20) as joined:
                assert (first.status_code, joined.status_code) == (200, 200)
                assert "ag-ui-prefix" in joined.headers
                assert (
                    httpx.post(
                        two,
                        params={"thread": run["thread"], "cancel": "waits"},
                        json=None,
                        headers={"content-type": "application/json"},
                    ).status_code
                    == 202
                )
                ends = [events(response.read().decode())[-1] for response in (first, joined)]
            assert ends[0] == ends[1]
            assert ends[0]["outcome"] == {"type": "cancelled"}
            cursor = first.headers["ag-ui-cursor"]
        texts = [httpx.get(url, params={**run, "after": cursor}).text for url in (one, two)]
        assert texts[0] == texts[1] == first.text
        threads = [httpx.get(url, params={"thread": run["thread"]}).json() for url in (one, two)]
        assert threads[0] == threads[1]
        assert threads[0]["lastRunId"] == "waits"

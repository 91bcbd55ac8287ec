"""Several processes with one log, of which some die, stand still, or lose their engine."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from engines import redis_server, redis_url
from logged_servers import RESUMES, begin, body_of, frames, read, reduced, types
from servers import PATIENCE, until

WORKER = Path(__file__).parent / "worker.py"


@contextmanager
def place_of(engine: str) -> Iterator[str]:
    """The place of logs that no other test has."""
    with tempfile.TemporaryDirectory(prefix="ag-ui-faults-") as folder:
        yield f"{folder}/runs.db" if engine == "sqlite" else f"{redis_url()}#{uuid.uuid4()}:"


@contextmanager
def worker(engine: str, place: str, *options: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A process, and a client of its server."""
    command = [sys.executable, str(WORKER), engine, place, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:
            yield process, client
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.parametrize("engine", ["redis", "sqlite"])
def test_a_process_that_is_killed_loses_its_runs_and_frees_their_threads(engine: str) -> None:
    with place_of(engine) as place, worker(engine, place) as (process, one), worker(engine, place) as (_, other):
        _, received = begin(one, b"process", body_of("wait"), RESUMES)
        assert other.post("", json=body_of("next")).status_code == 409
        process.kill()
        process.wait()
        killed_at = time.monotonic()
        rest = read(other, frames(received)[-1][0], "wait").content
        found = [event for _, event in frames(rest) if event["type"] == "RUN_ERROR"]
        assert [event["code"] for event in found] == ["producer_lost"]
        assert time.monotonic() - killed_at < 6, "the lease, and 5 seconds"
        assert types(other.post("", json=body_of("next")).content)[-1] == "RUN_FINISHED"


@pytest.mark.parametrize("engine", ["redis", "sqlite"])
def test_a_process_that_stood_still_is_fenced(engine: str) -> None:
    with place_of(engine) as place, worker(engine, place) as (process, one), worker(engine, place) as (_, other):
        _, received = begin(one, b"process", body_of("wait"), RESUMES)
        process.send_signal(signal.SIGSTOP)
        try:
            whole = received + read(other, frames(received)[-1][0], "wait").content
            assert frames(whole)[-1][1]["code"] == "producer_lost"
        finally:
            process.send_signal(signal.SIGCONT)
        # Behind its return the run has the same end, from both processes.
        cursor = frames(received)[0][0]
        assert cursor is not None
        beginning = cursor.rpartition("-")[0] + "-0"
        for client in (one, other):
            assert read(client, beginning, "wait").content == read(other, beginning, "wait").content
            assert types(read(client, beginning, "wait").content).count("RUN_ERROR") == 1


@pytest.mark.parametrize("engine", ["redis", "sqlite"])
def test_a_run_is_read_and_cancelled_by_another_process(engine: str) -> None:
    with place_of(engine) as place, worker(engine, place) as (_, one), worker(engine, place) as (_, other):
        whole = one.post("", json=body_of()).content
        blocks = whole.split(b"\n\n")
        for number, (ident, _) in enumerate(frames(whole)[:-1:20]):
            assert read(other, ident).content == b"\n\n".join(blocks[20 * number + 1 :])
        assert reduced(read(other).content) == reduced(whole)
        _, received = begin(one, b"process", body_of("wait"), RESUMES)
        assert other.post("", params={"thread": "t", "cancel": "wait"}, json={}).status_code == 202
        rest = read(other, frames(received)[-1][0], "wait").content
        assert frames(rest)[-1][1]["outcome"] == {"type": "cancelled"}


@pytest.mark.parametrize("engine", ["redis", "sqlite"])
def test_a_process_that_ends_orderly_ends_its_runs(engine: str) -> None:
    """The lease is 30 seconds: what the reader elsewhere hears, the process has said."""
    with (
        place_of(engine) as place,
        worker(engine, place, "0.5") as (process, one),
        worker(engine, place, "0.5") as (_, other),
    ):
        _, received = begin(one, b"process", body_of("wait"), RESUMES)
        with other.stream("GET", "", params={"thread": "t", "run": "wait"}) as response:
            process.send_signal(signal.SIGTERM)
            told_at = time.monotonic()
            whole = response.read()
        assert time.monotonic() - told_at < 10, "the time to drain, and what processes need under load"
        assert process.wait(PATIENCE) == -signal.SIGTERM, "uvicorn ends by the signal"
        assert frames(whole)[-1][1]["code"] == "producer_lost"
        assert types(read(other, frames(received)[-1][0], "wait").content) == ["RUN_ERROR"]
        assert types(other.post("", json=body_of("next")).content)[-1] == "RUN_FINISHED", "the thread is free"


@pytest.mark.parametrize("engine", ["redis", "sqlite"])
def test_a_run_has_time_to_end_when_its_process_ends(engine: str) -> None:
    with place_of(engine) as place, worker(engine, place, "30") as (process, one), worker(engine, place) as (_, other):
        begin(one, b"process", body_of("brief"), RESUMES)
        process.send_signal(signal.SIGTERM)
        assert types(read(other, run_id="brief").content)[-1] == "RUN_FINISHED"
        assert process.wait(PATIENCE) == -signal.SIGTERM, "uvicorn ends by the signal"


def test_redis_that_forgets_its_scripts_and_its_logs() -> None:
    from redis import Redis

    with ExitStack() as stack:
        url = stack.enter_context(redis_server())
        _, client = stack.enter_context(worker("redis", f"{url}#agui:"))
        redis = stack.enter_context(Redis.from_url(url))
        whole = client.post("", json=body_of()).content
        redis.script_flush()
        cursor = frames(whole)[3][0]
        assert read(client, cursor).content == b"\n\n".join(whole.split(b"\n\n")[4:])
        redis.flushall()
        assert read(client, cursor).status_code == 404
        assert client.post("", json=body_of()).status_code == 200
        assert read(client, cursor).json()["code"] == "log_replaced"


def test_requests_are_refused_while_redis_is_gone() -> None:
    with ExitStack() as stack:
        inner = stack.enter_context(ExitStack())
        url = inner.enter_context(redis_server())
        _, client = stack.enter_context(worker("redis", f"{url}#agui:"))
        begin(client, b"process", body_of("wait"), RESUMES)
        inner.close()
        until(lambda: client.get("", params={"thread": "t"}).status_code == 503)
        assert client.post("", json=body_of()).status_code == 503


def test_readers_are_disconnected_while_redis_is_gone() -> None:
    """Their clients ask again, and hear that the log cannot be reached; heartbeats would say that all is well."""
    with ExitStack() as stack:
        inner = stack.enter_context(ExitStack())
        url = inner.enter_context(redis_server())
        _, client = stack.enter_context(worker("redis", f"{url}#agui:"))
        response = stack.enter_context(client.stream("POST", "", json=body_of("wait"), headers=RESUMES))
        pieces = response.iter_raw()
        received = b""
        while b"process" not in received:
            received += next(pieces)
        inner.close()
        gone_at = time.monotonic()
        received += b"".join(pieces)
        assert time.monotonic() - gone_at < 15, "the lease of a second, and what clients of Redis wait"
        assert "RUN_ERROR" not in types(received) and "RUN_FINISHED" not in types(received)
        assert read(client, frames(received)[-1][0], "wait").json()["code"] == "log_unavailable"

"""Processes with a log that end by SIGTERM while clients read: their runs end, and the clients go on elsewhere."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import asgi_app
from logged_servers import RESUMES, Gate, begin, body_of, frames, greet, read, served, types
from servers import PATIENCE, until

SERVER = Path(__file__).parent / "ending_server.py"
KINDS = ["uvicorn", "respond", "wsgi", "drained"]
DRAIN, SLOW = 0.5, 10.0
"""The time to drain, and what processes need besides under load."""


@contextmanager
def process(kind: str, file: Path, drain: float) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A process, and a client of its server."""
    command = [sys.executable, str(SERVER), kind, str(file), str(drain)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            with httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:
                yield server, client
        finally:
            server.kill()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, httpx.Client]]:
    """A file of logs, and a client of a process that serves them and goes on."""
    file = tmp_path_factory.mktemp("logs") / "runs.db"
    with process("uvicorn", file, 30) as (_, other):
        yield file, other


def stop(server: subprocess.Popen[str]) -> float:
    server.send_signal(signal.SIGTERM)
    # A server that does not end would send heartbeats to its clients for ever.
    late = threading.Timer(PATIENCE, server.kill)
    late.daemon = True
    late.start()
    return time.monotonic()


def ended(server: subprocess.Popen[str]) -> None:
    assert server.wait(PATIENCE) in (0, -signal.SIGTERM), "uvicorn ends by the signal"


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_that_reads_does_not_keep_a_process_from_ending(
    kind: str, elsewhere: tuple[Path, httpx.Client]
) -> None:
    """The lease is 60 seconds: what the clients hear, the process has said."""
    (file, other), thread = elsewhere, f"ending {kind}"
    with process(kind, file, DRAIN) as (server, client):
        with client.stream("POST", "", json=body_of("wait", thread), headers=RESUMES) as response:
            pieces = response.iter_raw()
            received = next(pieces)
            told_at = stop(server)
            received += b"".join(pieces)
        assert frames(received)[-1][1]["code"] == "producer_lost"
        ended(server)
        assert time.monotonic() - told_at < DRAIN + SLOW
        rest = read(other, frames(received)[0][0], "wait", thread).content
        assert rest == b"\n\n".join(received.split(b"\n\n")[1:])
        assert types(other.post("", json=body_of("next", thread)).content)[-1] == "RUN_FINISHED", "the thread is free"


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_another_process_is_read_on_elsewhere(kind: str, elsewhere: tuple[Path, httpx.Client]) -> None:
    (file, other), thread = elsewhere, f"going on {kind}"
    with process(kind, file, DRAIN) as (server, client):
        begin(other, b"before", body_of("wait", thread), RESUMES)
        with client.stream("GET", "", params={"thread": thread, "run": "wait"}) as response:
            pieces = response.iter_raw()
            joined = next(pieces)
            told_at = stop(server)
            joined += b"".join(pieces)
        ended(server)
        assert time.monotonic() - told_at < DRAIN + 1 + SLOW
        assert "RUN_ERROR" not in types(joined), "the run goes on, so the client resumes"
        with other.stream("GET", "", params={"thread": thread, "run": "wait"}) as response:
            assert response.status_code == 200
            assert other.post("", params={"thread": thread, "cancel": "wait"}, json={}).status_code == 202
            assert types(response.read())[-1] == "RUN_FINISHED"


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_has_time_to_end_whether_it_is_read_or_not(kind: str, elsewhere: tuple[Path, httpx.Client]) -> None:
    file, other = elsewhere
    for is_read in (True, False):
        thread = f"read {is_read} {kind}"
        with process(kind, file, 30) as (server, client):
            if is_read:
                with client.stream("POST", "", json=body_of("brief", thread), headers=RESUMES) as response:
                    stop(server)
                    assert types(response.read())[-1] == "RUN_FINISHED"
            else:
                begin(client, b"before", body_of("brief", thread), RESUMES)
                stop(server)
            assert types(read(other, run_id="brief", thread_id=thread).content)[-1] == "RUN_FINISHED"
            ended(server)


def test_a_log_is_drained_by_its_application() -> None:
    log, gate = MemoryLog(), Gate()
    with served(gate, log, drain=DRAIN) as client, served(greet, log) as sibling:
        _, received = begin(client, b"before", body_of(), RESUMES)
        # The log is drained in the event loops of both servers, from one that serves nothing.
        asyncio.run(log.drain())
        assert frames(read(client, frames(received)[-1][0]).content)[-1][1]["code"] == "producer_lost"
        for server in (client, sibling):
            refused = server.post("", json=body_of("q", "other"))
            assert (refused.status_code, refused.json()["code"]) == (503, "server_draining")
            assert refused.headers["retry-after"] == "1"
    with served(greet, log) as later:
        answer = later.post("", json=body_of("q", "other"))
        assert types(answer.content)[-1] == "RUN_FINISHED", "a server that starts later runs agents"


def test_a_server_that_ends_leaves_others_of_its_log_alone() -> None:
    log, gate = MemoryLog(), Gate()
    with served(gate, log, drain=DRAIN) as client:
        begin(client, b"before", body_of(), RESUMES)
        with served(greet, log) as sibling:
            assert types(sibling.post("", json=body_of("q", "other")).content)[-1] == "RUN_FINISHED"
        gate.opened.set()
        assert types(client.post("", json=body_of("next", "next")).content)[-1] == "RUN_FINISHED"
        until(lambda: gate.ends == ["returned", "returned"])


def test_an_event_loop_whose_server_starts_again_runs_agents() -> None:
    log = MemoryLog()
    app = asgi_app(greet, log=log, authorize="public")

    async def live(client: httpx.AsyncClient) -> Any:
        messages, sent = iter(["lifespan.startup", "lifespan.shutdown"]), list[str]()
        turns: asyncio.Queue[str] = asyncio.Queue()

        async def receive() -> Any:
            await turns.get()
            return {"type": next(messages)}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        living = asyncio.create_task(app({"type": "lifespan"}, receive, send))
        turns.put_nowait("start")
        while not sent:
            await asyncio.sleep(0)
        answer = await client.post("", json=body_of(f"r{time.monotonic()}"))
        turns.put_nowait("stop")
        await living
        assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        return answer

    async def main() -> None:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here/") as client:
            for _ in range(2):
                assert types((await live(client)).content)[-1] == "RUN_FINISHED"
            assert (await client.post("", json=body_of("late"))).json()["code"] == "server_draining"

    asyncio.run(main())

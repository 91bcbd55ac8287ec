"""Processes that fork: while their threads write a file of SQLite, and while a thread renews the leases of runs."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from logged_servers import RESUMES, body_of, frames, read
from servers import PATIENCE
from test_durable_faults import place_of, worker

PROGRAM = Path(__file__).parent / "forking.py"
SERVER = Path(__file__).parent / "forking_lease.py"
FORKS, EMPTY = 60, 1500

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def test_children_of_a_process_that_writes_open_the_file_anew(tmp_path: Path) -> None:
    file = tmp_path / "runs.db"
    command = [sys.executable, "-W", "ignore::DeprecationWarning", str(PROGRAM), str(file), str(FORKS), str(EMPTY)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        threads = connection.execute("SELECT count(*) FROM threads").fetchone()
        assert threads[0] >= FORKS, "each child has written its run"


@pytest.mark.parametrize("how", ["fork", "multiprocessing"])
@pytest.mark.parametrize("engine", ["sqlite", "redis"])
def test_the_child_of_a_server_runs_agents_and_renews_no_lease_of_its_parent(engine: str, how: str) -> None:
    """Its word comes after two leases, through the run of the parent, which goes on."""
    child = None
    with place_of(engine) as place, worker(engine, place) as (_, other):
        command = [sys.executable, "-W", "ignore::DeprecationWarning", str(SERVER), engine, place, how]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline())
                url, body = f"http://127.0.0.1:{port}/", body_of("wait", "forks")
                with httpx.stream("POST", url, json=body, headers=RESUMES, timeout=PATIENCE) as response:
                    received = b""
                    for piece in response.iter_raw():
                        received += piece
                        if found := re.search(rb'child (\d+) ([^"]*)"', received):
                            break
                assert found is not None, received
                child, word = int(found[1]), found[2]
                assert word == b"lives"
                server.kill()
                server.wait()
                killed_at = time.monotonic()
                os.kill(child, 0)  # It lives on.
                rest = read(other, frames(received)[-1][0], "wait", "forks").content
                assert frames(rest)[-1][1]["code"] == "producer_lost"
                assert time.monotonic() - killed_at < 6, "the lease, and 5 seconds"
            finally:
                server.kill()
                if child is not None:
                    os.kill(child, signal.SIGKILL)

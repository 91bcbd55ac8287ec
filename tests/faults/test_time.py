"""Long silence, clocks that are wrong, event loops that are blocked: leases and what is kept hold."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from places import place_of, until
from tally import IS_LONG, tally
from workers import ENGINES, PROGRAMS, SERVERS, differences, ends, events, frames, told, worker

LEASE = 0.9


@pytest.mark.parametrize(("language", "engine"), SERVERS)
def test_a_run_is_silent_for_longer_than_anything_is_kept(language: str, engine: str) -> None:
    """Thirty minutes in the proportion of the settings: 60 leases, 2 times what is kept."""
    pause = 60 * LEASE if IS_LONG else 4 * LEASE
    keep = pause / 2
    with (
        place_of(engine) as place,
        worker(language, engine, place, lease=LEASE, keep=keep, keep_thread=keep, heartbeat=0.2) as server,
    ):
        with server.begin("r", words=2, pause=pause) as response:
            pieces, received = response.iter_raw(), b""
            silences = 0
            for piece in pieces:
                received += piece
                silences += piece.count(b": \n\n")
        ended_at = time.monotonic()
        assert ends(received) == ["success"] and silences > pause
        joined = server.read("r")
        assert ends(joined.content) == ["success"]
        expected = told(server.whole("r"))
        assert told(received) == expected
        # Behind its end, what is kept goes.
        until(lambda: server.read("r").status_code == 404)
        assert keep * 0.5 < time.monotonic() - ended_at < keep + 10
        tally("long silence", runs=1, faults=silences, **differences(expected, told(received)))


@pytest.fixture(scope="module")
def wall_clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that moves the wall clock of a process."""
    library = tmp_path_factory.mktemp("clock") / "wall_clock.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, PROGRAMS / "wall_clock.c"], check=True)
    return library


@pytest.mark.parametrize(("language", "engine"), SERVERS)
@pytest.mark.parametrize("hours", [-1, 1] if IS_LONG else [1])
def test_the_clock_of_a_process_is_an_hour_off(language: str, engine: str, hours: int, wall_clock: Path) -> None:
    """What counts is the time of the engine."""
    env = {**os.environ, "LD_PRELOAD": str(wall_clock), "WALL_CLOCK": str(3600 * hours)}
    shown = subprocess.run(["date", "+%s"], env=env, capture_output=True, check=True).stdout
    assert abs(int(shown) - time.time() - 3600 * hours) < 60, "the clock is wrong"
    with place_of(engine) as place, worker(language, engine, place, lease=LEASE) as other:
        with worker(language, engine, place, env=env, lease=LEASE) as wrong:
            # Each looks at the runs of the other for longer than the lease.
            one, two = wrong.start("r1", "t1", waits=True), other.start("r2", "t2", waits=True)
            begin = time.monotonic()
            while time.monotonic() - begin < 2 * LEASE:
                for server in (wrong, other):
                    for thread, run in (("t1", "r1"), ("t2", "r2")):
                        assert server.client.get("", params={"thread": thread}).json()["activeRunId"] == run
            assert other.cancel("r1", "t1") == wrong.cancel("r2", "t2") == 202
            assert ends(wrong.whole("r2", "t2")) == ends(other.whole("r1", "t1")) == ["cancelled"]
            three = wrong.start("r3", "t3", waits=True)
            wrong.process.send_signal(signal.SIGKILL)
            killed_at = time.monotonic()
            whole = other.whole("r3", "t3")
            assert ends(whole) == ["producer_lost"]
            assert LEASE * 0.3 < time.monotonic() - killed_at < LEASE + 5
        # What is kept for 15 minutes is kept.
        for run, begun in (("1", one), ("2", two), ("3", three)):
            found = other.whole(f"r{run}", f"t{run}")
            assert frames(found)[: len(begun)] == begun
            tally("a clock an hour off", runs=1, faults=1, events=len(frames(found)))


@pytest.mark.parametrize("engine", ENGINES)
def test_python_code_blocks_the_event_loop_for_longer_than_the_lease(engine: str) -> None:
    """The lease is renewed in another thread. (In Node a process whose event loop is blocked loses its runs.)"""
    blocks = 3 * LEASE
    with (
        place_of(engine) as place,
        worker("python", engine, place, lease=LEASE) as one,
        worker("python", engine, place, lease=LEASE) as other,
    ):
        for number in range(5 if IS_LONG else 1):
            run, thread = f"r{number}", f"t{number}"
            begun = one.start(run, thread, count=3, words=40, pause=0.01, blocksAt=5, blocks=blocks)
            begin = time.monotonic()
            whole = other.whole(run, thread)
            assert time.monotonic() - begin > blocks * 0.9, "it was read while the loop was blocked"
            assert ends(whole) == ["success"] and frames(whole)[: len(begun)] == begun
            assert "".join(event.get("delta", "") for event in events(whole)) == "".join(f"{n} " for n in range(40))
            tally("a blocked event loop", runs=1, faults=1, **differences(told(whole), told(other.whole(run, thread))))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_node_process_whose_event_loop_is_blocked_loses_its_run(engine: str) -> None:
    """It is fenced: the run has one end."""
    with (
        place_of(engine) as place,
        worker("node", engine, place, lease=LEASE) as one,
        worker("node", engine, place, lease=LEASE) as other,
    ):
        begun = one.start("r", count=3, words=4000, pause=0.01, blocksAt=5, blocks=3 * LEASE)
        whole = other.whole("r")
        assert ends(whole) == ["producer_lost"] and frames(whole)[: len(begun)] == begun
        assert until(lambda: one.ended("r")) == ["cancelled"]
        assert other.whole("r") == whole
        tally("a blocked event loop, Node", runs=1, faults=1, events=len(frames(whole)))

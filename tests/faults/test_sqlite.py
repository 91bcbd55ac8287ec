"""A file of SQLite whose disk is full, or that another process keeps locked: runs end, and the file stays whole."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest

from places import place_of, until
from tally import tally
from workers import LANGUAGES, differences, ends, events, frames, told, worker

LEASE = 1.5
# The size of files is limited, and a write beyond it is an error and no signal.
LIMITED = ("sh", "-c", 'trap "" XFSZ; ulimit -f 1000; exec "$@"', "sh")


def is_whole(place: str) -> bool:
    connection = sqlite3.connect(place)
    try:
        return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))
    finally:
        connection.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_disk_is_full(language: str) -> None:
    """What was stored stays, the run ends as lost, and the agent is told."""
    with place_of("sqlite") as place:
        with worker(language, "sqlite", place, before=LIMITED, lease=LEASE) as server:
            begun = server.start("r", words=1_000_000, pause=0)
            assert until(lambda: server.ended("r")) == ["cancelled"]
            stored_bytes = sum(file.stat().st_size for file in Path(place).parent.iterdir())
            assert stored_bytes > 100_000, "the limit was reached by the run"
        assert is_whole(place)
        # A process with room ends the run.
        with worker(language, "sqlite", place, lease=LEASE) as server:
            begin = time.monotonic()
            whole = server.whole("r")
            assert time.monotonic() - begin < LEASE + 5
            assert ends(whole) == ["producer_lost"] and frames(whole)[: len(begun)] == begun
            text = "".join(event.get("delta", "") for event in events(whole))
            assert "".join(f"{n} " for n in range(1_000_000)).startswith(text) and len(text) > 50
            assert ends(server.post("next", words=3).content) == ["success"]
            tally("SQLite: the disk is full", runs=2, faults=1, **differences(told(whole), told(server.whole("r"))))
        assert is_whole(place)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("is_long", [False, True], ids=["shorter than the lease", "longer than the lease"])
def test_another_process_keeps_the_file_locked(language: str, is_long: bool) -> None:
    """Longer than SQLite waits for it, which is two seconds."""
    lease = LEASE if is_long else 20.0
    with place_of("sqlite") as place, worker(language, "sqlite", place, lease=lease) as server:
        before = server.post("before", "t0", words=20).content
        begun = server.start("r", words=100_000 if is_long else 200, pause=0.005)
        other = sqlite3.connect(place, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        locked_at = time.monotonic()
        assert server.whole("before", "t0") == before, "reads do not wait"
        assert server.read("before", "t0", frames(before)[3][0]).content
        if is_long:
            assert until(lambda: server.ended("r")) == ["cancelled"]
        else:
            until(lambda: time.monotonic() - locked_at > 3.5)
        other.execute("ROLLBACK")
        other.close()
        whole = server.whole("r")
        assert frames(whole)[: len(begun)] == begun
        assert ends(whole) == ["producer_lost" if is_long else "success"]
        text = "".join(event.get("delta", "") for event in events(whole))
        assert is_long or text == "".join(f"{n} " for n in range(200))
        assert is_whole(place)
        tally("SQLite: BUSY", runs=2, faults=1, **differences(told(whole), told(server.whole("r"))))

"""Processes that are killed, stand still or are blocked: a run has one end, and its thread is free soon."""

from __future__ import annotations

import signal
import time

import pytest

from places import place_of, until
from tally import IS_LONG, tally
from workers import ENGINES, SERVERS, body_of, differences, ends, events, frames, told, worker

LEASE = 1.0

POINTS = {
    # Where a process dies: the event that is stored then at least.
    "after create 1": None,
    "before append 1": None,
    "after append 1": "RUN_STARTED",
    "before append 5": "TEXT_MESSAGE_CONTENT",
    "before end": "TEXT_MESSAGE_CONTENT",
    "after end": "RUN_FINISHED",
}


@pytest.mark.parametrize(("language", "engine"), SERVERS)
def test_a_process_is_killed_at_every_point_of_a_run(language: str, engine: str) -> None:
    """The agent runs at most once, readers hear of the end, and the thread is free within the lease and 5 seconds."""
    with place_of(engine) as place, worker(language, engine, place, lease=LEASE) as other:
        points = POINTS if IS_LONG else {point: POINTS[point] for point in ("before append 1", "before end")}
        for number, (point, stored) in enumerate(points.items()):
            run, thread = f"r{number}", f"t{number}"
            with worker(language, engine, place, lease=LEASE, faults={"kill": point}) as victim:
                with pytest.raises(Exception, match=r"disconnect|closed|reset|Disconnect|peer"):
                    victim.post(run, thread, words=20, pause=0.01)
                assert victim.process.wait(10) == -signal.SIGKILL
                killed_at = time.monotonic()
                begun = victim.begun(run)
            until(lambda: other.post(f"next {run}", thread, words=1).status_code == 200)
            assert time.monotonic() - killed_at < LEASE + 5, point
            whole = other.whole(run, thread)
            kinds = [event["type"] for event in events(whole)]
            is_whole = stored == "RUN_FINISHED"
            assert stored in kinds if stored else kinds == ["RUN_ERROR"], point
            assert ends(whole) == ["success" if is_whole else "producer_lost"], point
            # The same request does not run the agent again, at any point.
            again = other.post(run, thread, words=20, pause=0.01)
            assert again.status_code == 200 and ends(again.content) == ends(whole)
            # It begins when RUN_STARTED is stored, and the process knows that.
            assert begun == (stored not in (None, "RUN_STARTED")) and other.begun(run) == 0, point
            tally("kill -9 of a process", runs=1, faults=1, events=len(frames(whole)))


@pytest.mark.parametrize(("language", "engine"), SERVERS)
def test_a_process_that_stands_still_past_its_lease_is_fenced(language: str, engine: str) -> None:
    with (
        place_of(engine) as place,
        worker(language, engine, place, lease=LEASE) as one,
        worker(language, engine, place, lease=LEASE) as other,
    ):
        for number in range(5 if IS_LONG else 1):
            run, thread = f"r{number}", f"t{number}"
            begun = one.start(run, thread, words=100_000, pause=0.005)
            one.process.send_signal(signal.SIGSTOP)
            try:
                whole = other.whole(run, thread)
                assert other.post(f"next {run}", thread, words=1).status_code == 200
            finally:
                one.process.send_signal(signal.SIGCONT)
            assert ends(whole) == ["producer_lost"]
            assert frames(whole)[: len(begun)] == begun
            assert until(lambda run=run: one.ended(run)) == ["cancelled"]
            assert one.whole(run, thread) == other.whole(run, thread) == whole, "nothing was stored behind the end"
            tally(
                "SIGSTOP past the lease", runs=1, faults=1, **differences(told(whole), told(other.whole(run, thread)))
            )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_process_that_has_forked_with_an_open_log(engine: str) -> None:
    """As servers that load the application before they fork. (Node has no fork.)"""
    with place_of(engine) as place, worker("python", engine, place, forks=3) as first:
        until(lambda: len(first.said) == 4)
        ports = [line["port"] for line in first.said]
        for number, port in enumerate(ports):
            response = first.client.post(
                f"http://127.0.0.1:{port}/", json=body_of(f"r{number}", f"t{number}", words=20)
            )
            assert ends(response.content) == ["success"]
            for other in ports:
                found = first.client.get(
                    f"http://127.0.0.1:{other}/",
                    params={
                        "thread": f"t{number}",
                        "run": f"r{number}",
                        "after": frames(response.content)[0][0][:-1] + "0",
                    },
                )
                assert found.content == response.content
            tally("fork after open", runs=1, **differences(told(response.content), told(found.content)))

"""Requests that come many times at once, and cancels that race the end."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from places import place_of, until
from tally import IS_LONG, tally
from test_lost_messages import without_hints
from workers import LANGUAGES, SERVERS, differences, ends, events, told, worker


@pytest.mark.parametrize(("language", "engine"), SERVERS)
def test_the_same_request_a_hundred_times_at_once(language: str, engine: str) -> None:
    with (
        place_of(engine) as place,
        worker(language, engine, place) as one,
        worker(language, engine, place) as other,
        ThreadPoolExecutor(100) as pool,
    ):
        for number in range(5 if IS_LONG else 1):
            run, thread = f"r{number}", f"t{number}"
            asked = {"words": 30, "pause": 0.02}
            answers = list(
                pool.map(
                    lambda index, run=run, thread=thread, asked=asked: (one, other)[index % 2].post(
                        run, thread, **asked
                    ),
                    range(100),
                )
            )
            assert [answer.status_code for answer in answers] == [200] * 100
            assert one.begun(run) + other.begun(run) == 1
            text = "".join(f"{n} " for n in range(30))
            for answer in answers:
                assert "".join(event.get("delta", "") for event in events(answer.content)) == text
                assert ends(answer.content) == ["success"]
            for server in (one, other):
                conflict = server.post(run, thread, words=31)
                assert (conflict.status_code, conflict.json()["code"]) == (409, "run_conflict")
                unknown = server.read(run, thread, **{"x-user": "another"})
                assert (unknown.status_code, unknown.json()["code"]) == (404, "run_unknown")
            tally(
                "the same POST 100 times at once",
                runs=1,
                faults=100,
                events=sum(len(events(answer.content)) for answer in answers),
            )


@pytest.mark.parametrize(("language", "engine"), SERVERS)
def test_a_cancel_from_another_process_races_the_end(language: str, engine: str) -> None:
    chance = random.Random(7)
    found: set[str] = set()
    with place_of(engine) as place, worker(language, engine, place) as one, worker(language, engine, place) as other:
        for number in range(60 if IS_LONG else 12):
            run, thread = f"r{number}", f"t{number}"
            with one.begin(run, thread, words=10, pause=0.01) as response:
                time.sleep(chance.uniform(0, 0.25))
                cancels = [threading.Thread(target=other.cancel, args=(run, thread)) for _ in range(2)]
                for cancel in cancels:
                    cancel.start()
                whole = response.read()
                for cancel in cancels:
                    cancel.join()
            assert ends(whole) in (["success"], ["cancelled"])
            assert other.whole(run, thread) == whole
            found.update(ends(whole))
            tally(
                "cancel twice, racing the end",
                runs=1,
                faults=2,
                **differences(told(whole), told(other.whole(run, thread))),
            )
    assert found == {"success", "cancelled"}, "both came first at times"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cancel_arrives_without_hints(language: str) -> None:
    """Within the time between two renewals, which is two seconds here."""
    with without_hints(language, "refused", lease=6) as (one, other):
        with one.begin("r", waits=True) as response:
            assert other.cancel("r") == 202
            assert other.cancel("r") == 202
            begin = time.monotonic()
            assert ends(response.read()) == ["cancelled"]
        assert time.monotonic() - begin < 2 + 2
        assert until(lambda: one.ended("r")) == ["cancelled"]
        tally("cancel, pub/sub down", runs=1, faults=2, events=3)

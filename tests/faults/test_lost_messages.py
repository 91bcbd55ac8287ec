"""Replies and hints of the engine that are lost, late or repeated."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from places import place_of, redis_server
from tally import IS_LONG, tally
from workers import LANGUAGES, SERVERS, Worker, differences, ends, events, frames, told, worker

SECONDS = 8.0 if IS_LONG else 4.0


@pytest.mark.parametrize(("language", "engine"), SERVERS)
def test_replies_of_appends_that_are_lost_and_appends_that_come_again(language: str, engine: str) -> None:
    """Each third append has no reply and is sent again, and an older one comes again behind each: no event twice, none missing."""
    words = 300 if IS_LONG else 60
    with place_of(engine) as place, worker(language, engine, place, faults={"loses": 3, "repeats": True}) as server:
        for run in range(5 if IS_LONG else 1):
            whole = server.post(f"r{run}", f"t{run}", words=words, pause=0.002).content
            assert "".join(event.get("delta", "") for event in events(whole)) == "".join(f"{n} " for n in range(words))
            numbers = [int(ident.rpartition("-")[2]) for ident, _ in frames(whole)]
            assert numbers == list(range(1, len(numbers) + 1))
            assert ends(whole) == ["success"]
            tally(
                "lost replies, repeated appends",
                runs=1,
                faults=len(numbers) // 3,
                **differences(numbers, sorted(set(numbers))),
            )


@contextmanager
def without_hints(language: str, how: str, **options: Any) -> Iterator[tuple[Worker, Worker]]:
    """Two processes on one log, without hints from one to the other."""
    if how == "never":
        with place_of("sqlite") as place:
            deaf = {**options, "faults": {"deaf": True}}
            with worker(language, "sqlite", place, **deaf) as one, worker(language, "sqlite", place, **deaf) as other:
                yield one, other
        return
    with redis_server() as server:
        over = threading.Event()

        def kill() -> None:
            while not over.wait(0.05):
                server.client.client_kill_filter(_type="pubsub")

        if how == "refused":
            # Scripts publish, and nothing can be subscribed to.
            server.client.acl_setuser(
                "default",
                enabled=True,
                nopass=True,
                commands=["+@all", "-subscribe", "-ssubscribe"],
                keys=["*"],
                channels=["*"],
            )
        killer = threading.Thread(target=kill)
        if how == "killed":
            killer.start()
        try:
            with (
                worker(language, "redis", server.url, **options) as one,
                worker(language, "redis", server.url, **options) as other,
            ):
                yield one, other
        finally:
            over.set()
            if killer.ident is not None:
                killer.join()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("how", ["never", "killed", "refused"])
def test_every_hint_is_lost(language: str, how: str) -> None:
    """The end's hint, too: what is stored is delivered within two seconds, and the stream closes."""
    with without_hints(language, how) as (one, other):
        one.start("r", words=int(SECONDS / 0.05), pause=0.05, stamps=True)
        late, received = [], b""
        with other.client.stream("GET", "", params={"thread": "t", "run": "r"}) as response:
            joined = len(events(next(pieces := response.iter_raw())))
            for piece in pieces:
                now = time.monotonic()
                late += [
                    now - float(event["delta"]) for event in events(piece) if event["type"] == "TEXT_MESSAGE_CONTENT"
                ]
                received += piece
        closed_at = time.monotonic()
        assert joined and late and max(late) < 2, f"{max(late)} s"
        whole = one.whole("r")
        last = [float(event["delta"]) for event in events(whole) if event["type"] == "TEXT_MESSAGE_CONTENT"][-1]
        assert closed_at - last < 2 + 0.05
        tail = told(whole)[-len(told(received)) :]
        assert told(received) == tail and ends(received) == ["success"]
        assert frames(whole)[-len(tail)][0] == frames(received)[0][0]
        tally("every hint lost", runs=1, faults=len(tail), **differences(tail, told(received)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_scripts_are_forgotten_in_the_middle_of_a_run(language: str) -> None:
    with redis_server() as redis, worker(language, "redis", redis.url) as server:
        with server.begin("r", words=100, pause=0.01) as response:
            received, flushes = b"", 0
            for piece in response.iter_raw():
                received += piece
                flushes += redis.client.script_flush()
        assert flushes > 20
        expected = told(server.whole("r"))
        assert told(received) == expected and ends(received) == ["success"]
        tally("SCRIPT FLUSH", runs=1, faults=flushes, **differences(expected, told(received)))

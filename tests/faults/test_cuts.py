"""Connections that are lost: a reader that reads on gets every event once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import httpx
import pytest

from places import place_of
from proxy import Cut, How, proxied
from tally import IS_LONG, tally
from workers import LANGUAGES, SERVERS, Reader, Worker, differences, frames, reader, told, worker

HEARTBEAT = 0.4


@pytest.fixture(scope="module", params=SERVERS, ids="-".join)
def server(request: pytest.FixtureRequest) -> Iterator[Worker]:
    language, engine = request.param
    with place_of(engine) as place, worker(language, engine, place, heartbeat=HEARTBEAT) as started:
        yield started


@pytest.fixture(scope="module", params=LANGUAGES)
def client(request: pytest.FixtureRequest) -> Iterator[Reader]:
    with reader(request.param) as started:
        yield started


numbers = itertools.count()


def new_run() -> tuple[str, str]:
    """The ids of a run and of its thread, as long as those of every other one."""
    number = next(numbers)
    return f"r{number:07}", f"t{number:07}"


def places(length: int, step: int) -> range:
    """Every place to cut, or some of them."""
    return range(-1, length, 1 if IS_LONG else step)


def test_bytes_are_equal_behind_a_cut_at_every_byte(server: Worker) -> None:
    """The reader forgets an event, and the beginning of a run, that it has a part of."""
    run, thread = new_run()
    server.post(run, thread, words=4, pause=0.01)
    whole = server.whole(run, thread)
    expected = frames(whole)
    beginning = expected[0][0].rpartition("-")[0] + "-0"
    joined = server.read(run, thread)
    count = int(joined.headers["ag-ui-prefix"].partition(";")[0])
    with proxied(server.port) as proxy:
        address = f"http://127.0.0.1:{proxy.port}/"
        for at in places(len(whole), 41):
            proxy.cuts.append(Cut(at))
            received = cut_body(address, run, thread, beginning)
            last = ([beginning] + [ident for ident, _ in frames(received)])[-1]
            rest = server.read(run, thread, last)
            assert received[: len(received) - len(partial(received))] + rest.content == whole, at
        for at in places(len(joined.content), 41):
            proxy.cuts.append(Cut(at))
            received = cut_body(address, run, thread, None)
            got = frames(received)
            # Without the last event of the beginning, there is no place to go on from.
            rest = server.read(run, thread, got[-1][0] if len(got) >= count else None)
            kept = received[: len(received) - len(partial(received))] if len(got) >= count else b""
            assert kept + rest.content == joined.content, at
        tally("cut at every byte", runs=1, cuts=len(proxy.done), events=len(proxy.done) * len(expected))


def partial(received: bytes) -> bytes:
    """What is behind the last whole event."""
    return received[received.rfind(b"\n\n") + 2 :] if b"\n\n" in received else received


def cut_body(address: str, run: str, thread: str, after: str | None) -> bytes:
    received = b""
    try:
        with httpx.stream(
            "GET", address, params={"thread": thread, "run": run, **({"after": after} if after else {})}
        ) as response:
            for piece in response.iter_raw():
                received += piece
    except httpx.TransportError:
        return received
    return received


@pytest.mark.parametrize("protobuf", [False, True], ids=["text", "protobuf"])
def test_a_client_gets_every_event_once(server: Worker, client: Reader, protobuf: bool) -> None:
    """While the run goes on, each connection is cut at another place."""
    with proxied(server.port) as proxy:
        # Every fourth byte here: the others come with other servers and clients.
        for at in range(next(numbers) % 4 - 1, 1000, 4 if IS_LONG else 400):
            run, thread, cut = *new_run(), len(proxy.done)
            # The answer to the first request is known to be one of a log once its head is there.
            proxy.cuts.extend([Cut(max(at, 0)), Cut(-1), Cut(at * 7 % 300, "clean")])
            found, error = client.run(proxy.port, run, thread, protobuf=protobuf, words=8, pause=0.001)
            proxy.cuts.clear()
            expected = told(server.whole(run, thread))
            assert (found, error) == (expected, None), at
            assert server.begun(run) == 1
            tally("cut while the run goes on", runs=1, cuts=len(proxy.done) - cut, **differences(expected, found))


@pytest.mark.parametrize("how", ["clean", "hang"])
def test_a_client_comes_back_in_time(server: Worker, client: Reader, how: How) -> None:
    """Behind an end in order at once, behind silence within 2.5 heartbeats."""
    with proxied(server.port) as proxy:
        for at in range(0, 600, 50) if IS_LONG else (300,):
            run, thread = new_run()
            proxy.cuts.append(Cut(at, how))
            found, error = client.run(proxy.port, run, thread, words=5, pause=0.01)
            expected = told(server.whole(run, thread))
            assert (found, error) == (expected, None)
            # The bytes before the cut may have come some moments later.
            waited = proxy.asked[-1] - proxy.done[-1]
            assert waited < 2.5 * HEARTBEAT + 0.5, "the client has not come back in time"
            tally(
                f"{'a clean end' if how == 'clean' else 'a half-open socket'}",
                runs=1,
                cuts=1,
                **differences(expected, found),
            )

"""Whole servers over sockets: the first token, the CPU of a token, joins."""

from __future__ import annotations

import itertools
import random
import statistics
import time

from durable_table import Row, percentile
from redis_server import Observer

from servers import ENGINES, TOKEN, Server, request, rest, started

A_TOKEN = b"TEXT_MESSAGE_CONTENT"
TOKENS = 1_000
BETWEEN_TOKENS = 0.01
"""A model that is fast: 100 tokens a second."""
JOINED = 50_000
numbers = itertools.count()


def new_run() -> str:
    return f"run-{next(numbers)}"


def first_token(server: Server, engine: str) -> float:
    """The time from a request to its first token, in milliseconds."""
    with server.connect() as connection:
        # The end of a run is stored at once, and so would be a token before it.
        asked = started(engine, new_run(), 1, 0.03)
        begin = time.perf_counter()
        connection.sendall(asked)
        received = b""
        while A_TOKEN not in received:
            piece = connection.recv(1 << 16)
            assert piece, received
            received += piece
        took = time.perf_counter() - begin
        rest(connection)
    return took * 1e3


def first_token_rows(language: str, server: Server, rounds: int) -> list[Row]:
    """All engines take turns in every round."""
    times: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    order = list(ENGINES)
    for number in range(rounds + 5):
        random.shuffle(order)
        for engine in order:
            took = first_token(server, engine)
            if number >= 5:
                times[engine].append(took)
    p50, p99 = ({engine: percentile(of, percent) for engine, of in times.items()} for percent in (50, 99))
    rows = [
        Row(f"{language}, first token without a log, p50", p50["none"], "ms"),
        Row(f"{language}, first token without a log, p99", p99["none"], "ms"),
    ]
    for engine in ENGINES[1:]:
        for name, of, aim in (("p50", p50, 2.0), ("p99", p99, 15.0)):
            rows.append(
                Row(f"{language}, {engine}, added to the first token, {name}", of[engine] - of["none"], "ms", aim)
            )
        rows.append(
            Row(f"{language}, {engine}, first token, p50 to that without a log", p50[engine] / p50["none"], "times")
        )
    return rows


def tokens_of(server: Server, engine: str, tokens: int, pause: float) -> tuple[float, float]:
    """Reads a run. Returns the CPU time of its server for each token, in microseconds, and the time that it took, in seconds."""
    before, begin = server.cpu(), time.perf_counter()
    with server.connect() as connection:
        connection.sendall(started(engine, new_run(), tokens, pause))
        received = rest(connection)
    took = time.perf_counter() - begin
    assert received.count(A_TOKEN) == tokens, received[:500]
    return (server.cpu() - before) / tokens, took


def overhead_rows(language: str, server: Server, observer: Observer, rounds: int, paced: int) -> list[Row]:
    """The CPU time of a token: as fast as the server goes, and as a model writes, where each token is stored by itself."""
    rows = []
    for way, tokens, pause in (
        (f"{TOKENS:,} tokens at once", TOKENS, 0.0),
        ("100 tokens a second", paced, BETWEEN_TOKENS),
    ):
        taken: dict[str, list[float]] = {engine: [] for engine in ENGINES}
        of_redis = []
        order = list(ENGINES)
        for _ in range(rounds):
            random.shuffle(order)
            for engine in order:
                before = observer.cpu()
                taken[engine].append(tokens_of(server, engine, tokens, pause)[0])
                if engine == "Redis":
                    of_redis.append((observer.cpu() - before) / tokens)
        middle = {engine: statistics.median(of) for engine, of in taken.items()}
        rows.append(Row(f"{language}, {way}, CPU of a token without a log", middle["none"], "µs"))
        for engine in ENGINES[1:]:
            added = middle[engine] - middle["none"]
            rows.append(Row(f"{language}, {way}, {engine}, added CPU of a token", added, "µs"))
            if engine == "memory" and pause:
                share = added / (BETWEEN_TOKENS * 1e6) * 100
                rows.append(Row(f"{language}, {way}, memory, added to the response time", share, "%", 10))
        rows.append(Row(f"{language}, {way}, CPU of Redis for a token", statistics.median(of_redis), "µs"))
    return rows


def join_rows(language: str, server: Server, other: Server) -> list[Row]:
    """A run of 50,000 tokens of four letters is joined: where it ran, twice, and in another process."""
    rows = []
    for engine in ENGINES[1:]:
        run = new_run()
        with server.connect() as connection:
            connection.sendall(started(engine, run, JOINED, None))
            rest(connection)
        path = f"/{engine}?thread={run}&run={run}"
        for way, of in (("first", server), ("again", server), ("in another process", other)):
            if engine == "memory" and of is other:
                continue
            took, joined = read(of, path)
            assert joined.count(TOKEN.encode()) >= JOINED, joined[:500]
            rows.append(Row(f"{language}, {engine}, join of {JOINED:,} events, {way}", took * 1e3, "ms", 50))
        _, raw = read(server, f"{path}&after={beginning(server, path)}")
        rows.append(
            Row(f"{language}, {engine}, bytes of that join to those of the run", len(joined) / len(raw) * 100, "%", 5)
        )
    return rows


def read(server: Server, path: str) -> tuple[float, bytes]:
    """Reads a run. Returns the time from the request to the last byte, in seconds, and the response."""
    with server.connect() as connection:
        begin = time.perf_counter()
        connection.sendall(request("GET", path))
        received = rest(connection)
    assert received.startswith(b"HTTP/1.1 200"), received[:500]
    return time.perf_counter() - begin, received


def beginning(server: Server, path: str) -> str:
    """The cursor before the first event, as the head of a response has it."""
    with server.connect() as connection:
        connection.sendall(request("GET", path))
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(1 << 16)
    lines = received.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    return next(line.partition(": ")[2] for line in lines if line.lower().startswith("ag-ui-cursor: "))

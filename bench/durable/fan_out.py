"""Runs of one process that are read by clients of another one, over Redis."""

from __future__ import annotations

import re
import selectors
import statistics
import time

from durable_table import Row, percentile
from redis_server import Observer
from runs import A_TOKEN, new_run

from servers import PATIENCE, Server, request, started

BETWEEN_TOKENS = 0.05
LONGEST = 50.0
"""The aim, in milliseconds: the 99th percentile of the time from the agent to the client."""
LEVELS = (4, 8, 16, 32, 64, 128, 256)
STAMP = re.compile(rb"<(\d+\.\d+)>")


def fan_out_rows(language: str, producer: Server, reader: Server, observer: Observer, tokens: int) -> list[Row]:
    """The numbers of runs grow twofold, each with one reader in the other process, until tokens come too late."""
    rows, best = [], 0
    for runs in LEVELS:
        servers = (producer, reader)
        before = [server.cpu() for server in servers], observer.cpu()
        began = time.perf_counter()
        times, connections = level(producer, reader, observer, runs, tokens)
        took = time.perf_counter() - began
        after = [server.cpu() for server in servers], observer.cpu()
        p99 = percentile(times, 99)
        if p99 > LONGEST:
            rows.append(Row(f"{language}, {runs} runs, p99 from the agent to a client of the other process", p99, "ms"))
            break
        best = runs
        spent = [
            (b - a) / took / 1e4 / runs for a, b in zip([*before[0], before[1]], [*after[0], after[1]], strict=True)
        ]
        shown = [
            Row(f"{language}, p50 of that load", statistics.median(times), "ms"),
            Row(f"{language}, p99 of that load", p99, "ms", LONGEST),
            Row(f"{language}, CPU of a run, its process", spent[0], "% of a core"),
            Row(f"{language}, CPU of a run, the process of its reader", spent[1], "% of a core"),
            Row(f"{language}, CPU of a run, Redis", spent[2], "% of a core"),
            Row(f"{language}, connections of a process to Redis", connections / len(servers), "", 2),
        ]
    rate = round(1 / BETWEEN_TOKENS)
    load = Row(
        f"{language}, runs of {rate} tokens a second, each read in the other process, p99 at most 50 ms", best, "runs"
    )
    return [load, *(shown if best else []), *rows]


def level(producer: Server, reader: Server, observer: Observer, runs: int, tokens: int) -> tuple[list[float], int]:
    """Returns the times from the agent to the clients, in milliseconds, and the connections to Redis meanwhile."""
    ids = [new_run() for _ in range(runs)]
    for run in ids:
        # The run goes on without this client.
        with producer.connect() as connection:
            connection.sendall(started("Redis", run, tokens, BETWEEN_TOKENS))
            while A_TOKEN not in (piece := connection.recv(1 << 16)):
                assert piece, "a run has no token"
    times: list[float] = []
    connections = 0
    with selectors.DefaultSelector() as selector:
        for run in ids:
            connection = reader.connect()
            connection.sendall(request("GET", f"/Redis?thread={run}&run={run}"))
            selector.register(connection, selectors.EVENT_READ, connection)
        joined, until = time.monotonic(), time.monotonic() + PATIENCE
        while selector.get_map():
            assert time.monotonic() < until, "runs do not end"
            for key, _ in selector.select(1):
                piece = key.data.recv(1 << 16)
                now = time.monotonic()
                if not piece:
                    selector.unregister(key.data)
                    key.data.close()
                # What was written before all clients had joined says nothing of this load.
                times += [(now - float(stamp)) * 1e3 for stamp in STAMP.findall(piece) if float(stamp) > joined + 0.5]
            connections = max(connections, observer.connections()) if not connections and times else connections
    return times, connections

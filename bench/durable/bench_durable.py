"""Measures runs with a log, and compares the figures with their aims. `make bench-durable` runs it.

It writes bench/results/durable.json and docs/durable-performance.md. `--quick` measures less, and writes to target/bench.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import redis_rows
import thread_rows
from durable_table import Row, markdown, page, to_json
from fan_out import fan_out_rows
from redis_server import Observer, redis_server
from runs import first_token_rows, join_rows, overhead_rows

from servers import COMMANDS, serving

ROOT = Path(__file__).parents[2]
AIMS_OF_SQLITE = {
    "SQLite, Normal, one run, 16 events an append, events/s": (50_000, True),
    "SQLite, Normal, 32 runs at once, 16 events an append, events/s": (50_000, True),
    "SQLite, a token read in another process, p50, ms": (2, False),
    "SQLite, a token read in another process, p99, ms": (15, False),
}


def engine_rows(program: str, url: str) -> dict[str, list[Row]]:
    """Each engine by itself, as the benchmark in Rust measures it."""
    given = {**os.environ, "REDIS_URL": url}
    told = subprocess.run([program, "--bench"], check=True, capture_output=True, text=True, env=given).stdout
    groups: dict[str, list[Row]] = {"SQLite": [], "Memory": [], "Redis": []}
    for line in told.splitlines():
        name, value, unit = line.split("\t")
        aim, is_least = AIMS_OF_SQLITE.get(f"{name}, {unit}", (None, False))
        row = Row(name, float(value), unit.replace("us ", "µs "), aim, is_least)
        groups[name.partition(",")[0]].append(row)
    return {f"{engine} by itself": rows for engine, rows in groups.items()}


def a_million_runs(groups: dict[str, list[Row]]) -> list[Row]:
    """A million runs a day, of 1,000 events each: from figures above, nothing is measured."""
    figures = {row.name: row.value for rows in groups.values() for row in rows}
    runs = 1_000_000 / 86_400
    size = (
        next(
            value
            for name, value in figures.items()
            if name.startswith("Redis, bytes an event") and name.endswith(" 1,000 events")
        )
        * 1_000
    )
    rows = [
        Row("runs begun a second, on average", runs, ""),
        Row("bytes of a run in Redis", size / 1e3, "kB"),
        Row("memory of Redis, runs kept for 15 minutes", runs * 900 * size / 1e9, "GB"),
        Row("memory of Redis, runs kept for an hour", runs * 3_600 * size / 1e9, "GB"),
    ]
    for language in COMMANDS:
        base = f"{language}, 100 tokens a second"
        per_token = figures[f"{base}, CPU of a token without a log"] + figures[f"{base}, Redis, added CPU of a token"]
        rows.append(Row(f"CPU of servers in {language}", runs * 1_000 * per_token / 1e6, "cores"))
        rows.append(
            Row(
                f"CPU of Redis, with servers in {language}",
                runs * 1_000 * figures[f"{base}, CPU of Redis for a token"] / 1e6,
                "cores",
            )
        )
    return rows


def measure(program: str, quick: bool) -> dict[str, list[Row]]:
    with redis_server() as url:
        groups = engine_rows(program, url)
        groups["Redis by itself"] += redis_rows.measure(url, quick)
    groups["Threads with long conversations"] = thread_rows.measure(quick)
    for language in COMMANDS:
        note(f"servers in {language}")
        with (
            redis_server() as url,
            tempfile.TemporaryDirectory(prefix="ag-ui-bench-", dir=os.environ.get("BENCH_FOLDER")) as folder,
            serving(language, url, folder) as server,
            serving(language, url, folder) as other,
        ):
            observer = Observer(url)
            groups[f"First token, servers in {language}"] = first_token_rows(language, server, 20 if quick else 150)
            groups[f"Overhead, servers in {language}"] = overhead_rows(
                language, server, observer, 2 if quick else 5, 50 if quick else 200
            )
            groups[f"Joins, servers in {language}"] = join_rows(language, server, other)
            groups[f"Fan-out over Redis, servers in {language}"] = fan_out_rows(
                language, server, other, observer, 30 if quick else 80
            )
    groups["A million runs a day, of 1,000 events (calculated)"] = a_million_runs(groups)
    return groups


def note(text: str) -> None:
    print(f"measures {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="the benchmark of the engines, built")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    groups = measure(options.program, options.quick)
    print(markdown(groups))
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    results, docs = (ROOT / "target/bench",) * 2 if options.quick else (ROOT / "bench/results", ROOT / "docs")
    results.mkdir(parents=True, exist_ok=True)
    (results / "durable.json").write_text(to_json(groups))
    (docs / "durable-performance.md").write_text(page(groups, machine))


if __name__ == "__main__":
    main()

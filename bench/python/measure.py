"""Compares packages side by side: in each of many rounds in one process, every competitor of every operation has a
turn, in shuffled order.
"""

import argparse
import json
import random
import statistics
import sys
import time
import timeit
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LOOP_NS = 6_000_000
"""The approximate duration of one turn, in nanoseconds."""


@dataclass
class Operation:
    """One operation with its competitors: each is a Python statement, so that the call of a lambda is not measured
    too.
    """

    name: str
    statements: dict[str, str]
    unit: str = "ns"
    per: int = 1
    """The number of things that one statement does; results are for one of them."""
    verify: bool = True
    results: dict[str, str] | None = None
    """The expressions that are compared before timing, if these are not the values of the statements."""
    loops: dict[str, int] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=dict)

    def result(self) -> dict[str, Any]:
        medians = {name: statistics.median(times) for name, times in self.times.items()}
        return {"operation": self.name, "unit": self.unit, "times": medians}


class Choice:
    """Reads the options of a benchmark: `DATA RESULT [--quick] [--ours] [--rows FILE]`."""

    def __init__(self, language: str) -> None:
        parser = argparse.ArgumentParser()
        parser.add_argument("data", type=Path, help="what scenarios.py has written")
        parser.add_argument("result", type=Path, help="the file to write")
        parser.add_argument("--quick", action="store_true", help="few rounds")
        parser.add_argument("--ours", action="store_true", help="without competitors")
        parser.add_argument("--rows", type=Path, help="only the rows that this file names for each language")
        options = parser.parse_args()
        self.data, self.result, self.quick, self.ours = options.data, options.result, options.quick, options.ours
        self._rows = json.loads(options.rows.read_text(encoding="utf-8"))[language] if options.rows else None

    def takes(self, row: str) -> bool:
        return self._rows is None or row in self._rows

    def takes_any(self, group: str) -> bool:
        """True if a row is selected whose name begins with `group`."""
        return self._rows is None or any(row.startswith(group) for row in self._rows)

    def of(self, competitors: Iterable[str]) -> list[str]:
        return [name for name in competitors if name == "ours" or not self.ours]


def run(
    operations: list[Operation], names: dict[str, Any], plain: Callable[[Any], Any], rounds: int, choice: Choice
) -> list[dict]:
    """Returns the medians of the CPU time of every statement, after checking that all competitors give the same
    results.
    """
    operations = [operation for operation in operations if choice.takes(operation.name)]
    for operation in operations:
        if operation.verify and not choice.ours:
            agree(operation, names, plain)
    turns = [
        (
            operation,
            competitor,
            timeit.Timer(operation.statements[competitor], timer=time.process_time_ns, globals=names),
        )
        for operation in operations
        for competitor in choice.of(operation.statements)
    ]
    for operation, competitor, timer in turns:
        operation.loops[competitor] = calibrate(timer)
        operation.times[competitor] = []
    for number in range(rounds):
        progress(f"round {number + 1} of {rounds}")
        random.shuffle(turns)
        for operation, competitor, timer in turns:
            loops = operation.loops[competitor]
            operation.times[competitor].append(timer.timeit(loops) / loops / operation.per)
    return [operation.result() for operation in operations]


def agree(operation: Operation, names: dict[str, Any], plain: Callable[[Any], Any]) -> None:
    statements = operation.results or operation.statements
    results = {name: plain(eval(statement, names)) for name, statement in statements.items()}
    for name, result in results.items():
        if result != results["ours"]:
            sys.exit(f"{operation.name}: ours gives {str(results['ours'])[:300]}, {name} {str(result)[:300]}")


def calibrate(timer: timeit.Timer) -> int:
    loops = 1
    while (taken := timer.timeit(loops)) < LOOP_NS / 4:
        loops *= 2
    return max(1, round(loops * LOOP_NS / taken))


def write(path: Path, language: str, versions: dict[str, str], rounds: int, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    result = {"language": language, "versions": versions, "rounds": rounds, "rows": rows}
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    progress("")


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

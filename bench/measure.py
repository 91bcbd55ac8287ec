"""Side by side: every competitor of every operation takes its turn in each of many shuffled rounds of one process."""

import json
import random
import statistics
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LOOP_NS = 6_000_000
"""How long one turn takes, about."""


@dataclass
class Operation:
    """One job, and who does it: a Python statement each, so that no call of a lambda is measured with it."""

    name: str
    statements: dict[str, str]
    unit: str = "ns"
    per: int = 1
    """Things done by one statement; results are for one of them."""
    verify: bool = True
    results: dict[str, str] | None = None
    """What is compared before timing, where that is not the value of the statements."""
    loops: dict[str, int] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=dict)

    def result(self) -> dict[str, Any]:
        medians = {name: statistics.median(times) for name, times in self.times.items()}
        return {"operation": self.name, "unit": self.unit, "times": medians}


def run(operations: list[Operation], names: dict[str, Any], plain: Callable[[Any], Any], rounds: int) -> list[dict]:
    """Medians of the CPU time of every statement, after all competitors have been seen to do the same."""
    for operation in operations:
        if operation.verify:
            agree(operation, names, plain)
    turns = [
        (operation, competitor, timeit.Timer(statement, timer=time.process_time_ns, globals=names))
        for operation in operations
        for competitor, statement in operation.statements.items()
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

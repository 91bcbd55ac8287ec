"""Counts instructions: twice the input must take at most 2.3 times as many. `make test-growth` runs it.

Counts do not depend on what else the machine does, unlike seconds. valgrind counts them; where it is not installed
nothing is measured, and the last line says so.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

from counting import MARK_OF_NODE, MARK_OF_PYTHON, NODE, between_marks, can_count, counted

SIZES = (1_000, 2_000, 4_000)
MOST = 2.3

HERE = Path(__file__).parent
HOSTS = (
    ("Python", [sys.executable, str(HERE / "works.py")], MARK_OF_PYTHON),
    ("Node", [*NODE, str(HERE / "works.mjs")], MARK_OF_NODE),
)

Counts = dict[str, list[int]]


def of_rust(program: str, name: str) -> tuple[str, list[int]]:
    """A process for each size, less what starting one takes."""
    start, *counts = (counted([program, name, str(size)])[0] for size in (0, *SIZES))
    return name, [count - start for count in counts]


def of_host(host: str, command: list[str], mark: str) -> Counts:
    """Runs all works in one process, because a process starts slowly: each part lies between two calls of the
    function `mark`.
    """
    works = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    counts = between_marks([*command, *map(str, SIZES)], mark)
    return {f"{host}: {work}": counts[at * len(SIZES) :][: len(SIZES)] for at, work in enumerate(works)}


def main(program: str) -> int:
    if not can_count():
        return 0
    names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    with ThreadPoolExecutor(2) as pool:
        hosts = [pool.submit(of_host, *host) for host in HOSTS]
        results = dict(pool.map(lambda name: of_rust(program, name), names))
        for host in hosts:
            results |= host.result()
    failed = 0
    for name, counts in results.items():
        worst = max(after / before for before, after in pairwise(counts))
        print(f"{worst:5.2f}  {name}: {', '.join(f'{count:,}' for count in counts)}")
        failed += worst > MOST
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

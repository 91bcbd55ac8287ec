"""Counts instructions: twice the input must take at most 2.3 times as many. `make test-growth` runs it.

Counts do not depend on what else the machine does, unlike seconds. valgrind counts them; where it is not installed
nothing is measured, and the last line says so.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

SIZES = (1_000, 2_000, 4_000)
MOST = 2.3


def instructions(command: list[str]) -> int:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *command], capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found, done.stderr
    return int(found[1])


def measure(program: str, name: str) -> tuple[str, float, list[int]]:
    start, *counts = (instructions([program, name, str(size)]) for size in (0, *SIZES))
    counts = [count - start for count in counts]
    worst = max(after / before for before, after in pairwise(counts))
    return name, worst, counts


def main(program: str) -> int:
    if not shutil.which("valgrind"):
        print("0 passed, 0 failed: valgrind is not installed, so nothing was counted")
        return 0
    names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda name: measure(program, name), names))
    failed = 0
    for name, worst, counts in results:
        print(f"{worst:5.2f}  {name}: {', '.join(f'{count:,}' for count in counts)}")
        failed += worst > MOST
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Counts instructions: twice the input must take at most 2.3 times as many. `make test-growth` runs it.

Counts do not depend on what else the machine does, unlike seconds. valgrind counts them; where it is not installed
nothing is measured, and the last line says so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

SIZES = (1_000, 2_000, 4_000)
MOST = 2.3

HERE = Path(__file__).parent
# V8 does the same every time without its compilers and threads, and collects nothing amid a work where there is room.
ROOM = ["--expose-gc", "--min-semi-space-size=512", "--max-semi-space-size=512"]
NODE = ["node", "--jitless", "--single-threaded", "--predictable", "--hash-seed=1", "--random-seed=1"]
HOSTS = (
    ("Python", [sys.executable, str(HERE / "works.py")], "getloadavg"),
    ("Node", [*NODE, *ROOM, str(HERE / "works.mjs")], "uv_loadavg"),
)

# Where Python's dictionaries put things is the same every time.
ENVIRONMENT = os.environ | {"PYTHONHASHSEED": "0"}

Counts = dict[str, list[int]]


def counted(options: list[str], command: list[str], directory: str) -> list[int]:
    """The instructions of a program, one count for each part that valgrind is told to tell apart."""
    file = Path(directory) / "counts"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", *options]
    subprocess.run([*valgrind, *command], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    parts = sorted(file.parent.glob("counts*"), key=lambda part: int(part.suffix[1:] or sys.maxsize))
    return [int(re.findall(r"^(?:totals|summary): (\d+)$", part.read_text(), re.MULTILINE)[-1]) for part in parts]


def of_rust(program: str, name: str) -> tuple[str, list[int]]:
    """A process for each size, less what starting one takes."""
    with tempfile.TemporaryDirectory() as directory:
        start, *counts = (counted([], [program, name, str(size)], directory)[0] for size in (0, *SIZES))
    return name, [count - start for count in counts]


def of_host(host: str, command: list[str], mark: str) -> Counts:
    """A process for all works, as it starts slowly: what it does between two calls of the function `mark` is a part."""
    works = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    with tempfile.TemporaryDirectory() as directory:
        counts = counted([f"--dump-before={mark}"], [*command, *map(str, SIZES)], directory)[1::2]
    return {f"{host}: {work}": counts[at * len(SIZES) :][: len(SIZES)] for at, work in enumerate(works)}


def main(program: str) -> int:
    if not shutil.which("valgrind"):
        print("0 passed, 0 failed: valgrind is not installed, so nothing was counted")
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

"""Counts the instructions that a program takes, so that nothing else on the machine matters. valgrind counts them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# V8 does the same every time without its compilers and threads, and collects nothing amid a work where there is room.
_ROOM = ["--expose-gc", "--min-semi-space-size=512", "--max-semi-space-size=512"]
NODE = ["node", "--jitless", "--single-threaded", "--predictable", "--hash-seed=1", "--random-seed=1", *_ROOM]

# Functions of C libraries that nothing else calls: a program that calls one is seen to, and a new part begins.
MARK_OF_PYTHON, MARK_OF_NODE, MARK_OF_RUST = "getloadavg", "uv_loadavg", "getpid"

# The order within Python's dictionaries is the same in every run, and no variable of the caller changes the allocator
# or the loaded libraries.
_KEPT = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
ENVIRONMENT = _KEPT | {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}


def can_count() -> bool:
    """Returns True if valgrind is installed. If it is not, prints so in the form of a suite's last line."""
    if shutil.which("valgrind"):
        return True
    print("0 passed, 0 failed: valgrind is not installed, so nothing was counted")
    return False


def counted(command: list[str], mark: str | None = None) -> list[int]:
    """The instructions of a program: one count, or one for each of its parts if it calls the function `mark` between them."""
    options = [f"--dump-before={mark}"] if mark else []
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "counts"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", *options]
        done = subprocess.run([*valgrind, *command], check=False, capture_output=True, text=True, env=ENVIRONMENT)
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed under valgrind:\n{done.stderr[-2000:]}")
        parts = sorted(file.parent.glob("counts*"), key=lambda part: int(part.suffix[1:] or sys.maxsize))
        return [int(re.findall(r"^(?:totals|summary): (\d+)$", part.read_text(), re.MULTILINE)[-1]) for part in parts]


def between_marks(command: list[str], mark: str) -> list[int]:
    """The instructions between the first and the second call of `mark`, the third and the fourth, and so on."""
    return counted(command, mark)[1::2]

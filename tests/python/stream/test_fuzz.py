"""Objects whose own code misbehaves, in a short run; `tests/fuzz` has the long one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "fuzz" / "python_objects.py"


@pytest.mark.parametrize(("seed", "start"), [(1, 0), (2, 45_000)], ids=["alone", "with a second thread"])
def test_objects(seed: int, start: int) -> None:
    command = [sys.executable, FUZZ, "--calls", "4000", "--seed", str(seed), "--start", str(start)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ended.returncode == 0 and "no fault" in ended.stdout, ended.stdout + ended.stderr

"""The programs of `examples/durable` run as they stand: web processes and clients that are killed, in both directions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack

import pytest
from example_files import ROOT, example

sys.path += [str(ROOT / "tests" / "python"), str(ROOT / "tests" / "python" / "durable")]
from engines import redis_server

PROGRAMS = ("run.py", "address.py", "server.py", "server.mjs", "client.py", "client.mjs")


@pytest.mark.parametrize("engine", ["sqlite", "redis"])
def test_runs_survive(engine: str) -> None:
    # `run.py` starts the others.
    for name in PROGRAMS:
        assert len(example(name).read_text("utf-8").splitlines()) <= 80
    with ExitStack() as stack:
        environment = {"REDIS_URL": stack.enter_context(redis_server())} if engine == "redis" else {}
        done = subprocess.run(
            [sys.executable, str(example("run.py"))],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.sub(r"process \d+", "process N", done.stdout)
    assert said.count("comes back: [process N]" + "".join(f" {number}" for number in range(1, 21)) + "\n") == 2
    assert said.count("reads on:  [producer_lost]\n") == 2
    assert said.count("asks the other one: [process N]" + "".join(f" {number}" for number in range(1, 21)) + "\n") == 2

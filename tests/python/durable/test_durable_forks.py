"""A file of SQLite in a process that forks while its threads write."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "forking.py"
FORKS = 60


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_children_of_a_process_that_writes_open_the_file_anew(tmp_path: Path) -> None:
    file = tmp_path / "runs.db"
    command = [sys.executable, "-W", "ignore::DeprecationWarning", str(PROGRAM), str(file), str(FORKS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        threads = connection.execute("SELECT count(*) FROM threads").fetchone()
        assert threads[0] >= FORKS, "each child has written its run"

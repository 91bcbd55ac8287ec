"""First uses in a process, while another thread changes the values that are read. `make test-first-uses` uses the
build that notices this.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FIRST_USES = Path(__file__).parent / "first_uses.py"

ENUM_KEYS = """
import enum, sys, threading
sys.setswitchinterval(1e-6)
from ag_ui_native.patch import diff
class Key(str, enum.Enum): NAME = 'name'; AGE = 'age'
state, keep, done = {}, 'x' * 300_000, threading.Event()
def fill():
    state.clear()
    state.update({f'b{i}': {Key.NAME: [f'x{i}'] * 5, Key.AGE: i} for i in range(3_000)})
    state['keep'] = keep
def change():
    while not done.is_set(): fill()
fill()
thread = threading.Thread(target=change)
thread.start()
for _ in range(40): diff({'keep': keep}, state)
done.set(); thread.join()
print('survived')
"""
"""An ordinary program: one thread changes a state with keys whose hash is Python code, another compares it."""


def test_first_uses_while_the_argument_changes() -> None:
    ended = subprocess.run([sys.executable, FIRST_USES, "--mutate"], check=False, capture_output=True, text=True)
    assert ended.returncode == 0 and ", 0 failed" in ended.stdout, ended.stdout + ended.stderr


def test_a_state_with_keys_of_an_enum_is_compared_while_it_changes() -> None:
    for _ in range(10):
        ended = subprocess.run([sys.executable, "-c", ENUM_KEYS], check=False, capture_output=True, text=True)
        assert ended.stdout == "survived\n", ended.stderr

"""The streams of random agents are legal for the official client, too."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ag_ui_native
from ag_ui_native.testing import run_agent

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "python"), str(HERE.parent / "python" / "server")]

from test_server_random import INPUT, Script, calls, endings


def test_official_verifier() -> None:
    lines: list[str] = []

    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(calls, max_size=20), endings.filter(lambda ending: ending[0] != "hang"))
    def write(calls: list[Any], ending: Any) -> None:
        run = run_agent(Script(calls, ending), INPUT)
        lines.append(json.dumps([json.loads(ag_ui_native.to_json(event)) for event in run.events]))

    write()
    assert len(lines) >= 200
    done = subprocess.run(
        ["node", str(HERE / "verify_streams.mjs")],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout == ""

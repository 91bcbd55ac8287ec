"""The agent of `@ag-ui/client`, unchanged, and ours below it, at servers with a log."""

from __future__ import annotations

import json
import subprocess

import pytest
from test_clients import PROGRAMS, SERVERS, served

DURABLE = [name for name in SERVERS if name.endswith("with a log")]
SAID = {"words": 3}


@pytest.mark.parametrize("server", DURABLE)
@pytest.mark.parametrize("agent", ["official", "underneath"])
def test_the_official_agent_runs_and_aborts(agent: str, server: str) -> None:
    with served(SERVERS[server]) as url:
        program = ["node", PROGRAMS / "official.mjs", agent, url]
        done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["twice"] == {"results": [SAID, SAID], "isKept": True, "lastRunId": "second"}
    shown = seen["aborted"].pop("shown")
    assert [role for role, _ in shown] == ["user", "assistant"]
    # The server has ended the run that the client has left, and the thread is free.
    assert seen["aborted"] == {"parts": 2, "lastRunId": "stopped", "end": {"type": "cancelled"}, "result": SAID}
    # `connect` of the official agent is not implemented, so it opens an empty thread.
    opened: dict[str, object] = {"newMessages": [], "parts": ""}
    if agent == "underneath":
        opened = {"newMessages": ["u1", "m1", "u2"], "parts": "one two"}
    assert seen["connected"] == {"isRunning": False, "activeRunId": "active"} | opened

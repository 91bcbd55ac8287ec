"""The JavaScript peer, seen from Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any


class Peer:
    """A Node process that answers one line with one line."""

    def __init__(self) -> None:
        command = ["node", str(Path(__file__).with_name("peer.mjs"))]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, who: str, what: str, **arguments: Any) -> str:
        """Has `who` (ours, official) recode a stream or encode events; returns the stream."""
        request = {"who": who, "do": what, **arguments}
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["stream"]

    def close(self) -> int:
        """Ends the process the way a pipe ends."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        return code

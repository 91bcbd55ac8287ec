"""The peers in JavaScript and in Rust, seen from Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BUILD = ["cargo", "build", "--quiet", "--all-features", "--package", "ag-ui-native"]
EXAMPLES = HERE.parents[1] / "target/debug/examples"


def rust_example(name: str) -> Path:
    """A program in Rust, built with all features as the suite in Rust is."""
    subprocess.run([*BUILD, "--example", name], check=True)
    return EXAMPLES / name


class Peer:
    """Processes that answer one line with one line: Node for ours and the official one in JavaScript, and ours in Rust."""

    def __init__(self) -> None:
        commands = {"node": ["node", str(HERE / "peer.mjs")], "rust": [str(rust_example("interop_peer"))]}
        self.processes = {
            name: subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for name, command in commands.items()
        }

    def ask(self, who: str, what: str, **arguments: Any) -> str:
        """Has `who` (ours, official, rust) recode a stream or encode events; returns the stream."""
        process = self.processes["rust" if who == "rust" else "node"]
        request = {"who": who, "do": what, **arguments}
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["stream"]

    def close(self) -> list[int]:
        """Ends the processes by closing their input."""
        return [self.end(process) for process in self.processes.values()]

    def end(self, process: subprocess.Popen[bytes]) -> int:
        assert process.stdin and process.stdout
        process.stdin.close()
        code = process.wait(timeout=20)
        process.stdout.close()
        return code

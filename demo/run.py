"""The demo: a Python server and a Node client, then a Node server and a Python client, on loopback.

Exits with 0 only if every check holds. `--quiet` prints the checks alone.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
QUIET = "--quiet" in sys.argv
PYTHON = [sys.executable]
NODE = ["node"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def server(command: list[str]) -> Iterator[str]:
    """Runs a server until the block ends; yields its address."""
    port = free_port()
    process = subprocess.Popen([*command, str(port)], cwd=HERE)
    try:
        for _ in range(200):
            if process.poll() is not None:
                raise SystemExit(f"{command} ended with {process.returncode}")
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise SystemExit(f"{command} does not listen")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def converse(title: str, command: list[str], url: str, expected: set[str]) -> list[tuple[str, bool]]:
    """Runs a client, shows what it prints, and returns what its last line says was checked."""
    show(f"\n\x1b[1m{title}\x1b[0m")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([*command, url], cwd=HERE, stdout=subprocess.PIPE, text=True, env=environment)
    last = ""
    for line in process.stdout or ():
        show(last, end="")
        last = line
    if process.wait() != 0:
        return [(f"{title}: the client ended with {process.returncode}", False)]
    report = json.loads(last)
    types = len(report["types"])
    missing = expected - set(report["types"])
    return [
        (f"{title}: {report['events']} events of {types} types, each valid by the strict profile", not missing),
        (f"{title}: decoded without a warning", report["warnings"] == 0),
        (f"{title}: encoded again, the same bytes", report["same_bytes"]),
    ]


def show(text: str, end: str = "\n") -> None:
    if not QUIET:
        print(text, end=end, flush=True)


FRAMEWORK = {"RUN_STARTED", "TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "TOOL_CALL_RESULT", "RUN_FINISHED"}
BY_HAND = {
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "REASONING_MESSAGE_CONTENT",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "CUSTOM",
    "STEP_STARTED",
    "RUN_FINISHED",
}


def main() -> int:
    checks = []
    with server([*PYTHON, "server.py"]) as address:
        client = [*NODE, "client.mjs"]
        checks += converse("pydantic-ai in Python -> Node", client, f"{address}/assistant", FRAMEWORK)
        checks += converse("hand-written agent in Python -> Node", client, f"{address}/planner", BY_HAND)
    with server([*NODE, "server.mjs"]) as address:
        client = [*PYTHON, "client.py"]
        checks += converse("hand-written agent in Node -> Python", client, f"{address}/planner", BY_HAND)
    print("\nChecked:")
    for text, holds in checks:
        print(f"  {'yes' if holds else 'NO '}  {text}")
    return 0 if all(holds for _, holds in checks) else 1


if __name__ == "__main__":
    sys.exit(main())

"""The demo: a Python server and a Node client, then a Node server and a Python client, on loopback. Each conversation
runs twice, over server-sent events and over protobuf, with the same result; then once more, over a proxy that cuts the
connections: the client reads on, and nothing is lost.

Exits with 0 only if every check holds. `--quiet` prints only the checks.
"""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from ag_ui_native.encoder import AGUI_MEDIA_TYPE
from proxy import CuttingProxy

HERE = Path(__file__).parent
QUIET = "--quiet" in sys.argv
PYTHON = [sys.executable]
NODE = ["node"]
CUTS = 3
TRANSPORTS = {"SSE": "text/event-stream", "protobuf": AGUI_MEDIA_TYPE}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def server(command: list[str]) -> Iterator[str]:
    """Runs a server until the block ends; yields its address."""
    for left in (2, 1, 0):
        port = free_port()
        process = subprocess.Popen([*command, str(port)], cwd=HERE)
        try:
            if listens(process, port):
                yield f"http://127.0.0.1:{port}"
                return
            # Another program may have taken the port.
            if not left:
                raise SystemExit(f"{command} ended with {process.returncode}")
        finally:
            process.terminate()
            process.wait()


def listens(process: subprocess.Popen[bytes], port: int) -> bool:
    """Waits until the server listens. Returns False if the process has ended before."""
    for _ in range(200):
        if process.poll() is not None:
            return False
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return process.poll() is None
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{process.args} does not listen")


def converse(title: str, command: list[str], url: str, expected: set[str]) -> list[tuple[str, bool]]:
    """Runs a conversation over both transports. Returns the results of the checks."""
    text, binary = (run(f"{title}, {name}", [*command, url, accept]) for name, accept in TRANSPORTS.items())
    checks = []
    for name, report in zip(TRANSPORTS, (text, binary), strict=True):
        types = {event["type"] for event in report["events"]}
        checks += [
            (
                f"{title}, {name}: {len(report['events'])} events of {len(types)} types, valid by the strict profile",
                expected <= types,
            ),
            (f"{title}, {name}: decoded without a warning", report["warnings"] == 0),
            (f"{title}, {name}: encoded again, the same bytes", report["same_bytes"]),
        ]
    is_both = [text["content_type"].split(";")[0], binary["content_type"]] == [*TRANSPORTS.values()]
    checks.append((f"{title}: the same conversation over both", is_both and essence(text) == essence(binary)))
    return checks


def survive(title: str, command: list[str], address: str) -> list[tuple[str, bool]]:
    """Runs a conversation whose connections are cut, and reads it once more without a cut. Returns the results of the checks."""
    with CuttingProxy(address, CUTS) as proxy:
        report = run(f"{title}, cut {CUTS} times", [*command, f"{proxy.url}/durable"])
    thread = f"{address}/durable?thread={report['thread']}"
    with urlopen(thread) as response:
        place = f"{thread}&run={json.load(response)['lastRunId']}"
    with urlopen(place) as joined, urlopen(f"{place}&after={joined.headers['ag-ui-cursor']}") as response:
        uncut = re.sub("^id: .*\n", "", response.read().decode(), flags=re.MULTILINE)
    return [
        (f"{title}: cut {CUTS} times within an event", proxy.cut == CUTS),
        (f"{title}: the events of the cut run are those of an uncut one, byte for byte", report["text"] == uncut),
    ]


def run(title: str, command: list[str]) -> Any:
    """Runs a client and shows its output. Returns its last line, what it has received."""
    show(f"\n\x1b[1m{title}\x1b[0m")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, text=True, env=environment)
    last = ""
    for line in process.stdout or ():
        show(last, end="")
        last = line
    if process.wait() != 0:
        raise SystemExit(f"{title}: the client ended with {process.returncode}")
    return json.loads(last)


def essence(report: Any) -> list[dict[str, Any]]:
    """Returns the events of a conversation without times, and with ids numbered in order of appearance."""
    ids: dict[str, int] = {}

    def plain(event: dict[str, Any]) -> dict[str, Any]:
        is_id = {"messageId", "parentMessageId"}
        numbered = {key: ids.setdefault(event[key], len(ids)) for key in event if key in is_id}
        return {key: value for key, value in event.items() if key != "timestamp"} | numbered

    return [plain(event) for event in report["events"]]


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
        checks += survive("durable run in Python -> Node", [*NODE, "durable_client.mjs"], address)
    with server([*NODE, "server.mjs"]) as address:
        client = [*PYTHON, "client.py"]
        checks += converse("hand-written agent in Node -> Python", client, f"{address}/planner", BY_HAND)
        checks += survive("durable run in Node -> Python", [*PYTHON, "durable_client.py"], address)
    print("\nChecked:")
    for text, holds in checks:
        print(f"  {'yes' if holds else 'NO '}  {text}")
    return 0 if all(holds for _, holds in checks) else 1


if __name__ == "__main__":
    sys.exit(main())

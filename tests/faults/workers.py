"""The processes of the tests: servers with a log and clients, in Python and Node, and servers in Rust."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import Any

import httpx

sys.path.append(str(Path(__file__).parents[1] / "interop"))

from peer import rust_example

from places import PATIENCE, until
from tally import IS_LONG

LANGUAGES = ("python", "node")
SERVER_LANGUAGES = (*LANGUAGES, "rust")
"""Of servers that have no faults of their own."""
ENGINES = ("sqlite", "redis")
SERVERS = [pair for pair in product(LANGUAGES, ENGINES) if IS_LONG or pair in (("python", "redis"), ("node", "sqlite"))]
"""Languages and engines of servers; in short form each once."""
RESUMES = {"ag-ui-resume": "1"}
PROGRAMS = Path(__file__).parent / "programs"


def program(language: str, name: str) -> list[str]:
    if language == "rust":
        return [str(rust_example(f"durable_{name}"))]
    return (
        [sys.executable, str(PROGRAMS / f"{name}.py")]
        if language == "python"
        else ["node", str(PROGRAMS / f"{name}.mjs")]
    )


class Worker:
    """A web process, and a client of its server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[dict[str, Any]] = []
        """What its agents did: lines of JSON."""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.port: int = until(lambda: process.poll() is not None or self._first_port())
        assert process.poll() is None, "the server does not start"
        self.url = f"http://127.0.0.1:{self.port}/"
        limits = httpx.Limits(max_connections=200)
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE, limits=limits)

    def _first_port(self) -> int | None:
        return next((line["port"] for line in list(self.said) if "port" in line), None)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(json.loads(line))

    def begun(self, run: str) -> int:
        """The number of agents that have begun with this run."""
        return sum(line.get("begun") == run for line in list(self.said))

    def ended(self, run: str) -> list[str]:
        """How the agents of a run have ended."""
        return [line["how"] for line in list(self.said) if line.get("ended") == run]

    def post(self, run: str, thread: str = "t", headers: dict[str, str] | None = None, **props: Any) -> httpx.Response:
        return self.client.post("", json=body_of(run, thread, **props), headers=headers)

    @contextmanager
    def begin(
        self, run: str, thread: str = "t", headers: dict[str, str] | None = None, **props: Any
    ) -> Iterator[httpx.Response]:
        """Starts a run whose client reads on when it is cut, and whose response is not read by itself."""
        headers = {**RESUMES, **(headers or {})}
        with self.client.stream("POST", "", json=body_of(run, thread, **props), headers=headers) as response:
            yield response

    def start(self, run: str, thread: str = "t", count: int = 2, **props: Any) -> list[tuple[str, str]]:
        """Starts a run, and disconnects behind that number of events. Returns them."""
        with self.begin(run, thread, **props) as response:
            received = b""
            for piece in response.iter_raw():
                received += piece
                if len(frames(received)) >= count:
                    break
        return frames(received)

    def read(self, run: str, thread: str = "t", after: str | None = None, **headers: str) -> httpx.Response:
        given = {"after": after} if after else {}
        return self.client.get("", params={"thread": thread, "run": run, **given}, headers=headers)

    def whole(self, run: str, thread: str = "t", beginning: str | None = None) -> bytes:
        """The events of a run from its first one. It waits for the end of the run."""
        if beginning is None:
            with self.client.stream("GET", "", params={"thread": thread, "run": run}) as response:
                beginning = response.headers["ag-ui-cursor"]
        response = self.read(run, thread, beginning)
        assert response.status_code == 200, response.text
        return response.content

    def cancel(self, run: str, thread: str = "t") -> int:
        return self.client.post("", params={"thread": thread, "cancel": run}, json={}).status_code

    def close(self) -> None:
        # Its children, too.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._listener.join()
        self.client.close()
        assert self.process.stdout is not None
        self.process.stdout.close()


def body_of(run: str, thread: str = "t", **props: Any) -> dict[str, Any]:
    given = {"threadId": thread, "runId": run, "forwardedProps": props}
    return {**given, "messages": [], "tools": [], "context": [], "state": {}}


@contextmanager
def worker(
    language: str,
    engine: str,
    place: str = "",
    *,
    before: tuple[str, ...] = (),
    env: dict[str, str] | None = None,
    **options: Any,
) -> Iterator[Worker]:
    """A server with a log. `before` is the beginning of its command."""
    command = [*before, *program(language, "worker"), engine, place, json.dumps(options)]
    started = Worker(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True))
    try:
        yield started
    finally:
        started.close()


class Reader:
    """A client whose agent reads on when it is cut."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(
        self, port: int, run: str, thread: str, *, protobuf: bool = False, **props: Any
    ) -> tuple[list[list[Any]], str | None]:
        """Runs the agent. Returns the type, the delta and the code of each event, and the code of the error."""
        assert self._process.stdin is not None and self._process.stdout is not None
        asked = {"url": f"http://127.0.0.1:{port}/", "run": run, "thread": thread, "props": props, "protobuf": protobuf}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["events"], answer["error"]


@contextmanager
def reader(language: str) -> Iterator[Reader]:
    process = subprocess.Popen(program(language, "reader"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Reader(process)
    finally:
        process.kill()
        process.communicate()


def frames(body: bytes) -> list[tuple[str, str]]:
    """The id and the data of each whole event; the id is empty where there is none."""
    found = []
    for block in body.decode(errors="replace").split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":") and line)
        if "data" in fields:
            found.append((fields.get("id", ""), fields["data"]))
    return found


def events(body: bytes) -> list[dict[str, Any]]:
    return [json.loads(data) for _, data in frames(body)]


def told(body: bytes) -> list[list[Any]]:
    """The events of a log as a `Reader` tells them."""
    return [[event["type"], event.get("delta"), event.get("code")] for event in events(body)]


def ends(body: bytes) -> list[str]:
    """The last events of runs: their codes, or how they ended."""
    found = [event for event in events(body) if event["type"] in ("RUN_ERROR", "RUN_FINISHED")]
    return [event.get("code") or event.get("outcome", {}).get("type", "success") for event in found]


def differences(expected: list[Any], found: list[Any]) -> dict[str, int]:
    """The numbers of events that a reader has, has not, and has twice."""
    return {
        "events": len(found),
        "lost": max(len(expected) - len(found), 0),
        "doubled": max(len(found) - len(expected), 0),
    }

"""Upstream's own cases, through the three languages: `python run.py CORPUS [--write]`.

CORPUS is a checkout of the specification's repository. Its streams (`spec/*/conformance/streams`) are answered by a server on loopback to an agent of each language, in the
profile tolerant; its documents (`spec/*/fixtures`) are read strictly. Names and verdicts are compared with results.json.

The expectations that the streams have of upstream's own client are read like this: the words of an error do not
matter; a warning must name the paths, types and versions in it. It need not name ids: our warnings have no contents
of events, and name their event by its number.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.json"
RUST = ["cargo", "run", "--quiet", "--package", "ag-ui-native", "--features", "client,serde_json", "--example"]
FACES = {
    "python": [sys.executable, str(HERE / "ask.py")],
    "node": ["node", str(HERE / "ask.mjs")],
    "rust": [*RUST, "upstream"],
}


OPEN = "a change that is still open makes it fatal; tolerant warns, and strict refuses"
WHY = {
    "duplicate-interrupt-id-fatal": OPEN,
    "run-finished-wrong-run-id-fatal": OPEN,
    "run-finished-wrong-thread-id-fatal": OPEN,
    "second-run-on-another-thread-fatal": OPEN,
    "truncated-run-reported-as-completed": "it records what upstream's clients do; the text forbids it, and a cut stream is an error here",
    "unknown-enum-value-role-fatal": "it records what upstream's clients do; the text has such a role stripped, as is done here",
}
"""The reasons why cases are not passed."""


class Server(ThreadingHTTPServer):
    """Answers a request to /N with the stream of case N, and keeps the requests."""

    daemon_threads = True

    def __init__(self, streams: list[list[Any]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.streams = streams
        self.asked: dict[int, Any] = {}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server: Any = self.server
        number = int(self.path.strip("/"))
        server.asked[number] = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in server.streams[number]:
            self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing about a request."""


def is_within(wanted: Any, found: Any) -> bool:
    """Returns True if `found` has all that is wanted; lists have the same length."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            key in found and is_within(value, found[key]) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return isinstance(found, list) and len(wanted) == len(found) and all(map(is_within, wanted, found))
    return wanted == found and isinstance(wanted, bool) == isinstance(found, bool)


def at(value: Any, path: str) -> list[Any]:
    """Returns the values at a path with dots; an empty list if there are none."""
    for key in path.split("."):
        if isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return []
    return [value]


def names_of(text: str) -> list[str]:
    """Returns the names in upstream's text of a warning."""
    return re.findall(r"/[\w/]+|[A-Z]+_[A-Z_]+|\d+\.\d+", text)


def differences(case: dict[str, Any], told: dict[str, Any], sent: Any) -> list[str]:
    """The expectations that are not met."""
    ours = case.get("expectOverrides", {}).get("typescript", {})
    expect = {key: value for key, value in {**case["expect"], **ours}.items() if key != "intentional"}
    events = told["events"]
    # A warning names its event.
    warnings = [f"{'' if at is None else case['stream'][at]['type']} {text}" for at, text in told["warnings"]]
    types = [event["type"] for event in events]
    errors = [event["message"] for event in events if event["type"] == "RUN_ERROR"]
    run_error = expect.get("runError")
    met = {
        "outcome": lambda wanted: wanted == ("failed" if told["failed"] else "completed"),
        "errorContains": lambda wanted: not wanted or bool(told["failed"]),
        "runError": lambda wanted: any(run_error is True or wanted in error for error in errors),
        "eventTypes": lambda wanted: wanted == types,
        "eventTypesAbsent": lambda wanted: not set(wanted) & set(types),
        "eventPaths": lambda wanted: all(at(events, path) == [value] for path, value in wanted.items()),
        "eventAbsentPaths": lambda wanted: not any(at(events, path) for path in wanted),
        "warnings": lambda wanted: (
            not wanted or all(any(all(name in said for name in names_of(text)) for said in warnings) for text in wanted)
        ),
        "noWarnings": lambda wanted: not (wanted and warnings),
        "messageCount": lambda wanted: wanted == len(told["messages"]),
        "messages": lambda wanted: is_within(wanted, told["messages"]),
        "state": lambda wanted: is_within(wanted, told["state"]),
        "request": lambda wanted: is_within(wanted, sent),
        "requestAbsentPaths": lambda wanted: sent is not None and not any(at(sent, path) for path in wanted),
    }
    return [name for name, wanted in expect.items() if not met[name](wanted)]


def ask(face: str, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the result of a language for each request."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(FACES[face], input=lines, capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    assert done.returncode == 0, f"{face}: {done.stderr}"
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]


def streams(corpus: Path) -> dict[str, dict[str, Any]]:
    files = sorted(corpus.glob("spec/*/conformance/streams/*.json"))
    return {f"{file.parts[-4]} {file.stem}": json.loads(file.read_text("utf-8")) for file in files}


def judge_streams(cases: dict[str, dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Returns for each case and language: passed, or the expectations that are not met."""
    server = Server([case["stream"] for case in cases.values()])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    requests = []
    for number, case in enumerate(cases.values()):
        starts = [event for event in case["stream"] if event["type"] == "RUN_STARTED"]
        # The run that was asked for is the last; all are on the thread of the first.
        ids = {"threadId": starts[0]["threadId"], "runId": starts[-1]["runId"]} if starts else {}
        request = {"threadId": "t", "runId": "r", "url": f"http://127.0.0.1:{server.server_port}/{number}"} | ids
        peer = case.get("client", {}).get("maxProtocolVersion")
        requests.append(request | {"peer": peer, "messages": case.get("input", {}).get("messages", [])})
    results: dict[str, dict[str, str]] = {name: {} for name in cases}
    for face in FACES:
        server.asked.clear()
        for number, ((name, case), told) in enumerate(zip(cases.items(), ask(face, requests), strict=True)):
            wrong = differences(case, told, server.asked.get(number))
            results[name][face] = "passed" if not wrong else f"not met: {', '.join(wrong)}"
    server.shutdown()
    return results


RUN = {"threadId": "t", "runId": "r"}


def placed(kind: str, document: Any) -> dict[str, Any] | None:
    """Returns an event or an input that has a document of this kind in it; None if none of them can have one."""
    if kind.endswith("Event"):
        return {"event": document}
    if kind.endswith("Message"):
        return {"event": {"type": "MESSAGES_SNAPSHOT", "messages": [document]}}
    if kind == "Interrupt":
        return {"event": {"type": "RUN_FINISHED", **RUN, "outcome": {"type": "interrupt", "interrupts": [document]}}}
    if kind == "FileSource":
        message = {"id": "u", "role": "user", "content": [{"type": "document", "source": document}]}
        return {"event": {"type": "MESSAGES_SNAPSHOT", "messages": [message]}}
    lists = {"Tool": "tools", "ResumeEntry": "resume"}
    if kind == "RunAgentInput":
        return {"input": document}
    return {"input": {**RUN, "messages": [], lists[kind]: [document]}} if kind in lists else None


def documents(corpus: Path) -> Iterator[tuple[str, bool, dict[str, Any]]]:
    """Yields each document's name, True if it is valid, and its place. Declarations of a producer about itself are not
    part of a run.
    """
    for file in sorted(corpus.glob("spec/*/fixtures/*/*/*.json")):
        version, _, kind, validity = file.parts[-5:-1]
        if not file.name.endswith(".expect.json") and (request := placed(kind, json.loads(file.read_text("utf-8")))):
            yield f"{version} {kind} {file.stem}", validity == "valid", request


def judge_documents(corpus: Path) -> dict[str, dict[str, str]]:
    cases = list(documents(corpus))
    results: dict[str, dict[str, str]] = {name: {} for name, _, _ in cases}
    for face in FACES if cases else ():
        answers = ask(face, [request for _, _, request in cases])
        for (name, is_valid, _), told in zip(cases, answers, strict=True):
            results[name][face] = "passed" if bool(told["failed"]) != is_valid else f"not met: {told['failed']}"
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--write", action="store_true", help="write results.json anew")
    given = parser.parse_args()
    by_face = judge_streams(streams(given.corpus)) | judge_documents(given.corpus)
    if not by_face:
        print(f"there are no cases in {given.corpus}/spec")
        return 1
    found = {
        name: verdicts["python"] if len(set(verdicts.values())) == 1 else verdicts for name, verdicts in by_face.items()
    }
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    width = max(map(len, found))
    changed = [name for name, verdict in found.items() if known.get(name) != verdict]
    unexplained = [name for name, verdict in found.items() if verdict != "passed" and name.split(" ")[-1] not in WHY]
    for name, verdict in found.items():
        why = WHY.get(name.split(" ")[-1], "no reason is known") if verdict != "passed" else ""
        mark = f"   was: {known.get(name, 'unknown')}" if name in changed else ""
        print(f"{name:{width}}  {verdict}{why and f' ({why})'}{mark}")
    passed = sum(verdict == "passed" for verdict in found.values())
    print(f"\n{len(found)} cases, {passed} passed; {len(known.keys() - found.keys())} known ones are not in the corpus")
    if given.write:
        RESULTS.write_text(json.dumps(dict(sorted({**known, **found}.items())), indent=1) + "\n", "utf-8")
        return 0
    if changed:
        print(f"{len(changed)} differ from results.json; `--write` takes them over")
    if unexplained:
        print(f"{len(unexplained)} are not passed, for no reason that is known")
    return 1 if changed or unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

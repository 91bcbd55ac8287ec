"""What helps to find faults: records that are read, agents that fail, tests of an agent."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from example_files import ROOT, example
from listening import listening
from recipes import EACH, command, printed

PAGE = ROOT / "docs" / "recipes" / "debugging.md"
ASKED = {"threadId": "t", "runId": "r", "messages": []}
FAULTY = """\
data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}

data: {"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","colour":"red"}

data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}

data: {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/steps","value":1}]}

"""


@EACH
def test_a_record_is_read(language: str, tmp_path: Path) -> None:
    record = tmp_path / "answer.txt"
    record.write_text(FAULTY + 'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"!"}\n\n', "utf-8")
    said = printed(f"read_stream.{language}", "", str(record)).splitlines()
    assert [line.split(":")[0] for line in said] == [
        "! event 1",
        "message_inserted",
        "text_appended",
        "! event 3",
        "patch_failed",
        "error",
        "assistant",
        "state",
    ]
    assert "/colour" in said[0] and "V13" in said[5] and said[6] == "assistant: Hello"
    record.write_text(FAULTY + 'data: {"type":"RUN_ERROR","message":"no such city"}\n\n', "utf-8")
    assert "run_failed: no such city\n" in printed(f"read_stream.{language}", "", str(record))
    record.write_text(FAULTY, "utf-8")
    assert "the stream ends inside an event or a run" in printed(f"read_stream.{language}", "", str(record))


@EACH
@pytest.mark.parametrize("debug", ["0", "1"])
def test_a_failure_is_logged(language: str, debug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", debug)
    with (tmp_path / "log").open("w+", encoding="utf-8") as log:
        with listening(lambda port: command(f"debug_server.{language}"), log.fileno()) as url:
            answer = httpx.post(url, json=ASKED, timeout=60).text
        log.seek(0)
        logged = log.read()
    assert '"agent_failed"' in answer and ("no such city" in answer) == (debug == "1")
    assert "failed" in logged and "no such city" in logged


@contextmanager
def foreign(*events: dict[str, Any]) -> Iterator[str]:
    """Serves these events to each run, whatever rules they break, with the ids of the run."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            ids = {"threadId": asked["threadId"], "runId": asked["runId"]}
            run = [{"type": "RUN_STARTED", **ids}, *events, {"type": "RUN_FINISHED", **ids}]
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write("".join(f"data: {json.dumps(event)}\n\n" for event in run).encode())

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@EACH
def test_a_guard_in_the_client_repairs_a_server(language: str) -> None:
    lost = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "lost", "delta": "Hi"}
    kept = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "kept", "delta": "Hello."}
    with foreign(lost, kept) as url:
        warning, outcome = printed(f"guarded_client.{language}", url).splitlines()
    assert (
        warning.startswith("! event 1: sequence_broken: no text message with this id is open") and '"lost"' in warning
    )
    assert outcome == "success Hello."


def test_tests_of_an_agent() -> None:
    place = example("examples/recipes/test_greeting.py")
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(place)]
    done = subprocess.run(tests, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout
    tests = ["node", "--test", str(example("examples/recipes/greeting.test.mjs"))]
    environment = {name: value for name, value in os.environ.items() if name != "NODE_TEST_CONTEXT"}
    done = subprocess.run(tests, env=environment, capture_output=True, text=True, timeout=60, check=False)
    said = done.stdout
    assert done.returncode == 0 and "pass 2\n" in said and "fail 0\n" in said, said


def test_the_codes_of_the_table_are_codes() -> None:
    rows = [line.split(" | ")[0] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    named = {code for row in rows for code in re.findall(r"`([a-z]+_[a-z_]+)`", row)}
    table = (ROOT / "docs" / "errors.md").read_text("utf-8")
    codes = set(re.findall(r'^\| <a id="\w+"></a>`(\w+)` \|', table, re.MULTILINE))
    assert len(named) >= 12 and named <= codes, named - codes

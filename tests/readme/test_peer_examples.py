"""The programs of the guides about peers run as they stand, in Python and in Node."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from example_files import FOLDERS, ROOT, example
from peers import FAULTY
from test_server_examples import INPUT, running

from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.encoder import AGUI_MEDIA_TYPE
from ag_ui_native.stream import decode_events

SERVERS = "tests/readme/peers.py"
PROGRAMS = {"py": [sys.executable], "mjs": ["node"]}


def post(url: str, **request: Any) -> httpx.Response:
    return httpx.post(url, timeout=60, **request)


def program(name: str, url: str, *arguments: str, status: int = 0, said: str = "", **environment: str) -> str:
    """Returns the output of an example that ends with this status."""
    done = subprocess.run(
        [*PROGRAMS[name.rpartition(".")[2]], str(example(name)), *arguments],
        input=said,
        env={**os.environ, "URL": url, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_every_example_is_run() -> None:
    said = "".join(
        path.read_text("utf-8")
        for pattern in ("tests/*/*examples*", "tests/node/*/*examples*", "tests/recipes/test_*")
        for path in ROOT.glob(pattern)
    )
    # LangGraph comes with `make test-frameworks`; a test of an agent in Node is found by how it is called.
    said += '"langgraph_server.py" "adapter_langgraph.py" "weather.test.mjs"'
    for path in (path for folder in FOLDERS for path in folder.iterdir() if path.is_file()):
        # By its name, by the name that all languages share, or by that with the language behind it.
        assert path.name in said or re.search(rf"\b{path.stem}(\"|\.{{(language|server|client)}})", said), path.name


BOTH = pytest.mark.parametrize("language", ["py", "mjs"])


@BOTH
def test_verify_server(language: str) -> None:
    with running("asgi_server.py") as url:
        assert program(f"verify_server.{language}", url) == "no faults\n"
        program(f"strict_client.{language}", url)
    with running(SERVERS, "faulty") as url:
        said = program(f"verify_server.{language}", url, status=1).splitlines()
        program(f"strict_client.{language}", url, status=1)
    faults = [re.sub("^.*?: event (.): (.*?): .*", r"\1 \2", line) for line in said if line.startswith("text/")]
    # The stage behind counts the events that the one before has let through.
    assert faults == [
        "1 null_not_allowed",
        "4 unknown_event_type",
        "2 sequence_broken",
        "4 sequence_broken",
        "5 stream_truncated",
        "2 message_missing",
        "3 patch_failed",
    ]
    assert [line for line in said if "is answered with 200" in line] == said[-2:]


@BOTH
def test_proxy_server(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECORDS", str(tmp_path))
    proxy = f"proxy_server.{language}"
    with running("encoder_server.py") as target:
        monkeypatch.setenv("TARGET", target)
        with running(proxy) as url:
            there, here = (post(place, json=INPUT) for place in (target, url))
            assert (here.content, here.headers["content-type"]) == (there.content, there.headers["content-type"])
            refused = post(url, content=b"{", headers={"content-type": "application/json"})
            assert refused.status_code == 422 and refused.json()["detail"]
        (record,) = (path for path in tmp_path.iterdir() if path.stat().st_size)
        assert program("read_record.py", "", str(record)) == (
            f"{record}: 7 events, 5 compacted, state {{}}\n  assistant: Hello from events.\n"
        )
    with running("asgi_server.py") as target:
        monkeypatch.setenv("TARGET", target)
        with running(proxy) as url:
            answer = post(url, json=INPUT, headers={"accept": AGUI_MEDIA_TYPE})
            assert answer.headers["content-type"] == AGUI_MEDIA_TYPE
            told = list(decode_events([answer.content], AGUI_MEDIA_TYPE, profile="relay"))
    (record,) = {path for path in tmp_path.iterdir() if path.stat().st_size} - {record}
    assert [json.loads(line) for line in record.read_text("utf-8").splitlines()] == told


@BOTH
def test_what_a_proxy_cannot_read(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown events are recorded as they are, with all digits; broken data is passed to the client, too."""
    monkeypatch.setenv("RECORDS", str(tmp_path))
    for name, recorded in (("faulty", 6), ("broken", 2), ("page", 0)):
        with running(SERVERS, name) as target:
            monkeypatch.setenv("TARGET", target)
            with running(f"proxy_server.{language}") as url:
                assert post(url, json=INPUT).content == post(target, json=INPUT).content
        (record,) = tmp_path.iterdir()
        lines = record.read_text("utf-8").splitlines()
        assert [json.loads(line) for line in lines] == FAULTY[:recorded]
        record.unlink()


@BOTH
def test_gateway(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = {"type": "image", "source": {"type": "url", "value": "https://example.org/a.png"}}
    parts = [{"type": "text", "text": "What is this?"}, picture]
    asked = {**INPUT, "protocolVersion": "1.0", "messages": [{"id": "u", "role": "user", "content": parts}]}
    with running(SERVERS, "older") as target:
        monkeypatch.setenv("TARGET", target)
        with running(f"gateway.{language}") as url:
            answer = post(url, json=asked)
            assert answer.status_code == 200, answer.text
            events = list(decode_events([answer.content], answer.headers["content-type"], profile="strict"))
            assert [event.type.value for event in events][1:4] == [
                "REASONING_START",
                "REASONING_MESSAGE_START",
                "REASONING_MESSAGE_CONTENT",
            ]
            with SyncHttpAgent(url) as agent:
                assert agent.ask("Hi").text == "Hello."
            assert post(url, json={"threadId": 1}).status_code == 400


@BOTH
def test_clients_of_older_servers(language: str) -> None:
    with running(SERVERS, "older") as url:
        said = program(f"older_server_client.{language}", url).splitlines()
    assert said[:3] == ["Hello.", "foreign_version at /messages/0/content", "legacy_shape at /type"]


PICTURE = {"type": "binary", "mimeType": "image/png", "data": "AA=="}


@BOTH
def test_stored_inputs(language: str) -> None:
    stored = {**INPUT, "messages": [{"id": "u", "role": "user", "content": [PICTURE]}]}
    (message,) = json.loads(program(f"upgrade_stored.{language}", "", said=json.dumps(stored)))["messages"]
    source = {"type": "data", "value": "AA==", "mimeType": "image/png"}
    assert message["content"] == [{"type": "image", "source": source}]


@BOTH
def test_protobuf_frames(language: str) -> None:
    assert program(f"protobuf_frames.{language}", "").startswith("50 bytes\nnumber_out_of_range: ")


@BOTH
def test_compare_transports(language: str) -> None:
    with running("asgi_server.py") as url:
        said = program(f"compare_transports.{language}", url)
    text, binary = re.fullmatch(
        rf"text/event-stream: 7 events in (\d+) bytes\n{re.escape(AGUI_MEDIA_TYPE)}: 7 events in (\d+) bytes\n", said
    ).groups()
    assert int(binary) < int(text)


OFFICIAL = {
    "encoder_server.py": {"from ag_ui_native": "from ag_ui"},
    "encoder_server.mjs": {
        "'ag-ui-native/": "'@ag-ui/core/",
        "'ag-ui-native'": "'@ag-ui/core'",
        "/core/encoder'": "/encoder'",
    },
    "ag_ui_client.mjs": {"'ag-ui-native/ag-ui-client'": "'@ag-ui/client'"},
}


def official(name: str) -> str:
    """An example with the names of the official packages in its imports, where these are found."""
    text = example(name).read_text("utf-8")
    for ours, theirs in OFFICIAL[name].items():
        assert ours in text
        text = text.replace(ours, theirs)
    path = ROOT / "node" / "node_modules" / ".cache" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


@BOTH
def test_what_moves_says_the_same(language: str) -> None:
    """A program on the official packages, and the same with our names in its imports: byte for byte."""
    name = f"encoder_server.{language}"
    with running(name) as ours, running(official(name)) as theirs:
        for accept in ("text/event-stream", "*/*", AGUI_MEDIA_TYPE):
            there, here = (post(url, json=INPUT, headers={"accept": accept}) for url in (theirs, ours))
            assert (here.content, here.headers["content-type"]) == (there.content, there.headers["content-type"])
            events = list(decode_events([here.content], here.headers["content-type"], profile="strict"))
            assert len(events) == 7
        for body in ({}, {"threadId": 1, "runId": "r", "messages": []}):
            there, here = (post(url, json=body) for url in (theirs, ours))
            assert here.status_code == there.status_code >= 400
        assert program("ag_ui_client.mjs", ours) == program(official("ag_ui_client.mjs"), ours) != ""


@BOTH
def test_careful_client(language: str) -> None:
    name = f"careful_client.{language}"
    with running(SERVERS, "busy") as url:
        assert program(name, url, "Hi") == "Hello.\n"
    with running("approval.py") as url:
        assert program(name, url, "Hi").splitlines()[-1] == "[the agent asks: Delete?]"
    with running(SERVERS, "failing") as url:
        called, failed = program(name, url, "Hi").splitlines()
        assert called.startswith("[look is called with ") and failed == "[the agent failed: no model]"
    with running(SERVERS, "slow") as url:
        assert program(name, url, "Hi", status=1, SECONDS="1").splitlines()[-1].startswith("[timed_out: ")
        assert interrupted(name, url) == "[aborted] Hello.\n"
    assert program(name, url, "Hi", status=1).startswith("[connection_failed: ")


def interrupted(name: str, url: str) -> str:
    """Returns the output of an example that is interrupted after the agent has written text and called a tool."""
    command = [*PROGRAMS[name.rpartition(".")[2]], str(example(name)), "Hi"]
    environment = {**os.environ, "URL": url, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("[look is called with ")
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=60)[0]

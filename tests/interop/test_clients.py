"""Every client reads every server: ours in each language, the official ones, frameworks, over sockets and both transports."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from compare import environment
from normalize import normalize
from peer import EXAMPLES, rust_example

from ag_ui_native.encoder import AGUI_MEDIA_TYPE

HERE = Path(__file__).parent
PROGRAMS = HERE / "clients"
RUST = EXAMPLES / "conversations"
NAMES = list(json.loads((PROGRAMS / "conversations.json").read_text("utf-8")))

SERVERS = {
    "official Python": [sys.executable, PROGRAMS / "serve.py", "official"],
    "official JavaScript": ["node", PROGRAMS / "serve.mjs", "official"],
    "our Python": [sys.executable, PROGRAMS / "serve.py", "ours"],
    "our JavaScript": ["node", PROGRAMS / "serve.mjs", "ours"],
    "our Rust": [RUST, "serve"],
    "our Python, with a log": [sys.executable, PROGRAMS / "serve.py", "durable"],
    "our JavaScript, with a log": ["node", PROGRAMS / "serve.mjs", "durable"],
}
CLIENTS = {
    "official JavaScript": ["node", PROGRAMS / "ask.mjs", "official"],
    "official JavaScript, ours underneath": ["node", PROGRAMS / "ask.mjs", "underneath"],
    "our JavaScript": ["node", PROGRAMS / "ask.mjs", "ours"],
    "our JavaScript, protobuf": ["node", PROGRAMS / "ask.mjs", "ours-protobuf"],
    "our Python": [sys.executable, PROGRAMS / "ask.py", "async"],
    "our blocking Python": [sys.executable, PROGRAMS / "ask.py", "sync"],
    "our Python, protobuf": [sys.executable, PROGRAMS / "ask.py", "async-protobuf"],
    "our Rust": [RUST, "ask"],
    "our Rust, protobuf": [RUST, "ask-protobuf"],
}
UNREAD = {
    (
        "official Python",
        "official JavaScript",
    ): "sse-starlette ends lines with CRLF, on which the official client breaks"
}


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """The programs in Rust."""
    rust_example("conversations")


@contextmanager
def served(command: list[Any]) -> Iterator[str]:
    """A running server, and its address."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin and process.stdout
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.stdin.close()
        process.wait(timeout=20)
        process.stdout.close()


def ask(client: str, url: str, names: list[str] = NAMES) -> dict[str, Any]:
    """Returns the results of the client for the runs of each conversation."""
    done = subprocess.run([*CLIENTS[client], url, *names], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(names, map(json.loads, done.stdout.split("\n")[:-1]), strict=True))


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """The results of the official client with the official server."""
    with served(SERVERS["official JavaScript"]) as url:
        return ask("official JavaScript", url)


@pytest.mark.parametrize("server", SERVERS)
def test_every_client_reads_every_server(server: str, expected: dict[str, Any]) -> None:
    with served(SERVERS[server]) as url:
        for client in CLIENTS:
            if (server, client) not in UNREAD:
                assert ask(client, url) == expected, client


@pytest.mark.parametrize("server", SERVERS)
def test_servers_answer_by_the_transport_that_is_asked_for(server: str) -> None:
    """So the clients that accept protobuf got it in the tests above, except from the official server in Python, which
    has none.
    """
    body = {"threadId": "t", "runId": "r", "messages": [{"id": "u", "role": "user", "content": "text"}]}
    body |= {"state": {}, "tools": [], "context": [], "forwardedProps": {}}
    told = {}
    with served(SERVERS[server]) as url:
        for accept in ("text/event-stream", f"{AGUI_MEDIA_TYPE}, text/event-stream"):
            headers = {"Content-Type": "application/json", "Accept": accept}
            request = urllib.request.Request(url, json.dumps(body).encode(), headers)
            with urllib.request.urlopen(request, timeout=20) as answer:
                told[accept.split(",")[0]] = answer.headers.get_content_type()
    speaks = "text/event-stream" if server == "official Python" else AGUI_MEDIA_TYPE
    assert told == {"text/event-stream": "text/event-stream", AGUI_MEDIA_TYPE: speaks}


def test_the_conversations_come_to_something(expected: dict[str, Any]) -> None:
    outcomes = {name: [run["outcome"] for run in runs] for name, runs in expected.items()}
    assert outcomes.pop("interrupt") == ["interrupt", "success"]
    assert outcomes.pop("error") == ["error"]
    assert all(runs == ["success"] for runs in outcomes.values())
    assert expected["text"][0]["result"] == {"words": 3}
    assert expected["state"][0]["state"] == {"items": [{"a~b/c": False}], "n": -2}
    assert [message["role"] for message in expected["reasoning"][0]["messages"]] == ["user", "reasoning"]
    asked, answered = expected["interrupt"]
    assert asked["interrupts"][0]["id"] == "i1" and answered["interrupts"] == []
    assert answered["result"] == [{"interruptId": "i1", "status": "resolved", "payload": {"approved": True}}]
    assert [message.get("content") for message in answered["messages"]] == ["interrupt", "May I?", "Done."]


# The requests to frameworks, of tests/frameworks/scenarios.py, and the outcomes of the runs.
ASKED = {
    "langgraph": {
        "hello": ["success"],
        "weather": ["success"],
        "remember this": ["success"],
        "please confirm": ["success"],
        "ask me first": ["interrupt", "success"],
    },
    "pydantic_ai": {
        "hello": ["success"],
        "weather": ["success"],
        "remember this": ["success"],
        "delete": ["interrupt", "success"],
        "fail": ["error"],
    },
}


def python_of(framework: str) -> Path | str:
    """This Python, or one that has the framework."""
    return sys.executable if find_spec(framework) else environment(framework)


@pytest.mark.parametrize("framework", ASKED)
def test_every_client_reads_frameworks(framework: str) -> None:
    names = list(ASKED[framework])
    with served([python_of(framework), PROGRAMS / "serve.py", framework]) as url:
        first, *others = CLIENTS
        expected = told(first, url, names)
        for client in others:
            assert told(client, url, names) == expected, client
    outcomes = {name: [run["outcome"] for run in runs] for name, runs in expected.items()}
    assert outcomes == ASKED[framework]
    assert all(len(run["messages"]) > 1 for runs in expected.values() for run in runs if run["outcome"] == "success")


def told(client: str, url: str, names: list[str]) -> dict[str, Any]:
    """Returns a client's results for a framework's answers, with normalized ids and times."""
    return {name: json.loads(normalize(json.dumps(runs))) for name, runs in ask(client, url, names).items()}

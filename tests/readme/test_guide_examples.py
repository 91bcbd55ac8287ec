"""The programs of the guides run as they stand: servers with the clients that belong to them, and tests of an agent."""

from __future__ import annotations

import importlib
import subprocess
import sys
from contextlib import ExitStack

import httpx
import pytest
from example_files import ROOT, example
from fastapi.testclient import TestClient
from test_client_examples import client
from test_server_examples import INPUT, ask, running, text_of

from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.core import Interrupt


def test_weather() -> None:
    with running("weather.py") as url:
        events = ask(url, {**INPUT, "messages": [{"id": "u", "role": "user", "content": "Rome"}]})
        assert text_of(events) == "It is sunny in Rome."
        assert events[-1]["usage"] == [{"provider": "none", "inputTokens": 9, "outputTokens": 14}]
        lines = client("calls_client.py", url, "", "Oslo").splitlines()
    assert lines == [
        "get_weather",
        "{}",
        "{'city': 'Oslo'}",
        "{'city': 'Oslo'}",
        "{'city': 'Oslo', 'unit': 'C'}",
        "-> sunny, 24",
        "It is sunny in Oslo.",
    ]


def test_reasoning() -> None:
    with running("reasoning.py") as url, SyncHttpAgent(url) as agent:
        assert agent.ask("Hi").text == "Hello! I remember 0 thoughts."
        assert agent.ask("Hi").text == "Hello! I remember 1 thoughts."
        thoughts = [message for message in agent.messages if message.role == "reasoning"]
    assert [(thought.content, thought.encrypted_value, thought.encrypted_value_type) for thought in thoughts] == [
        ("The user greets. I greet back.", "sealed-0", "example.thought"),
        ("The user greets. I greet back.", "sealed-1", "example.thought"),
    ]


def test_subagents() -> None:
    with running("subagents.py") as url:
        events = ask(url, INPUT)
    first, second = (event["subagentRunId"] for event in events if event["type"] == "SUBAGENT_STARTED")
    (finished,) = (event for event in events if event["type"] == "SUBAGENT_FINISHED")
    (failed,) = (event for event in events if event["type"] == "SUBAGENT_ERROR")
    assert (finished["subagentRunId"], finished["result"]) == (first, "cats: well known")
    assert (failed["subagentRunId"], failed["message"]) == (second, "there is nothing about it")
    assert text_of([event for event in events if "subagentRunId" not in event]) == "cats: well known\nnothing: unknown"


def test_a_handler_of_ones_own() -> None:
    with running("own_handler.py") as url:
        assert [event["type"] for event in ask(url, {**INPUT, "tools": [], "context": []})] == [
            "RUN_STARTED",
            "TEXT_MESSAGE_CHUNK",
            "TEXT_MESSAGE_CHUNK",
            "RUN_FINISHED",
        ]


def test_what_a_handler_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(example("own_handler.py").parent)
    own_handler = importlib.import_module("own_handler")
    own_handler.pending["t"] = [Interrupt(id="i", reason="tool_call")]
    client = TestClient(own_handler.app)
    refused = client.post("/", json={**INPUT, "tools": [], "context": []})
    assert refused.status_code == 422 and refused.json()["detail"].startswith("L01")
    resume = [{"interruptId": "i", "status": "cancelled"}]
    assert client.post("/", json={**INPUT, "tools": [], "context": [], "resume": resume}).status_code == 200


def test_tests_of_an_agent() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "examples/agents/test_weather.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout


def test_a_server_that_goes_down(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"WORK": "50", "HEARTBEAT": "0.1", "LONGEST": "2"}.items():
        monkeypatch.setenv(name, value)
    origin = {"origin": "https://app.example.org"}
    with ExitStack() as server:
        url = server.enter_context(running("deployed.py"))
        with httpx.stream("POST", url, json=INPUT, headers=origin, timeout=60) as answer:
            assert answer.headers["x-accel-buffering"] == "no"
            assert answer.headers["access-control-allow-origin"] == origin["origin"]
            pieces = answer.iter_text()
            said = ""
            while "\n: \n" not in said:  # a heartbeat
                said += next(pieces)
            assert "Let me see." in said
            server.close()  # SIGTERM; it returns when the server has ended
            assert '"code":"run_timeout"' in "".join(pieces)

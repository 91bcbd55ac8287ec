"""The clients in `examples/` run as they stand, against servers on loopback, and ours talks to pydantic-ai's server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from example_files import example
from test_server_examples import running

from ag_ui_native.client import SyncHttpAgent


def client(name: str, url: str, said: str = "", *arguments: str, **environment: str) -> str:
    """Runs an example and checks the text that it prints."""
    path = example(name)
    assert len(path.read_text("utf-8").splitlines()) <= 45
    done = subprocess.run(
        [sys.executable, str(path), *arguments],
        input=said,
        env={**os.environ, "URL": url, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_chat() -> None:
    with running("asgi_server.py") as url:
        assert client("chat_client.py", url, "Hi\nAgain\n") == "> Hello from Python.\n> Hello from Python.\n> "
    assert "connection_failed" in client("chat_client.py", "http://127.0.0.1:9/", "Hi\n")


def test_approval() -> None:
    with running("approval.py") as url:
        assert client("approval_client.py", url, "y\n") == "Delete? [y/n] They are gone.\n"
        assert client("approval_client.py", url, "n\n") == "Delete? [y/n] They stay.\n"


def test_state() -> None:
    with running("state_model.py") as url:
        lines = client("state_client.py", url).splitlines()
    assert lines[-2:] == ["A swim in the sea: 3 steps", "A swim in the sea of 3 steps."] and len(lines) >= 4


@pytest.mark.parametrize("server", ["notes.py", "notes.mjs"])
def test_tool(server: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Swim.\n", "utf-8")
    with running(server) as url:
        said = client("tool_client.py", url, "", "What is in my notes?", NOTES=str(tmp_path))
        assert said == "It says: Swim.\n\n"
        assert "No such file" in client("tool_client.py", url, "", "others", NOTES=str(tmp_path))
        assert "do not match" in client("tool_client.py", url, "", "../etc/passwd", NOTES=str(tmp_path))
        assert client("chat_client.py", url, "What is in my notes?\n") == "> You have no notes for me.\n> "


def test_pydantic_ai() -> None:
    with running("pydantic_ai_server.py") as url, SyncHttpAgent(url) as agent:
        reply = agent.ask("What is the weather in Rome?")
        assert reply.result.outcome == "success" and "get_weather" in reply.text
        assert [
            call.function.name
            for message in reply.messages
            if message.role == "assistant"
            for call in message.tool_calls or []
        ] == ["get_weather"]
        assert agent.ask("And now?").result.outcome == "success"

"""The README's examples run as they stand: each server with each client."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from listening import listening

from ag_ui_native.stream import decode_events

ROOT = Path(__file__).parents[2]


def example(name: str) -> str:
    """The code block that follows the comment `<!-- name -->`."""
    page = (ROOT / "README.md").read_text("utf-8")
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", page, re.DOTALL)
    assert found, name
    return found[1]


def command(name: str, folder: Path) -> list[str]:
    """Writes an example to a file and returns what runs it."""
    language = name.split()[0]
    # A module finds the package from the folder it stands in, so the file goes below the project's root.
    path = folder / (name.replace(" ", "_") + {"python": ".py", "node": ".mjs"}[language])
    path.write_text(example(name), "utf-8")
    if language == "node":
        return ["node", str(path)]
    if name.endswith("server"):
        return [sys.executable, "-m", "uvicorn", "--app-dir", str(folder), "--log-level", "warning", f"{path.stem}:app"]
    return [sys.executable, str(path)]


@contextmanager
def running(name: str, folder: Path) -> Iterator[str]:
    written = command(name, folder)
    is_python = name.startswith("python")
    with listening(lambda port: [*written, *(["--port", str(port)] if is_python else [])]) as url:
        yield url


@pytest.fixture
def folder() -> Iterator[Path]:
    path = ROOT / ".build" / "readme"
    path.mkdir(parents=True, exist_ok=True)
    yield path


@pytest.mark.parametrize(
    ("server", "says"), [("python server", "Hello from Python."), ("node server", "Hello from Node.")]
)
def test_servers_and_clients(server: str, says: str, folder: Path) -> None:
    with running(server, folder) as url:
        for client in ("python client", "node client"):
            done = subprocess.run(
                command(client, folder),
                env={**os.environ, "AGENT_URL": url},
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
            )
            assert done.stdout == says


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "python conversation",
            "On my way.\n[{'op': 'add', 'path': '/steps/-', 'value': 'look'}]\nOn my way. ['look']\n",
        ),
        (
            "node conversation",
            "assistant: Hello!\nHello! true\n",
        ),
    ],
)
def test_conversations(name: str, says: str, folder: Path) -> None:
    done = subprocess.run(command(name, folder), capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == says


OLD = (
    '{"threadId":"t","runId":"r","parentRunId":null,"state":null,"tools":[],"context":[],"forwardedProps":{},"messages":['
    '{"id":"u","role":"user","content":[{"type":"binary","mimeType":"image/png","data":"AA=="}]}]}'
)


@pytest.mark.parametrize("server", ["python server", "node server"])
def test_servers_survive_bad_input_and_read_that_of_older_peers(server: str, folder: Path) -> None:
    bad = {
        b"": "invalid_json",
        b"Hello": "invalid_json",
        b"{": "invalid_json",
        b"null": "wrong_type",
        b"[]": "wrong_type",
        b"{}": "missing_field",
        b'{"threadId":5,"runId":"r","messages":[]}': "wrong_type",
        b'{"threadId":"\xff","runId":"r","messages":[]}': "invalid_utf8",
        b'{"threadId":"t","runId":"r","messages":[],"state":' + b"[" * 999 + b"]" * 999 + b"}": "limit_exceeded",
    }
    with running(server, folder) as url:
        headers = {"content-type": "application/json", "accept": "text/event-stream"}
        for body, code in bad.items():
            answer = httpx.post(url, content=body, headers=headers, timeout=60)
            assert 400 <= answer.status_code < 500, body
            told = answer.json()
            assert told.get("detail", told)["code"] == code
        answer = httpx.post(url, content=OLD, headers=headers, timeout=60)
        assert answer.status_code == 200
        assert [event.type for event in decode_events([answer.content])][-1] == "RUN_FINISHED"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 250


@pytest.mark.parametrize("name", ["README.md", "core/README.md"])
def test_names_that_links_use_are_defined(name: str) -> None:
    """`[name]` without an address is text to a registry, however well rustdoc understands it."""
    page = re.sub("```.*?```", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL)
    defined = set(re.findall(r"^\[(.+?)\]: ", page, re.MULTILINE))
    prose = re.sub(r"^\[.+?\]: .*$", "", page, flags=re.MULTILINE)
    assert set(re.findall(r"\[(`[^`\]]+`|\w+)\](?!\()", prose)) == defined

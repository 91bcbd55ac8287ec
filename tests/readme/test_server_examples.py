"""The servers in `examples/` run as they stand, over a socket."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from example_files import example
from listening import listening

from ag_ui_native.stream import decode_events

INPUT: dict[str, Any] = {"threadId": "t", "runId": "r", "messages": []}


@contextmanager
def running(name: str, *arguments: str) -> Iterator[str]:
    """Runs an example and yields its address."""
    log = subprocess.DEVNULL if name.startswith("flask") else None
    language = "node" if name.endswith(".mjs") else sys.executable
    with listening(lambda port: [language, str(example(name)), *arguments], log) as url:
        yield url


def ask(url: str, input: dict[str, Any], **headers: str) -> list[dict[str, Any]]:
    """The events of an answer."""
    answer = httpx.post(url, json=input, headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text
    return list(decode_events([answer.content], answer.headers["content-type"], profile="strict", as_dicts=True))


def text_of(events: list[dict[str, Any]]) -> str:
    """The text that was written."""
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def asgi(url: str) -> None:
    events = ask(url, INPUT)
    assert text_of(events) == "Hello from Python." and events[-1]["result"] == {"words": 3}
    assert httpx.get(url, timeout=60).status_code == 405


def fastapi(url: str) -> None:
    assert httpx.post(f"{url}/agent", json=INPUT, timeout=60).status_code == 401
    events = ask(f"{url}/agent", INPUT, authorization="Bearer secret")
    assert text_of(events) == "Take sunglasses, Ada." and events[-1]["type"] == "RUN_FINISHED"
    refused = httpx.post(f"{url}/agent", json={"threadId": 1}, headers={"authorization": "Bearer secret"}, timeout=60)
    assert refused.status_code == 400 and refused.json()["path"] == "/threadId"


def flask(url: str) -> None:
    assert httpx.get(url, timeout=60).text == "The agent is at /agent."
    assert text_of(ask(f"{url}/agent", INPUT)) == "Hello from Flask."


def approval(url: str) -> None:
    for approved in (True, False):
        asked = {**INPUT, "threadId": f"approved {approved}"}
        (interrupt,) = ask(url, asked)[-1]["outcome"]["interrupts"]
        refused = httpx.post(url, json=asked, timeout=60)
        assert refused.status_code == 422 and refused.json()["rule"] == "L01"
        answer = {"interruptId": interrupt["id"], "status": "resolved", "payload": {"approved": approved}}
        events = ask(url, {**asked, "resume": [answer]})
        assert text_of(events) == ("They are gone." if approved else "They stay.")


def durable_approval(url: str) -> None:
    for approved in (True, False):
        asked = {**INPUT, "threadId": f"approved {approved}"}
        (interrupt,) = ask(url, asked)[-1]["outcome"]["interrupts"]
        assert httpx.post(url, json={**asked, "runId": "q"}, timeout=60).json()["rule"] == "L01"
        answer = {"interruptId": interrupt["id"], "status": "resolved", "payload": {"approved": approved}}
        events = ask(url, {**asked, "runId": "answers", "resume": [answer]})
        assert text_of(events) == ("They are gone." if approved else "They stay.")
        refused = httpx.post(url, json={**asked, "runId": "again", "resume": [answer]}, timeout=60)
        assert refused.status_code == 422 and refused.json()["code"] == "unknown_interrupt"


def state_model(url: str) -> None:
    events = ask(url, {**INPUT, "state": {"title": "A swim in the sea, as every year", "steps": []}})
    assert [event["type"] for event in events if event["type"].startswith("STATE")] == ["STATE_DELTA"] * 4
    assert text_of(events) == "A swim in the sea, as every year of 3 steps."


def durable(url: str) -> None:
    ada, run = {"x-user": "ada"}, {"thread": "t", "run": "r"}
    answer = httpx.post(url, json=INPUT, headers=ada, timeout=60)
    assert answer.status_code == 200 and answer.headers["ag-ui-run"] == "r"
    rest = httpx.get(url, params={**run, "after": answer.headers["ag-ui-cursor"]}, headers=ada, timeout=60)
    assert rest.content == answer.content
    assert httpx.get(url, params=run, headers={"x-user": "bob"}, timeout=60).status_code == 404
    assert httpx.post(url, json=INPUT, timeout=60).status_code == 404


def durable_pydantic_ai(url: str) -> None:
    asked = {**INPUT, "messages": [{"id": "m", "role": "user", "content": "What is the weather in Rome?"}]}
    answer = httpx.post(url, json=asked, timeout=60)
    events = list(decode_events([answer.content], answer.headers["content-type"], profile="strict", as_dicts=True))
    assert [event["toolCallName"] for event in events if event["type"] == "TOOL_CALL_START"] == ["get_weather"]
    assert "get_weather" in text_of(events) and events[-1]["type"] == "RUN_FINISHED"
    rest = httpx.get(url, params={"thread": "t", "run": "r", "after": answer.headers["ag-ui-cursor"]}, timeout=60)
    assert rest.content == answer.content


USES: dict[str, Callable[[str], None]] = {
    "asgi_server.py": asgi,
    "durable_approval.py": durable_approval,
    "durable_pydantic_ai_server.py": durable_pydantic_ai,
    "durable_server.py": durable,
    "fastapi_server.py": fastapi,
    "flask_server.py": flask,
    "approval.py": approval,
    "state_model.py": state_model,
}


@pytest.mark.parametrize("name", USES)
def test_example(name: str) -> None:
    assert len(example(name).read_text("utf-8").splitlines()) < 45
    with running(name) as url:
        USES[name](url)

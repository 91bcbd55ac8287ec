"""Agents that raise what ends programs: their run has failed, the server lives."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ag_ui_native.client import LocalAgent
from ag_ui_native.server import Run, wsgi_app
from ag_ui_native.stream import decode_events
from ag_ui_native.testing import run_agent
from exiting_server import RAISED, agents
from servers import PATIENCE, connect, read_answer, until, wsgi_server

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}

KINDS = list(agents(None))


class Server:
    """The server in a process of its own, and its log."""

    def __init__(self, port: int, log: Path, process: subprocess.Popen[str]) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.log = log
        self.process = process

    def ask(self, path: str) -> dict[str, Any]:
        """The last event of an answer."""
        answer = httpx.post(f"{self.url}/{path}", json=INPUT, timeout=PATIENCE, follow_redirects=True)
        last: Any = list(decode_events([answer.content], answer.headers["content-type"], as_dicts=True))[-1]
        return last

    def is_alive(self) -> bool:
        return self.process.poll() is None and httpx.get(f"{self.url}/alive", timeout=PATIENCE).text == "alive"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    log = tmp_path_factory.mktemp("server") / "log"
    program = Path(__file__).parent.with_name("exiting_server.py")
    with log.open("w") as errors:
        process = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert process.stdout is not None
            yield Server(int(process.stdout.readline()), log, process)
        finally:
            process.kill()
            process.communicate()


@pytest.mark.parametrize(
    ("face", "kind"),
    [(face, kind) for face in ("asgi", "respond") for kind in KINDS] + [("asgi", "guard"), ("asgi", "async guard")],
)
@pytest.mark.parametrize("raised", ["exit", "interrupt", "group"])
def test_the_run_fails_and_the_server_lives(server: Server, face: str, raised: str, kind: str) -> None:
    before = server.log.stat().st_size
    last = server.ask(f"{face}/{raised}/{kind}")
    expected = {"ended": "RUN_FINISHED", "cleanup": "run_timeout"}.get(kind, "agent_failed")
    if raised == "group" and kind.startswith("local"):
        # It is no exit: the inner run has failed, and the agent that has asked for it has returned.
        expected = "RUN_FINISHED"
    assert last.get("code", last["type"]) == expected
    # The client may have its answer before.
    until(lambda: f"raised: {raised}" in server.log.read_text()[before:])
    assert server.is_alive()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("raised", ["generator", "cancel"])
def test_other_ends_of_coroutines_end_the_run(server: Server, raised: str, kind: str) -> None:
    last = server.ask(f"asgi/{raised}/{kind}")
    assert last["type"] in ("RUN_FINISHED", "RUN_ERROR")
    if kind in ("async", "plain", "returned"):
        assert (last.get("code"), last.get("outcome")) == (
            ("agent_failed", None) if raised == "generator" else (None, {"type": "cancelled"})
        )
    assert server.is_alive()


@pytest.mark.parametrize("kind", ["async", "plain", "returned", "subagent"])
@pytest.mark.parametrize("raised", ["exit", "interrupt"])
def test_wsgi(caplog: pytest.LogCaptureFixture, raised: str, kind: str) -> None:
    request = {"method": "POST", "headers": {"content-type": "application/json"}, "body": json.dumps(INPUT)}
    with wsgi_server(wsgi_app(agents(RAISED[raised])[kind])) as port, connect(port, request) as client:
        answer = read_answer(client)
    last = list(decode_events([answer.body], answer.headers["content-type"], as_dicts=True))[-1]
    assert last["code"] == "agent_failed"
    assert f"raised: {raised}" in caplog.text


@pytest.mark.parametrize("kind", ["async", "plain", "returned"])
def test_testing_says_what_was_raised(kind: str) -> None:
    run = run_agent(agents(RAISED["exit"])[kind])
    assert (run.outcome, type(run.error), run.text) == ("error", SystemExit, "Hi")


def test_a_subagent_fails_with_it() -> None:
    events = run_agent(agents(RAISED["exit"])["subagent"]).events
    assert [event.type.value for event in events][-2:] == ["SUBAGENT_ERROR", "RUN_ERROR"]


@pytest.mark.parametrize("kind", ["async", "plain", "returned", "cleanup"])
@pytest.mark.parametrize("raised", ["exit", "interrupt"])
def test_an_agent_in_this_program_raises_to_its_caller(raised: str, kind: str) -> None:
    """The caller receives the error, and the event loop goes on."""
    error = type(RAISED[raised]())
    serve: Any = {"time_limit": 0.05} if kind == "cleanup" else {}

    async def main() -> str:
        agent = LocalAgent(agents(RAISED[raised])[kind], server=serve)
        if kind == "cleanup":
            # The time was over before.
            return (await agent.run_agent()).outcome
        with pytest.raises(error):
            await agent.run_agent()
        assert not agent.is_running
        await asyncio.sleep(0)
        return "raised"

    assert asyncio.run(main()) == ("error" if kind == "cleanup" else "raised")


PRESSED = """
import asyncio, signal, sys
from ag_ui_native.server import asgi_app

async def agent(run):
    await run.write("Hi")
    raise KeyboardInterrupt

sent = []
async def receive():
    return {"type": "http.request", "body": b'{"threadId":"t","runId":"r","messages":[]}'}
async def send(message):
    sent.append(message.get("body", b""))
scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
# A process that a shell has put into the background ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler if sys.argv[1] == "default" else lambda *_: None)
loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(asgi_app(agent)(scope, receive, send))
    print("returned")
except KeyboardInterrupt:
    print("raised")
print("RUN_FINISHED" if b"cancelled" in b"".join(sent) else "agent_failed" if b"agent_failed" in b"".join(sent) else "no end")
"""


@pytest.mark.parametrize(
    ("handler", "said"), [("default", "raised\nRUN_FINISHED\n"), ("handled", "returned\nagent_failed\n")]
)
def test_ctrl_c_in_the_main_thread(handler: str, said: str) -> None:
    """With Python's own handler the interrupt cancels the run and reaches the caller. With another handler nothing is raised in the caller, and
    the run fails with the agent's error."""
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, handler], check=False, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout == said, done.stderr


def test_what_a_client_s_tool_raises_is_its_caller_s() -> None:
    """Not its event loop's."""

    async def look() -> None:
        await asyncio.sleep(0)
        raise SystemExit("raised")

    def calling(run: Run) -> None:
        run.tool_call("look", arguments={})

    async def main() -> str:
        with pytest.raises(SystemExit):
            await LocalAgent(calling, tools=[look]).run_agent()
        return "goes on"

    assert asyncio.run(main()) == "goes on"

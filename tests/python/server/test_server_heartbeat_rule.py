"""The times at which a comment is due: one table for all servers. The clock is the script's."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ag_ui_native.server import Run, asgi_app
from conftest import fixture_cases

# Of WebSockets, pings are the server's under ASGI.
SCRIPTS = {script["name"]: script for script in fixture_cases("server_heartbeat_rule") if not script.get("websocket")}
BODY = json.dumps({"threadId": "t", "runId": "r", "messages": []}).encode()
COMMENT = b": \n\n"


class GivenTime(asyncio.SelectorEventLoop):
    """A loop whose clock the test moves forward. It never blocks, because the test always has a task that is ready."""

    now = 0.0

    def time(self) -> float:
        return self.now


class Exchange:
    """A request of the script's, its agent and its client."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.second = 0
        self.filled: list[int] = []
        self.run: Run | None = None
        self.is_over = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()

    async def agent(self, run: Run) -> None:
        self.run = run
        await self.is_over.wait()

    async def receive(self) -> dict[str, Any]:
        if self.run is not None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": BODY}

    async def send(self, message: dict[str, Any]) -> None:
        await self.reads.wait()
        if COMMENT in message.get("body", b""):
            self.filled.append(self.second)

    async def carry_out(self) -> None:
        headers = [(b"content-type", b"application/json")]
        if self.script.get("binary"):
            headers.append((b"accept", b"application/vnd.ag-ui.event+proto"))
        app = asgi_app(self.agent, heartbeat=self.script["pause"])
        scope = {"type": "http", "method": "POST", "headers": headers}
        answering = asyncio.ensure_future(app(scope, self.receive, self.send))
        await turns()
        loop: Any = asyncio.get_running_loop()
        for second in range(1, self.script["until"] + 1):
            self.second = second
            self.take(second)
            await turns()
            loop.now = float(second)
            await turns()
        self.is_over.set()
        self.reads.set()
        await turns()
        assert answering.done()

    def take(self, second: int) -> None:
        assert self.run is not None
        begins, ends = self.script.get("behind", (None, None))
        if second == begins:
            self.reads.clear()
        if second == ends:
            self.reads.set()
        is_behind = not self.reads.is_set()
        if is_behind or second in self.script.get("writes", ()):
            self.run.custom("c", 1)
        if second == self.script.get("end"):
            self.is_over.set()


async def turns() -> None:
    """Runs the event loop until no task can continue."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("name", SCRIPTS)
def test_silence(name: str) -> None:
    async def main() -> list[int]:
        exchange = Exchange(SCRIPTS[name])
        await exchange.carry_out()
        return exchange.filled

    with asyncio.Runner(loop_factory=GivenTime) as runner:
        assert runner.run(main()) == SCRIPTS[name]["comments"]

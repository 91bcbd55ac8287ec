"""One table for all servers, over real sockets: refusals, disconnects, slow clients, heartbeats."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from ag_ui_native import AGUIError, Limits
from ag_ui_native.server import Run, asgi_app, wsgi_app
from ag_ui_native.stream import EventDecoder, EventVerifier
from conftest import fixture_cases
from servers import asgi_server, connect, json_body, parse_answer, read_answer, reset, until, wsgi_server

CASES = {case["name"]: case for case in fixture_cases("server_cases")}
PIECE = "x" * 65536


class Agents:
    """The agents that the table names, and a record of their ends."""

    def __init__(self) -> None:
        self.written = 0
        self.fate = ""

    async def answer(self, run: Run) -> str:
        async with run.text_message() as message:
            await message.write("Hello")
        return "done"

    async def fail(self, run: Run) -> None:
        run.text_message().write("Hello")
        raise ValueError("no such thing")

    async def cancel(self, run: Run) -> None:
        run.text_message().write("Hello")
        raise asyncio.CancelledError

    async def ask(self, run: Run) -> None:
        await run.interrupt({"id": "i", "reason": "confirmation"})

    async def pause(self, run: Run) -> str:
        await run.write("Hello")
        await asyncio.sleep(0.5)
        return "done"

    async def wait(self, run: Run) -> None:
        await run.write("Hello")
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            run.write("I go.")
            self.fate = "cancelled"
            raise

    async def flood(self, run: Run) -> str:
        message = run.text_message()
        for _ in range(1000):
            await message.write(PIECE)
            self.written += len(PIECE)
        return "done"

    async def hurry(self, run: Run) -> None:
        message = run.text_message()
        for _ in range(1000):
            for _ in range(1000):
                message.write(PIECE)
            await asyncio.sleep(0)

    async def shrug(self, run: Run) -> str:
        message = run.text_message()
        with suppress(AGUIError):
            for _ in range(1000):
                for _ in range(1000):
                    message.write(PIECE)
                await asyncio.sleep(0)
        return "done"

    async def endless(self, run: Run) -> None:
        message = run.text_message()
        try:
            while True:
                await message.write(PIECE)
        except asyncio.CancelledError:
            self.fate = "cancelled"
            raise


def plain_agent(agents: Agents, name: str) -> Any:
    """Makes the agent as a plain function."""

    def answer(run: Run) -> str:
        with run.text_message() as message:
            message.write("Hello")
        return "done"

    def fail(run: Run) -> None:
        run.text_message().write("Hello")
        raise ValueError("no such thing")

    def cancel(run: Run) -> None:
        run.text_message().write("Hello")
        run.cancel()

    def ask(run: Run) -> None:
        run.interrupt({"id": "i", "reason": "confirmation"})

    def pause(run: Run) -> str:
        run.write("Hello")
        time.sleep(0.5)
        return "done"

    def wait(run: Run) -> None:
        # The client may have gone before all of it is written.
        with suppress(asyncio.CancelledError):
            run.write("Hello")
        until(lambda: run.cancelled)
        agents.fate = "cancelled"

    def flood(run: Run) -> str:
        message = run.text_message()
        for _ in range(1000):
            message.write(PIECE)
            agents.written += len(PIECE)
        return "done"

    def endless(run: Run) -> None:
        message = run.text_message()
        try:
            while True:
                message.write(PIECE)
        except asyncio.CancelledError:
            agents.fate = "cancelled"
            raise

    return locals()[name]


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    """The options of a case as Python has them."""
    options = dict(case["options"])
    if "limits" in options:
        options["limits"] = Limits(**options["limits"])
    if "pending_interrupts" in options:
        pending = options["pending_interrupts"]
        options["pending_interrupts"] = lambda input: pending
    return options


def carry_out(case: dict[str, Any], port: int, agents: Agents) -> None:
    """Asks as the case says, and compares."""
    expect, behaviour = case["expect"], case["client"]
    client = connect(port, case["request"], whole=behaviour != "stall")
    with client:
        if behaviour in ("close", "reset", "vanish"):
            received = b""
            while b"Hello" not in received and b"xxx" not in received:
                received += client.recv(4096)
            assert parse_answer(received).status == expect["status"]
            # Unread data makes the operating system reset the connection.
            reset(client) if behaviour == "reset" else client.close()
            until(lambda: agents.fate == expect["agent"])
            return
        if behaviour == "slow":
            before = -1
            while before != agents.written or (before == 0 and case["agent"] == "flood"):
                before = agents.written
                time.sleep(0.3)  # The agent writes nothing more in this time.
            assert before < expect.get("bytes_waiting", 1)
        answer = read_answer(client)
    assert answer.status == expect["status"], answer
    for name, value in expect["headers"].items():
        assert answer.headers.get(name) == value, name
    if "body" in expect:
        body = json_body(answer)
        assert {name: body.get(name) for name in expect["body"]} == expect["body"] and body["message"]
    if "end" in expect:
        decoder = EventDecoder(answer.headers["content-type"], profile="strict", as_dicts=True)
        events = decoder.feed(answer.body) + decoder.close()
        verifier = EventVerifier()
        for event in events:
            verifier.check(event)
        verifier.finish()
        assert events[-1] == expect["end"]
        assert (b": \n\n" in answer.body) == expect.get("heartbeats", False)
        if "agent" in expect:
            until(lambda: agents.fate == expect["agent"])


class Switch:
    """The application that a server is to ask at the moment."""

    def __init__(self) -> None:
        self.app: Any = asgi_app(Agents().answer)

    def __call__(self, *arguments: Any) -> Any:
        return self.app(*arguments)


class AsyncSwitch(Switch):
    """Like `Switch`, for uvicorn, which checks the kind of the application."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def asgi() -> Iterator[tuple[Switch, int]]:
    switch = AsyncSwitch()
    with asgi_server(switch) as port:
        yield switch, port


@pytest.fixture(scope="module")
def wsgi() -> Iterator[tuple[Switch, int]]:
    switch = Switch()
    with wsgi_server(switch) as port:
        yield switch, port


@pytest.mark.parametrize("name", CASES)
def test_asgi(name: str, asgi: tuple[Switch, int]) -> None:
    case, agents = CASES[name], Agents()
    asgi[0].app = asgi_app(getattr(agents, case["agent"]), **options_of(case))
    carry_out(case, asgi[1], agents)


# A plain function waits wherever it writes.
NOT_PLAIN = {"slow client, not waited for", "slow client, not waited for, by an agent that ignores errors"}


@pytest.mark.parametrize("name", [name for name in CASES if name not in NOT_PLAIN])
def test_asgi_with_a_plain_function(name: str, asgi: tuple[Switch, int]) -> None:
    case, agents = CASES[name], Agents()
    asgi[0].app = asgi_app(plain_agent(agents, case["agent"]), **options_of(case))
    carry_out(case, asgi[1], agents)


# The body is read by the server, which here takes only those whose length is known, and waits for them.
NOT_WSGI = {"body that never ends", "answer to a chunked request", "oversized, of unknown length"}


@pytest.mark.parametrize("kind", ["async", "plain"])
@pytest.mark.parametrize("name", [name for name in CASES if name not in NOT_WSGI])
def test_wsgi(name: str, kind: str, wsgi: tuple[Switch, int]) -> None:
    if kind == "plain" and name in NOT_PLAIN:
        pytest.skip("it waits wherever it writes")
    case, agents = CASES[name], Agents()
    agent = getattr(agents, case["agent"]) if kind == "async" else plain_agent(agents, case["agent"])
    options = options_of(case)
    if case["client"] in ("close", "reset"):
        # The server learns of it when it writes.
        options.setdefault("heartbeat", 0.1)
    wsgi[0].app = wsgi_app(agent, **options)
    carry_out(case, wsgi[1], agents)

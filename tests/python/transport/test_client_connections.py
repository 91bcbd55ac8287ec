"""Connections of agents over HTTP: their owners, their ends, and the data that they do not receive."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from ag_ui_native.client import HttpAgent, SyncHttpAgent
from ag_ui_native.server import Run, asgi_app
from raw_peer import CLOSE, END, HANG, OPEN, WHOLE, peer
from servers import PATIENCE, asgi_server

BODY = OPEN["send"] + END["send"]
KEPT = {"send": f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(BODY)}\r\n\r\n{BODY}"}


def test_its_own_connections_end_with_their_loop() -> None:
    with peer([KEPT, HANG], [KEPT, HANG]) as server:
        agent = HttpAgent(server.url)
        for _ in range(2):
            assert asyncio.run(agent.run_agent()).outcome == "success"
            assert server.left.wait(PATIENCE)
            server.left.clear()


def test_an_agent_that_was_closed_opens_connections_again() -> None:
    async def work(url: str) -> None:
        agent = HttpAgent(url)
        for _ in range(2):
            await agent.run_agent()
        await agent.close()
        await agent.run_agent()

    async def greet(run: Run) -> None:
        ports.append(run.run_id)

    ports: list[str] = []
    with asgi_server(asgi_app(greet)) as port:
        asyncio.run(work(f"http://127.0.0.1:{port}/"))
    assert len(ports) == 3


@pytest.mark.parametrize("how", ["abort", "cancel"])
def test_leaving_at_any_moment_leaves_no_connection_behind(how: str) -> None:
    """With one connection for all: one that stays would be waited for."""

    async def ticks(run: Run) -> None:
        await run.custom("tick", 1)

    async def leave(agent: HttpAgent, turns: int) -> None:
        task = asyncio.create_task(agent.run_agent())
        for _ in range(turns):
            await asyncio.sleep(0)
        if how == "abort":
            agent.abort_run()
        else:
            task.cancel()
        await asyncio.wait({task})

    async def work(url: str) -> None:
        for turns in range(1, 40):
            async with httpx.AsyncClient(limits=httpx.Limits(max_connections=1), timeout=PATIENCE) as client:
                agent = HttpAgent(url, client=client)
                await leave(agent, turns)
                result = await asyncio.wait_for(agent.run_agent(), PATIENCE)
                assert result.outcome == "success", turns

    with asgi_server(asgi_app(ticks)) as port:
        asyncio.run(work(f"http://127.0.0.1:{port}/"))


def moved(to: str) -> dict[str, Any]:
    return {"send": f"HTTP/1.1 307 Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"}


@pytest.mark.parametrize("face", [HttpAgent, SyncHttpAgent])
def test_credentials_do_not_come_back_from_another_origin(face: Any) -> None:
    there: list[Any] = []
    with peer(there, WHOLE) as first, peer([moved(first.url + "again"), CLOSE]) as second:
        there += [moved(second.url), CLOSE]
        agent = face(first.url, headers={"authorization": "secret", "x-mine": "1"}, redirects="any")
        result = asyncio.run(agent.run_agent()) if face is HttpAgent else agent.run_agent()
        assert result.outcome == "success"
    heads = [request.partition(b"\r\n\r\n")[0].lower() for request in (*first.requests, *second.requests)]
    assert [b"authorization: secret" in head for head in heads] == [True, False, False]
    assert all(b"x-mine: 1" in head for head in heads)

"""A server whose agents raise what ends programs. Prints its port."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Mount, Route

from ag_ui_native.client import LocalAgent, SyncLocalAgent
from ag_ui_native.server import Run, asgi_app, guard, respond

RAISED: dict[str, Any] = {
    "exit": lambda: SystemExit("raised: exit"),
    "interrupt": lambda: KeyboardInterrupt("raised: interrupt"),
    "generator": lambda: GeneratorExit("raised: generator"),
    "group": lambda: BaseExceptionGroup("raised: group", [SystemExit(1), ValueError()]),
    "cancel": lambda: asyncio.CancelledError("raised: cancel"),
}


def agents(make: Any) -> dict[str, Any]:
    async def waits(run: Run) -> None:
        await run.write("Hi")
        raise make()

    def plain(run: Run) -> None:
        run.write("Hi")
        raise make()

    def returns(run: Run) -> Any:
        return waits(run)

    async def ends(run: Run) -> None:
        await run.finish()
        raise make()

    async def cleans(run: Run) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise make()

    async def delegates(run: Run) -> None:
        async with run.subagent("inner"):
            raise make()

    async def asks(run: Run) -> None:
        await LocalAgent(waits).run_agent()

    async def asks_plainly(run: Run) -> None:
        await LocalAgent(plain).run_agent()

    def asks_blocking(run: Run) -> None:
        SyncLocalAgent(waits).run_agent()

    async def look() -> None:
        await asyncio.sleep(0)
        raise make()

    async def calls(run: Run) -> None:
        async def calling(run: Run) -> None:
            run.tool_call("look", arguments={})

        await LocalAgent(calling, tools=[look]).run_agent()

    return {
        "async": waits,
        "plain": plain,
        "returned": returns,
        "ended": ends,
        "cleanup": cleans,
        "subagent": delegates,
        "local": asks,
        "local plain": asks_plainly,
        "local blocking": asks_blocking,
        "tool": calls,
    }


def guarded(make: Any) -> dict[str, Any]:
    def events() -> Iterator[str]:
        yield 'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'
        raise make()

    async def aevents() -> AsyncIterator[str]:
        for event in ['data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n']:
            yield event
        raise make()

    return {"guard": events, "async guard": aevents}


def routes(name: str, make: Any) -> Iterator[Any]:
    for kind, agent in agents(make).items():
        limit = 0.05 if kind == "cleanup" else None
        yield Mount(f"/asgi/{name}/{kind}", asgi_app(agent, time_limit=limit))

        async def answer(request: Request, agent: Any = agent, limit: Any = limit) -> Any:
            return respond(request, agent, time_limit=limit)

        yield Route(f"/respond/{name}/{kind}", answer, methods=["POST"])
    for kind, events in guarded(make).items():

        async def stream(request: Request, events: Any = events) -> Any:
            return StreamingResponse(guard(events()), media_type="text/event-stream")

        yield Route(f"/asgi/{name}/{kind}", stream, methods=["POST"])


async def alive(request: Request) -> Any:
    return StreamingResponse(iter(["alive"]))


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr)
    every = [route for name, make in RAISED.items() for route in routes(name, make)]
    app = Starlette(routes=[*every, Route("/alive", alive)])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off")).run([listener])

"""A server in Python that serves the conversations: `python serve.py (official | ours | durable)` prints its port. It
ends with its input. With a log (`durable`) the conversation `wait` has two parts, and goes on until the run is cancelled.

`python serve.py FRAMEWORK` serves an application of tests/frameworks, with the model that is scripted there. `python serve.py ours CERTIFICATE KEY`
serves by TLS.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

if TYPE_CHECKING:
    from ag_ui_native.server import Run

CONVERSATIONS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("conversations.json").read_text("utf-8"))
FRAMEWORKS = Path(__file__).parents[2] / "frameworks"


def conversation(input: Any) -> dict[str, Any]:
    """The conversation that is asked for; answers to its questions are given back."""
    asked = CONVERSATIONS[input.messages[0].content]
    if not input.resume:
        return asked
    return {**asked["resumed"], "result": [json.loads(entry.model_dump_json(by_alias=True)) for entry in input.resume]}


def official() -> Any:
    """Serves the conversations as users of the official package do: its models behind sse-starlette, whose lines end
    with CRLF.
    """
    import ag_ui.core
    from pydantic import TypeAdapter
    from sse_starlette import EventSourceResponse
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.routing import Route

    event = TypeAdapter(ag_ui.core.Event)

    async def tell(input: ag_ui.core.RunAgentInput) -> AsyncIterator[dict[str, str]]:
        told = conversation(input)
        run = {"threadId": input.thread_id, "runId": input.run_id}
        end: dict[str, Any] = {"type": "RUN_FINISHED", **run}
        if "error" in told:
            end = {"type": "RUN_ERROR", **told["error"]}
        elif "interrupts" in told:
            end["outcome"] = {"type": "interrupt", "interrupts": told["interrupts"]}
        elif "result" in told:
            end["result"] = told["result"]
        for members in [{"type": "RUN_STARTED", **run}, *told["events"], end]:
            yield {"data": event.validate_python(members).model_dump_json(by_alias=True, exclude_none=True)}

    async def answer(request: Request) -> EventSourceResponse:
        return EventSourceResponse(tell(ag_ui.core.RunAgentInput.model_validate_json(await request.body())))

    return Starlette(routes=[Route("/", answer, methods=["POST"])])


async def tell(run: Run) -> Any:
    told = conversation(run.input)
    for event in told["events"]:
        await run.event(event)
    if "error" in told:
        await run.fail(**told["error"])
    elif "interrupts" in told:
        await run.interrupt(*told["interrupts"])
    else:
        return told.get("result")


async def wait(run: Run) -> None:
    async with run.text_message() as message:
        await message.write("one")
        await message.write(" two")
        await asyncio.Event().wait()


def ours() -> Any:
    """Serves the conversations by writing them to a run."""
    from ag_ui_native.server import asgi_app

    return asgi_app(tell)


def durable() -> Any:
    from ag_ui_native.durable import MemoryLog
    from ag_ui_native.server import asgi_app

    async def agent(run: Run) -> Any:
        return await (wait if run.input.messages[0].content == "wait" else tell)(run)

    return asgi_app(agent, log=MemoryLog(), authorize="public", grace=0.2)


def framework(name: str) -> tuple[Any, str]:
    """An application of a framework, and where in it the agent is."""
    sys.path.append(str(FRAMEWORKS))
    module = importlib.import_module(f"serve_{name}")
    return module.app(), module.PATH


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    who, *tls = sys.argv[1:]
    secured = dict(zip(("ssl_certfile", "ssl_keyfile"), tls, strict=False))
    app, path = (globals()[who](), "/") if who in ("official", "ours", "durable") else framework(who)
    print(f"{listener.getsockname()[1]}{path}", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    asyncio.run(uvicorn.Server(uvicorn.Config(app, log_level="warning", **secured)).serve([listener]))

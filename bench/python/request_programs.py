"""The programs whose whole requests are measured: each takes a RunAgentInput and streams 200 events.

Their agents yield to the event loop after each token, as an agent does that waits for a model.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import cache
from importlib import import_module
from typing import Any

ID = "msg-8f14e45f-ceea-467f-a8b2-1a2b3c4d5e6f"
DELTA = "forty characters of text, no more, less."
EVENTS = 200
TOKENS = EVENTS - 4
"""Two other events come before the tokens, and two after them."""


def fastapi_program(package: str) -> Any:
    """A program on FastAPI, with the classes and the encoder of a package."""
    core, encoder = import_module(f"{package}.core"), import_module(f"{package}.encoder")

    async def frames(input: Any) -> AsyncIterator[str]:
        encode = encoder.EventEncoder().encode
        yield encode(core.RunStartedEvent(thread_id=input.thread_id, run_id=input.run_id))
        yield encode(core.TextMessageStartEvent(message_id=ID, role="assistant"))
        for _ in range(TOKENS):
            yield encode(core.TextMessageContentEvent(message_id=ID, delta=DELTA))
            await asyncio.sleep(0)
        yield encode(core.TextMessageEndEvent(message_id=ID))
        yield encode(core.RunFinishedEvent(thread_id=input.thread_id, run_id=input.run_id))

    return _fastapi_route(core.RunAgentInput, frames)


def fastapi_alone() -> Any:
    """FastAPI without the protocol: the body stays a dictionary, and the frames are made beforehand."""

    async def frames(body: dict[str, Any]) -> AsyncIterator[str]:
        for frame in ready_frames(body["threadId"], body["runId"]):
            yield frame
            await asyncio.sleep(0)

    return _fastapi_route(dict, frames)


def _fastapi_route(kind: type, frames: Any) -> Any:
    from fastapi import FastAPI
    from starlette.responses import StreamingResponse

    async def run(body: Any) -> StreamingResponse:
        return StreamingResponse(frames(body), media_type="text/event-stream")

    run.__annotations__ = {"body": kind}
    app = FastAPI()
    app.post("/")(run)
    return app


def our_server() -> Any:
    from ag_ui_native.server import asgi_app

    return asgi_app(_our_agent)


def fastapi_responding() -> Any:
    """A program on FastAPI whose endpoint leaves the request to our server."""
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

    from ag_ui_native.server import respond

    async def run(request: Any) -> Any:
        return respond(request, _our_agent)

    run.__annotations__ = {"request": Request, "return": Response}
    app = FastAPI()
    app.post("/")(run)
    return app


async def _our_agent(run: Any) -> None:
    async with run.text_message(id=ID) as message:
        for _ in range(TOKENS):
            await message.write(DELTA)
            await asyncio.sleep(0)


def bare_loop() -> Any:
    """The least that a server does: it reads the body as JSON, and sends frames that are made beforehand."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        body, is_more = b"", True
        while is_more:
            message = await receive()
            body += message["body"]
            is_more = message["more_body"]
        asked = json.loads(body)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        for frame in ready_frames(asked["threadId"], asked["runId"]):
            await send({"type": "http.response.body", "body": frame.encode(), "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return app


@cache
def ready_frames(thread_id: str, run_id: str) -> list[str]:
    ids = {"threadId": thread_id, "runId": run_id}
    run = [
        {"type": "RUN_STARTED", **ids},
        {"type": "TEXT_MESSAGE_START", "messageId": ID, "role": "assistant"},
        *[{"type": "TEXT_MESSAGE_CONTENT", "messageId": ID, "delta": DELTA}] * TOKENS,
        {"type": "TEXT_MESSAGE_END", "messageId": ID},
        {"type": "RUN_FINISHED", **ids},
    ]
    return [f"data: {json.dumps(event, separators=(',', ':'))}\n\n" for event in run]


def pydantic_ai_program() -> Any:
    """A program on pydantic-ai's adapter; its model streams the tokens."""
    from pydantic import BaseModel
    from pydantic_ai.ui import StateDeps
    from pydantic_ai.ui.ag_ui import AGUIAdapter

    class State(BaseModel):
        items: list[dict[str, Any]] = []

    agent = _pydantic_ai_agent(deps_type=StateDeps[State])

    async def run(request: Any) -> Any:
        return await AGUIAdapter.dispatch_request(request, agent=agent, deps=StateDeps(State()))

    return _starlette_route(run)


def pydantic_ai_alone() -> Any:
    """pydantic-ai without the protocol: the same run of the agent, with messages and frames that are made beforehand."""
    from pydantic_ai.ui.ag_ui import AGUIAdapter
    from starlette.responses import StreamingResponse

    agent = _pydantic_ai_agent()

    @cache
    def history(body: bytes) -> Any:
        return AGUIAdapter.load_messages(AGUIAdapter.build_run_input(body).messages)

    async def frames(asked: dict[str, Any], messages: Any) -> AsyncIterator[str]:
        ready = iter(ready_frames(asked["threadId"], asked["runId"]))
        async with agent.run_stream_events(message_history=messages) as events:
            async for _ in events:
                if frame := next(ready, None):
                    yield frame
        for frame in ready:
            yield frame

    async def run(request: Any) -> Any:
        body = await request.body()
        return StreamingResponse(frames(json.loads(body), history(body)), media_type="text/event-stream")

    return _starlette_route(run)


def _pydantic_ai_agent(**options: Any) -> Any:
    from pydantic_ai import Agent
    from pydantic_ai.models.function import FunctionModel

    async def tokens(messages: Any, info: Any) -> AsyncIterator[str]:
        for _ in range(TOKENS):
            yield DELTA
            await asyncio.sleep(0)

    return Agent(FunctionModel(stream_function=tokens), **options)


def _starlette_route(run: Any) -> Any:
    from starlette.applications import Starlette
    from starlette.routing import Route

    return Starlette(routes=[Route("/", run, methods=["POST"])])


def installed(program: Any) -> Any:
    """A program of the official package, unchanged, after `install()`."""
    import ag_ui_native

    ag_ui_native.install()
    return program()


PROGRAMS = {
    "FastAPI": lambda: fastapi_program("ag_ui"),
    "FastAPI, install()": lambda: installed(lambda: fastapi_program("ag_ui")),
    "FastAPI, our classes": lambda: fastapi_program("ag_ui_native"),
    "FastAPI alone": fastapi_alone,
    "FastAPI, respond()": fastapi_responding,
    "our server": our_server,
    "bare loop": bare_loop,
    "pydantic-ai": pydantic_ai_program,
    "pydantic-ai, install()": lambda: installed(pydantic_ai_program),
    "pydantic-ai alone": pydantic_ai_alone,
}

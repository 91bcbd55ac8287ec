"""ag2: an agent with a scripted model behind its AG-UI stream."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ag2 import Agent, Context
from ag2.ag_ui import AGUIStream
from ag2.config import LLMClient
from ag2.events import (
    BaseEvent,
    ModelMessage,
    ModelMessageChunk,
    ModelRequest,
    ModelResponse,
    ToolCallEvent,
    ToolCallsEvent,
    ToolResultsEvent,
)
from ag2.testing import TestConfig
from scenarios import answer
from starlette.applications import Starlette
from starlette.routing import Route

PATH = "/"


class Client(LLMClient):
    """The scripted model."""

    async def __call__(self, messages: Sequence[BaseEvent], context: Context, **_: Any) -> ModelResponse:
        prompts = [str(message) for message in messages if isinstance(message, ModelRequest)]
        said = answer(prompts[-1] if prompts else "", has_result=isinstance(messages[-1], ToolResultsEvent))
        if isinstance(said, dict):
            call = ToolCallEvent(id="call-1", name=said["name"], arguments=json.dumps(said["arguments"]))
            return ModelResponse(tool_calls=ToolCallsEvent([call]))
        for piece in said:
            await context.send(ModelMessageChunk(piece))
        message = ModelMessage("".join(said))
        await context.send(message)
        return ModelResponse(message)


class Scripted(TestConfig):
    """Makes the scripted model."""

    def create(self) -> LLMClient:
        return Client()


def get_weather(city: str) -> dict[str, Any]:
    """The weather in a city."""
    return {"city": city, "degrees": 21.5}


def remember(context: Context, fact: str) -> str:
    """Notes a fact."""
    context.variables["facts"] = [*context.variables.get("facts", []), fact]
    return "noted"


def app() -> Starlette:
    """The application."""
    agent = Agent("agent", config=Scripted(), tools=[get_weather, remember])
    return Starlette(routes=[Route(PATH, AGUIStream(agent).build_asgi())])

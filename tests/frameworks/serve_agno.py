"""agno: an agent with a scripted model behind its AG-UI interface."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.os.interfaces.agui import AGUI
from agno.run import RunContext
from fastapi import FastAPI
from scenarios import answer

PATH = "/agui"


class Scripted(Model):
    """The scripted model."""

    def ainvoke_stream(self, messages: list[Any], **_: Any) -> AsyncIterator[ModelResponse]:
        async def stream() -> AsyncIterator[ModelResponse]:
            for response in self.invoke_stream(messages):
                yield response

        return stream()

    def invoke_stream(self, messages: list[Any], **_: Any) -> Iterator[ModelResponse]:
        users = [message for message in messages if message.role == "user"]
        said = answer(str(users[-1].content) if users else "", has_result=messages[-1].role == "tool")
        if isinstance(said, dict):
            function = {"name": said["name"], "arguments": json.dumps(said["arguments"])}
            yield ModelResponse(
                role="assistant", tool_calls=[{"id": "call-1", "type": "function", "function": function}]
            )
            return
        for piece in said:
            yield ModelResponse(role="assistant", content=piece)

    def invoke(self, *_: Any, **__: Any) -> ModelResponse:
        raise NotImplementedError

    async def ainvoke(self, *_: Any, **__: Any) -> ModelResponse:
        raise NotImplementedError

    def _parse_provider_response(self, response: Any, **_: Any) -> ModelResponse:
        raise NotImplementedError

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        raise NotImplementedError


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def remember(run_context: RunContext, fact: str) -> str:
    """Notes a fact."""
    if run_context.session_state is not None:
        run_context.session_state.setdefault("facts", []).append(fact)
    return "noted"


def app() -> FastAPI:
    """The application."""
    agent = Agent(
        id="agent", model=Scripted(id="scripted"), tools=[get_weather, remember], db=InMemoryDb(), telemetry=False
    )
    api = FastAPI()
    api.include_router(AGUI(agent=agent).get_router())
    return api

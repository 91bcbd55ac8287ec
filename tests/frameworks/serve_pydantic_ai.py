"""pydantic-ai: an agent with a scripted model behind its adapter."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from ag_ui.core import CustomEvent, EventType, StateSnapshotEvent
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.ui import StateDeps
from pydantic_ai.ui.ag_ui import AGUIAdapter
from scenarios import DELETE, answer, resumed
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PATH = "/"
SCENARIOS = {
    "approval": [DELETE, resumed("int-call-1", "resolved", payload={"approved": True})],
    "approval refused": [DELETE, resumed("int-call-1", "resolved", payload={"approved": False, "reason": "no"})],
    "approval cancelled": [DELETE, resumed("int-call-1", "cancelled")],
    "approval of something else": [DELETE, resumed("int-call-2", "resolved", payload={"approved": True})],
}


class Facts(BaseModel):
    """The state."""

    facts: list[str] = []


async def model(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    """The scripted model."""
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    prompts = [part.content for part in parts if isinstance(part, UserPromptPart)]
    said = answer(str(prompts[-1]) if prompts else "", has_result=isinstance(parts[-1], ToolReturnPart))
    if isinstance(said, dict):
        arguments = json.dumps(said["arguments"])
        yield {0: DeltaToolCall(name=said["name"], json_args=arguments[:9], tool_call_id="call-1")}
        yield {0: DeltaToolCall(json_args=arguments[9:])}
        return
    for piece in said:
        yield piece


def make_agent() -> Agent[StateDeps[Facts], Any]:
    """The agent and its tools."""
    agent: Agent[StateDeps[Facts], Any] = Agent(
        FunctionModel(stream_function=model), deps_type=StateDeps[Facts], output_type=[str, DeferredToolRequests]
    )

    @agent.tool_plain
    def get_weather(city: str) -> dict[str, Any]:
        return {"city": city, "degrees": 21.5}

    @agent.tool_plain(requires_approval=True)
    def delete_all() -> str:
        return "deleted"

    @agent.tool
    def remember(context: RunContext[StateDeps[Facts]], fact: str) -> Any:
        from pydantic_ai import ToolReturn

        context.deps.state.facts.append(fact)
        snapshot = StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot=context.deps.state)
        count = CustomEvent(type=EventType.CUSTOM, name="count", value={"n": len(context.deps.state.facts)})
        return ToolReturn(return_value="noted", metadata=[snapshot, count])

    return agent


def app() -> Starlette:
    """The application."""
    agent = make_agent()

    async def run(request: Request) -> Response:
        return await AGUIAdapter.dispatch_request(request, agent=agent, deps=StateDeps(Facts()))

    return Starlette(routes=[Route(PATH, run, methods=["POST"])])

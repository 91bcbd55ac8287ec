"""agent-framework-ag-ui: an agent with a scripted chat client, state and a tool that asks first."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from agent_framework import Agent, BaseChatClient, ChatResponseUpdate, Content, FunctionInvocationLayer, tool
from agent_framework_ag_ui import AgentFrameworkAgent, add_agent_framework_fastapi_endpoint
from fastapi import FastAPI
from scenarios import DELETE, answer

PATH = "/agent"
SCENARIOS = {"approval": [DELETE]}


class Scripted(FunctionInvocationLayer, BaseChatClient):
    """The scripted model."""

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
        users = [message for message in messages if message.role == "user"]
        said = answer(str(users[-1].text) if users else "", has_result=messages[-1].role == "tool")

        async def updates() -> AsyncIterator[ChatResponseUpdate]:
            if isinstance(said, dict):
                call = Content.from_function_call("call-1", said["name"], arguments=json.dumps(said["arguments"]))
                yield ChatResponseUpdate(contents=[call], role="assistant", message_id="model-1")
                return
            for piece in said:
                yield ChatResponseUpdate(contents=[Content.from_text(piece)], role="assistant", message_id="model-2")

        return self._build_response_stream(updates())


@tool(approval_mode="never_require")
def get_weather(city: str) -> dict[str, Any]:
    """The weather in a city."""
    return {"city": city, "degrees": 21.5}


@tool(approval_mode="never_require")
def remember(fact: str) -> str:
    """Notes a fact."""
    return "noted"


@tool(approval_mode="always_require")
def delete_all() -> str:
    """Deletes everything."""
    return "deleted"


def app() -> FastAPI:
    """The application."""
    agent = Agent(client=Scripted(), name="agent", instructions="Be kind.", tools=[get_weather, remember, delete_all])
    wrapped = AgentFrameworkAgent(
        agent=agent,
        state_schema={"fact": {"type": "string"}},
        predict_state_config={"fact": {"tool": "remember", "tool_argument": "fact"}},
    )
    api = FastAPI()
    add_agent_framework_fastapi_endpoint(api, wrapped, PATH, single_user=True, keepalive_seconds=None)
    return api

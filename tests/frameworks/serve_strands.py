"""ag-ui-strands: an agent with a scripted model, state and a tool that asks first."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from ag_ui_strands import StrandsAgent, StrandsAgentConfig, ToolBehavior, add_strands_fastapi_endpoint
from fastapi import FastAPI
from scenarios import DELETE, answer, request, resumed
from strands import Agent, ToolContext, tool
from strands.models.model import Model

PATH = "/agent"
INTERRUPT = "v1:tool_call:call-1:225d3982-9eb3-5ce9-93ca-f09a444307f7"
SCENARIOS = {
    "interrupt": [DELETE, resumed(INTERRUPT, "resolved", payload="go on")],
    "interrupt cancelled": [DELETE, resumed(INTERRUPT, "cancelled")],
    "two runs of a thread": [request("hello"), request("weather?", runId="run-2")],
}


class Scripted(Model):
    """The scripted model."""

    def update_config(self, **_: Any) -> None:
        pass

    def get_config(self) -> dict[str, Any]:
        return {"model_id": "scripted"}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[Any]:  # type: ignore[override]
        blocks = [block for message in messages for block in message["content"] if message["role"] == "user"]
        texts = [block["text"] for block in blocks if "text" in block]
        said = answer(texts[-1] if texts else "", has_result="toolResult" in messages[-1]["content"][-1])
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(said, dict):
            arguments = json.dumps(said["arguments"])
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "call-1", "name": said["name"]}}}}
            for piece in (arguments[:9], arguments[9:]):
                yield {"contentBlockDelta": {"delta": {"toolUse": {"input": piece}}}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            for piece in said:
                yield {"contentBlockDelta": {"delta": {"text": piece}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if isinstance(said, dict) else "end_turn"}}
        usage = {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
        yield {"metadata": {"usage": usage, "metrics": {"latencyMs": 0}}}


@tool
def get_weather(city: str) -> dict[str, Any]:
    """The weather in a city."""
    return {"status": "success", "content": [{"json": {"city": city, "degrees": 21.5}}]}


@tool
def remember(fact: str) -> str:
    """Notes a fact."""
    return json.dumps({"noted": fact})


@tool(context=True)
def delete_all(tool_context: ToolContext) -> str:
    """Deletes everything."""
    return str(tool_context.interrupt("approval", reason={"what": "everything"}))


async def state_from_arguments(context: Any) -> dict[str, Any]:
    """The state after a fact was noted."""
    return {"facts": [context.tool_input]}


def app() -> FastAPI:
    """The application."""
    agent = Agent(model=Scripted(), tools=[get_weather, remember, delete_all], callback_handler=None)
    config = StrandsAgentConfig(tool_behaviors={"remember": ToolBehavior(state_from_args=state_from_arguments)})
    api = FastAPI()
    add_strands_fastapi_endpoint(api, StrandsAgent(agent, name="agent", config=config), PATH)
    return api

"""A Python agent server: `/assistant` runs an agent framework, `/planner` a hand-written agent, `/durable` the same with a
log, so that its runs survive cuts. `python server.py PORT`
"""

import sys
from collections.abc import AsyncIterator

import uvicorn
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from ag_ui_native.core import RunAgentInput
from ag_ui_native.durable import MemoryLog
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.server import Run, asgi_app
from planner import plan


async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    """A model that needs no network: it calls the tool, then reports the tool's result."""
    if len(messages) == 1:
        yield "Let me look that up. "
        yield {0: DeltaToolCall(name="weather", json_args='{"city": "Par', tool_call_id="call-1")}
        yield {0: DeltaToolCall(json_args='is"}')}
    else:
        for word in ("It ", "is ", "21 ", "degrees ", "in ", "Paris."):
            yield word


agent = Agent(FunctionModel(stream_function=script))


@agent.tool_plain
def weather(city: str) -> dict[str, object]:
    """The weather in a city."""
    return {"city": city, "celsius": 21}


async def assistant(request: Request) -> StreamingResponse:
    run = AGUIAdapter.build_run_input(await request.body())
    adapter = AGUIAdapter(agent=agent, run_input=run)
    # The framework's events are objects of the official package; the encoder accepts them.
    encoder = EventEncoder(request.headers.get("accept"), protobuf=True)
    frames = (encoder.encode(event) async for event in adapter.run_stream())
    return StreamingResponse(frames, media_type=encoder.get_content_type())


async def planner(request: Request) -> StreamingResponse:
    run = RunAgentInput.model_validate_json(await request.body())
    encoder = EventEncoder(request.headers.get("accept"), protobuf=True, timestamps=True)
    frames = (encoder.encode(event) for event in plan(run))
    return StreamingResponse(frames, media_type=encoder.get_content_type())


async def durable(run: Run) -> None:
    for event in [*plan(run.input)][1:]:  # the run has started
        await run.event(event)


routes = [
    Route("/assistant", assistant, methods=["POST"]),
    Route("/planner", planner, methods=["POST"]),
    # A mounted application would redirect the address without the last slash.
    Route("/durable", asgi_app(durable, log=MemoryLog(), authorize="public")),
]
app = Starlette(routes=routes)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")

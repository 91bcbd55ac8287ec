"""A pydantic-ai agent on AG-UI: the framework as it is, on the classes and the encoder of this package.

    MODEL=openai:gpt-5 PORT=8000 python pydantic_ai_server.py

Without MODEL, pydantic-ai's test model answers; it needs no network.
"""

import os

import ag_ui_native

ag_ui_native.install()  # before anything imports ag_ui

import uvicorn
from pydantic_ai import Agent
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

agent = Agent(os.environ.get("MODEL", "test"), instructions="Be kind, and brief.")


@agent.tool_plain
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"It is sunny in {city}."


async def run(request: Request) -> Response:
    return await AGUIAdapter.dispatch_request(request, agent=agent)


if __name__ == "__main__":
    app = Starlette(routes=[Route("/", run, methods=["POST"])])
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

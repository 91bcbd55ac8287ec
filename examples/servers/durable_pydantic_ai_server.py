"""A pydantic-ai agent whose runs survive: the framework's adapter as it is, behind a server with a log.

    MODEL=openai:gpt-5 PORT=8000 python durable_pydantic_ai_server.py

Without MODEL, pydantic-ai's test model answers; it needs no network.
"""

import os
from contextlib import aclosing

import ag_ui_native

ag_ui_native.install()  # before anything imports ag_ui

import uvicorn
from pydantic_ai import Agent
from pydantic_ai.ui.ag_ui import AGUIAdapter

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app

assistant = Agent(os.environ.get("MODEL", "test"), instructions="Be kind, and brief.")


@assistant.tool_plain
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"It is sunny in {city}."


# --8<-- [start:app]
async def agent(run: Run) -> None:
    adapter = AGUIAdapter(agent=assistant, run_input=run.input)
    async with aclosing(adapter.run_stream()) as events:  # closed at once when the run is cancelled
        async for event in events:
            if event.type != "RUN_STARTED":  # the run has begun
                await run.event(event)


app = asgi_app(agent, log=MemoryLog(), authorize="public")
# --8<-- [end:app]

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

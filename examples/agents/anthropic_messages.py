"""An agent with a model behind Anthropic's messages. The model calls a tool, gets the result and answers.

ANTHROPIC_API_KEY=... PORT=8000 python anthropic_messages.py
"""

import os

import uvicorn
from anthropic import AsyncAnthropic

from ag_ui_native.adapters.anthropic import message_params, message_tools, stream_message
from ag_ui_native.core import Tool
from ag_ui_native.server import Run, asgi_app

MODEL = os.environ.get("MODEL", "claude-sonnet-4-5")
GET_WEATHER = Tool(
    name="get_weather",
    description="The weather of a city now.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
client = AsyncAnthropic()  # reads ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for another server


def get_weather(city: str) -> dict[str, object]:
    return {"city": city, "sky": "clear", "degrees": 21}


async def agent(run: Run) -> None:
    messages = list(run.messages)
    for _ in range(10):  # a limit, in case the model never stops calling
        stream = await client.messages.create(
            model=MODEL,
            max_tokens=4096,
            thinking={"type": "enabled", "budget_tokens": 1024},  # shown to the user
            tools=message_tools([GET_WEATHER]),
            stream=True,
            **message_params(messages),
        )
        reply = await stream_message(run, stream)
        if not reply.tool_calls:
            return
        messages += reply.messages
        for call in reply.tool_calls:
            messages.append(await call.answer(get_weather(**call.arguments)))


app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

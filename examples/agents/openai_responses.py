"""An agent with a model behind OpenAI's responses. The model calls a tool, gets the result and answers.

OPENAI_API_KEY=... PORT=8000 python openai_responses.py
"""

import os

import uvicorn
from openai import AsyncOpenAI

from ag_ui_native.adapters.openai import response_input, response_tools, stream_response
from ag_ui_native.core import Tool
from ag_ui_native.server import Run, asgi_app

MODEL = os.environ.get("MODEL", "gpt-5-mini")
GET_WEATHER = Tool(
    name="get_weather",
    description="The weather of a city now.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
client = AsyncOpenAI()  # reads OPENAI_API_KEY, and OPENAI_BASE_URL for another server


def get_weather(city: str) -> dict[str, object]:
    return {"city": city, "sky": "clear", "degrees": 21}


# --8<-- [start:agent]
async def agent(run: Run) -> None:
    messages = list(run.messages)
    for _ in range(10):  # a limit, in case the model never stops calling
        stream = await client.responses.create(
            model=MODEL,
            input=response_input(messages),
            tools=response_tools([GET_WEATHER]),
            reasoning={"summary": "auto"},  # shown to the user
            include=["reasoning.encrypted_content"],  # goes back with the next request
            store=False,
            stream=True,
        )
        reply = await stream_response(run, stream)
        if not reply.tool_calls:
            return
        messages += reply.messages
        for call in reply.tool_calls:
            messages.append(await call.answer(get_weather(**call.arguments)))


# --8<-- [end:agent]
app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

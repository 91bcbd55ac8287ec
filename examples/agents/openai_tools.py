"""An agent with instructions, two tools and images, whose model may be wrong: `OPENAI_API_KEY=... python openai_tools.py`"""

import os
from collections.abc import Callable
from typing import Any

import uvicorn
from openai import AsyncOpenAI

from ag_ui_native import AGUIValidationError
from ag_ui_native.adapters.openai import chat_messages, chat_tools, stream_chat
from ag_ui_native.core import SystemMessage, Tool
from ag_ui_native.server import Run, asgi_app

MODEL = os.environ.get("MODEL", "gpt-5-mini")
INSTRUCTIONS = SystemMessage(id="instructions", content="You plan trips. Be brief.")
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [
    Tool(name="get_weather", description="The weather of a city now.", parameters=CITY),
    Tool(name="get_hotels", description="The hotels of a city.", parameters=CITY),
]
client = AsyncOpenAI()


def get_weather(city: str) -> dict[str, Any]:
    return {"city": city, "sky": "clear", "degrees": 21}


def get_hotels(city: str) -> list[str]:
    return [f"Grand Hotel {city}"]


FUNCTIONS: dict[str, Callable[..., Any]] = {"get_weather": get_weather, "get_hotels": get_hotels}


async def agent(run: Run) -> None:
    messages = [INSTRUCTIONS, *run.messages]
    for _ in range(10):  # a limit, in case the model never stops calling
        try:
            asked = chat_messages(messages)  # images go to the model, too
        except AGUIValidationError as error:  # code `unsupported_part`: chat completions take no video, for example
            run.fail("I cannot read that file. Send an image.", error.code)
            return
        stream = await client.chat.completions.create(
            model=MODEL, messages=asked, tools=chat_tools(TOOLS), stream=True, stream_options={"include_usage": True}
        )
        reply = await stream_chat(run, stream)
        if not reply.tool_calls:
            return
        messages += reply.messages
        for call in reply.tool_calls:
            try:
                result = FUNCTIONS[call.name](**call.arguments)
            except (KeyError, TypeError, ValueError) as error:  # an unknown tool, or wrong arguments
                result = f"The call failed: {error}"  # the model reads this, and may try again
            messages.append(await call.answer(result))


app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

"""An agent on LiteLLM, which speaks to the models of all providers: `MODEL=anthropic/claude-sonnet-4-5 python litellm_server.py`"""

import os

import litellm
import uvicorn

from ag_ui_native.adapters.openai import chat_messages, chat_tools, stream_chat
from ag_ui_native.server import Run, asgi_app

MODEL = os.environ.get("MODEL", "openai/gpt-5-mini")  # the provider, and its name of the model


async def agent(run: Run) -> None:
    stream = await litellm.acompletion(
        model=MODEL,
        messages=chat_messages(run.messages),
        tools=chat_tools(run.input.tools) or None,  # those of the client, which answers the calls
        stream=True,
        stream_options={"include_usage": True},
    )
    await stream_chat(run, stream, provider=MODEL.partition("/")[0])


app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

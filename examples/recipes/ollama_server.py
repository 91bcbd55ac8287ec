"""An agent on a model of your own machine: `ollama pull qwen3`, then `PORT=8000 python ollama_server.py`"""

import os

import uvicorn
from openai import AsyncOpenAI, omit

from ag_ui_native.adapters.openai import chat_messages, chat_tools, stream_chat
from ag_ui_native.server import Run, asgi_app

MODEL = os.environ.get("MODEL", "qwen3")
client = AsyncOpenAI(base_url=os.environ.get("OLLAMA_URL", "http://127.0.0.1:11434/v1"), api_key="ollama")  # any key


async def agent(run: Run) -> None:
    stream = await client.chat.completions.create(
        model=MODEL,
        messages=chat_messages(run.messages),
        tools=chat_tools(run.input.tools) or omit,  # those of the client, which answers the calls
        stream=True,
        stream_options={"include_usage": True},
    )
    await stream_chat(run, stream, provider="ollama")


app = asgi_app(agent, heartbeat=10)  # the first answer waits until the model is loaded

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

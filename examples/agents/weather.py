"""An agent that streams text and uses a tool itself: `PORT=8000 python weather.py`"""

import asyncio
import json
import os
from collections.abc import AsyncIterator

import uvicorn

from ag_ui_native.content import content_to_text
from ag_ui_native.server import Run, asgi_app


async def model(text: str) -> AsyncIterator[str]:  # stands for the model that you use
    for start in range(0, len(text), 8):
        await asyncio.sleep(0.01)
        yield text[start : start + 8]


# --8<-- [start:agent]
async def agent(run: Run) -> None:
    asked = run.messages[-1]
    city = content_to_text(asked.content) if asked.role == "user" else "Rome"
    # --8<-- [start:tool]
    async with run.tool_call("get_weather") as call:
        async for piece in model(json.dumps({"city": city, "unit": "C"})):
            await call.write(piece)  # the arguments, as the model writes them
    await call.result("sunny, 24")
    # --8<-- [end:tool]
    # --8<-- [start:text]
    async with run.text_message() as message:
        async for piece in model(f"It is sunny in {city}."):
            await message.write(piece)  # waits while the client is slow
    # --8<-- [end:text]
    run.usage({"provider": "none", "inputTokens": 9, "outputTokens": 14})
    # --8<-- [end:agent]


app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

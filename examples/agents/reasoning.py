"""An agent that shows its reasoning, and gets it back in the provider's encrypted form.

PORT=8000 python reasoning.py
"""

import os

import uvicorn

from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    # --8<-- [start:memory]
    before = [message.encrypted_value for message in run.messages if message.role == "reasoning"]
    # --8<-- [end:memory]
    # --8<-- [start:think]
    async with run.reasoning() as thought:
        for piece in ("The user greets. ", "I greet back."):
            await thought.write(piece)
        await thought.encrypted_value(f"sealed-{len(before)}", "example.thought")  # what your provider gives you
    # --8<-- [end:think]
    await run.write(f"Hello! I remember {len(before)} thoughts.")


app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

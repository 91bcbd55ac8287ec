"""An agent that calls a function of its client: `PORT=8000 python notes.py`"""

import os

import uvicorn

from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    last = run.messages[-1]
    if last.role == "tool":  # the client has called its function, and sends the result in a new run
        await run.write(f"It says: {last.content}")
    elif any(tool.name == "read_note" for tool in run.input.tools or []):  # the functions that this client offers
        name = str(last.content).split()[-1].rstrip("?")  # in real life a model chooses the arguments
        run.tool_call("read_note", {"name": name})  # without a result: the run ends, and the client answers
    else:
        await run.write("You have no notes for me.")


app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

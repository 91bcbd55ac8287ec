"""An agent that fails, and a server that says why: `PORT=8000 python debug_server.py`"""

import logging
import os

import uvicorn

from ag_ui_native.server import Run, asgi_app

logging.basicConfig(
    format="%(levelname)s %(name)s: %(message)s"
)  # the loggers of this package begin with "ag_ui_native"


async def agent(run: Run) -> None:
    await run.write("Let me see.")
    raise ValueError("no such city")


app = asgi_app(
    agent, show_errors=os.environ.get("DEBUG") == "1"
)  # in production the client learns no more than "failed"

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

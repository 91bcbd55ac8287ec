"""A deployed agent: with limits, behind a proxy, and with an orderly shutdown.

PORT=8000 python deployed.py
"""

import asyncio
import os

import uvicorn

from ag_ui_native.limits import Limits
from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    await run.write("Let me see.")
    await asyncio.sleep(float(os.environ.get("WORK", "60")))
    await run.write("Done.")


# --8<-- [start:app]
LONGEST = int(os.environ.get("LONGEST", "300"))  # seconds that a run may take

app = asgi_app(
    agent,
    time_limit=LONGEST,  # then RUN_ERROR, code run_timeout
    heartbeat=float(os.environ.get("HEARTBEAT", "15")),  # seconds: below the proxy's read timeout
    max_waiting=1 << 20,  # bytes of an agent that writes without waiting
    limits=Limits(input_bytes=4 << 20),  # bytes of a request
    cors=["https://app.example.org"],
)
# --8<-- [end:app]

# --8<-- [start:serve]
if __name__ == "__main__":
    # At SIGTERM the server accepts no new connections, and every run ends with an event.
    port = int(os.environ.get("PORT", "8000"))
    uvicorn.run(app, port=port, log_level="warning", timeout_graceful_shutdown=LONGEST + 5)
# --8<-- [end:serve]

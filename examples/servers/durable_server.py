"""An agent whose runs outlive their connections: `uvicorn --app-dir examples/servers durable_server:app`"""

import os
from typing import Any

from ag_ui_native.durable import MemoryLog, RedisLog
from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    await run.write("A connection that is cut does not end this run.")


# --8<-- [start:app]
def authorize(scope: dict[str, Any], action: str, thread_id: str, run_id: str | None) -> str | None:
    """Returns the user: a user sees the own runs only. None refuses the request."""
    user = dict(scope["headers"]).get(b"x-user")  # as your login knows it
    return user.decode() if user else None


# A log for many processes and machines, or one that lives as long as this process.
log = RedisLog(os.environ["REDIS_URL"]) if "REDIS_URL" in os.environ else MemoryLog()

app = asgi_app(agent, log=log, authorize=authorize)
# --8<-- [end:app]

if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

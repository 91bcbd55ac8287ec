"""An agent with limits for each user and for the whole process: `PORT=8000 python limits_server.py`"""

import asyncio
import math
import os
import time
from typing import Any

import uvicorn
from starlette.responses import PlainTextResponse

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app

PER_MINUTE, ALL = 20, int(os.environ.get("ALL", "200"))  # requests of one user; runs of all users at one time
started: dict[str, list[float]] = {}
active = 0


async def agent(run: Run) -> None:
    await asyncio.sleep(float(os.environ.get("WORK", "1")))
    await run.write("Done.")


def user(scope: Any, *_: Any) -> str:
    return str(dict(scope["headers"]).get(b"x-user", b"guest"), "latin-1")  # in real life: see "Authenticate"


# Two runs of a user at one time, and four connections that read them.
served = asgi_app(agent, log=MemoryLog(), authorize=user, max_active_runs=2, max_readers=4)


def seconds_to_wait(name: str) -> float:
    """Counts a request; if it comes too early, returns when the user may ask again."""
    now = time.monotonic()
    times = started[name] = [at for at in started.get(name, []) if at > now - 60]
    if active >= ALL:
        return 2
    if len(times) >= PER_MINUTE:
        return times[0] + 60 - now
    times.append(now)
    return 0


async def app(scope: Any, receive: Any, send: Any) -> None:
    global active
    is_cancel = b"&cancel=" in b"&" + scope["query_string"]
    starts = scope["type"] == "websocket" or (scope.get("method") == "POST" and not is_cancel)
    if starts and (seconds := seconds_to_wait(user(scope))):
        refusal = PlainTextResponse("too many runs", 429, {"retry-after": str(math.ceil(seconds))})
        return await refusal(scope, receive, send)
    active += starts
    try:
        await served(scope, receive, send)
    finally:
        active -= starts


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

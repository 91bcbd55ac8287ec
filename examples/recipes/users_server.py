"""Who is it, and how much: bearer tokens, then limits for each user. `PORT=8000 python users_server.py`"""

import asyncio
import math
import os
import time
from contextvars import ContextVar
from typing import Any

import uvicorn
from starlette.responses import PlainTextResponse

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app

USERS = {b"Bearer secret": "ada", b"Bearer hidden": "bob"}  # in real life: check the signature and the age of a token
PER_MINUTE = 20  # requests of one user that start runs
user: ContextVar[str] = ContextVar("user")
started: dict[str, list[float]] = {}


async def agent(run: Run) -> None:
    await asyncio.sleep(float(os.environ.get("WORK", "1")))
    await run.write(f"Hello, {user.get()}.")


def authorize(*_: Any) -> str:
    return user.get()  # owns the run, and is the one whose runs are counted


served = asgi_app(agent, log=MemoryLog(), authorize=authorize, max_active_runs=2, max_readers=4)


def seconds_to_wait(name: str) -> float:
    """Counts a request; if it comes too early, returns when the user may ask again."""
    now = time.monotonic()
    times = started[name] = [at for at in started.get(name, []) if at > now - 60]
    if len(times) >= PER_MINUTE:
        return times[0] + 60 - now
    times.append(now)
    return 0


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "lifespan":
        name = USERS.get(dict(scope["headers"]).get(b"authorization", b""))
        if name is None:  # 1. Who is it?
            refusal = PlainTextResponse("who are you?", 401, {"www-authenticate": "Bearer"})
            return await refusal(scope, receive, send)
        user.set(name)
        is_cancel = b"&cancel=" in b"&" + scope["query_string"]
        starts = scope["type"] == "websocket" or (scope.get("method") == "POST" and not is_cancel)
        if starts and (seconds := seconds_to_wait(name)):  # 2. How many in a minute?
            refusal = PlainTextResponse("too many runs", 429, {"retry-after": str(math.ceil(seconds))})
            return await refusal(scope, receive, send)
    await served(scope, receive, send)  # 3. How many at one time?


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

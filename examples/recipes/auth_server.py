"""An agent behind bearer tokens, under any ASGI server: `PORT=8000 python auth_server.py`"""

import os
from contextvars import ContextVar
from typing import Any

import uvicorn
from starlette.responses import PlainTextResponse

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app

USERS = {b"Bearer secret": "ada", b"Bearer hidden": "bob"}  # in real life: check the signature and the age of a token
user: ContextVar[str] = ContextVar("user")


async def agent(run: Run) -> None:
    await run.write(f"Hello, {user.get()}.")


def authorize(*_: Any) -> str:
    """Returns the owner of what is started or read: threads of others do not exist for this user."""
    return user.get()


served = asgi_app(agent, log=MemoryLog(), authorize=authorize, cors=["https://app.example.org"])


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "lifespan" and scope.get("method") != "OPTIONS":  # a browser asks first, without the token
        name = USERS.get(dict(scope["headers"]).get(b"authorization", b""))
        if name is None:
            refusal = PlainTextResponse("who are you?", 401, {"www-authenticate": "Bearer"})
            return await refusal(scope, receive, send)
        user.set(name)
    await served(scope, receive, send)


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

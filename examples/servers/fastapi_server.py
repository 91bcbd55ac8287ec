"""An agent within an endpoint of FastAPI, with the application's own authentication.

PORT=8000 python fastapi_server.py
"""

import os
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI, Header, HTTPException, Request, Response

from ag_ui_native.server import Run, respond

app = FastAPI()
USERS = {"Bearer secret": "Ada"}


def user(authorization: Annotated[str, Header()] = "") -> str:
    if authorization not in USERS:
        raise HTTPException(401, "who are you?")
    return USERS[authorization]


@app.post("/agent")
async def answer(request: Request, name: Annotated[str, Depends(user)]) -> Response:
    async def agent(run: Run) -> None:
        call = run.tool_call("look", {"at": "the weather"})
        await call.result("sunny")
        await run.write(f"Take sunglasses, {name}.")

    return respond(request, agent)


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

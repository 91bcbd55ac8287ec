"""An agent in FastAPI: bearer tokens, threads of their own for users, and two runs of a user at one time.

PORT=8000 python auth_fastapi.py
"""

import asyncio
import os
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI, Header, HTTPException, Request, Response

from ag_ui_native.durable import SQLiteLog
from ag_ui_native.server import Run, respond

USERS = {"Bearer secret": "ada", "Bearer hidden": "bob"}  # in real life: check the signature and the age of a token
app = FastAPI()
log = SQLiteLog(os.environ.get("RUNS", "runs.db"))  # one for all requests


def login(authorization: Annotated[str, Header()] = "") -> str:
    if authorization not in USERS:
        raise HTTPException(401, "who are you?", {"www-authenticate": "Bearer"})
    return USERS[authorization]


@app.api_route("/", methods=["GET", "POST"])  # POST asks, and GET reads on after a cut
async def answer(request: Request, user: Annotated[str, Depends(login)]) -> Response:
    async def agent(run: Run) -> None:
        await asyncio.sleep(float(os.environ.get("WORK", "1")))  # about as slow as a model
        await run.write(f"Hello, {user}.")

    def authorize(*_: object) -> str:
        return user  # owns the threads that are begun here, and reads no others

    return respond(request, agent, log=log, authorize=authorize, max_active_runs=2)


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

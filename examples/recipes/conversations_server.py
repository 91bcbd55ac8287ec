"""Conversations that stay: users list, open, continue and delete their own. `PORT=8000 python conversations_server.py`"""

import os
from collections import defaultdict
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI, Header, Request, Response

from ag_ui_native.content import content_to_text
from ag_ui_native.durable import SQLiteLog, delete_thread
from ag_ui_native.server import Run, respond

app = FastAPI()
log = SQLiteLog(os.environ.get("RUNS", "runs.db"))  # what was said in each conversation
titles: defaultdict[str, dict[str, str]] = defaultdict(dict)  # which there are: in real life a table of your database


def login(x_user: Annotated[str, Header()]) -> str:
    return x_user  # in real life: see "Authenticate"


User = Annotated[str, Depends(login)]


@app.api_route("/agent", methods=["GET", "POST"])
async def answer(request: Request, user: User) -> Response:
    async def agent(run: Run) -> None:
        said = [content_to_text(message.content) for message in run.messages if message.role == "user"]
        titles[user].setdefault(run.thread_id, said[0][:40])
        await run.write(f"You have said: {', '.join(said)}.")

    def authorize(*_: object) -> str:
        return user  # owns the threads that are begun here, and reads no others

    return respond(request, agent, log=log, authorize=authorize, keep_thread=365 * 86_400)


@app.get("/threads")
async def list_threads(user: User) -> list[dict[str, str]]:
    return [{"id": thread, "title": title} for thread, title in titles[user].items()]


@app.delete("/threads/{thread}", status_code=204)
async def forget(thread: str, user: User) -> None:
    titles[user].pop(thread, None)
    await delete_thread(log, user, thread)


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

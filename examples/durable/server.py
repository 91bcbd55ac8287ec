"""One of several web processes that share a log: the file RUNS, or the Redis at REDIS_URL. `PORT=8000 python server.py`"""

import asyncio
import os

import uvicorn

from ag_ui_native.durable import RedisLog, SQLiteLog
from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    """Says which process it is, and counts."""
    async with run.text_message() as message:
        await message.write(f"[process {os.getpid()}]")
        for number in range(1, 21):
            await asyncio.sleep(0.2)
            await message.write(f" {number}")


# --8<-- [start:app]
url = os.environ.get("REDIS_URL")
log = RedisLog(url) if url else SQLiteLog(os.environ.get("RUNS", "runs.db"))

app = asgi_app(
    agent,
    log=log,
    authorize="public",  # in real life a function that knows the user
    lease=2,  # seconds after which the runs of a process that has died end
)
# --8<-- [end:app]

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

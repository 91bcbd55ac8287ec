"""An agent beside a route that a load balancer asks: `PORT=8000 python healthy_server.py`"""

import os

import uvicorn
from fastapi import FastAPI

from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    await run.write("Hello from behind a load balancer.")


app = FastAPI()
app.add_route("/agent", asgi_app(agent))


@app.get("/health")
async def health() -> str:
    return "well"


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8000"))
    uvicorn.run(app, port=port, timeout_keep_alive=75)  # seconds: longer than the idle timeout of the load balancer

"""A process whose server waits for its connections when it ends: `ending_server.py KIND FILE DRAIN`. It prints its port.

KIND is `uvicorn`, `respond` (an endpoint of Starlette, whose lifespan drains the log), `wsgi` (its thread of a connection ends with the
connection) or `drained` (the same, but SIGTERM drains the log itself).
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ag_ui_native.durable import SQLiteLog
from ag_ui_native.server import Run, asgi_app, respond, wsgi_app

KIND, FILE, DRAIN = sys.argv[1:]

log = SQLiteLog(FILE)
options: Any = {"log": log, "authorize": "public", "lease": 60, "drain": float(DRAIN)}


async def agent(run: Run) -> None:
    await run.write("before")
    if run.run_id == "brief":
        await asyncio.sleep(1)
    if run.run_id.startswith("wait"):
        await asyncio.Event().wait()
    await run.write("after")


async def endpoint(request: Request) -> Response:
    return respond(request, agent, **options)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    yield
    await log.drain()


class ThreadingServer(ThreadingMixIn, WSGIServer):
    daemon_threads = False


class Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def serve_asgi(app: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        asyncio.run(uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve([listener]))


def serve_wsgi() -> None:
    server = make_server("127.0.0.1", 0, wsgi_app(agent, **options), ThreadingServer, Handler)

    def stop(*_: object) -> None:
        if KIND == "drained":
            # A handler of a signal must not wait.
            threading.Thread(target=lambda: (asyncio.run(log.drain()), server.shutdown())).start()
        else:
            sys.exit()

    signal.signal(signal.SIGTERM, stop)
    print(server.server_port, flush=True)
    server.serve_forever(poll_interval=0.05)


if KIND in ("wsgi", "drained"):
    serve_wsgi()
elif KIND == "respond":
    serve_asgi(Starlette(routes=[Route("/", endpoint, methods=["GET", "POST"])], lifespan=lifespan))
else:
    serve_asgi(asgi_app(agent, **options))

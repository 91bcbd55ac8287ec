"""The lines of docs/server/hosts.md that put a Python agent under a framework; each is requested over the framework's
server.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import django
import httpx
import pytest
from django.conf import settings

from ag_ui_native.server import Run, asgi_app, wsgi_app
from ag_ui_native.stream import decode_events

INPUT = {"threadId": "t1", "runId": "r1", "messages": []}

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"])
django.setup()
urlpatterns: list[Any] = []


async def agent(run: Run) -> None:
    async with run.text_message() as message:
        message.write("Hello.")


def starlette() -> Any:
    from starlette.applications import Starlette

    app = Starlette()
    app.add_route("/agent", asgi_app(agent))
    return app


def starlette_mounted() -> Any:
    from starlette.applications import Starlette

    app = Starlette()
    app.mount("/agent", asgi_app(agent))
    return app


def litestar() -> Any:
    from litestar import Litestar
    from litestar.handlers import asgi

    return Litestar([asgi("/agent", is_mount=True, copy_scope=True)(asgi_app(agent))], logging_config=None)


def django_asgi() -> Any:
    from django.core.asgi import get_asgi_application

    ours, theirs = asgi_app(agent), get_asgi_application()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await (ours if scope["path"] == "/agent" else theirs)(scope, receive, send)

    return app


def django_wsgi() -> Any:
    from django.core.wsgi import get_wsgi_application
    from werkzeug.middleware.dispatcher import DispatcherMiddleware

    return DispatcherMiddleware(get_wsgi_application(), {"/agent": wsgi_app(agent)})


def flask() -> Any:
    from flask import Flask
    from werkzeug.middleware.dispatcher import DispatcherMiddleware

    return DispatcherMiddleware(Flask(__name__), {"/agent": wsgi_app(agent)})


@pytest.mark.parametrize(
    ("app", "path"),
    [(starlette, "/agent"), (starlette_mounted, "/agent/below"), (litestar, "/agent"), (django_asgi, "/agent")],
)
def test_under_asgi(app: Callable[[], Any], path: str) -> None:
    async def ask() -> tuple[httpx.Response, httpx.Response]:
        transport = httpx.ASGITransport(app())
        async with httpx.AsyncClient(transport=transport, base_url="http://server", timeout=60) as client:
            return await client.post(path, json=INPUT), await client.get("/other")

    check(*asyncio.run(ask()))


@pytest.mark.parametrize("app", [django_wsgi, flask])
def test_under_wsgi(app: Callable[[], Any]) -> None:
    with httpx.Client(transport=httpx.WSGITransport(app()), base_url="http://server", timeout=60) as client:
        check(client.post("/agent", json=INPUT), client.get("/other"))


def check(answer: httpx.Response, other: httpx.Response) -> None:
    events = decode_events([answer.content], answer.headers["content-type"], profile="strict")
    assert [event.type.value for event in events] == [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    assert other.status_code == 404, "what lies elsewhere is the framework's"

"""``asgi_app``: serves an agent as an ASGI application."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, Any, Never, overload

from ag_ui_native.server import request
from ag_ui_native.server.options import ServerOptions, ServerSettings, settings_with_log
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.serve import AgentFunction, checked
from ag_ui_native.server.streaming import ASGIScope, Disconnected, Receive, Send, check_loop, receive_pieces, stream
from ag_ui_native.server.websocket import converse

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.outlet import Outlet

__all__ = ["ASGIApp", "asgi_app"]

_logger = logging.getLogger("ag_ui_native.server")


def asgi_app(agent: AgentFunction, **options: Unpack[ServerOptions]) -> ASGIApp:
    """Makes an ASGI application of an agent. It can be served or mounted anywhere, and accepts POST and WebSockets at
    every path.

    The agent is a function of a Run. An async function runs in the event loop. A plain function runs in a thread of
    its own, where a write waits while the client is slow.

    Examples:
        >>> from ag_ui_native.server import Run, asgi_app
        >>> async def greet(run: Run) -> None:
        ...     await run.write("Hello!")
        >>> app = asgi_app(greet, time_limit=60, cors=["https://example.org"])
    """
    return ASGIApp(checked(agent), settings_with_log(options))


class ASGIApp:
    """The ASGI application of an agent, see asgi_app.

    Examples:
        >>> import httpx
        >>> from ag_ui_native.client import HttpAgent
        >>> from ag_ui_native.server import ASGIApp, asgi_app
        >>> from ag_ui_native.testing import scripted_agent
        >>> app: ASGIApp = asgi_app(scripted_agent(["Hello!"]))
        >>> client = httpx.AsyncClient(transport=httpx.ASGITransport(app))
        >>> agent = HttpAgent("http://app/", client=client)
    """

    def __init__(self, agent: AgentFunction, settings: ServerSettings) -> None:
        self._agent = agent
        self._settings = settings
        self._answer = answer if settings.log is None else _answer_with_log()

    @overload
    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None: ...
    # The type of `add_route` in Starlette and FastAPI accepts applications too, but asks for this form. It is never
    # called.
    @overload
    def __call__(self, request: object, /) -> Never: ...

    async def __call__(self, scope: Any, receive: Receive | None = None, send: Send | None = None) -> None:
        """Answers one connection of the server."""
        if receive is None or send is None:
            raise TypeError(
                "an ASGI application is called with scope, receive and send: give it to a server or a router, or return respond(request, agent) in an endpoint"
            )
        if scope["type"] == "http":
            await self._answer(scope, receive, send, self._agent, self._settings)
        elif scope["type"] == "lifespan":
            await _live(receive, send, self._settings)
        elif scope["type"] == "websocket":
            await converse(scope, receive, send, self._agent, self._settings)


async def answer(
    scope: ASGIScope,
    receive: Receive,
    send: Send,
    agent: AgentFunction,
    settings: ServerSettings,
    *,
    body: AsyncIterator[bytes] | None = None,
    input: RunAgentInput | None = None,
) -> None:
    """Answers one HTTP request with the events of a run, or with an error status. The body, or the input, may have
    been read already.
    """
    check_loop()
    headers = request.headers_of(scope)
    cors: Headers = []
    warnings: list[ProtocolWarning] = []
    try:
        if input is None:
            binary, cors = request.accept(scope["method"], headers, settings)
            input, warnings = await request.receive_body(partial(receive_pieces, receive, body), settings)
        else:
            binary, cors = request.accept("POST", {**headers, "content-type": "application/json"}, settings)
        warnings += await request.check_interrupts(input, settings)
    except Refused as refused:
        await request.send_whole(send, refused.status, [*refused.headers, *cors], refused.body)
    except Disconnected:
        _logger.debug("the client disconnected before it sent its request")
    else:
        await stream(receive, _Body(send, cors), agent, input, warnings, settings, binary=binary)


class _Body:
    """Sends the body of an HTTP response."""

    def __init__(self, send: Send, cors: Headers) -> None:
        self.send = send
        self._cors = cors

    async def begin(self, headers: Headers) -> None:
        await request.send_head(self.send, 200, [*headers, *self._cors])

    async def end(self, outlet: Outlet) -> None:
        await self.send({"type": "http.response.body", "body": b"", "more_body": False})


def _answer_with_log() -> Any:
    # A server without a log needs nothing of this.
    from ag_ui_native.durable.server import answer

    return answer


async def _live(receive: Receive, send: Send, settings: ServerSettings) -> None:
    """Confirms start and shutdown of the server. At the shutdown the runs of a log get time to end."""
    while True:
        message = await receive()
        is_shutdown = message["type"] == "lifespan.shutdown"
        if settings.log is not None:
            from ag_ui_native.durable.work import work_here

            work = work_here(settings.log)
            if is_shutdown:
                await work.drained()
                await settings.log.aclose()
            else:
                work.open()
        await send({"type": f"{message['type']}.complete"})
        if is_shutdown:
            return

"""``asgi_app``: serves an agent as an ASGI application."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, Any, Never, overload

from ag_ui_native.server import request
from ag_ui_native.server.options import RunOptions, ServerSettings, settings_of
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.serve import AgentFunction, checked
from ag_ui_native.server.streaming import ASGIScope, Disconnected, Receive, Send, check_loop, stream
from ag_ui_native.server.websocket import converse

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.server.rules import RequestBody

__all__ = ["ASGIApp", "asgi_app"]

_logger = logging.getLogger("ag_ui_native.server")


def asgi_app(agent: AgentFunction, **options: Unpack[RunOptions]) -> ASGIApp:
    """Makes an ASGI application of an agent. It can be served or mounted anywhere, and accepts POST and WebSockets at
    every path.

    The agent is a function of a Run. An async function runs in the event loop. A plain function runs in a thread of
    its own, where a write waits while the client is slow.
    """
    return ASGIApp(checked(agent), settings_of(options))


class ASGIApp:
    """The ASGI application of an agent, see asgi_app."""

    def __init__(self, agent: AgentFunction, settings: ServerSettings) -> None:
        self._agent = agent
        self._settings = settings

    @overload
    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None: ...
    # The type of `add_route` in Starlette and FastAPI accepts applications too, but asks for this form. It is never
    # called.
    @overload
    def __call__(self, request: object, /) -> Never: ...

    async def __call__(self, scope: Any, receive: Receive | None = None, send: Send | None = None) -> None:
        """Answers one connection of the server."""
        if receive is None or send is None:
            raise TypeError("an ASGI application takes three arguments: scope, receive and send")
        if scope["type"] == "http":
            await answer(scope, receive, send, self._agent, self._settings)
        elif scope["type"] == "lifespan":
            await _live(receive, send)
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
            pieces = _pieces(receive) if body is None else body
            input, warnings = await request.receive_body(partial(_receive, pieces), settings)
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


async def _pieces(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _receive(pieces: AsyncIterator[bytes], body: RequestBody) -> None:
    async for piece in pieces:
        body.receive(piece)


async def _live(receive: Receive, send: Send) -> None:
    """Confirms start and shutdown of the server; an agent has nothing to do at either."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return

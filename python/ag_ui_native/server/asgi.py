"""``asgi_app``: an agent as an ASGI application."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Never, TypeAlias, overload

from ag_ui_native import _native
from ag_ui_native.server import request
from ag_ui_native.server.driver import Agent, checked, drive
from ag_ui_native.server.options import RunOptions, Settings, settings_of
from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.run import Run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["ASGIApp", "asgi_app"]

_logger = logging.getLogger("ag_ui_native.server")

# Servers and frameworks differ in how they type these: mappings, or dictionaries of certain keys.
ASGIScope: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]


OTHER_MESSAGES = 100
"""So many messages that are no disconnect are heard: some middleware repeats the request for ever."""


def asgi_app(agent: Agent, **options: Unpack[RunOptions]) -> ASGIApp:
    """An agent as an ASGI application, to be served or mounted anywhere: it takes POST at every path.

    The agent is a function of a Run. An async one runs in the event loop; a plain one in a thread of its own, where a
    slow client holds it up whenever it writes.
    """
    return ASGIApp(checked(agent), settings_of(options))


class ASGIApp:
    """An agent that answers requests. See asgi_app."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        self._agent = agent
        self._settings = settings

    @overload
    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None: ...
    # What the type of `add_route` in Starlette and FastAPI asks for, which takes applications, too. Nobody calls one so.
    @overload
    def __call__(self, request: object, /) -> Never: ...

    async def __call__(self, scope: Any, receive: Receive | None = None, send: Send | None = None) -> None:
        """The application, as the server calls it."""
        if receive is None or send is None:
            raise TypeError("an ASGI application is called with a scope, `receive` and `send`")
        if scope["type"] == "http":
            await answer(scope, receive, send, self._agent, self._settings)
        elif scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1003})


class Disconnected(Exception):
    """The client has gone before it had asked."""


async def answer(
    scope: ASGIScope,
    receive: Receive,
    send: Send,
    agent: Agent,
    settings: Settings,
    *,
    body: AsyncIterator[bytes] | None = None,
    input: RunAgentInput | None = None,
) -> None:
    """Answers one request: with a stream, or with why not. Its body, or the input, may have been read already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "agents are served on asyncio: start the server with an asyncio worker, not with trio"
        ) from None
    headers = request.joined((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    cors, preflight = request.cors_headers(scope["method"], headers, settings)
    if preflight is not None:
        await _send_whole(send, 204, preflight)
        return
    warnings: list[ProtocolWarning] = []
    try:
        if input is None:
            binary = request.is_binary(scope["method"], headers, settings)
            pieces = _body(receive) if body is None else body
            input, warnings = request.read_body(await _read(pieces, settings), settings)
        else:
            binary = request.is_binary("POST", {**headers, "content-type": "application/json"}, settings)
        warnings += await request.check_interrupts(input, settings)
    except Refused as refused:
        await _send_whole(send, refused.status, [*refused.headers, *cors], refused.body)
    except Disconnected:
        _logger.debug("the client has gone before it had asked")
    else:
        await _stream(receive, send, agent, input, warnings, settings, cors, binary=binary)


async def _stream(
    receive: Receive,
    send: Send,
    agent: Agent,
    input: RunAgentInput,
    warnings: Iterable[ProtocolWarning],
    settings: Settings,
    cors: Headers,
    *,
    binary: bool,
) -> None:
    """Answers with the events of a run."""

    outlet = Outlet(binary, settings.limits, send, max_waiting=settings.max_waiting, heartbeat=settings.heartbeat)
    listener = asyncio.create_task(_listen(receive, outlet))

    async def hush() -> None:
        listener.cancel()
        await asyncio.wait({listener})

    async def finish() -> None:
        try:
            await outlet.finish(lambda: send({"type": "http.response.body", "body": b"", "more_body": False}))
        finally:
            # After the answer servers say that the client has gone.
            await hush()

    try:
        try:
            run: Run[Any] = Run(outlet, input, settings, warnings)
            await _start(send, 200, [*outlet.headers, *cors])
        except BaseException:
            # Nothing can follow, and no heartbeat may.
            outlet.lose()
            await outlet.close()
            raise
        await drive(run, agent, outlet, finish)
    except OSError as error:
        _logger.debug("the client cannot be reached", exc_info=error)
    finally:
        await hush()


async def _listen(receive: Receive, outlet: Outlet) -> None:
    """Waits until the client has gone. What stands between may say other things, or fail: then sending has to tell."""
    try:
        for _ in range(OTHER_MESSAGES):
            if (await receive())["type"] == "http.disconnect":
                outlet.lose()
                return
    except Exception as error:
        _logger.debug("disconnects are not told", exc_info=error)


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _read(pieces: AsyncIterator[bytes], settings: Settings) -> bytes:
    """The body of a request, within its time and length."""
    body = bytearray()
    try:
        async with asyncio.timeout(settings.body_timeout):
            async for piece in pieces:
                body += piece
                request.check_length(len(body), settings)
    except TimeoutError:
        _native.refuse_request("request_timeout")
    return bytes(body)


async def _start(send: Send, status: int, headers: Headers) -> None:
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})


async def _send_whole(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    await _start(send, status, headers)
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _live(receive: Receive, send: Send) -> None:
    """There is nothing to start or stop."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return

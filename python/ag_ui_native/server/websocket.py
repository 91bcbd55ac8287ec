"""Serves an agent at a WebSocket: the first message is the input of a run, and each event is sent as a message."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ag_ui_native import _native
from ag_ui_native.server import request
from ag_ui_native.server.request import Refused
from ag_ui_native.server.streaming import ASGIScope, Disconnected, Receive, Send, check_loop, stream

if TYPE_CHECKING:
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.server.request import Headers
    from ag_ui_native.server.rules import RequestBody
    from ag_ui_native.server.serve import AgentFunction

__all__ = ["converse"]

_logger = logging.getLogger("ag_ui_native.server")


async def converse(
    scope: ASGIScope, receive: Receive, send: Send, agent: AgentFunction, settings: ServerSettings
) -> None:
    """Answers one WebSocket: sends the messages of a run, or closes it with the reason. The server sends the pings."""
    check_loop()
    await receive()
    try:
        binary, protocol = _agree(scope, settings)
    except Refused as refused:
        await _deny(scope, send, refused)
        return
    await send({"type": "websocket.accept", "subprotocol": protocol})
    try:
        input, warnings = await request.receive_body(partial(_receive, receive), settings)
        if settings.log is not None:
            from ag_ui_native.durable.server import send_messages

            await send_messages(scope, receive, send, agent, settings, input, warnings, binary=binary)
            return
        warnings += await request.check_interrupts(input, settings)
    except Refused as refused:
        # The client may have disconnected meanwhile.
        with suppress(OSError):
            await _close(send, refused.close_code, refused.close_reason)
    except Disconnected:
        _logger.debug("the client disconnected before it sent its request")
    else:
        # A WebSocket has no comments, so there is no heartbeat.
        silent = replace(settings, heartbeat=None)
        await stream(receive, _Messages(send, binary), agent, input, warnings, silent, binary=binary)


class _Messages:
    """Sends a run as messages."""

    def __init__(self, send: Send, binary: bool) -> None:
        self._send = send
        self._binary = binary

    async def begin(self, headers: Headers) -> None:
        """Sends nothing: a WebSocket has no head before its messages."""

    async def send(self, piece: Any) -> None:
        await request.send_messages(self._send, piece["body"], self._binary)

    async def end(self, outlet: Outlet) -> None:
        await _close(self._send, outlet.close_code)


def _agree(scope: ASGIScope, settings: ServerSettings) -> tuple[bool, str | None]:
    """Returns true if events are sent as protobuf, and the subprotocol."""
    headers = request.headers_of(scope)
    offered = ", ".join(scope.get("subprotocols") or ())
    origin, host, accept = (headers.get(name) for name in ("origin", "host", "accept"))
    return _native.agree_websocket(origin, host, accept, offered, settings.cors, settings.accept_wildcards)


async def _receive(receive: Receive, body: RequestBody) -> None:
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise Disconnected
    body.receive_message(message.get("text"))


async def _deny(scope: ASGIScope, send: Send, refused: Refused) -> None:
    """Refuses to open the WebSocket: with a response if the server can send one, else the server answers with 403."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})
        return
    await request.send_whole(send, refused.status, refused.headers, refused.body, kind="websocket.http.response")


async def _close(send: Send, code: int, reason: str = "") -> None:
    await send({"type": "websocket.close", "code": code, "reason": reason})

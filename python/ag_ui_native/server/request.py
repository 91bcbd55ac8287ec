"""Reads requests for a run: their heads and bodies, and the answers to refused ones."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ag_ui_native import _native

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import ServerSettings

__all__ = ["Refused", "accept", "check_interrupts", "receive_body"]

_logger = logging.getLogger("ag_ui_native.server")

Headers = list[tuple[str, str]]


class Refused(Exception):
    """Raised for a request that gets another answer than a run. An open WebSocket is closed with the code."""

    def __init__(self, status: int, headers: Headers, body: str, close_code: int, close_reason: str) -> None:
        super().__init__(status)
        self.status: int = status
        self.headers: Headers = headers
        self.body: bytes = body.encode()
        self.close_code: int = close_code
        self.close_reason: str = close_reason


def accept(method: str, headers: Mapping[str, str], settings: ServerSettings) -> tuple[bool, Headers]:
    """Checks the head of a request. Returns true if the response uses the binary transport, and the CORS headers.
    Raises Refused.
    """
    return _native.accept_request(method, headers, settings.cors, settings.accept_wildcards, settings.limits)


async def receive_body(
    receive: Callable[[_native.RequestBody], Awaitable[None]], settings: ServerSettings
) -> tuple[RunAgentInput, list[ProtocolWarning]]:
    """Reads the input from a body; ``receive`` passes the body on as it arrives. Returns it with the warnings. Raises
    Refused.
    """
    body = _native.RequestBody(settings.limits)
    limit = asyncio.timeout(settings.body_timeout)
    try:
        async with limit:
            await receive(body)
    except TimeoutError:
        if not limit.expired():
            raise  # Raised by the server itself: sockets raise TimeoutError too.
        body.time_out()
    return body.read()


async def check_interrupts(input: RunAgentInput, settings: ServerSettings) -> list[ProtocolWarning]:
    """Checks that the input answers the pending interrupts. Raises Refused if not; returns warnings about answers to
    others.
    """
    if settings.pending_interrupts is not None:
        try:
            pending = settings.pending_interrupts(input)
            waiting = await pending if inspect.isawaitable(pending) else pending
            return _native.check_request_resume(waiting, input, settings.limits)
        except Refused:
            raise
        except Exception as error:
            _logger.error("pending_interrupts failed: the request is answered with status 500", exc_info=error)
            _native.refuse_internal()
    return []


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """The headers of an ASGI scope, joined as `joined` does it."""
    return joined((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])


async def send_head(
    send: Callable[[Any], Awaitable[None]], status: int, headers: Headers, kind: str = "http.response"
) -> None:
    """Sends the head of a response."""
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": f"{kind}.start", "status": status, "headers": encoded})


async def send_whole(
    send: Callable[[Any], Awaitable[None]],
    status: int,
    headers: Headers,
    body: bytes = b"",
    kind: str = "http.response",
) -> None:
    """Sends a whole response, which is not a stream."""
    await send_head(send, status, headers, kind)
    await send({"type": f"{kind}.body", "body": body, "more_body": False})


async def send_messages(send: Callable[[Any], Awaitable[None]], frames: bytes, binary: bool) -> None:
    """Sends the frames of a run on a WebSocket: each event is a message."""
    kind = "bytes" if binary else "text"
    for message in _native.websocket_messages(frames, binary):
        await send({"type": "websocket.send", kind: message})


def joined(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns headers by lowercase name; values of the same name are joined with commas."""
    found: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found

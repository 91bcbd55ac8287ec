"""Requests for a run: their heads, their bodies, and how they are refused."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import ag_ui_native.core  # noqa: F401  The classes that inputs are made of.
from ag_ui_native import _native

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import Settings

__all__ = ["Refused", "check_interrupts", "cors_headers", "receive_body"]

_logger = logging.getLogger("ag_ui_native.server")

Headers = list[tuple[str, str]]


class Refused(Exception):
    """A request that is answered with a status and a body of JSON; a WebSocket that is open, by closing it."""

    def __init__(self, status: int, allow: str | None, body: str, close_code: int, close_reason: str) -> None:
        super().__init__(status)
        self.status: int = status
        self.close_code: int = close_code
        self.close_reason: str = close_reason
        self.body: bytes = body.encode()
        self.headers: Headers = [("content-type", "application/json"), ("content-length", str(len(self.body)))]
        if allow is not None:
            self.headers.append(("allow", allow))


def is_binary(method: str, headers: Mapping[str, str], settings: Settings) -> bool:
    """True if the answer takes the binary transport. Raises Refused before the body is read."""
    return _native.request_is_binary(
        method,
        headers.get("content-type"),
        headers.get("accept"),
        headers.get("content-length"),
        settings.wildcards,
        settings.limits,
    )


async def receive_body(
    receive: Callable[[_native.RequestBody], Awaitable[None]], settings: Settings
) -> tuple[RunAgentInput, list[ProtocolWarning]]:
    """The input that a body is, which ``receive`` hands over as it arrives, and what was repaired. Raises Refused."""
    body = _native.RequestBody(settings.limits)
    try:
        async with asyncio.timeout(settings.body_timeout):
            await receive(body)
    except TimeoutError:
        body.time_out()
    return body.read()


async def check_interrupts(input: RunAgentInput, settings: Settings) -> list[ProtocolWarning]:
    """Raises Refused if the input leaves interrupts unanswered that wait for an answer; warns of answers to others."""
    if settings.pending_interrupts is not None:
        try:
            pending = settings.pending_interrupts(input)
            waiting = await pending if inspect.isawaitable(pending) else pending
            return _native.check_request_resume(waiting, input, settings.limits)
        except Refused:
            raise
        except Exception as error:
            _logger.error("the pending interrupts are not known", exc_info=error)
            _native.refuse_internal()
    return []


def cors_headers(method: str, headers: Mapping[str, str], settings: Settings) -> tuple[Headers, Headers | None]:
    """What a browser is told about the origin that asks; and the whole answer, if it asks whether it may ask, and may."""
    if settings.cors is None:
        return [], None
    return _native.cors_headers(
        settings.cors,
        method,
        headers.get("origin"),
        headers.get("access-control-request-method"),
        headers.get("access-control-request-headers"),
    )


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """The headers of an ASGI server's scope, as of `joined`."""
    return joined((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])


async def send_head(
    send: Callable[[Any], Awaitable[None]], status: int, headers: Headers, kind: str = "http.response"
) -> None:
    """Begins an answer of an ASGI server's."""
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": f"{kind}.start", "status": status, "headers": encoded})


async def send_whole(
    send: Callable[[Any], Awaitable[None]],
    status: int,
    headers: Headers,
    body: bytes = b"",
    kind: str = "http.response",
) -> None:
    """Sends an answer that is no stream."""
    await send_head(send, status, headers, kind)
    await send({"type": f"{kind}.body", "body": body, "more_body": False})


def joined(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by their names in lower case; several of a name are one with commas."""
    found: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found

"""Requests and responses of WSGI: the parts that agents with and without a log have in common."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeAlias

from ag_ui_native import _native
from ag_ui_native.server.outlet import PRESSURE
from ag_ui_native.server.request import Headers

if TYPE_CHECKING:
    from ag_ui_native.server.options import ServerSettings

__all__ = ["Environ", "Pieces", "StartResponse", "body_of", "headers_of", "status_line", "whole"]

Environ: TypeAlias = dict[str, Any]
StartResponse: TypeAlias = Callable[..., object]


class Pieces:
    """A response: an iterator of the pieces that the server sends. They are made in an event loop of another thread."""

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._has_ended = False
        self._is_closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._room: asyncio.Event | None = None
        self._failure: BaseException | None = None

    def _begin(self) -> None:
        """Notes the event loop, in which pieces are made."""
        self._loop, self._room = asyncio.get_running_loop(), asyncio.Event()

    def _end(self) -> None:
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    async def _send(self, message: dict[str, Any]) -> None:
        """Stores a piece for the server; waits while the server has not taken enough of the earlier ones."""
        assert self._room is not None
        while True:
            with self._changed:
                if self._is_closed:
                    raise ConnectionResetError
                if sum(map(len, self._pieces)) < PRESSURE:
                    self._pieces.append(message["body"])
                    self._changed.notify_all()
                    return
                self._room.clear()
            await self._room.wait()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with self._changed:
            while not self._pieces and not self._has_ended:
                self._changed.wait()
            taken = b"".join(self._pieces)
            self._pieces.clear()
        if taken:
            self._in_loop(self._make_room)
            return taken
        if self._failure is not None:
            raise self._failure
        raise StopIteration

    def close(self) -> None:
        """Called by the server when it needs no more: the client may have disconnected."""
        with self._changed:
            self._is_closed = True
            self._pieces.clear()
        self._in_loop(self._leave)

    def _in_loop(self, call: Callable[[], None]) -> None:
        if self._loop is not None:
            try:
                self._loop.call_soon_threadsafe(call)
            except RuntimeError:
                # The loop has ended.
                return

    def _make_room(self) -> None:
        assert self._room is not None
        self._room.set()

    def _leave(self) -> None:
        self._make_room()
        self._lose()

    def _lose(self) -> None:
        """Called in the event loop when the server needs no more."""


def headers_of(environ: Mapping[str, Any]) -> dict[str, str]:
    found = {name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name.startswith("HTTP_")}
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            found[name.replace("_", "-").lower()] = environ[name]
    return found


def body_of(environ: Environ, headers: Mapping[str, str], settings: ServerSettings) -> _native.RequestBody:
    """Reads the body, as long as Content-Length says. Without a length, it is read only if the server ends it."""
    body = _native.RequestBody(settings.limits)
    length = headers.get("content-length", "")
    left = int(length) if length.isdecimal() else sys.maxsize if environ.get("wsgi.input_terminated") else 0
    while left > 0 and (piece := environ["wsgi.input"].read(min(left, PRESSURE))):
        body.receive(piece)
        left -= len(piece)
    return body


def status_line(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}"


def whole(start_response: StartResponse, status: int, headers: Headers, body: bytes = b"") -> list[bytes]:
    start_response(status_line(status), headers)
    return [body]

"""``wsgi_app``: serves an agent as a WSGI application. Each run has a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeAlias

from ag_ui_native import _native
from ag_ui_native.server import request
from ag_ui_native.server.options import RunOptions, ServerSettings, settings_of
from ag_ui_native.server.outlet import PRESSURE, Outlet
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.run import Run
from ag_ui_native.server.serve import AgentFunction, checked, drive

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["WSGIApp", "wsgi_app"]

Environ: TypeAlias = dict[str, Any]
StartResponse: TypeAlias = Callable[..., object]


def wsgi_app(agent: AgentFunction, **options: Unpack[RunOptions]) -> WSGIApp:
    """Makes a WSGI application of an agent. It can be served or mounted anywhere, and accepts POST at every path.

    The agent is a function of a Run, async or not. It runs in a thread of its own, beside the thread in which the
    server reads the response. A disconnect is noticed when the server closes the response. The server itself must
    limit the time for receiving a body (``body_timeout``).
    """
    return WSGIApp(checked(agent), settings_of(options))


class WSGIApp:
    """The WSGI application of an agent, see wsgi_app."""

    def __init__(self, agent: AgentFunction, settings: ServerSettings) -> None:
        self._agent = agent
        self._settings = settings

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request of the server."""
        settings = self._settings
        method, headers = environ["REQUEST_METHOD"], _headers(environ)
        cors: Headers = []
        try:
            binary, cors = request.accept(method, headers, settings)
            input, warnings = _body(environ, headers, settings).read()
            if settings.pending_interrupts is not None:
                warnings += asyncio.run(request.check_interrupts(input, settings))
        except Refused as refused:
            return _whole(start_response, refused.status, [*refused.headers, *cors], refused.body)
        answer = _ResponseBody(self._agent, input, warnings, settings, binary=binary)
        try:
            start_response(_status(200), [*answer.headers, *cors])
        except BaseException:
            # The server has no response yet, so it does not close it.
            answer.close()
            raise
        return answer


class _ResponseBody:
    """The response: an iterator of the pieces that the server sends."""

    def __init__(
        self,
        agent: AgentFunction,
        input: RunAgentInput,
        warnings: list[ProtocolWarning],
        settings: ServerSettings,
        *,
        binary: bool,
    ) -> None:
        self._agent = agent
        self._input = input
        self._warnings = warnings
        self._settings = settings
        self._binary = binary
        self._pieces: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._has_ended = False
        self._is_closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._outlet: Outlet | None = None
        self._room: asyncio.Event | None = None
        self.headers: Headers = []
        began = threading.Event()
        self._failure: BaseException | None = None
        threading.Thread(target=self._work, args=(began,), name=f"run {input.run_id!r}", daemon=True).start()
        began.wait()
        if self._failure is not None:
            raise self._failure

    def _work(self, began: threading.Event) -> None:
        try:
            asyncio.run(self._run(began))
        except BaseException as failure:  # noqa: BLE001 Raised again when the server asks for the next piece.
            self._failure = failure
        finally:
            self._end()
            began.set()

    async def _run(self, began: threading.Event) -> None:
        settings = self._settings
        self._loop, self._room = asyncio.get_running_loop(), asyncio.Event()
        outlet = Outlet(self._binary, settings, self._send)
        run: Run[Any] = Run(outlet, self._input, settings, self._warnings)
        self._outlet, self.headers = outlet, outlet.headers
        began.set()

        async def finish() -> None:
            await outlet.finish()
            if outlet.is_lost and not self._is_closed:
                self._failure = ConnectionError("the client did not read the end of its run in time")
            self._end()

        await drive(run, self._agent, outlet, finish)

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
        self._in_loop(self._lose)

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

    def _lose(self) -> None:
        self._make_room()
        if self._outlet is not None and not self._has_ended:
            self._outlet.lose()


def _headers(environ: Mapping[str, Any]) -> dict[str, str]:
    found = {name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name.startswith("HTTP_")}
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            found[name.replace("_", "-").lower()] = environ[name]
    return found


def _body(environ: Environ, headers: Mapping[str, str], settings: ServerSettings) -> _native.RequestBody:
    """Reads the body, as long as Content-Length says. Without a length, it is read only if the server ends it."""
    body = _native.RequestBody(settings.limits)
    length = headers.get("content-length", "")
    left = int(length) if length.isdecimal() else sys.maxsize if environ.get("wsgi.input_terminated") else 0
    while left > 0 and (piece := environ["wsgi.input"].read(min(left, PRESSURE))):
        body.receive(piece)
        left -= len(piece)
    return body


def _status(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}"


def _whole(start_response: StartResponse, status: int, headers: Headers, body: bytes = b"") -> list[bytes]:
    start_response(_status(status), headers)
    return [body]

"""``wsgi_app``: an agent as a WSGI application. Each run has a thread, and an event loop of its own in it."""

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
from ag_ui_native.server.options import RunOptions, Settings, settings_of
from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.run import Run
from ag_ui_native.server.serve import Agent, checked, drive

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["WSGIApp", "wsgi_app"]

Environ: TypeAlias = dict[str, Any]
StartResponse: TypeAlias = Callable[..., object]

PRESSURE = 64 * 1024
"""So many bytes wait for the server before the agent does."""


def wsgi_app(agent: Agent, **options: Unpack[RunOptions]) -> WSGIApp:
    """An agent as a WSGI application, to be served or mounted anywhere: it takes POST at every path.

    The agent is a function of a Run, async or not. It runs in a thread of its own, beside that in which the server hands on
    what is written. A client that has gone is noticed when the server closes the answer. ``body_timeout`` is the server's to keep.
    """
    return WSGIApp(checked(agent), settings_of(options))


class WSGIApp:
    """An agent that answers requests. See wsgi_app."""

    def __init__(self, agent: Agent, settings: Settings) -> None:
        self._agent = agent
        self._settings = settings

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """The application, as the server calls it."""
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
        answer = _Answer(self._agent, input, warnings, settings, binary=binary)
        try:
            start_response(_status(200), [*answer.headers, *cors])
        except BaseException:
            # The server does not know of the run, and will not close it.
            answer.close()
            raise
        return answer


class _Answer:
    """The pieces of a stream, as the server asks for them."""

    def __init__(
        self,
        agent: Agent,
        input: RunAgentInput,
        warnings: list[ProtocolWarning],
        settings: Settings,
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
        except BaseException as failure:  # noqa: BLE001 What does not end the run is raised where the server asks.
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
                self._failure = ConnectionError("the client has not read the end of its run in time")
            self._end()

        await drive(run, self._agent, outlet, finish)

    def _end(self) -> None:
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    async def _send(self, message: dict[str, Any]) -> None:
        """Leaves a piece for the server, once it has taken enough of those before."""
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
        """The server wants no more: the client may have gone."""
        with self._changed:
            self._is_closed = True
            self._pieces.clear()
        self._in_loop(self._lose)

    def _in_loop(self, call: Callable[[], None]) -> None:
        if self._loop is not None:
            try:
                self._loop.call_soon_threadsafe(call)
            except RuntimeError:
                # It has ended.
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


def _body(environ: Environ, headers: Mapping[str, str], settings: Settings) -> _native.RequestBody:
    """The body, as long as the request says; without a length only where the server ends it."""
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

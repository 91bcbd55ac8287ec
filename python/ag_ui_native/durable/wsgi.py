"""Answers requests of WSGI about runs with a log. The runs have one event loop, in a thread of its own that outlives requests."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ag_ui_native.durable.loop_thread import LoopThread
from ag_ui_native.durable.rules import LogRequest, accept_log_request
from ag_ui_native.durable.server import LoggedAgent, carry_out
from ag_ui_native.durable.work import all_work_here
from ag_ui_native.server import request
from ag_ui_native.server.pieces import Environ, Pieces, StartResponse, body_of, headers_of, status_line, whole
from ag_ui_native.server.request import Headers, Refused

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.serve import AgentFunction

__all__ = ["answer"]


def answer(
    environ: Environ, start_response: StartResponse, agent: AgentFunction, settings: ServerSettings
) -> Iterable[bytes]:
    """Answers one request of the server. The application's functions are called in the server's thread, where they may wait."""
    headers = headers_of(environ)
    cors: Headers = []
    input: RunAgentInput | None = None
    warnings: list[ProtocolWarning] = []
    logged = LoggedAgent(agent, settings, headers, environ)
    try:
        asked = accept_log_request(
            environ["REQUEST_METHOD"],
            _path(environ),
            environ.get("QUERY_STRING", ""),
            headers,
            settings.cors,
            settings.accept_wildcards,
            settings.limits,
        )
        cors = asked.cors
        if asked.kind == "run":
            input, warnings = body_of(environ, headers, settings).read()
        scope = asyncio.run(logged.permit(asked, input, warnings))
    except Refused as refused:
        logged.refused(refused)
        return whole(start_response, refused.status, [*refused.headers, *cors], refused.body)
    response = _Response(logged, asked, scope, input, warnings)
    try:
        start_response(status_line(response.status), response.headers)
    except BaseException:
        # The server has no response yet, so it does not close it.
        response.close()
        raise
    return response


class _Response(Pieces):
    """A response that is made in the event loop of the runs."""

    def __init__(
        self,
        logged: LoggedAgent,
        asked: LogRequest,
        scope: str,
        input: RunAgentInput | None,
        warnings: list[ProtocolWarning],
    ) -> None:
        super().__init__()
        self.status = 500
        self.headers: Headers = []
        self._left: asyncio.Event | None = None
        self._has_begun = threading.Event()
        work = self._work(logged, asked, scope, input, warnings)
        asyncio.run_coroutine_threadsafe(work, _runs.start())
        self._has_begun.wait()
        if self._failure is not None:
            raise self._failure

    async def _work(
        self,
        logged: LoggedAgent,
        asked: LogRequest,
        scope: str,
        input: RunAgentInput | None,
        warnings: list[ProtocolWarning],
    ) -> None:
        self._begin()
        self._left = asyncio.Event()
        try:
            await carry_out(logged, asked, scope, input, warnings, self._receive, self._write)
        except Refused as refused:
            logged.refused(refused)
            await request.send_whole(self._write, refused.status, [*refused.headers, *asked.cors], refused.body)
        except BaseException as failure:  # Raised again where the server waits.
            self._failure = failure
            raise
        finally:
            self._end()
            self._has_begun.set()

    async def _receive(self) -> dict[str, Any]:
        """Waits until the server needs no more."""
        assert self._left is not None
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _write(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in message["headers"]]
            self._has_begun.set()
        elif message["body"]:
            await self._send(message)

    def _lose(self) -> None:
        if self._left is not None:
            self._left.set()


_runs = LoopThread("runs with a log")


def _stop() -> None:
    """Drains the runs when the process ends."""
    if _runs.running is not None:
        asyncio.run_coroutine_threadsafe(_drain(), _runs.running).result()


async def _drain() -> None:
    await asyncio.gather(*(work.drained() for work in all_work_here()))


atexit.register(_stop)


def _path(environ: Environ) -> str:
    """The path of a request, percent-encoded. WSGI gives its bytes as Latin-1."""
    return quote((environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1"))

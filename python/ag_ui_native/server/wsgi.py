"""``wsgi_app``: serves an agent as a WSGI application. Each run has a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ag_ui_native.server import request
from ag_ui_native.server.options import ServerOptions, ServerSettings, settings_with_log
from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.pieces import Environ, Pieces, StartResponse, body_of, headers_of, status_line, whole
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.run import Run
from ag_ui_native.server.serve import AgentFunction, checked, drive

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["WSGIApp", "wsgi_app"]


def wsgi_app(agent: AgentFunction, **options: Unpack[ServerOptions]) -> WSGIApp:
    """Makes a WSGI application of an agent. It can be served or mounted anywhere, and accepts POST at every path.

    The agent is a function of a Run, async or not. It runs in a thread of its own, beside the thread in which the
    server reads the response. A disconnect is noticed when the server closes the response. The server itself must
    limit the time for receiving a body (``body_timeout``).

    Examples:
        >>> from ag_ui_native.server import Run, wsgi_app
        >>> def greet(run: Run) -> None:
        ...     run.write("Hello!")
        >>> app = wsgi_app(greet, time_limit=60)
    """
    return WSGIApp(checked(agent), settings_with_log(options))


class WSGIApp:
    """The WSGI application of an agent, see wsgi_app.

    Examples:
        >>> import httpx
        >>> from ag_ui_native.client import SyncHttpAgent
        >>> from ag_ui_native.server import WSGIApp, wsgi_app
        >>> from ag_ui_native.testing import scripted_agent
        >>> app: WSGIApp = wsgi_app(scripted_agent(["Hello!"]))
        >>> agent = SyncHttpAgent("http://app/", client=httpx.Client(transport=httpx.WSGITransport(app)))
        >>> agent.ask("Hi").text
        'Hello!'
    """

    def __init__(self, agent: AgentFunction, settings: ServerSettings) -> None:
        self._agent = agent
        self._settings = settings

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request of the server."""
        settings = self._settings
        if settings.log is not None:
            from ag_ui_native.durable.wsgi import answer as answer_with_log

            return answer_with_log(environ, start_response, self._agent, settings)
        method, headers = environ["REQUEST_METHOD"], headers_of(environ)
        cors: Headers = []
        try:
            binary, cors = request.accept(method, headers, settings)
            input, warnings = body_of(environ, headers, settings).read()
            if settings.pending_interrupts is not None:
                warnings += asyncio.run(request.check_interrupts(input, settings))
        except Refused as refused:
            return whole(start_response, refused.status, [*refused.headers, *cors], refused.body)
        answer = _ResponseBody(self._agent, input, warnings, settings, binary=binary)
        try:
            start_response(status_line(200), [*answer.headers, *cors])
        except BaseException:
            # The server has no response yet, so it does not close it.
            answer.close()
            raise
        return answer


class _ResponseBody(Pieces):
    """The response: a run that has a thread of its own."""

    def __init__(
        self,
        agent: AgentFunction,
        input: RunAgentInput,
        warnings: list[ProtocolWarning],
        settings: ServerSettings,
        *,
        binary: bool,
    ) -> None:
        super().__init__()
        self._agent = agent
        self._input = input
        self._warnings = warnings
        self._settings = settings
        self._binary = binary
        self._outlet: Outlet | None = None
        self.headers: Headers = []
        began = threading.Event()
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
        self._begin()
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

    def _lose(self) -> None:
        if self._outlet is not None and not self._has_ended:
            self._outlet.lose()

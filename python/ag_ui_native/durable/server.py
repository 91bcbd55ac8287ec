"""Answers requests about runs with a log."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from ag_ui_native._option_reader import is_text
from ag_ui_native.durable.connection import send_log
from ag_ui_native.durable.driver import Driver, executed
from ag_ui_native.durable.rules import (
    Admission,
    LogKey,
    LogOptions,
    LogRefusal,
    LogRequest,
    Operation,
    PrefixCache,
    Reader,
    accept_log_request,
    thread_response,
)
from ag_ui_native.durable.run import LoggedRun
from ag_ui_native.server import request
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.streaming import ASGIScope, Disconnected, Receive, Send, check_loop, receive_pieces

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.durable.log import Log
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.serve import AgentFunction

__all__ = ["LogServer", "log_server"]

_logger = logging.getLogger("ag_ui_native.durable")

_JSON = {"content-type": "application/json"}


class LogServer:
    """The agents of one log: what they have in common."""

    def __init__(self) -> None:
        self.prefixes = PrefixCache()
        self.runs: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """Ends the runs of this event loop as those of a server that shuts down, and waits until their ends are stored."""
        loop = asyncio.get_running_loop()
        runs = {run for run in self.runs if run.get_loop() is loop}
        for run in runs:
            run.cancel()
        if runs:
            await asyncio.wait(runs)


_servers: WeakKeyDictionary[Log, LogServer] = WeakKeyDictionary()


def log_server(log: Log) -> LogServer:
    """The server of a log. It is made by the first agent."""
    if log not in _servers:
        _servers[log] = LogServer()
    return _servers[log]


async def answer(
    scope: ASGIScope,
    receive: Receive,
    send: Send,
    agent: AgentFunction,
    settings: ServerSettings,
    *,
    body: AsyncIterator[bytes] | None = None,
    input: RunAgentInput | None = None,
    given: Any = None,
) -> None:
    """Answers one HTTP request, as `ag_ui_native.server.asgi.answer` does without a log. ``given`` is the request for
    ``authorize``; by default it is the scope.
    """
    check_loop()
    headers = request.headers_of(scope)
    cors: Headers = []
    try:
        asked = accept_log_request(
            scope["method"],
            _path(scope),
            scope.get("query_string", b"").decode("latin-1"),
            headers if input is None else {**headers, **_JSON},
            settings.cors,
            settings.accept_wildcards,
            settings.limits,
        )
        cors = asked.cors
        exchange = _Exchange(scope if given is None else given, asked, headers, receive, send, agent, settings)
        if asked.kind == "run":
            await exchange.run(body, input)
        else:
            await getattr(exchange, asked.kind)()
    except Refused as refused:
        await request.send_whole(send, refused.status, [*refused.headers, *cors], refused.body)
    except Disconnected:
        _logger.debug("the client disconnected before it sent its request")


class _Exchange:
    """One request and its response."""

    def __init__(
        self,
        given: Any,
        asked: LogRequest,
        headers: dict[str, str],
        receive: Receive,
        send: Send,
        agent: AgentFunction,
        settings: ServerSettings,
    ) -> None:
        assert settings.log is not None
        self._given = given
        self._asked = asked
        self._headers = headers
        self._receive = receive
        self._send = send
        self._agent = agent
        self._settings = settings
        self._log = settings.log
        self._server = log_server(settings.log)
        self._options = options_of(settings)

    async def run(self, body: AsyncIterator[bytes] | None, input: RunAgentInput | None) -> None:
        """Starts a run, or reads it if it has been started."""
        warnings: list[ProtocolWarning] = []
        if input is None:
            receive = partial(receive_pieces, self._receive, body)
            input, warnings = await request.receive_body(receive, self._settings)
        scope = await self._authorize("start", input.thread_id, input.run_id)
        warnings += await request.check_interrupts(input, self._settings)
        resumes = self._headers.get("ag-ui-resume")
        admission = Admission(scope, input, self._options, resumes, self._settings.limits)
        driver = Driver(self._log, admission)
        command = await driver.next()
        assert command is not None, "a decision is the last command"
        decision, value, _ = command
        if decision == "refused":
            value.refuse()
        after: str | None = self._asked.after
        if decision == "created":
            after = value
            recorder = admission.recorder()
            assert recorder is not None
            silent = replace(self._settings, heartbeat=None)
            logged = LoggedRun(self._log, admission.key, recorder, input, warnings, silent)
            task = asyncio.get_running_loop().create_task(logged.serve(self._agent))
            self._server.runs.add(task)
            task.add_done_callback(self._server.runs.discard)
        await self._read(admission.key, (input.thread_id, input.run_id), after)

    async def read(self) -> None:
        """Reads a run."""
        thread_id, run_id = self._asked.thread_id or "", self._asked.run_id or ""
        key = self._asked.log(await self._authorize("read", thread_id, run_id))
        await self._read(key, (thread_id, run_id), self._asked.after)

    async def cancel(self) -> None:
        """Cancels a run."""
        key = self._asked.log(await self._authorize("cancel", self._asked.thread_id or "", self._asked.run_id))
        reply = await executed(self._log, Operation.cancel(key))
        name = reply and reply.to_json()["reply"]
        if name != "done":
            LogRefusal.of("run_unknown" if name == "unknown" else "log_unavailable").refuse()
        await request.send_whole(self._send, 202, [("content-length", "0"), *self._asked.cors])

    async def thread(self) -> None:
        """Reads a thread."""
        thread_id = self._asked.thread_id or ""
        thread = self._asked.thread(await self._authorize("read", thread_id, None))
        reply = await executed(self._log, Operation.read_thread(thread))
        status, headers, body = thread_response(thread_id, reply)
        await request.send_whole(self._send, status, [*headers, *self._asked.cors], body)

    async def _read(self, key: LogKey, ids: tuple[str, str], after: str | None) -> None:
        asked, heartbeat = self._asked, self._settings.heartbeat or 0
        now = asyncio.get_running_loop().time()
        reader = Reader(
            key, ids, after, self._options, self._server.prefixes, asked.is_binary, asked.address, heartbeat, now
        )
        await send_log(self._log, key, reader, self._receive, self._send, asked.cors)

    async def _authorize(self, action: str, thread_id: str, run_id: str | None) -> str:
        """Asks the application for the scope. Raises Refused."""
        authorize: Any = self._settings.authorize
        if authorize == "public":
            return ""
        try:
            scope = authorize(self._given, action, thread_id, run_id)
            scope = await scope if inspect.isawaitable(scope) else scope
        except Exception as error:
            _logger.error("authorize failed: the request is answered with status 500", exc_info=error)
            scope = error
        if scope is None:
            LogRefusal.of("run_unknown").refuse()
        if not isinstance(scope, Exception) and not is_text(scope):
            _logger.error("authorize: expected a str or None, got %s", type(scope).__name__)
        if not is_text(scope):
            LogRefusal.of("internal").refuse()
        text: str = scope
        return text


def options_of(settings: ServerSettings) -> LogOptions:
    """The options of a log, with core's defaults."""
    return LogOptions(
        on_disconnect=settings.on_disconnect,
        grace=settings.grace,
        on_busy=settings.on_busy,
        lease=settings.lease,
        log_bytes=settings.log_bytes,
        keep=settings.keep,
        keep_thread=settings.keep_thread,
        max_connection=settings.max_connection,
    )


def _path(scope: ASGIScope) -> str:
    """The path of a request, percent-encoded."""
    raw: bytes | None = scope.get("raw_path")
    if raw is not None:
        return raw.partition(b"?")[0].decode("latin-1")
    return quote(scope["path"])

"""Answers requests about runs with a log."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from ag_ui_native._option_reader import is_text
from ag_ui_native.durable.connection import HTTPResponse, MessageResponse, send_log
from ag_ui_native.durable.driver import Driver, OnLog, notify
from ag_ui_native.durable.rules import (
    LogKey,
    LogOptions,
    LogRefusal,
    LogRequest,
    LogStart,
    LogStream,
    Machine,
    Occupancy,
    Place,
    PrefixCache,
    accept_log_request,
    refused_notice,
)
from ag_ui_native.durable.run import LoggedRun
from ag_ui_native.durable.work import work_here
from ag_ui_native.server import request
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.streaming import ASGIScope, Disconnected, Receive, Send, check_loop, receive_pieces

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.durable.log import Log
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.serve import AgentFunction

__all__ = ["LoggedAgent", "answer", "carry_out", "send_messages"]

_logger = logging.getLogger("ag_ui_native.durable")

_JSON = {"content-type": "application/json"}


class LogServer:
    """The agents of one log: what they have in common."""

    def __init__(self) -> None:
        self.prefixes: PrefixCache = PrefixCache()
        self.occupancy: Occupancy = Occupancy()


_servers: WeakKeyDictionary[Log, LogServer] = WeakKeyDictionary()


def log_server(log: Log) -> LogServer:
    """The server of a log. It is made by the first agent."""
    if log not in _servers:
        _servers[log] = LogServer()
    return _servers[log]


class LoggedAgent:
    """An agent whose runs have a log."""

    def __init__(self, agent: AgentFunction, settings: ServerSettings, headers: dict[str, str], given: Any) -> None:
        assert settings.log is not None
        self.log: Log = settings.log
        self.server: LogServer = log_server(settings.log)
        self._agent = agent
        self._settings = settings
        self._options = options_of(settings)
        self._headers = headers
        self._given = given
        self._subject: tuple[str | None, str | None, str | None] = (None, None, None)

    async def permit(self, asked: LogRequest, input: RunAgentInput | None, warnings: list[ProtocolWarning]) -> str:
        """Asks the application about a request, whose input is that of a run. Returns the scope. Raises Refused."""
        if input is None:
            return await self.authorize(asked.action, asked.thread_id or "", asked.run_id)
        scope = await self.authorize("start", input.thread_id, input.run_id)
        warnings += await request.check_interrupts(input, self._settings)
        return scope

    async def start(
        self, scope: str, input: RunAgentInput, warnings: list[ProtocolWarning]
    ) -> tuple[LogKey, bool, str]:
        """Starts a run, unless it has been started. Returns its log, true if it is new, and the cursor of its beginning.
        Raises Refused.
        """
        resume = self._headers.get("ag-ui-resume")
        settings = self._settings
        # Without a function of the application, the thread knows what waits for an answer.
        checks_answers = settings.pending_interrupts is None
        occupancy, work = self.server.occupancy, work_here(self.log)
        start = LogStart(
            scope, input, self._options, occupancy, resume, settings.limits, checks_answers, work.is_draining
        )
        beginning, is_new = await self._decide(start.machine)
        recorder = start.recorder()
        if recorder is not None:
            silent = replace(settings, heartbeat=None)
            run = LoggedRun(self.log, start.key, recorder, input, warnings, silent)
            task = asyncio.get_running_loop().create_task(run.serve(self._agent))
            work.add(task, run)
        return start.key, is_new, beginning

    async def execute(self, single: Machine) -> tuple[int, Headers, bytes]:
        """Cancels a run, or reads a thread. Returns the status, the headers and the body of the response. Raises Refused."""
        response: tuple[int, Headers, bytes]
        response, _ = await self._decide(single)
        return response

    async def _decide(self, machine: Machine) -> tuple[Any, Any]:
        """The values of a machine's decision. Raises Refused."""
        command = await Driver(self.log, machine, on_log=self.on_log).next()
        assert command is not None, "a decision is the last command"
        decision, value, more = command
        if decision == "refused":
            value.refuse()
        return value, more

    def place(self, scope: str) -> Place:
        """The place of a reader, which counts it. Raises Refused."""
        return self.server.occupancy.reader(scope, self._options)

    def stream(
        self,
        key: LogKey,
        ids: tuple[str, str],
        after: str | None,
        is_new: bool,
        place: Place,
        binary: bool,
        address: str,
        *,
        is_websocket: bool = False,
    ) -> LogStream:
        """A log for a client."""
        prefixes, heartbeat = self.server.prefixes, self._settings.heartbeat or 0
        return LogStream(
            key, ids, after, is_new, self._options, prefixes, place, binary, address, heartbeat, is_websocket
        )

    @property
    def on_log(self) -> OnLog | None:
        """The function of the application that takes notices."""
        return self._settings.on_log

    def refused(self, refused: Refused) -> None:
        """Tells the application that a request was refused."""
        if self.on_log is not None and refused.body:
            notify(self.on_log, *refused_notice(json.loads(refused.body)["code"], *self._subject))

    async def authorize(self, action: str, thread_id: str, run_id: str | None) -> str:
        """Asks the application for the scope. Raises Refused."""
        authorize: Any = self._settings.authorize
        self._subject = (None, thread_id, run_id)
        if authorize == "public":
            self._subject = ("", thread_id, run_id)
            return ""
        try:
            scope = authorize(self._given, action, thread_id, run_id)
            scope = await scope if inspect.isawaitable(scope) else scope
            if scope is not None and not is_text(scope):
                raise TypeError(f"authorize: expected a str or None, got {type(scope).__name__}")
        except Exception as error:
            _logger.error("authorize failed: the request is answered with status 500", exc_info=error)
            LogRefusal.of("internal").refuse()
        if scope is None:
            LogRefusal.of("run_unknown").refuse()
        text: str = scope
        self._subject = (text, thread_id, run_id)
        return text


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
    warnings: list[ProtocolWarning] = []
    logged = LoggedAgent(agent, settings, headers, scope if given is None else given)
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
        if asked.kind == "run" and input is None:
            input, warnings = await request.receive_body(partial(receive_pieces, receive, body), settings)
        permitted = await logged.permit(asked, input, warnings)
        await carry_out(logged, asked, permitted, input, warnings, receive, send)
    except Refused as refused:
        logged.refused(refused)
        await request.send_whole(send, refused.status, [*refused.headers, *cors], refused.body)
    except Disconnected:
        _logger.debug("the client disconnected before it sent its request")


async def carry_out(
    logged: LoggedAgent,
    asked: LogRequest,
    scope: str,
    input: RunAgentInput | None,
    warnings: list[ProtocolWarning],
    receive: Receive,
    send: Send,
) -> None:
    """Sends the response to a request that is permitted. Raises Refused before the response begins."""
    single = asked.single(scope)
    if single is not None:
        status, headers, content = await logged.execute(single)
        await request.send_whole(send, status, [*headers, *asked.cors], content)
        return
    place, is_new = logged.place(scope), False
    if input is not None:
        key, is_new, beginning = await logged.start(scope, input, warnings)
        ids, after = (input.thread_id, input.run_id), beginning if is_new else asked.after
    else:
        key, ids, after = asked.log(scope), (asked.thread_id or "", asked.run_id or ""), asked.after
    stream = logged.stream(key, ids, after, is_new, place, asked.is_binary, asked.address)
    await send_log(logged.log, key, stream, receive, HTTPResponse(send, asked.cors), logged.on_log)


async def send_messages(
    scope: ASGIScope,
    receive: Receive,
    send: Send,
    agent: AgentFunction,
    settings: ServerSettings,
    input: RunAgentInput,
    warnings: list[ProtocolWarning],
    *,
    binary: bool,
) -> None:
    """Sends a run on a WebSocket, from its beginning. It goes on and is joined over HTTP. Raises Refused."""
    logged = LoggedAgent(agent, settings, request.headers_of(scope), scope)
    try:
        permitted = await logged.authorize("start", input.thread_id, input.run_id)
        warnings += await request.check_interrupts(input, settings)
        place, ids = logged.place(permitted), (input.thread_id, input.run_id)
        key, is_new, beginning = await logged.start(permitted, input, warnings)
        stream = logged.stream(key, ids, beginning, is_new, place, binary, "", is_websocket=True)
        await send_log(logged.log, key, stream, receive, MessageResponse(send, binary), logged.on_log)
    except Refused as refused:
        logged.refused(refused)
        raise


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
        max_age=settings.max_age,
        max_active_runs=settings.max_active_runs,
        max_readers=settings.max_readers,
        drain=settings.drain,
    )


def _path(scope: ASGIScope) -> str:
    """The path of a request, percent-encoded."""
    raw: bytes | None = scope.get("raw_path")
    if raw is not None:
        return raw.partition(b"?")[0].decode("latin-1")
    return quote(scope["path"])

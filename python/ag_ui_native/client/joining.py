"""Runs that were started elsewhere, and threads that are opened, at a server with a log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ag_ui_native.client import rules
from ag_ui_native.client.loop import RunLoop
from ag_ui_native.client.result import RunResult
from ag_ui_native.client.transport.transport import RunRequest
from ag_ui_native.limits import Limits

if TYPE_CHECKING:
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.http import HttpTransport
    from ag_ui_native.client.transport.transport import ResponseReader

__all__ = ["ConnectLoop", "JoinLoop", "JoinTransport", "cancel_run"]


class JoinTransport:
    """Requests a run that was started elsewhere."""

    def __init__(self, transport: HttpTransport) -> None:
        self.server: HttpTransport = transport

    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        """Requests the events of the run."""
        return await self.server.ask("join", request, scope)


class JoinLoop(RunLoop):
    """The loop behind `join`: the run is read, and goes on at its server when it is left."""

    _transport: JoinTransport

    async def _start(self) -> bool:
        await super()._start()
        assert self._scope is not None
        self._scope.detaches = True
        self._runs.observe()
        return True


class ConnectLoop(JoinLoop):
    """The loop behind `connect`: opens the thread of the conversation, and reads its active run, if there is one."""

    async def _start(self) -> bool:
        await super()._start()
        scope, conversation = self._scope, self._conversation
        assert scope is not None
        settings = conversation._settings
        answer = await self._read(scope)
        messages, state, interrupts, active, last = rules.read_thread(
            answer, conversation.thread_id, settings.profile, settings.limits
        )
        if messages is not None:
            conversation._messages = messages
        if state is not None:
            conversation._state = json.loads(state)
        conversation._pending = interrupts
        self._known = frozenset(message.id for message in conversation.messages)
        await self._make_notifier(scope).changed([], messages=messages is not None, state=state is not None)
        if active is not None:
            self._parameters["run_id"] = active
            return True
        self._runs.opened(last, bool(interrupts))
        self._results.append(RunResult(thread_id=conversation.thread_id, run_id=last or "", interrupts=interrupts))
        return False

    async def _read(self, scope: CancelScope) -> bytes:
        """Returns the answer of the server about the thread."""
        conversation, body = self._conversation, bytearray()
        settings = conversation._settings
        longest = (settings.limits or Limits()).event_bytes
        reader = await self._transport.server.ask("thread", RunRequest("", conversation.thread_id, ""), scope)
        try:
            while (piece := await scope.wait(reader.read, settings.timeouts.idle, "idle_timeout")) is not None:
                body += piece
                if len(body) > longest:
                    raise rules.client_error("limit_exceeded", limit="event_bytes")
        finally:
            await reader.close()
        return bytes(body)


async def cancel_run(transport: HttpTransport, thread_id: str, run_id: str, scope: CancelScope) -> None:
    """Cancels a run on its server. Raises AGUIConnectionError."""
    try:
        reader = await transport.ask("cancel", RunRequest("", thread_id, run_id), scope)
        await reader.close()
    finally:
        scope.close()

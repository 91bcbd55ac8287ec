"""A response that goes on over several connections, from a server with a log."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ag_ui_native.client import rules
from ag_ui_native.client.resumable import CANCEL_TIMEOUT, ResumableStream
from ag_ui_native.client.scope.cancel_scope import Limit
from ag_ui_native.client.scope.tasks import begin
from ag_ui_native.errors import AGUIConnectionError, AGUIError

if TYPE_CHECKING:
    from collections.abc import Collection

    import httpx

    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.http import HttpReader, HttpTransport

__all__ = ["ResumingReader"]

OF_THE_BODY = {"content-length", "content-type", "transfer-encoding"}
"""The headers of the request for a run that its other requests do not have."""


class ResumingReader:
    """Reads a run to its end. When a connection is lost, it reads on by the next one; closed before the end, it cancels the
    run, unless its scope detaches.
    """

    is_one_run = True

    def __init__(
        self,
        transport: HttpTransport,
        reader: HttpReader,
        stream: ResumableStream,
        scope: CancelScope,
        left_behind: Collection[str],
    ) -> None:
        self.content_type: str | None = reader.content_type
        self._transport = transport
        self._stream = stream
        self._scope = scope
        self._request: httpx.Request = reader.response.request
        self._left_behind = left_behind
        """The headers of the application that were not sent to this address, after a redirect."""
        self._reader: HttpReader | None = None
        self._failure: AGUIError | None = None
        self._take(reader)

    async def read(self) -> bytes | None:
        """Returns whole events, or nothing as a sign of life; None at the end. Raises AGUIConnectionError."""
        if self._failure is not None:
            raise self._failure
        if self._reader is None:
            return await self._connect()
        try:
            piece = await self._reader.read()
        except AGUIConnectionError:
            piece = None
        if piece is not None:
            events, self._failure = self._stream.feed(piece)
            if self._failure is not None and not events:
                raise self._failure
            return events
        await self._leave()
        return None if self._stream.has_ended else b""

    async def close(self) -> None:
        """Closes the connection. A run that has not ended is cancelled, as well as that can be done, unless it goes on without
        its reader.
        """
        await self._leave()
        if self._failure is None and not self._stream.has_ended and not self._scope.detaches:
            self._failure = rules.client_error("connection_lost")
            if _is_in_loop():
                self._transport.keep(begin(self._cancel()))
            else:
                await self._cancel()

    def abort(self) -> None:
        """Ends a `read` in another thread; without one, closes the connection soon."""
        if self._reader is not None:
            self._reader.abort()

    def _take(self, reader: HttpReader) -> None:
        self._reader = reader
        reader.limit = Limit(self._stream.silence, "idle_timeout", self._stream.silence)
        self._scope.on_abort = self.abort

    async def _leave(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            with suppress(AGUIConnectionError):
                await reader.close()

    async def _connect(self, asked: float | None = None) -> bytes | None:
        """Makes the next attempt. Returns nothing, or None at the end."""
        pause = self._stream.next_pause(asked, random.random())
        if pause is None:
            self._failure = ResumableStream.given_up()
            raise self._failure
        await self._scope.pause(time.monotonic() + pause)
        try:
            reader = await self._send("GET", self._stream.location, self._stream.headers)
        except (self._transport.httpx.HTTPError, OSError, ExceptionGroup):
            return b""
        response = reader.response
        try:
            step, asked = self._stream.answered(response.status_code, dict(response.headers))
        except AGUIError as error:
            self._failure = error
            await reader.close()
            raise
        if step == "read":
            self._take(reader)
            return b""
        await reader.close()
        return await self._connect(asked) if step == "retry" else None

    async def _cancel(self) -> None:
        # Without an answer, the server or the application has to end the run.
        with suppress(AGUIConnectionError, self._transport.httpx.HTTPError, OSError, ExceptionGroup):
            headers = {"content-type": "application/json"}
            reader = await self._send("POST", self._stream.cancel_location, headers, CANCEL_TIMEOUT)
            await reader.close()

    async def _send(
        self, method: str, location: str, headers: dict[str, str], timeout: float | None = None
    ) -> HttpReader:
        client: Any = await self._transport.client()
        given = {name: value for name, value in self._request.headers.items() if name not in OF_THE_BODY}
        if callable(self._transport.headers):
            # Asked anew: tokens expire.
            asked = await self._transport.ask_headers(self._scope.inner())
            given |= {name.lower(): value for name, value in asked.items() if name.lower() not in self._left_behind}
        encoded = {name: value.encode("latin-1") for name, value in (given | headers).items()}
        auth: dict[str, None] = {"auth": None} if self._left_behind else {}
        request = client.build_request(method, self._request.url.join(location), headers=encoded)
        connect = self._transport.timeouts.connect if timeout is None else timeout
        head = self._stream.silence if timeout is None else timeout
        request.extensions["timeout"] = {"connect": connect, "pool": connect, "read": head, "write": head}
        return await self._transport.send(client, request, **auth)


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True

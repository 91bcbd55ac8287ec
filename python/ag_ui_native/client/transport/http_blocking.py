"""Runs over HTTP by blocking the thread.

`BridgeTransport` over `AsyncHttpTransport` does the same in a thread with an event loop. It takes 5.5 times as much CPU time an event if
each comes in a chunk of its own (79 µs, not 15), and 1.5 times with reads of 16 KB.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from ag_ui_native._option_reader import refused
from ag_ui_native.client.scope.cancel_scope_blocking import require_plain
from ag_ui_native.client.transport.http import HttpReader, HttpTransport, keep_location, ssl_context

if TYPE_CHECKING:
    import httpx

    from ag_ui_native.client.options import Headers, HttpOptions

__all__ = ["BlockingHttpTransport"]


class BlockingHttpTransport(HttpTransport):
    """Sends with an `httpx.Client`: one that is given, or its own."""

    def __init__(self, url: str, client: httpx.Client | None, options: HttpOptions) -> None:
        super().__init__(url, client, options)
        if client is not None and not isinstance(client, self.httpx.Client):
            raise refused("/client", f"client: expected an httpx.Client, got {type(client).__name__}")
        self._given = client
        self._own: list[httpx.Client] = []
        """Our own client, made when needed; clones share this list."""

    def set_headers(self, headers: Headers) -> None:
        if callable(headers):
            require_plain(headers)
        super().set_headers(headers)

    async def client(self) -> Any:
        if self._given is not None:
            return self._given
        if not self._own:
            self._own.append(self.httpx.Client(verify=ssl_context(), event_hooks={"response": [keep_location]}))
        return self._own[0]

    async def send(self, client: Any, request: httpx.Request, **auth: None) -> HttpReader:
        return BlockingHttpReader(self, client.send(request, stream=True, follow_redirects=False, **auth))

    def close(self) -> None:
        """Closes our own client."""
        while self._own:
            self._own.pop().close()


class BlockingHttpReader(HttpReader):
    def __init__(self, transport: BlockingHttpTransport, response: httpx.Response) -> None:
        super().__init__(transport, response)
        self._pieces: Iterator[bytes] = iter(cast("Any", response.stream))

    async def read(self) -> bytes | None:
        try:
            piece = next(self._pieces, None)
        except self.transport.httpx.HTTPError as error:
            raise self.failure(error) from error
        if piece is None:
            # From now on the connection may serve another request.
            await self.close()
        return piece

    async def close(self) -> None:
        with suppress(self.transport.httpx.HTTPError):
            self.response.close()

    def abort(self) -> None:
        if self.response.is_closed or not self.response.http_version.startswith("HTTP/1"):
            # Other requests share the connection.
            return
        # Closing a socket does not wake a blocked read; shutting it down does.
        stream = self.response.extensions.get("network_stream")
        connection = None if stream is None else stream.get_extra_info("socket")
        if isinstance(connection, socket.socket):
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

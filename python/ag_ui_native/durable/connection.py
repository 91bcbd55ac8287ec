"""The response to a client that reads a log."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from ag_ui_native.durable.driver import Driver, OnLog
from ag_ui_native.durable.work import work_here
from ag_ui_native.server import request
from ag_ui_native.server.request import Headers
from ag_ui_native.server.streaming import Receive, Send, listen

if TYPE_CHECKING:
    from ag_ui_native.durable.log import Log
    from ag_ui_native.durable.rules import LogKey, LogStream

__all__ = ["HTTPResponse", "MessageResponse", "send_log"]

_logger = logging.getLogger("ag_ui_native.durable")


class Response(Protocol):
    """The connection that gets what is read."""

    async def begin(self, headers: Headers) -> None: ...
    async def write(self, frames: bytes) -> None: ...
    async def end(self, code: int) -> None:
        """Ends the response. A WebSocket is closed with the code."""

    async def nothing(self) -> None:
        """Says that nothing is behind the cursor."""


class HTTPResponse:
    """The response of an HTTP request."""

    def __init__(self, send: Send, cors: Headers) -> None:
        self._send = send
        self._cors = cors

    async def begin(self, headers: Headers) -> None:
        await request.send_head(self._send, 200, [*headers, *self._cors])

    async def write(self, frames: bytes) -> None:
        await self._send({"type": "http.response.body", "body": frames, "more_body": True})

    async def end(self, code: int) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def nothing(self) -> None:
        await request.send_whole(self._send, 204, self._cors)


class MessageResponse:
    """The messages of a WebSocket."""

    def __init__(self, send: Send, binary: bool) -> None:
        self._send = send
        self._binary = binary

    async def begin(self, headers: Headers) -> None:
        """Sends nothing: a WebSocket has no head before its messages."""

    async def write(self, frames: bytes) -> None:
        await request.send_messages(self._send, frames, self._binary)

    async def end(self, code: int) -> None:
        await self._send({"type": "websocket.close", "code": code, "reason": ""})

    async def nothing(self) -> None:
        """Says nothing: a WebSocket has no status."""


async def send_log(
    log: Log, key: LogKey, stream: LogStream, receive: Receive, response: Response, on_log: OnLog | None
) -> None:
    """Sends a log to a client. One that disconnects ends reading, and nothing else. Raises Refused before the response
    begins.
    """
    driver = Driver(log, stream.machine, key, on_log)
    listener = asyncio.create_task(listen(receive, driver.close))

    def drain() -> None:
        stream.drain(asyncio.get_running_loop().time())
        driver.wake()

    try:
        with work_here(log).reading(drain):
            while (command := await driver.next()) is not None:
                name, value, _ = command
                if name == "opened":
                    await response.begin(value)
                elif name == "bytes":
                    await response.write(value)
                elif name == "end":
                    await response.end(value)
                elif value is None:
                    await response.nothing()
                else:
                    value.refuse()
    except OSError as error:
        _logger.debug("the answer cannot be sent to the client", exc_info=error)
    finally:
        driver.close()
        stream.close()
        listener.cancel()
        await asyncio.wait({listener})

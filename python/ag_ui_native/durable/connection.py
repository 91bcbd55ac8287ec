"""The response to a client that reads a log."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Protocol

from ag_ui_native.durable.driver import Driver, OnLog
from ag_ui_native.durable.work import work_here
from ag_ui_native.server import request
from ag_ui_native.server.request import Headers
from ag_ui_native.server.streaming import Receive, Send, listen

if TYPE_CHECKING:
    from ag_ui_native.durable.log import Log
    from ag_ui_native.durable.rules import LogKey, Reader

__all__ = ["HTTPResponse", "MessageResponse", "send_log"]

_logger = logging.getLogger("ag_ui_native.durable")


class Response(Protocol):
    """The place for what a reader reads."""

    async def begin(self, headers: Headers) -> None: ...
    async def write(self, value: Any) -> None: ...
    async def end(self) -> None: ...
    async def nothing(self) -> None:
        """Says that nothing is behind the cursor."""


class HTTPResponse:
    """The response of an HTTP request."""

    def __init__(self, send: Send, cors: Headers) -> None:
        self._send = send
        self._cors = cors

    async def begin(self, headers: Headers) -> None:
        await request.send_head(self._send, 200, [*headers, *self._cors])

    async def write(self, value: bytes) -> None:
        await self._send({"type": "http.response.body", "body": value, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def nothing(self) -> None:
        await request.send_whole(self._send, 204, self._cors)


class MessageResponse:
    """The messages of a WebSocket."""

    def __init__(self, send: Send, binary: bool) -> None:
        self._send = send
        self._kind = "bytes" if binary else "text"

    async def begin(self, headers: Headers) -> None:
        """Sends nothing: a WebSocket has no head before its messages."""

    async def write(self, value: list[str] | list[bytes]) -> None:
        for message in value:
            await self._send({"type": "websocket.send", self._kind: message})

    async def end(self) -> None:
        await self._send({"type": "websocket.close", "code": 1000, "reason": ""})

    async def nothing(self) -> None:
        await self.end()


async def send_log(
    log: Log, key: LogKey, reader: Reader, receive: Receive, response: Response, on_log: OnLog | None
) -> None:
    """Sends what a reader reads. A client that disconnects ends the reader, and nothing else. Raises Refused before the
    response begins.
    """
    driver = Driver(log, reader, key, on_log)
    listener = asyncio.create_task(listen(receive, driver.close))

    def drain() -> None:
        reader.drain(asyncio.get_running_loop().time())
        driver.wake()

    try:
        with work_here(log).reading(drain):
            while (command := await driver.next()) is not None:
                name, value, _ = command
                if name == "opened":
                    await response.begin(value)
                elif name in ("bytes", "messages"):
                    await response.write(value)
                elif name == "end":
                    await response.end()
                elif value is None:
                    await response.nothing()
                else:
                    value.refuse()
    except OSError as error:
        _logger.debug("the answer cannot be sent to the client", exc_info=error)
    finally:
        driver.close()
        reader.close()
        listener.cancel()
        await asyncio.wait({listener})

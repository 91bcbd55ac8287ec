"""The response to a client that reads a log."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ag_ui_native.durable.driver import Driver
from ag_ui_native.server import request
from ag_ui_native.server.request import Headers, Refused
from ag_ui_native.server.streaming import Receive, Send, listen

if TYPE_CHECKING:
    from ag_ui_native.durable.log import Log
    from ag_ui_native.durable.rules import LogKey, Reader

__all__ = ["send_log"]

_logger = logging.getLogger("ag_ui_native.durable")


async def send_log(log: Log, key: LogKey, reader: Reader, receive: Receive, send: Send, cors: Headers) -> None:
    """Sends what a reader reads. A client that disconnects ends the reader, and nothing else."""
    driver = Driver(log, reader, key)
    listener = asyncio.create_task(listen(receive, driver.close))
    try:
        while (command := await driver.next()) is not None:
            name, value, _ = command
            if name == "opened":
                await request.send_head(send, 200, [*value, *cors])
            elif name == "bytes":
                await send({"type": "http.response.body", "body": value, "more_body": True})
            elif name == "end":
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            elif value is None:
                await request.send_whole(send, 204, cors)
            else:
                value.refuse()
    except Refused as refused:
        await request.send_whole(send, refused.status, [*refused.headers, *cors], refused.body)
    except OSError as error:
        _logger.debug("the answer cannot be sent to the client", exc_info=error)
    finally:
        driver.close()
        listener.cancel()
        await asyncio.wait({listener})

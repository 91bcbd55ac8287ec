"""Sends a run on a connection of an ASGI server, and notices when the client disconnects."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.run import Run
from ag_ui_native.server.serve import AgentFunction, drive

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.request import Headers
    from ag_ui_native.server.rules import RequestBody

__all__ = [
    "ASGIScope",
    "Connection",
    "Disconnected",
    "Receive",
    "Send",
    "check_loop",
    "listen",
    "receive_pieces",
    "stream",
]

_logger = logging.getLogger("ag_ui_native.server")

# Servers and frameworks type these differently: as mappings, or as dictionaries with certain keys.
ASGIScope: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]

OTHER_MESSAGES = 100
"""After this number of other messages the listener stops, since some middleware repeats the request endlessly.
Messages of a WebSocket do not count."""


class Disconnected(Exception):
    """Raised when the client disconnects before it has sent its request."""


class Connection(Protocol):
    """The connection on which a run is sent."""

    @property
    def send(self) -> Send:
        """Sends a piece, in the form of the body of an HTTP response."""

    async def begin(self, headers: Headers) -> None:
        """Sends the start of the response, before the run."""

    async def end(self, outlet: Outlet) -> None:
        """Sends the end of the response, after the run."""


def check_loop() -> None:
    """Raises RuntimeError if no event loop of asyncio is running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "agents are served on asyncio: start the server with an asyncio worker, not with trio"
        ) from None


async def receive_pieces(receive: Receive, pieces: AsyncIterator[bytes] | None, body: RequestBody) -> None:
    """Passes the body of a request on as it arrives; ``pieces`` is a body that the framework reads."""
    async for piece in _pieces(receive) if pieces is None else pieces:
        body.receive(piece)


async def _pieces(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def stream(
    receive: Receive,
    connection: Connection,
    agent: AgentFunction,
    input: RunAgentInput,
    warnings: Iterable[ProtocolWarning],
    settings: ServerSettings,
    *,
    binary: bool,
) -> None:
    """Sends the events of a run as the response."""
    outlet = Outlet(binary, settings, connection.send)
    listener = asyncio.create_task(listen(receive, outlet.lose))

    async def hush() -> None:
        listener.cancel()
        await asyncio.wait({listener})

    async def finish() -> None:
        try:
            await outlet.finish(partial(connection.end, outlet))
        finally:
            # Stops the listener after the response: servers then report a disconnect.
            await hush()

    try:
        try:
            run: Run[Any] = Run(outlet, input, settings, warnings)
            await connection.begin(outlet.headers)
        except BaseException:
            # Nothing can follow, so the heartbeat must stop too.
            outlet.lose()
            await outlet.close()
            raise
        await drive(run, agent, outlet, finish)
    except OSError as error:
        _logger.debug("the answer cannot be sent to the client", exc_info=error)
    finally:
        await hush()


async def listen(receive: Receive, lose: Callable[[], object]) -> None:
    """Calls back when the client disconnects. Middleware may send other messages, or fail; then a disconnect is noticed
    while sending.
    """
    try:
        others = 0
        while others < OTHER_MESSAGES:
            said = (await receive())["type"]
            if said.endswith(".disconnect"):
                lose()
                return
            others += said != "websocket.receive"
    except Exception as error:
        _logger.debug(
            "the `receive` of the server failed: the agent is not told when its client disconnects", exc_info=error
        )

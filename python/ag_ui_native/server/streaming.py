"""A run on a connection of an ASGI server: what is written goes out, and who has gone is noticed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.run import Run
from ag_ui_native.server.serve import Agent, drive

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.server.options import Settings
    from ag_ui_native.server.request import Headers

__all__ = ["ASGIScope", "Connection", "Disconnected", "Receive", "Send", "check_loop", "stream"]

_logger = logging.getLogger("ag_ui_native.server")

# Servers and frameworks differ in how they type these: mappings, or dictionaries of certain keys.
ASGIScope: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]

OTHER_MESSAGES = 100
"""So many messages that say nothing are heard: some middleware repeats the request for ever. What a WebSocket brings is read always."""


class Disconnected(Exception):
    """The client has gone before it had asked."""


class Connection(Protocol):
    """The connection that a run is sent on."""

    @property
    def send(self) -> Send:
        """Sends a piece, given as the body of an HTTP answer is."""

    async def begin(self, headers: Headers) -> None:
        """Sends what stands before the run."""

    async def end(self, outlet: Outlet) -> None:
        """Sends what stands behind it."""


def check_loop() -> None:
    """Raises RuntimeError where no event loop of asyncio runs."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "agents are served on asyncio: start the server with an asyncio worker, not with trio"
        ) from None


async def stream(
    receive: Receive,
    connection: Connection,
    agent: Agent,
    input: RunAgentInput,
    warnings: Iterable[ProtocolWarning],
    settings: Settings,
    *,
    binary: bool,
) -> None:
    """Answers with the events of a run."""
    outlet = Outlet(binary, settings, connection.send)
    listener = asyncio.create_task(_listen(receive, outlet))

    async def hush() -> None:
        listener.cancel()
        await asyncio.wait({listener})

    async def finish() -> None:
        try:
            await outlet.finish(partial(connection.end, outlet))
        finally:
            # After the answer servers say that the client has gone.
            await hush()

    try:
        try:
            run: Run[Any] = Run(outlet, input, settings, warnings)
            await connection.begin(outlet.headers)
        except BaseException:
            # Nothing can follow, and no heartbeat may.
            outlet.lose()
            await outlet.close()
            raise
        await drive(run, agent, outlet, finish)
    except OSError as error:
        _logger.debug("the client cannot be reached", exc_info=error)
    finally:
        await hush()


async def _listen(receive: Receive, outlet: Outlet) -> None:
    """Waits until the client has gone. What stands between may say other things, or fail: then sending has to tell."""
    try:
        others = 0
        while others < OTHER_MESSAGES:
            said = (await receive())["type"]
            if said.endswith(".disconnect"):
                outlet.lose()
                return
            others += said != "websocket.receive"
    except Exception as error:
        _logger.debug("the server failed to say when the client disconnects", exc_info=error)

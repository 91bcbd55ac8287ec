"""Agents in the same program: functions of the server part, without a socket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from ag_ui_native import _native
from ag_ui_native.client import rules
from ag_ui_native.client.agent import Agent, SyncAgent
from ag_ui_native.client.callbacks import UNSET
from ag_ui_native.client.options import AgentOptions
from ag_ui_native.client.transport.bridge import BridgeTransport
from ag_ui_native.server import AgentFunction, Run, RunOptions
from ag_ui_native.server.options import ServerSettings, settings_of
from ag_ui_native.server.outlet import Outlet
from ag_ui_native.server.request import Refused, check_interrupts
from ag_ui_native.server.serve import checked, drive

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import ResponseReader, RunRequest
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.errors import ProtocolWarning

__all__ = ["LocalAgent", "SyncLocalAgent"]

StateT = TypeVar("StateT", default=Any)

_going: set[asyncio.Task[None]] = set()
"""Agents that have not ended yet; the event loop holds only weak references to tasks."""


class LocalAgent(Agent[StateT], Generic[StateT]):
    """An agent that is a function of a Run, as `asgi_app` serves it.

    The function's awaits wait until this agent has read, so a slow reader slows it down. Leaving the loop cancels
    the function. `server` has options of the server part.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.client import LocalAgent
        >>> from ag_ui_native.server import Run
        >>> async def greet(run: Run) -> None:
        ...     await run.write("Hello!")
        >>> print(asyncio.run(LocalAgent(greet, server={"time_limit": 60}).ask("Hi")))
        Hello!
    """

    _option_names = ("server", *AgentOptions.__annotations__)

    def __init__(
        self,
        function: AgentFunction,
        *,
        server: RunOptions | None = None,
        state: StateT | None = UNSET,
        **options: Unpack[AgentOptions],
    ) -> None:
        super().__init__(LocalTransport(function, server or {}), state=state, **options)


class SyncLocalAgent(SyncAgent[StateT], Generic[StateT]):
    """A blocking LocalAgent: the function runs in a thread, with an event loop of its own for each run.

    Examples:
        >>> from ag_ui_native.client import SyncLocalAgent
        >>> from ag_ui_native.server import Run
        >>> def greet(run: Run) -> None:
        ...     run.write("Hello!")
        >>> print(SyncLocalAgent(greet).ask("Hi"))
        Hello!
    """

    _option_names = ("server", *AgentOptions.__annotations__)

    def __init__(
        self,
        function: AgentFunction,
        *,
        server: RunOptions | None = None,
        state: StateT | None = UNSET,
        **options: Unpack[AgentOptions],
    ) -> None:
        super().__init__(BridgeTransport(LocalTransport(function, server or {})), state=state, **options)


class LocalTransport:
    """Runs the function for each request."""

    def __init__(self, function: AgentFunction, options: RunOptions) -> None:
        self._function = checked(function)
        self._settings = settings_of(options)

    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        """Raises AGUIConnectionError `http_error` for an input that a server would refuse."""
        settings = self._settings
        try:
            body = _native.RequestBody(settings.limits)
            body.receive(request.input_json.encode())
            input, warnings = body.read()
            warnings += await scope.wait(lambda: check_interrupts(input, settings), None, "total_timeout")
        except Refused as refused:
            raise rules.refusal_error(refused.status, "application/json", refused.body) from None
        return LocalReader(self._function, input, warnings, settings)


class LocalReader:
    """The response that a function writes."""

    def __init__(
        self, function: AgentFunction, input: RunAgentInput, warnings: list[ProtocolWarning], settings: ServerSettings
    ) -> None:
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue(1)
        self._is_closed = False
        self._outlet = Outlet(False, settings, self._send)
        self.content_type: str | None = self._outlet.content_type
        run: Run[Any] = Run(self._outlet, input, settings, warnings)
        self._exit: BaseException | None = None
        driving = drive(run, function, self._outlet, self._finish, on_exit=self._leave)
        self._task = asyncio.get_running_loop().create_task(driving)
        _going.add(self._task)
        self._task.add_done_callback(_going.discard)

    async def _send(self, message: dict[str, Any]) -> None:
        if not self._is_closed:
            await self._pieces.put(message["body"])

    async def _finish(self) -> None:
        if self._task.cancelling():
            # The event loop ends, and with it the reader.
            self.abort()
        await self._outlet.close()
        if not self._is_closed:
            await self._pieces.put(None)

    def _leave(self, exit: BaseException) -> None:
        """Forwards an exit of the program (SystemExit, KeyboardInterrupt) to the caller instead of failing the run."""
        self._exit = exit
        self._outlet.lose()

    async def read(self) -> bytes | None:
        piece = await self._pieces.get()
        if piece is None and self._exit is not None:
            raise self._exit
        return piece

    async def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        self._is_closed = True
        self._outlet.lose()
        # Wakes a writer that waits for room.
        while not self._pieces.empty():
            self._pieces.get_nowait()

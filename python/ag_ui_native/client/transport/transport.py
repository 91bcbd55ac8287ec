"""Transports of a client's agents: requests, answers, and functions that exchange them."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ag_ui_native.client.scope.tasks import END

if TYPE_CHECKING:
    from ag_ui_native.client.scope.cancel_scope import CancelScope

__all__ = ["Pieces", "RunRequest", "Response", "ResponseReader", "Transport", "TransportFunction", "transport_of"]

Pieces: TypeAlias = "Iterable[bytes] | AsyncIterable[bytes]"
"""The bytes of a stream, in pieces of any size."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    r"""The request of a run.

    Examples:
        >>> import asyncio, json
        >>> from ag_ui_native.client import Agent, RunRequest
        >>> def transport(request: RunRequest) -> list[bytes]:
        ...     print(request.thread_id, json.loads(request.input_json)["messages"][0]["content"])
        ...     return [b'data: {"type": "RUN_ERROR", "message": "No model."}\n\n']
        >>> result = asyncio.run(Agent(transport, thread_id="t1").ask("Hi")).result
        t1 Hi
        >>> result.error and result.error.message
        'No model.'
    """

    input_json: str
    """The run's input, as JSON."""
    thread_id: str
    """The conversation."""
    run_id: str
    """The run."""


@dataclass(frozen=True, slots=True)
class Response:
    r"""A response: its bytes and their content type.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.client import Agent, Response, RunRequest
        >>> def transport(request: RunRequest) -> Response:
        ...     pieces = [b'data: {"type": "RUN_ERROR", "message": "No model."}\n\n']
        ...     return Response(pieces, "text/event-stream")
        >>> asyncio.run(Agent(transport).run_agent()).outcome
        'error'
    """

    pieces: Pieces
    """The stream."""
    content_type: str | None = None
    """The content type, which selects the decoder; None means server-sent events."""


TransportFunction: TypeAlias = "Callable[[RunRequest], Pieces | Response | Awaitable[Pieces | Response]]"
r"""A transport function: takes a request and returns the bytes of the response, or a Response with their content type.

Examples:
    >>> from ag_ui_native.client import RunRequest, SyncAgent, TransportFunction
    >>> def refuse(request: RunRequest) -> list[bytes]:
    ...     return [b'data: {"type": "RUN_ERROR", "message": "No model."}\n\n']
    >>> transport: TransportFunction = refuse
    >>> SyncAgent(transport).run_agent().outcome
    'error'
"""


class ResponseReader(Protocol):
    """A response that is being read. If `is_one_run` is true, nothing is read behind the end of the run."""

    content_type: str | None

    async def read(self) -> bytes | None:
        """Returns the next piece; None at the end. Raises AGUIConnectionError."""

    async def close(self) -> None:
        """Closes the connection unless the response was read to its end."""

    def abort(self) -> None:
        """Ends a `read` in another thread; without one, closes the connection soon."""


class Transport(Protocol):
    """Sends the requests for runs."""

    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        """Sends a request and waits for the head of the response. Raises AGUIConnectionError."""


class FunctionTransport:
    """A transport by a function of the application."""

    def __init__(self, function: TransportFunction) -> None:
        self._function = function

    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        made = await scope.call(self._function, request)
        response = made if isinstance(made, Response) else Response(made)
        pieces: object = response.pieces
        if isinstance(pieces, (str, bytes)) or not (hasattr(pieces, "__aiter__") or isinstance(pieces, Iterable)):
            raise TypeError(
                f"the result of a transport: expected an iterable of bytes, or a Response, got {type(pieces).__name__}"
            )
        return PiecesReader(response, scope)


class PiecesReader:
    """The response that a function has returned."""

    def __init__(self, response: Response, scope: CancelScope) -> None:
        self.content_type: str | None = response.content_type
        self._scope = scope
        self._pieces: Any = scope.iterator(response.pieces)

    async def read(self) -> bytes | None:
        piece: object = await self._scope.step(self._pieces)
        if piece is END:
            return None
        if not isinstance(piece, (bytes, bytearray, memoryview)):
            raise TypeError(f"a piece of a transport: expected bytes, got {type(piece).__name__}")
        return piece  # type: ignore[return-value]

    async def close(self) -> None:
        await self._scope.finish(self._pieces)

    def abort(self) -> None:
        """Does nothing: the function ends with the piece that it is producing."""


def transport_of(given: Transport | TransportFunction) -> Transport:
    """Makes a transport of a function, or returns the given transport."""
    if hasattr(given, "open"):
        return given
    if not callable(given):
        raise TypeError(f"transport: expected a function that takes a request, got {type(given).__name__}")
    return FunctionTransport(given)

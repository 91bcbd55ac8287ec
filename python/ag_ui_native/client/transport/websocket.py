"""Agents over WebSockets: one message is one event."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic
from urllib.parse import urljoin

from typing_extensions import TypeVar

from ag_ui_native._option_reader import refused
from ag_ui_native.client import rules
from ag_ui_native.client.agent import Agent, SyncAgent
from ag_ui_native.client.callbacks import UNSET
from ag_ui_native.client.options import HTTP, RetryNumbers, Timeouts, WebSocketOptions, agent_options, retry_numbers
from ag_ui_native.client.scope.cancel_scope import DeadlineReached
from ag_ui_native.client.transport.bridge import BridgeTransport
from ag_ui_native.client.transport.remote import Remote, RemoteTransport
from ag_ui_native.client.transport.request import RequestSender, when
from ag_ui_native.errors import AGUIConnectionError, AGUIStreamError
from ag_ui_native.limits import Limits

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import ResponseReader, RunRequest
__all__ = ["SyncWebSocketAgent", "WebSocketAgent"]

StateT = TypeVar("StateT", default=Any)


class WebSocketAgent(Remote[StateT], Agent[StateT], Generic[StateT]):
    """An agent at a WebSocket's URL, with the package websockets.

    The first message is the run's input, as JSON. Each message of the server is an event: JSON if it is text,
    protobuf if it is binary. The connection is closed after the end of the run. A server that closes it before
    that, to refuse the input, gives the error `http_error`. Redirects are followed within the origin. Pings check
    whether the server is still there; the timeout `idle`, which counts messages, is off unless it is set. Raises
    AGUIValidationError for invalid options.

    Examples:
        >>> from ag_ui_native.client import Timeouts, WebSocketAgent
        >>> agent = WebSocketAgent("ws://127.0.0.1:8000/", timeouts=Timeouts(connect=5, idle=60))
        >>> agent.is_running
        False
    """

    _option_names = WebSocketOptions.__annotations__

    def __init__(self, url: str, *, state: StateT | None = UNSET, **options: Unpack[WebSocketOptions]) -> None:
        options.setdefault("timeouts", Timeouts(idle=None))
        self._remote = transport = WebSocketTransport(url, options)
        super().__init__(transport, state=state, **agent_options(options, WebSocketOptions))


class SyncWebSocketAgent(Remote[StateT], SyncAgent[StateT], Generic[StateT]):
    """A blocking agent: the connection has a thread with its own event loop, where a function for headers is called.

    Examples:
        >>> from ag_ui_native import AGUIConnectionError
        >>> from ag_ui_native.client import SyncWebSocketAgent
        >>> with SyncWebSocketAgent("ws://127.0.0.1:1/") as agent:
        ...     try:
        ...         agent.ask("Hi")
        ...     except AGUIConnectionError as error:
        ...         print(error.code)
        connection_failed
    """

    _option_names = WebSocketOptions.__annotations__

    def __init__(self, url: str, *, state: StateT | None = UNSET, **options: Unpack[WebSocketOptions]) -> None:
        options.setdefault("timeouts", Timeouts(idle=None))
        self._remote = transport = WebSocketTransport(url, options)
        super().__init__(BridgeTransport(transport), state=state, **agent_options(options, WebSocketOptions))


class WebSocketTransport(RemoteTransport):
    """Opens a connection for each request."""

    def __init__(self, url: str, options: WebSocketOptions) -> None:
        try:
            import websockets.exceptions
        except ImportError as error:
            raise ImportError(
                'agents over WebSockets need websockets: pip install "ag-ui-native[websocket]"'
            ) from error
        self.websockets: Any = websockets
        if not is_address(url):
            raise refused("/url", "url: expected an absolute URL, of ws or wss")
        super().__init__(url, options.get("headers"))
        connection = options.get("connection")
        if connection is not None and not isinstance(connection, Mapping):
            raise refused("/connection", f"connection: expected a mapping, got {type(connection).__name__}")
        protobuf = options.get("protobuf", False)
        HTTP["protobuf"].check("protobuf", protobuf)
        self.protobuf: bool = protobuf
        self.limits: Limits = options.get("limits") or Limits()
        self.timeouts: Timeouts = options.get("timeouts", Timeouts())
        retry = options.get("retry")
        HTTP["retry"].check("retry", retry)
        self.retry: RetryNumbers | None = retry_numbers(retry)
        self._connection = dict(connection or {})

    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        return await WebSocketRequestSender(self, request, scope).response()

    async def connect(self, url: str, headers: dict[str, str]) -> Any:
        """Opens a connection. Raises the exceptions of websockets."""
        options: dict[str, Any] = {
            "open_timeout": None,
            "close_timeout": 1,
            "max_size": self.limits.event_bytes,
            # No compression: websockets inflates all messages of a read at once, however large they become.
            "compression": None,
        } | self._connection
        return await connector()(url, additional_headers=headers, **options)

    def location(self, response: Any, here: str) -> str | None:
        """The target of a redirect: an absolute URL, empty if it is not valid, or if the given socket is closed now."""
        target = header(response, "location")
        if target is None:
            return None
        try:
            there = urljoin(here, target)
        except ValueError:
            there = ""
        return there if self._connection.get("sock") is None and is_address(there) else ""


def header(response: Any, name: str) -> str | None:
    """Returns a header of a response; repeated ones joined as a list, as HTTP does."""
    return ", ".join(response.headers.get_all(name)) or None


@functools.cache
def connector() -> Any:
    """Opens connections without following redirects."""
    from websockets.asyncio.client import connect

    class Connect(connect):
        def process_redirect(self, exc: Exception) -> Exception | str:
            return exc

    return Connect


def is_address(url: object) -> bool:
    """True if it is the URL of a WebSocket."""
    from websockets.exceptions import InvalidURI
    from websockets.uri import parse_uri

    try:
        bare, _ = rules.address_of(url)  # type: ignore[arg-type]  # A value that is not a string is refused below.
        return 0 < parse_uri(bare).port < 1 << 16
    except (InvalidURI, AttributeError, TypeError, ValueError):
        return False


class WebSocketRequestSender(RequestSender["WebSocketReader"]):
    """Opens connections until one has received its first message."""

    def __init__(self, transport: WebSocketTransport, request: RunRequest, scope: CancelScope) -> None:
        super().__init__(transport, request, scope)
        self._transport = transport
        self._headers: dict[str, str] = {}

    async def _prepare(self, _: rules.RequestCommand | None = None) -> rules.RequestCommand:
        try:
            self._headers = await self._transport.ask_headers(self._scope)
        except AGUIConnectionError as error:
            return self._failed(error)
        return self._exchange.prepared(when(), self._transport.url, list(self._headers))

    async def _send(self, command: rules.RequestCommand) -> rules.RequestCommand:
        websockets, transport = self._transport.websockets, self._transport
        given = {name: value for name, value in self._headers.items() if name.lower() not in command.headers}
        try:
            socket = await self._scope.until(
                lambda: transport.connect(command.url, given | command.headers), command.until
            )
        except DeadlineReached:
            return self._tick(command)
        except websockets.InvalidStatus as error:
            self._last_error = error
            return self._refused(error.response, command.url)
        # Before websockets 15, a response that breaks off is an EOFError.
        except (OSError, EOFError, OverflowError, UnicodeError, websockets.InvalidHandshake) as error:
            failure = rules.client_error("connection_failed", type(error).__name__)
            failure.__cause__ = error
            return self._failed(failure)
        self._reader = reader = WebSocketReader(transport, socket)
        self._scope.on_abort = reader.abort
        command = self._exchange.connected(when())
        try:
            await self._scope.until(lambda: reader.begin(self._request.input_json), command.until)
        except DeadlineReached:
            return self._tick(command)
        except (AGUIConnectionError, AGUIStreamError) as error:
            self._reader = None
            await reader.close()
            return self._failed(error)
        return self._exchange.head(when(), 101, reader.content_type)

    def _refused(self, response: Any, here: str) -> rules.RequestCommand:
        """Reports a response that does not open a WebSocket."""
        content_type, retry_after = header(response, "content-type"), header(response, "retry-after")
        location = self._transport.location(response, here)
        command = self._exchange.head(
            when(), response.status_code, content_type, location=location, retry_after=retry_after
        )
        if command.name != "refusal":
            return command
        self._exchange.piece(bytes(response.body or b""))
        return self._exchange.end()


class WebSocketReader:
    """The messages of a connection, as pieces of a stream."""

    is_one_run = True
    """The connection is closed behind the end of the run."""

    def __init__(self, transport: WebSocketTransport, socket: Any) -> None:
        self.content_type: str | None = None
        self._transport = transport
        self._socket = socket
        self._first: str | bytes | None = None
        self._is_binary = False
        self._closed: tuple[int, str] | None = None
        """The close code and the reason of the server."""

    async def begin(self, input_json: str) -> None:
        """Sends the input and waits for the first message, whose kind is the transport."""
        from ag_ui_native.encoder import AGUI_MEDIA_TYPE

        # A server that closes before it reads may have sent all its events.
        with suppress(self._transport.websockets.ConnectionClosed):
            await self._socket.send(input_json)
        self._first = await self._receive()
        if self._closed is not None and (failure := rules.close_failure(*self._closed)) is not None:
            raise failure
        self._is_binary = isinstance(self._first, bytes)
        self.content_type = AGUI_MEDIA_TYPE if self._is_binary else rules.event_content_type(None)

    async def read(self) -> bytes | None:
        message, self._first = self._first, None
        if message is None:
            message = await self._receive()
        if message is None:
            return None
        is_binary = isinstance(message, bytes)
        plain = message if isinstance(message, bytes) else message.encode()
        return rules.frame_message(plain, is_binary, self._is_binary, self._transport.limits)

    async def _receive(self) -> str | bytes | None:
        """Returns the next message; None when the server has closed the connection."""
        try:
            message: str | bytes = await self._socket.recv()
        except self._transport.websockets.ConnectionClosed as error:
            if error.sent is not None and error.sent.code == 1009 and not error.rcvd_then_sent:
                raise rules.client_error("limit_exceeded", "event_bytes", "event_bytes") from error
            if error.sent is not None and error.sent.code == 1007 and not error.rcvd_then_sent:
                raise rules.client_error("invalid_utf8", "a message") from error
            if error.rcvd is None:
                raise rules.client_error("connection_lost", type(error).__name__) from error
            self._closed = error.rcvd.code, error.rcvd.reason
            return None
        return message

    async def close(self) -> None:
        await self._socket.close()

    def abort(self) -> None:
        self._socket.transport.close()

"""One request: carries out the commands of core's machine and reports the results."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from math import inf
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from ag_ui_native.client import rules
from ag_ui_native.client.resumable import ResumableStream
from ag_ui_native.client.scope.cancel_scope import DeadlineReached, Limit
from ag_ui_native.client.transport.resuming import ResumingReader
from ag_ui_native.errors import AGUIConnectionError, AGUIError, AGUIStreamError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    import httpx

    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.http import HttpReader, HttpTransport
    from ag_ui_native.client.transport.transport import ResponseReader, RunRequest

__all__ = ["HttpRequestSender", "Purpose", "RequestSender", "when"]


ReaderT = TypeVar("ReaderT", bound="ResponseReader")
Purpose: TypeAlias = Literal["start", "join", "cancel", "thread"]
"""The purpose of a request: starts a run, joins one, cancels one, or reads a thread."""
Do: TypeAlias = "Callable[[rules.RequestCommand], Coroutine[Any, Any, rules.RequestCommand]]"


class RequestSender(ABC, Generic[ReaderT]):
    """Sends requests until there is a response with events, or a failure, as core's machine decides. Subclasses send
    the requests."""

    def __init__(self, transport: Any, request: RunRequest, scope: CancelScope, **options: Any) -> None:
        self._request = request
        self._scope = scope
        times = transport.timeouts
        self._exchange = rules.Exchange(
            begun=scope.begun,
            protobuf=transport.protobuf,
            retry=transport.retry,
            connect=inf if times.connect is None else times.connect,
            first_byte=times.first_byte,
            idle=times.idle,
            total=scope.total,
            **options,
        )
        self._reader: ReaderT | None = None
        self._last_error: Exception | None = None
        """The failure of the last attempt."""
        self._steps: dict[str, Do] = {
            "prepare": self._prepare,
            "send": self._send,
            "close": self._close,
            "sleep": self._sleep,
        }

    async def response(self) -> ResponseReader:
        """Returns the response. Raises AGUIConnectionError, AGUIStreamError."""
        try:
            command = await self._prepare()
            while command.name in self._steps:
                command = await self._steps[command.name](command)
        except BaseException:
            if self._reader is not None:
                await self._reader.close()
            raise
        if self._reader is None:
            raise self._failure(command)
        return self._events(self._reader, command)

    @abstractmethod
    async def _prepare(self, _: rules.RequestCommand | None = None) -> rules.RequestCommand:
        """Prepares the next attempt."""

    @abstractmethod
    async def _send(self, command: rules.RequestCommand) -> rules.RequestCommand:
        """Sends the request and waits for the head of the response."""

    def _events(self, reader: ReaderT, _: rules.RequestCommand) -> ResponseReader:
        """Returns the response that has events."""
        return reader

    def _failure(self, command: rules.RequestCommand) -> BaseException:
        error, last_error = command.error, self._last_error
        if error is None:
            assert last_error is not None
            return last_error
        error.__cause__ = last_error
        return error

    def _failed(self, error: AGUIError) -> rules.RequestCommand:
        self._last_error = error
        return self._exchange.failed(when(), error.code or "", error.limit, getattr(error, "status", None))

    async def _close(self, _: rules.RequestCommand) -> rules.RequestCommand:
        reader, self._reader = self._reader, None
        if reader is not None:
            await reader.close()
        return self._exchange.closed(when())

    async def _sleep(self, command: rules.RequestCommand) -> rules.RequestCommand:
        await self._scope.pause(command.until)
        return self._tick(command)

    def _tick(self, command: rules.RequestCommand) -> rules.RequestCommand:
        """Returns the current time for core, at least the deadline that has passed: clocks differ a little."""
        return self._exchange.tick(when(command.until or 0.0))


class HttpRequestSender(RequestSender["HttpReader"]):
    """Requests over HTTP."""

    def __init__(self, transport: HttpTransport, request: RunRequest, scope: CancelScope, purpose: Purpose) -> None:
        super().__init__(
            transport,
            request,
            scope,
            redirects=transport.redirects,
            purpose=purpose,
            thread_id=request.thread_id,
            run_id=request.run_id,
            reconnect=transport.reconnect,
        )
        self._transport = transport
        self._httpx = transport.httpx
        self._client: Any = None
        self._headers: dict[str, bytes] = {}
        self._sent: httpx.Request | None = None
        """The first request of an attempt."""
        self._body: ResponseReader | None = None
        self._left_behind: Sequence[str] = ()
        """The headers of the application that the last request did not have."""
        self._steps |= {"refusal": self._refusal, "wait": self._read}

    def _events(self, reader: HttpReader, command: rules.RequestCommand) -> ResponseReader:
        reader.limit = self._scope.bound(self._transport.timeouts.idle, "idle_timeout")
        decoded, reconnect = self._decoded(command), self._transport.reconnect
        # Bytes that are compressed cannot be read up to a cut.
        if reconnect is not None and decoded is reader and "ag-ui-cursor" in reader.response.headers:
            stream = ResumableStream.of(dict(reader.response.headers), reconnect, self._transport.limits)
            if stream is not None:
                return ResumingReader(self._transport, reader, stream, self._scope, self._left_behind)
        return decoded

    async def _prepare(self, _: rules.RequestCommand | None = None) -> rules.RequestCommand:
        try:
            given = await self._transport.ask_headers(self._scope)
        except AGUIConnectionError as error:
            return self._failed(error)
        self._headers = {name: value.encode("latin-1") for name, value in given.items()}
        self._client = await self._transport.client()
        self._sent = sent = self._build("POST", self._transport.url, has_input=True)
        # Credentials of the httpx client count as given by the application.
        said = "authorization" in sent.headers or self._client.auth is not None
        return self._exchange.prepared(when(), str(sent.url), [*given, *(["authorization"] if said else [])])

    def _build(self, method: str, url: str, *, has_input: bool) -> httpx.Request:
        content = self._request.input_json if has_input else None
        made: httpx.Request = self._client.build_request(method, url, headers=self._headers, content=content)
        return made

    async def _send(self, command: rules.RequestCommand) -> rules.RequestCommand:
        prepared, self._sent = self._sent if command.has_input else None, None
        sent = prepared or self._build(command.method, command.url, has_input=command.has_input)
        # httpx turns credentials of a URL into a header that replaces the application's, and logs URLs.
        sent.url = self._httpx.URL(command.url)
        self._left_behind = command.left_behind
        for name in command.left_behind:
            sent.headers.pop(name, None)
        sent.headers.update(command.headers)
        auth: dict[str, None] = {"auth": None} if command.left_behind else {}
        (connect, _), (head, _) = command.connect, command.head
        # httpx reads this dictionary when it waits for the head, and again for the body, when it holds another timeout.
        sent.extensions["timeout"] = {"connect": connect, "pool": connect, "read": head, "write": head}
        try:
            send = self._transport.send
            reader = await self._scope.until(lambda: send(self._client, sent, **auth), command.until)
        except DeadlineReached:
            return self._tick(command)
        # Invalid addresses raise any of these.
        except (
            self._httpx.HTTPError,
            self._httpx.InvalidURL,
            OSError,
            OverflowError,
            UnicodeError,
            ExceptionGroup,
        ) as error:
            return self._lost(error)
        self._reader = self._body = reader
        self._scope.on_abort = reader.abort
        response = reader.response
        headers = response.headers
        return self._exchange.head(
            when(),
            response.status_code,
            reader.content_type,
            headers.get("content-encoding"),
            reader.location(),
            headers.get("retry-after"),
            headers.get("ag-ui-cursor"),
        )

    def _lost(self, error: Exception) -> rules.RequestCommand:
        """Reports a failure of httpx without a response."""
        httpx = self._httpx
        if isinstance(error, httpx.TimeoutException):
            self._last_error = error
            return self._exchange.late(when(), isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)))
        failure = self._transport.failure(error, began=False)
        failure.__cause__ = error
        return self._failed(failure)

    async def _refusal(self, command: rules.RequestCommand) -> rules.RequestCommand:
        self._body = self._decoded(command)
        return await self._read(command)

    async def _read(self, command: rules.RequestCommand) -> rules.RequestCommand:
        """Reads a piece of a refusal."""
        assert self._reader is not None
        assert self._body is not None
        try:
            self._reader.limit = Limit(self._scope.seconds_until(command.until), "idle_timeout", None)
            piece = await self._scope.until(self._body.read, command.until)
        except DeadlineReached:
            return self._tick(command)
        except (AGUIConnectionError, AGUIStreamError) as error:
            return self._exchange.failed(when(), error.code or "")
        return self._exchange.end() if piece is None else self._exchange.piece(piece)

    def _decoded(self, command: rules.RequestCommand) -> ResponseReader:
        """Returns the response with its decoded body."""
        reader = self._reader
        assert reader is not None
        decoder = rules.body_decoder(command.encoding)
        return reader if decoder is None else DecodedReader(reader, decoder, self._scope)


def when(at_least: float = 0.0) -> tuple[float, int, float]:
    """Returns the time for core: the monotonic time, the time of day in milliseconds, and a random number."""
    return max(time.monotonic(), at_least), time.time_ns() // 1_000_000, random.random()


class DecodedReader:
    """A response with an encoded body. Between the steps of decoding, other tasks run and the time limit of the run is checked."""

    def __init__(self, reader: HttpReader, decoder: rules.BodyDecoder, scope: CancelScope) -> None:
        self.content_type: str | None = reader.content_type
        self.close: Callable[[], Coroutine[Any, Any, None]] = reader.close
        self.abort: Callable[[], None] = reader.abort
        self._read = reader.read
        self._decoder = decoder
        self._scope = scope

    async def read(self) -> bytes | None:
        """Returns the next piece; None at the end. Raises AGUIConnectionError."""
        await self._scope.turn()
        while (made := self._decoder.step()) is None:
            piece = await self._read()
            if piece is None:
                return None
            self._decoder.feed(piece)
        return made

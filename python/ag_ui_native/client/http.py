"""Runs over HTTP: one POST each, by httpx."""

from __future__ import annotations

import functools
import random
import ssl
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, cast

from ag_ui_native._wanted import refused
from ag_ui_native.client import rules
from ag_ui_native.client.options import HTTP, HttpOptions, Redirects, Retry, Timeouts
from ag_ui_native.client.remote import RemoteTransport
from ag_ui_native.errors import AGUIConnectionError, AGUIStreamError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    import httpx

    from ag_ui_native.client.transport import Answer, Request
    from ag_ui_native.client.waiting import Waiting

__all__ = ["HttpAnswer", "HttpTransport"]


def load_httpx() -> Any:
    """The package httpx. Raises ImportError that says how to get it."""
    try:
        import httpx
    except ImportError as error:
        raise ImportError('agents over HTTP need httpx: pip install "ag-ui-native[client]"') from error
    return httpx


@functools.cache
def ssl_context() -> ssl.SSLContext:
    """What own clients verify servers with. Reading the certificates takes as long as thousands of events: once is enough."""
    context: ssl.SSLContext = load_httpx().create_ssl_context()
    return context


def keep_location(response: httpx.Response) -> None:
    """Has httpx not look at where a redirect leads: it is not to follow it, and fails where that is no URL."""
    location = response.headers.pop("location", None)
    if location is not None:
        response.extensions[LOCATION] = location


def location_of(response: httpx.Response) -> str | None:
    """Where a redirect leads."""
    location: str | None = response.extensions.get(LOCATION) or response.headers.get("location")
    return location


LOCATION = "ag_ui_location"


class HttpTransport(RemoteTransport, ABC):
    """Sends requests, again where that is allowed, and follows redirects. How it sends is for others to say."""

    def __init__(self, url: str, client: object, options: HttpOptions) -> None:
        self.httpx: Any = load_httpx()
        self._check_url(url, client is not None)
        super().__init__(url, options.get("headers"))
        given: dict[str, Any] = {"protobuf": False, "retry": None, "redirects": "same-origin", **options}
        for name, wanted in HTTP.items():
            wanted.check(name, given[name])
        self.timeouts: Timeouts = given.get("timeouts", Timeouts())
        self._accept = rules.accepted_types(given["protobuf"])
        self._retry: Retry = given["retry"] or Retry(attempts=1)
        self._redirects: Redirects = given["redirects"]

    def _check_url(self, url: str, has_client: bool) -> None:
        """Raises AGUIValidationError for what is no address. A client may know others, such as those relative to its own."""
        try:
            parsed = self.httpx.URL(url)
            is_known = parsed.scheme in ("http", "https") and parsed.host and (parsed.port or 0) < 1 << 16
        except (TypeError, self.httpx.InvalidURL):
            parsed = is_known = None
        if parsed is None or not (is_known or has_client):
            raise refused("/url", "the url is an absolute one, of http or https")

    @abstractmethod
    async def client(self) -> Any:
        """The client to send with."""

    @abstractmethod
    async def send(self, client: Any, request: httpx.Request, **auth: None) -> HttpAnswer:
        """The head of the answer to one request."""

    async def open(self, request: Request, waiting: Waiting) -> Answer:
        """The answer, if it is events."""
        number = 1
        while True:
            try:
                answer = await self._follow(request, waiting)
                if rules.response_kind(answer.response.status_code) == "events":
                    return await self._decoded(answer, waiting)
                failure = await self._refusal(answer, waiting)
                after: str | None = answer.response.headers.get("retry-after")
            except AGUIConnectionError as error:
                failure, after = error, None
            pause = self._pause(failure, number, after)
            if pause is None:
                raise failure
            await waiting.sleep(pause)
            number += 1

    def _pause(self, failure: AGUIConnectionError, number: int, after: str | None) -> float | None:
        retry = self._retry
        policy = (retry.attempts, retry.first, retry.longest, retry.jitter)
        return rules.retry_pause(policy, number, failure.code, failure.status, failure.limit, after, random.random())

    async def _follow(self, request: Request, waiting: Waiting) -> HttpAnswer:
        """The answer behind the redirects."""
        given = {name: value.encode("latin-1") for name, value in (await self.ask_headers(waiting)).items()}
        headers = {**given, "accept": self._accept, "content-type": "application/json"}
        if not any(name.lower() == "accept-encoding" for name in given):
            headers["accept-encoding"] = rules.ACCEPT_ENCODING
        client, url, followed, same = await self.client(), self.httpx.URL(self.url), 0, True
        authorization, stays = None, True
        while True:
            sent = client.build_request("POST", url, headers=headers, content=request.input_json)
            # httpx makes credentials of an address a header that replaces the application's, and shows addresses in its log.
            address, authorization = rules.address_of(str(sent.url), authorization, stays)
            sent.url = self.httpx.URL(address)
            answer = await self._ask(client, sent, waiting, same, authorization)
            response = answer.response
            target = location_of(response)
            if self._redirects == "none" or target is None or rules.response_kind(response.status_code) != "redirect":
                return answer
            await answer.close()
            try:
                there = sent.url.join(target)
            except self.httpx.InvalidURL as error:
                raise rules.client_error("redirect_refused", "to no URL") from error
            any_origin = self._redirects == "any"
            stays = rules.check_redirect(response.status_code, followed, str(sent.url), str(there), any_origin)
            # Whoever has sent it away may have it sent back, too: it is not told what was said before.
            url, followed, same = there, followed + 1, same and stays

    async def _ask(
        self, client: Any, sent: httpx.Request, waiting: Waiting, same: bool, authorization: str | None
    ) -> HttpAnswer:
        """The head of one answer. Another origin is not shown what this one is. `authorization` is that of the address: what the
        application says, or its client, counts more.
        """
        auth: dict[str, None] = {} if same else {"auth": None}
        is_authorized = "authorization" in sent.headers or client.auth is not None
        if not same:
            for name in rules.CREDENTIALS:
                sent.headers.pop(name, None)
        if authorization is not None and not is_authorized:
            sent.headers["authorization"] = authorization
        times = self.timeouts
        first, name = (
            (times.idle, "idle_timeout") if times.first_byte is None else (times.first_byte, "first_byte_timeout")
        )
        read, name = waiting.bound(first, name)
        connect, connecting = waiting.bound(times.connect, "connect_timeout")
        limits: dict[str, float | None] = {"connect": connect, "pool": connect, "read": read, "write": read}
        # httpx looks at this dictionary when it begins to wait for the head, and again for the body: then it says something else.
        sent.extensions["timeout"] = limits
        whole = None if connect is None or read is None else connect + read
        try:
            answer = await waiting.wait(lambda: self.send(client, sent, **auth), whole, name)
        except self.httpx.InvalidURL as error:
            # The client looks at where it is sent, too.
            raise rules.client_error("redirect_refused", "to no URL") from error
        except (self.httpx.HTTPError, OSError, OverflowError, UnicodeError, ExceptionGroup) as error:
            # Of a client that is given httpx looks at where a redirect leads although it is not to follow it.
            if isinstance(error.__context__, self.httpx.InvalidURL):
                raise rules.client_error("redirect_refused", "to no URL") from error
            # Addresses that there cannot be come out as any of these.
            raise self.failure(error, name, connecting, began=False) from error
        limits["read"], answer.name = waiting.bound(times.idle, "idle_timeout")
        waiting.on_abort = answer.abort
        return answer

    async def _decoded(self, answer: HttpAnswer, waiting: Waiting) -> Answer:
        """The same with its body as it was before it was encoded."""
        try:
            decoder = rules.body_decoder(answer.content_encoding)
        except AGUIStreamError:
            await answer.close()
            raise
        return answer if decoder is None else DecodedAnswer(answer, decoder, waiting)

    async def _refusal(self, answer: HttpAnswer, waiting: Waiting) -> AGUIConnectionError:
        """What an answer says that has no events."""
        body = bytearray()
        until = time.monotonic() + min(rules.LONGEST_PAYLOAD, self.timeouts.idle or rules.LONGEST_PAYLOAD)
        try:
            decoded = await self._decoded(answer, waiting)
            while len(body) < rules.MOST_PAYLOAD and (left := until - time.monotonic()) > 0:
                answer.response.request.extensions["timeout"]["read"], _ = waiting.bound(left, "idle_timeout")
                piece = await waiting.wait(decoded.read, left, "idle_timeout")
                if piece is None:
                    break
                body += piece
        except (AGUIConnectionError, AGUIStreamError):
            # What has come says something, and so does the status.
            pass
        finally:
            await answer.close()
        response = answer.response
        return rules.refusal_error(response.status_code, response.headers.get("content-type"), bytes(body))

    def failure(self, error: Exception, reading: str, connecting: str, *, began: bool) -> AGUIConnectionError:
        """What a failure of httpx is."""
        httpx = self.httpx
        if isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)):
            return self._late(connecting)
        if isinstance(error, httpx.TimeoutException):
            return self._late(reading)
        lost = (httpx.ReadError, httpx.WriteError, httpx.CloseError, httpx.RemoteProtocolError, httpx.DecodingError)
        code: Literal["connection_lost", "connection_failed"]
        code = "connection_lost" if began or isinstance(error, lost) else "connection_failed"
        return cast("AGUIConnectionError", rules.client_error(code, type(error).__name__))

    def _late(self, name: str) -> AGUIConnectionError:
        return rules.timeout_error(name, getattr(self.timeouts, name.removesuffix("_timeout")))


class HttpAnswer(ABC):
    """An answer that is being read, as it comes: httpx decodes a piece whole, whatever it becomes."""

    def __init__(self, transport: HttpTransport, response: httpx.Response) -> None:
        self.transport = transport
        self.response = response
        self.content_type: str | None = response.headers.get("content-type")
        self.content_encoding: str = response.headers.get("content-encoding", "")
        self.name = "idle_timeout"
        """The timeout that ends a silence."""

    @abstractmethod
    async def read(self) -> bytes | None:
        """The next piece; None at the end. Raises AGUIConnectionError."""

    @abstractmethod
    async def close(self) -> None:
        """Closes the connection, unless all is read."""

    @abstractmethod
    def abort(self) -> None:
        """Ends a `read` in another thread; closes soon what nobody reads."""


class DecodedAnswer:
    """An answer whose body comes encoded. Between the steps of its decoding others have their turn, and the run's time is looked at."""

    def __init__(self, answer: HttpAnswer, decoder: rules.BodyDecoder, waiting: Waiting) -> None:
        self.content_type: str | None = answer.content_type
        self.close: Callable[[], Coroutine[Any, Any, None]] = answer.close
        self.abort: Callable[[], None] = answer.abort
        self._read = answer.read
        self._decoder = decoder
        self._waiting = waiting

    async def read(self) -> bytes | None:
        """The next piece; None at the end. Raises AGUIConnectionError."""
        await self._waiting.turn()
        while (made := self._decoder.step()) is None:
            piece = await self._read()
            if piece is None:
                return None
            self._decoder.feed(piece)
        return made

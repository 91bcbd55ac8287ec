"""Runs over HTTP: one POST each, by httpx."""

from __future__ import annotations

import asyncio
import functools
import ssl
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, cast

from ag_ui_native._option_reader import refused
from ag_ui_native.client import rules
from ag_ui_native.client.options import (
    HTTP,
    HttpOptions,
    Reconnect,
    Redirects,
    RetryNumbers,
    Timeouts,
    retry_numbers,
)
from ag_ui_native.client.scope.cancel_scope import Limit
from ag_ui_native.client.transport.remote import RemoteTransport
from ag_ui_native.client.transport.request import HttpRequestSender, Purpose

if TYPE_CHECKING:
    import httpx

    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import ResponseReader, RunRequest
    from ag_ui_native.errors import AGUIConnectionError
    from ag_ui_native.limits import Limits

__all__ = ["HttpReader", "HttpTransport"]


def load_httpx() -> Any:
    """Imports httpx. Raises ImportError with the command that installs it."""
    try:
        import httpx
    except ImportError as error:
        raise ImportError('agents over HTTP need httpx: pip install "ag-ui-native[client]"') from error
    return httpx


@functools.cache
def ssl_context() -> ssl.SSLContext:
    """Returns the TLS context of our own clients. It is loaded once: loading takes as long as thousands of events."""
    context: ssl.SSLContext = load_httpx().create_ssl_context()
    return context


def keep_location(response: httpx.Response) -> None:
    """Keeps httpx from parsing the target of a redirect: it does not follow it, and would fail at an invalid URL."""
    location = response.headers.pop("location", None)
    if location is not None:
        response.extensions[LOCATION] = location


LOCATION = "ag_ui_location"


class HttpTransport(RemoteTransport, ABC):
    """Sends requests with retries and redirects. Subclasses send each one."""

    def __init__(self, url: str, client: object, options: HttpOptions) -> None:
        self.httpx: Any = load_httpx()
        self._check_url(url, client is not None)
        super().__init__(url, options.get("headers"))
        given: dict[str, Any] = {
            "protobuf": False,
            "retry": None,
            "reconnect": Reconnect(),
            "redirects": "same-origin",
            **options,
        }
        for name, reader in HTTP.items():
            reader.check(name, given[name])
        self.timeouts: Timeouts = given.get("timeouts", Timeouts())
        self.protobuf: bool = given["protobuf"]
        self.redirects: Redirects = given["redirects"]
        self.retry: RetryNumbers | None = retry_numbers(given["retry"])
        self.reconnect: RetryNumbers | None = retry_numbers(given["reconnect"])
        self.limits: Limits | None = given.get("limits")

    def _check_url(self, url: str, has_client: bool) -> None:
        """Raises AGUIValidationError for an invalid address. A given client may accept others, such as relative ones."""
        try:
            parsed = self.httpx.URL(url)
            is_known = parsed.scheme in ("http", "https") and parsed.host and (parsed.port or 0) < 1 << 16
        except (TypeError, self.httpx.InvalidURL):
            parsed = is_known = None
        if parsed is None or not (is_known or has_client):
            raise refused("/url", "url: expected an absolute URL, of http or https")

    @abstractmethod
    async def client(self) -> Any:
        """Returns the httpx client to send with."""

    def keep(self, cancel: asyncio.Task[None]) -> None:
        """Takes the cancel of a run that was left: it is on its way."""

    @abstractmethod
    async def send(self, client: Any, request: httpx.Request, **auth: None) -> HttpReader:
        """Sends one request and returns the head of the response."""

    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        """Returns the response with events."""
        return await self.ask("start", request, scope)

    async def ask(self, purpose: Purpose, request: RunRequest, scope: CancelScope) -> ResponseReader:
        """Sends a request about a run or a thread and waits for the head of the response."""
        return await HttpRequestSender(self, request, scope, purpose).response()

    def failure(self, error: Exception, *, began: bool) -> AGUIConnectionError:
        """Translates a failure of httpx that is not a timeout."""
        httpx = self.httpx
        # httpx parses the URL of a request, and a given client the target of a redirect that it does not follow.
        if isinstance(error, httpx.InvalidURL) or isinstance(error.__context__, httpx.InvalidURL):
            return cast("AGUIConnectionError", rules.invalid_location())
        lost = (httpx.ReadError, httpx.WriteError, httpx.CloseError, httpx.RemoteProtocolError, httpx.DecodingError)
        code = "connection_lost" if began or isinstance(error, lost) else "connection_failed"
        return cast("AGUIConnectionError", rules.client_error(code, type(error).__name__))


class HttpReader(ABC):
    """A response that is read raw: httpx would decode a piece whole, however large it becomes."""

    def __init__(self, transport: HttpTransport, response: httpx.Response) -> None:
        self.transport = transport
        self.response = response
        self.content_type: str | None = response.headers.get("content-type")
        self._limit = Limit(None, "idle_timeout", None)

    def location(self) -> str | None:
        """The target of a redirect: an absolute URL, empty if it is not valid."""
        response = self.response
        location = response.extensions.get(LOCATION) or response.headers.get("location")
        if location is None:
            return None
        try:
            there = response.request.url.join(location)
            return str(there) if (there.port or 0) < 1 << 16 else ""
        except self.transport.httpx.InvalidURL:
            return ""

    @property
    def limit(self) -> Limit:
        """The time limit of the next piece."""
        return self._limit

    @limit.setter
    def limit(self, limit: Limit) -> None:
        self.response.request.extensions["timeout"]["read"], self._limit = limit.left, limit

    def failure(self, error: Exception) -> AGUIConnectionError:
        """Translates a failure of httpx within the response."""
        if isinstance(error, self.transport.httpx.TimeoutException):
            return self._limit.error()
        return self.transport.failure(error, began=True)

    @abstractmethod
    async def read(self) -> bytes | None:
        """Returns the next piece; None at the end. Raises AGUIConnectionError."""

    @abstractmethod
    async def close(self) -> None:
        """Closes the connection unless the response was read to its end."""

    @abstractmethod
    def abort(self) -> None:
        """Ends a `read` in another thread; without one, closes the connection soon."""

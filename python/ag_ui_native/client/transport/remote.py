"""Agents over a network: their address and the headers they are sent."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Generic, Self

from typing_extensions import TypeVar

from ag_ui_native._option_reader import refused
from ag_ui_native.client import rules
from ag_ui_native.client.conversation import Conversation
from ag_ui_native.client.options import Headers
from ag_ui_native.client.transport.bridge import BridgeTransport
from ag_ui_native.errors import AGUIValidationError

if TYPE_CHECKING:
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.transport.transport import ResponseReader, RunRequest, Transport

__all__ = ["Remote", "RemoteTransport"]

StateT = TypeVar("StateT", default=Any)


class RemoteTransport(ABC):
    """Holds the address and the headers of the application."""

    def __init__(self, url: str, headers: Headers | None) -> None:
        self.url: str = url
        self.headers: Headers = {}
        self.set_headers({} if headers is None else headers)

    @abstractmethod
    async def open(self, request: RunRequest, scope: CancelScope) -> ResponseReader:
        """Sends a request and waits for the head of the response."""

    def clone(self) -> Self:
        """Returns a transport with headers of its own that shares the connections."""
        twin = copy.copy(self)
        if isinstance(self.headers, MutableMapping):
            twin.headers = dict(self.headers.items())
        return twin

    def set_headers(self, headers: Headers) -> None:
        """Sets the headers of further requests. Raises AGUIValidationError for an invalid header."""
        if not callable(headers):
            checked(headers)
        self.headers = headers

    async def ask_headers(self, scope: CancelScope) -> dict[str, str]:
        """Returns the headers of one request. Raises as `set_headers`."""
        return checked(await scope.call(self.headers) if callable(self.headers) else self.headers)


class Remote(Conversation[StateT], Generic[StateT]):
    """The part that all agents over a network share."""

    _remote: RemoteTransport
    _transport: Transport

    def clone(self) -> Self:
        twin = super().clone()
        twin._remote = self._remote.clone()
        twin._transport = twin._remote if self._transport is self._remote else BridgeTransport(twin._remote)
        return twin

    @property
    def url(self) -> str:
        """The URL of the agent.

        Examples:
            >>> from ag_ui_native.client import HttpAgent
            >>> HttpAgent("http://127.0.0.1:8000/").url
            'http://127.0.0.1:8000/'
        """
        return self._remote.url

    @property
    def headers(self) -> Headers:
        """The headers of each request, or the function that returns them.

        Examples:
            >>> from ag_ui_native.client import HttpAgent
            >>> HttpAgent("http://127.0.0.1:8000/", headers={"X-Team": "research"}).headers
            {'X-Team': 'research'}
        """
        return self._remote.headers

    @headers.setter
    def headers(self, headers: Headers) -> None:
        self._remote.set_headers(headers)


def checked(headers: object) -> dict[str, str]:
    """Checks headers of the application. Raises AGUIValidationError for an invalid one."""
    if not isinstance(headers, Mapping):
        raise refused(
            "/headers", f"headers: expected a mapping, or a function that returns one, got {type(headers).__name__}"
        )
    sent: dict[str, str] = {}
    for name, value in headers.items():
        path = "/headers/" + str(name).replace("~", "~0").replace("/", "~1")
        if not isinstance(name, str) or not isinstance(value, str):
            given = type(value if isinstance(name, str) else name).__name__
            raise refused(path, f"headers: expected names and values that are strings, got {given} at {path}")
        try:
            value.encode("latin-1")
            if rules.check_request_header(name, value):
                sent[name] = value
        except UnicodeError:
            raise refused(
                path, f"the header {name!r} has characters that HTTP cannot send: use ISO-8859-1", "invalid_header"
            ) from None
        except AGUIValidationError as error:
            raise refused(path, error.message, error.code) from None
    return sent

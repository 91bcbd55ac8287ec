"""Agents that are reached over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from ag_ui_native.client.agent import Agent, SyncAgent
from ag_ui_native.client.callbacks import UNSET
from ag_ui_native.client.options import HttpOptions, agent_options
from ag_ui_native.client.transport.http_async import AsyncHttpTransport
from ag_ui_native.client.transport.http_blocking import BlockingHttpTransport
from ag_ui_native.client.transport.remote import Remote

if TYPE_CHECKING:
    import httpx
    from typing_extensions import Unpack

__all__ = ["HttpAgent", "SyncHttpAgent"]

StateT = TypeVar("StateT", default=Any)


class HttpAgent(Remote[StateT], Agent[StateT], Generic[StateT]):
    """An agent at a URL, by httpx.

    `client` is an `httpx.AsyncClient` that sends the requests: for applications in process, proxies, certificates,
    authentication. The default client uses proxies from the environment, as httpx does. Raises AGUIValidationError
    for invalid options.

    Examples:
        >>> import asyncio, httpx
        >>> from ag_ui_native.client import HttpAgent
        >>> from ag_ui_native.server import asgi_app
        >>> from ag_ui_native.testing import scripted_agent
        >>> app = httpx.ASGITransport(asgi_app(scripted_agent(["Hello!"])))
        >>> async def main() -> None:
        ...     headers = {"Authorization": "Bearer secret"}
        ...     async with HttpAgent("http://app/", client=httpx.AsyncClient(transport=app), headers=headers) as agent:
        ...         print(await agent.ask("Hi"))
        >>> asyncio.run(main())
        Hello!
    """

    _option_names = ("client", *HttpOptions.__annotations__)

    def __init__(
        self,
        url: str,
        *,
        client: httpx.AsyncClient | None = None,
        state: StateT | None = UNSET,
        **options: Unpack[HttpOptions],
    ) -> None:
        self._remote = transport = AsyncHttpTransport(url, client, options)
        super().__init__(transport, state=state, **agent_options(options, HttpOptions))


class SyncHttpAgent(Remote[StateT], SyncAgent[StateT], Generic[StateT]):
    """An agent at a URL, by an `httpx.Client`, blocking. Everything else is as for HttpAgent.

    The timeout `total` is checked between pieces of the response; the wait for a piece is limited by `idle`.

    Examples:
        >>> import httpx
        >>> from ag_ui_native.client import SyncHttpAgent
        >>> from ag_ui_native.server import wsgi_app
        >>> from ag_ui_native.testing import scripted_agent
        >>> app = httpx.WSGITransport(wsgi_app(scripted_agent(["Hello!"])))
        >>> with SyncHttpAgent("http://app/", client=httpx.Client(transport=app)) as agent:
        ...     print(agent.ask("Hi"))
        Hello!
    """

    _option_names = ("client", *HttpOptions.__annotations__)

    def __init__(
        self,
        url: str,
        *,
        client: httpx.Client | None = None,
        state: StateT | None = UNSET,
        **options: Unpack[HttpOptions],
    ) -> None:
        self._remote = transport = BlockingHttpTransport(url, client, options)
        super().__init__(transport, state=state, **agent_options(options, HttpOptions))

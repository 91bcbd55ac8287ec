"""``respond``: runs an agent in an endpoint of FastAPI or Starlette."""

from __future__ import annotations

from collections.abc import AsyncIterator, MutableMapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ag_ui_native.server.asgi import answer
from ag_ui_native.server.options import ServerOptions, ServerSettings, settings_with_log
from ag_ui_native.server.serve import AgentFunction, checked
from ag_ui_native.server.streaming import Disconnected, Send

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from typing_extensions import Unpack

    from ag_ui_native.core import RunAgentInput

__all__ = ["respond"]

OWN_HEADERS = {b"content-length", b"content-type"}
"""The headers that the agent's response sets itself."""


def respond(request: Request | RunAgentInput, agent: AgentFunction, **options: Unpack[ServerOptions]) -> Response:
    """Makes the response of an endpoint, which runs the agent.

    Takes the request, whose body is read when the response is sent, or an input that the framework has read.
    Refused requests get the same responses as from asgi_app. Headers and cookies that are set on the response are
    sent too; the status is set by the protocol.

    Examples:
        >>> from starlette.applications import Starlette
        >>> from starlette.requests import Request
        >>> from starlette.responses import Response
        >>> from starlette.routing import Route
        >>> from ag_ui_native.server import respond
        >>> from ag_ui_native.testing import scripted_agent
        >>> async def endpoint(request: Request) -> Response:
        ...     return respond(request, scripted_agent(["Hello!"]), time_limit=60)
        >>> app = Starlette(routes=[Route("/agent", endpoint, methods=["POST"])])
    """
    response: Response = _response_class()(request, checked(agent), settings_with_log(options))
    return response


@cache
def _response_class() -> Any:
    """Makes a subclass of Starlette's Response, which FastAPI accepts."""
    try:
        from starlette.requests import ClientDisconnect
        from starlette.responses import Response
    except ImportError as error:
        raise ImportError('respond needs starlette: pip install "ag-ui-native[server]"') from error

    async def pieces(request: Any) -> AsyncIterator[bytes]:
        try:
            async for piece in request.stream():
                yield piece
        except ClientDisconnect:
            raise Disconnected from None

    class AgentResponse(Response):
        """A response that runs an agent when it is sent."""

        def __init__(self, request: Any, agent: AgentFunction, settings: ServerSettings) -> None:
            super().__init__()
            self._request = request
            self._agent = agent
            self._settings = settings

        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            is_request = hasattr(self._request, "stream")
            given: dict[str, Any] = {"body": pieces(self._request)} if is_request else {"input": self._request}
            extra = [(name, value) for name, value in self.raw_headers if name not in OWN_HEADERS]
            if extra:
                send = _with_headers(send, extra)
            if self._settings.log is None:
                await answer(scope, receive, send, self._agent, self._settings, **given)
            else:
                from ag_ui_native.durable.server import answer as answer_with_log

                if is_request:
                    given["given"] = self._request
                await answer_with_log(scope, receive, send, self._agent, self._settings, **given)
            if self.background is not None:
                await self.background()

    return AgentResponse


def _with_headers(send: Send, extra: list[tuple[bytes, bytes]]) -> Send:
    """Adds these headers to the response, unless it has them."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            # Values of Vary add up, so that header may come twice.
            known = {name.lower() for name, _ in message["headers"]} - {b"vary"}
            message["headers"] += [(name, value) for name, value in extra if name not in known]
        await send(message)

    return sending

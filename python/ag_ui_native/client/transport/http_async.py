"""Runs over HTTP in an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ag_ui_native._option_reader import refused
from ag_ui_native.client.resumable import CANCEL_TIMEOUT
from ag_ui_native.client.scope.tasks import begin, finish
from ag_ui_native.client.transport.http import HttpReader, HttpTransport, keep_location, ssl_context

if TYPE_CHECKING:
    import httpx

    from ag_ui_native.client.options import HttpOptions

__all__ = ["AsyncHttpTransport"]

Own: TypeAlias = "tuple[httpx.AsyncClient, AsyncGenerator[Any]]"
"""A client and the generator that closes it."""


class AsyncHttpTransport(HttpTransport):
    """Sends requests with an `httpx.AsyncClient`: a given one, or its own."""

    def __init__(self, url: str, client: httpx.AsyncClient | None, options: HttpOptions) -> None:
        super().__init__(url, client, options)
        if client is not None and not isinstance(client, self.httpx.AsyncClient):
            raise refused("/client", f"client: expected an httpx.AsyncClient, got {type(client).__name__}")
        self._given = client
        self._own: dict[asyncio.AbstractEventLoop, Own] = {}
        """Our own clients, by event loop; made when needed and shared with clones."""
        self._cancels: set[asyncio.Task[None]] = set()
        """The cancels of runs that were left."""

    async def client(self) -> Any:
        if self._given is not None:
            return self._given
        # Connections belong to the event loop that opened them.
        loop = asyncio.get_running_loop()
        if loop not in self._own:
            for other in list(self._own):
                if other.is_closed():
                    del self._own[other]
            opened = self._opened(loop)
            self._own[loop] = await anext(opened), opened
        return self._own[loop][0]

    async def _opened(self, loop: asyncio.AbstractEventLoop) -> AsyncGenerator[Any]:
        """A client that is closed with its event loop: a loop that ends closes its generators."""
        client = self.httpx.AsyncClient(verify=ssl_context(), event_hooks={"response": [_keep_location]})
        try:
            yield client
        finally:
            self._own.pop(loop, None)
            await client.aclose()

    async def send(self, client: Any, request: httpx.Request, **auth: None) -> HttpReader:
        steps = Steps()
        request.extensions["trace"] = steps.take
        sending = client.send(request, stream=True, follow_redirects=False, **auth)
        return AsyncHttpReader(self, await steps.run(sending))

    def keep(self, cancel: asyncio.Task[None]) -> None:
        self._cancels.add(cancel)
        cancel.add_done_callback(self._cancels.discard)

    async def close(self) -> None:
        """Closes our own client of this loop, when runs that were left are cancelled; those of other loops end with their loops."""
        loop = asyncio.get_running_loop()
        cancels = [cancel for cancel in self._cancels if cancel.get_loop() is loop]
        if cancels:
            await asyncio.wait(cancels, timeout=CANCEL_TIMEOUT)
        own = self._own.get(loop)
        if own is not None:
            await own[1].aclose()


async def _keep_location(response: httpx.Response) -> None:
    keep_location(response)


class Steps:
    """Follows the steps of httpcore. If a request is cancelled after its connection was opened and before the next
    step, httpcore never removes the connection from its pool. So the request is sent in a task of its own, which is
    not cancelled there but ends with that step.
    """

    def __init__(self) -> None:
        self._has_just_opened = self._ends_with_next = False

    async def take(self, name: str, _: object) -> None:
        """Called for each step."""
        self._has_just_opened = name.startswith("connection.") and name.endswith(".complete")
        if self._ends_with_next:
            # Cleaning up has steps, too.
            self._ends_with_next = False
            raise asyncio.CancelledError

    async def run(self, sending: Coroutine[Any, Any, httpx.Response]) -> httpx.Response:
        """Returns the head of the response."""
        task = asyncio.create_task(sending)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            self._ends_with_next = self._has_just_opened
            if not self._has_just_opened:
                task.cancel()
            await finish(self._leave(task))
            raise
        return task.result()

    async def _leave(self, task: asyncio.Task[httpx.Response]) -> None:
        await asyncio.wait({task})
        if not task.cancelled() and task.exception() is None:
            # The request was quicker.
            await task.result().aclose()


class AsyncHttpReader(HttpReader):
    def __init__(self, transport: AsyncHttpTransport, response: httpx.Response) -> None:
        super().__init__(transport, response)
        self._pieces: AsyncIterator[bytes] = aiter(cast("Any", response.stream))

    async def read(self) -> bytes | None:
        try:
            return await anext(self._pieces)
        except StopAsyncIteration:
            return None
        except self.transport.httpx.HTTPError as error:
            raise self.failure(error) from error

    async def close(self) -> None:
        if not self.response.is_closed:
            await finish(self._close())

    async def _close(self) -> None:
        # A broken connection cannot be closed in order.
        with suppress(self.transport.httpx.HTTPError):
            await self.response.aclose()

    def abort(self) -> None:
        begin(self._close())

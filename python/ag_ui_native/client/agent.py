"""The agents of the client side: a conversation, and the transport that answers its requests."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

from typing_extensions import TypeVar

from ag_ui_native._option_reader import refused
from ag_ui_native.client import rules
from ag_ui_native.client.callbacks import UNSET
from ag_ui_native.client.chat import Content, Reply, ReplyStream, SyncReplyStream, texts_of
from ag_ui_native.client.conversation import Conversation
from ag_ui_native.client.joining import ConnectLoop, JoinLoop, JoinTransport, cancel_run
from ag_ui_native.client.loop import RunLoop
from ag_ui_native.client.notifier import Notifier
from ag_ui_native.client.resumable import CANCEL_TIMEOUT
from ag_ui_native.client.scope.cancel_scope import complete
from ag_ui_native.client.scope.cancel_scope_async import AsyncCancelScope
from ag_ui_native.client.scope.cancel_scope_blocking import BlockingCancelScope, require_plain
from ag_ui_native.client.stream import RunStream, SyncRunStream
from ag_ui_native.client.transport.http import HttpTransport
from ag_ui_native.client.transport.transport import Transport, TransportFunction, transport_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.changes import Change
    from ag_ui_native.client.options import AgentOptions, RunParameters
    from ag_ui_native.client.result import RunResult
    from ag_ui_native.client.run import Item
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.subscriber import AgentSubscriber
    from ag_ui_native.core import Event, Message

__all__ = ["Agent", "SyncAgent"]

StateT = TypeVar("StateT", default=Any)


class _Caller(Conversation[StateT], Generic[StateT]):
    """A conversation and the transport of its runs."""

    _scope_class: ClassVar[type[CancelScope]]

    def __init__(
        self,
        transport: Transport | TransportFunction,
        *,
        state: StateT | None = UNSET,
        **options: Unpack[AgentOptions],
    ) -> None:
        super().__init__(state, options)
        self._transport = transport_of(transport)

    def _asking(self, content: Content, parameters: RunParameters) -> RunLoop:
        prompt = self._user_message(content)
        return self._loop(parameters, wants_events=False, joins_text=True, prompt=prompt)

    def _joining(self, loop: type[JoinLoop], parameters: RunParameters) -> JoinLoop:
        return loop(self, JoinTransport(self._over_http()), parameters, self._scope_class, wants_events=True)

    async def _cancel(self, run_id: str | None) -> None:
        transport = self._over_http()
        if run_id is None:
            active = self._runs.all() if self.is_running else []
            if not active:
                raise rules.no_active_run()
            run_id = active[-1][0]
        scope = self._scope_class(CANCEL_TIMEOUT)
        await cancel_run(transport, self.thread_id, checked_id(run_id), scope)

    def _over_http(self) -> HttpTransport:
        """Returns the transport. Raises AGUIConnectionError if it is not one over HTTP."""
        if not isinstance(self._transport, HttpTransport):
            raise rules.over_http_only()
        return self._transport

    def _loop(
        self,
        parameters: RunParameters,
        *,
        wants_events: bool,
        joins_text: bool = False,
        prompt: Message | None = None,
    ) -> RunLoop:
        return RunLoop(
            self,
            self._transport,
            parameters,
            self._scope_class,
            wants_events=wants_events,
            joins_text=joins_text,
            prompt=prompt,
        )


class Agent(_Caller[StateT], Generic[StateT]):
    r"""A conversation with an agent, on asyncio.

    `transport` is a function, async or not. It takes a RunRequest, and returns the bytes of the answer as an iterable
    or async iterable, or a Response. Other agents (HttpAgent, WebSocketAgent, LocalAgent) have their own
    transports.

    Examples:
        >>> import asyncio
        >>> from collections.abc import Iterator
        >>> from ag_ui_native.client import Agent, RunRequest
        >>> def transport(request: RunRequest) -> Iterator[bytes]:
        ...     ids = f'"threadId": "{request.thread_id}", "runId": "{request.run_id}"'
        ...     yield b'data: {"type": "RUN_STARTED", %s}\n\n' % ids.encode()
        ...     yield b'data: {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Hello!"}\n\n'
        ...     yield b'data: {"type": "RUN_FINISHED", %s}\n\n' % ids.encode()
        >>> print(asyncio.run(Agent(transport).ask("Hi")))
        Hello!
    """

    _scope_class = AsyncCancelScope

    def run(self, **parameters: Unpack[RunParameters]) -> RunStream[Event]:
        """Runs the agent and yields its verified events, each after it has been applied to the conversation. Leaving
        the loop closes the connection.

        Raises AGUIError, with the result so far as `run`: AGUIConnectionError if the server cannot be reached,
        refuses the request or falls silent, AGUIStreamError if the answer is truncated or is no event stream,
        AGUISequenceError, AGUIValidationError and AGUILimitError for its events. An agent that fails (RUN_ERROR) is
        not an error: the result tells it.

        Examples:
            >>> import asyncio
            >>> from ag_ui_native.client import LocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> async def main() -> None:
            ...     async for event in LocalAgent(scripted_agent([])).run(forwarded_props={"user": "ada"}):
            ...         print(event.type.value)
            >>> asyncio.run(main())
            RUN_STARTED
            RUN_FINISHED
        """
        return RunStream(self._loop(parameters, wants_events=True), event_of)

    def stream(self, **parameters: Unpack[RunParameters]) -> RunStream[Change]:
        """Runs the agent and yields the changes of messages and state, each after it has been applied. Raises as `run`.

        Examples:
            >>> import asyncio
            >>> from ag_ui_native.client import LocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> async def main() -> None:
            ...     async for change in LocalAgent(scripted_agent(["Hello!"])).stream():
            ...         if change.kind == "text_appended":
            ...             print(change.value)
            >>> asyncio.run(main())
            Hello!
        """
        return RunStream(self._loop(parameters, wants_events=False), changes_of)

    async def run_agent(self, **parameters: Unpack[RunParameters]) -> RunResult:
        """Runs the agent to its end. Raises as `run`.

        Examples:
            >>> import asyncio
            >>> from ag_ui_native.client import LocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> asyncio.run(LocalAgent(scripted_agent(["Hello!"])).run_agent()).text
            'Hello!'
        """
        return await self._loop(parameters, wants_events=False, joins_text=True).run()

    async def ask(self, content: Content, **parameters: Unpack[RunParameters]) -> Reply:
        """Sends a message of the user and returns the reply. Raises as `run`.

        Examples:
            >>> import asyncio
            >>> from ag_ui_native.client import LocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> print(asyncio.run(LocalAgent(scripted_agent(["Hello!"])).ask("Hi")))
            Hello!
        """
        return Reply(await self._asking(content, parameters).run())

    def ask_stream(self, content: Content, **parameters: Unpack[RunParameters]) -> ReplyStream:
        """Sends a message of the user and yields the text of the reply; afterwards `reply` is complete. Raises as `run`.

        Examples:
            >>> import asyncio
            >>> from ag_ui_native.client import LocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> async def main() -> None:
            ...     async for piece in LocalAgent(scripted_agent(["Hello!"])).ask_stream("Hi"):
            ...         print(piece)
            >>> asyncio.run(main())
            Hello!
        """
        return ReplyStream(self._asking(content, parameters), texts_of)

    def join(self, run_id: str, *, subscriber: AgentSubscriber[Any] | None = None) -> RunStream[Event]:
        """Reads a run of this thread that was started elsewhere, such as in another tab, and applies its events. Tools are not
        called here, and leaving the loop does not end the run: `cancel` does. The conversation must not have events of the
        run yet: `connect` sees to that.

        Raises as `run`; AGUIConnectionError `run_unknown` if the server has no log of the run, or if the agent is not one over
        HTTP.

        Examples:
            >>> import asyncio, httpx
            >>> from ag_ui_native.client import HttpAgent
            >>> from ag_ui_native.durable import MemoryLog
            >>> from ag_ui_native.server import asgi_app
            >>> from ag_ui_native.testing import scripted_agent
            >>> app = asgi_app(scripted_agent(["Hello!"]), log=MemoryLog(), authorize="public")
            >>> async def main() -> None:
            ...     async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            ...         await HttpAgent("http://app/", client=client, thread_id="t1").ask("Hi", run_id="r1")
            ...         other = HttpAgent("http://app/", client=client, thread_id="t1")
            ...         print([event.type.value async for event in other.join("r1")][-1])
            >>> asyncio.run(main())
            RUN_FINISHED
        """
        return RunStream(self._joining(JoinLoop, {"run_id": checked_id(run_id), "subscriber": subscriber}), event_of)

    def connect(self, *, subscriber: AgentSubscriber[Any] | None = None) -> RunStream[Event]:
        """Opens this thread: replaces messages, state and pending interrupts by those that the server has kept, and joins the
        active run, if there is one. Without one the stream is empty, and its result tells how the last run has ended. Raises
        as `join`.

        Examples:
            >>> import asyncio, httpx
            >>> from ag_ui_native.client import HttpAgent
            >>> from ag_ui_native.durable import MemoryLog
            >>> from ag_ui_native.server import asgi_app
            >>> from ag_ui_native.testing import scripted_agent
            >>> app = asgi_app(scripted_agent(["Hello!"]), log=MemoryLog(), authorize="public")
            >>> async def main() -> None:
            ...     async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            ...         await HttpAgent("http://app/", client=client, thread_id="t1").ask("Hi")
            ...         opened = HttpAgent("http://app/", client=client, thread_id="t1")
            ...         async for event in opened.connect():
            ...             print(event.type.value)
            ...         print([message.content for message in opened.messages])
            >>> asyncio.run(main())
            ['Hi', 'Hello!']
        """
        return RunStream(self._joining(ConnectLoop, {"subscriber": subscriber}), event_of)

    async def cancel(self, run_id: str | None = None) -> None:
        """Cancels a run of this thread on its server, wherever it is executed; without an id the active run of this agent.
        Returns when the server has accepted it. All readers of the run get its end. Raises as `join`.

        Examples:
            >>> import asyncio, httpx
            >>> from ag_ui_native.client import HttpAgent
            >>> from ag_ui_native.durable import MemoryLog
            >>> from ag_ui_native.server import Run, asgi_app
            >>> async def wait(run: Run) -> None:
            ...     await run.custom("waiting", True)
            ...     await asyncio.Event().wait()
            >>> app = asgi_app(wait, log=MemoryLog(), authorize="public")
            >>> async def main() -> None:
            ...     async with HttpAgent("http://app/", client=httpx.AsyncClient(transport=httpx.ASGITransport(app))) as agent:
            ...         running = asyncio.create_task(agent.run_agent(run_id="r1"))
            ...         await asyncio.sleep(0.1)
            ...         await agent.cancel("r1")
            ...         print((await running).outcome)
            >>> asyncio.run(main())
            cancelled
        """
        await self._cancel(run_id)

    def _notify(self, added: list[Message], *, messages: bool = False, state: bool = False) -> None:
        if not self.subscribers:
            return
        subscribers = list(self.subscribers)

        async def notify() -> None:
            await Notifier(self, subscribers, AsyncCancelScope(None)).changed(added, messages=messages, state=state)

        self._queue.notify_anywhere(notify)

    async def close(self) -> None:
        """Closes the connections, which clones share.

        Examples:
            >>> import asyncio
            >>> from ag_ui_native.client import HttpAgent
            >>> asyncio.run(HttpAgent("http://127.0.0.1:8000/").close())
        """
        closing = getattr(self._transport, "close", None)
        if closing is not None:
            await closing()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


class SyncAgent(_Caller[StateT], Generic[StateT]):
    r"""A conversation with an agent that blocks its thread instead of using asyncio. Subscribers, tools and other functions are synchronous.

    Examples:
        >>> from collections.abc import Iterator
        >>> from ag_ui_native.client import RunRequest, SyncAgent
        >>> def transport(request: RunRequest) -> Iterator[bytes]:
        ...     ids = f'"threadId": "{request.thread_id}", "runId": "{request.run_id}"'
        ...     yield b'data: {"type": "RUN_STARTED", %s}\n\n' % ids.encode()
        ...     yield b'data: {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Hello!"}\n\n'
        ...     yield b'data: {"type": "RUN_FINISHED", %s}\n\n' % ids.encode()
        >>> agent = SyncAgent(transport)
        >>> print(agent.ask("Hi"))
        Hello!
        >>> [change.kind for change in agent.stream()][-1]
        'run_finished'
    """

    _scope_class = BlockingCancelScope

    def _check_functions(self, *functions: object) -> None:
        for function in functions:
            require_plain(function)

    def run(self, **parameters: Unpack[RunParameters]) -> SyncRunStream[Event]:
        """Runs the agent and yields its verified events, each after it has been applied to the conversation. Raises as `Agent.run`."""
        return SyncRunStream(self._loop(parameters, wants_events=True), event_of)

    def stream(self, **parameters: Unpack[RunParameters]) -> SyncRunStream[Change]:
        """Runs the agent and yields the changes of messages and state, each after it has been applied. Raises as `Agent.run`."""
        return SyncRunStream(self._loop(parameters, wants_events=False), changes_of)

    def run_agent(self, **parameters: Unpack[RunParameters]) -> RunResult:
        """Runs the agent to its end. Raises as `Agent.run`."""
        return complete(self._loop(parameters, wants_events=False, joins_text=True).run())

    def ask(self, content: Content, **parameters: Unpack[RunParameters]) -> Reply:
        """Sends a message of the user and returns the reply. Raises as `Agent.run`."""
        return Reply(complete(self._asking(content, parameters).run()))

    def ask_stream(self, content: Content, **parameters: Unpack[RunParameters]) -> SyncReplyStream:
        """Sends a message of the user and yields the text of the reply; afterwards `reply` is complete. Raises as `Agent.run`."""
        return SyncReplyStream(self._asking(content, parameters), texts_of)

    def join(self, run_id: str, *, subscriber: AgentSubscriber[Any] | None = None) -> SyncRunStream[Event]:
        """Reads a run of this thread that was started elsewhere. See `Agent.join`."""
        return SyncRunStream(
            self._joining(JoinLoop, {"run_id": checked_id(run_id), "subscriber": subscriber}), event_of
        )

    def connect(self, *, subscriber: AgentSubscriber[Any] | None = None) -> SyncRunStream[Event]:
        """Opens this thread, and joins its active run, if there is one. See `Agent.connect`."""
        return SyncRunStream(self._joining(ConnectLoop, {"subscriber": subscriber}), event_of)

    def cancel(self, run_id: str | None = None) -> None:
        """Cancels a run of this thread on its server, also from another thread. See `Agent.cancel`."""
        complete(self._cancel(run_id))

    def _notify(self, added: list[Message], *, messages: bool = False, state: bool = False) -> None:
        if not self.subscribers:
            return
        notifier = Notifier(self, self.subscribers, BlockingCancelScope(None), self._queue)
        self._queue.notify_now(lambda: complete(notifier.changed(added, messages=messages, state=state)))

    def close(self) -> None:
        """Closes the connections, which clones share."""
        closing = getattr(self._transport, "close", None)
        if closing is not None:
            closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def checked_id(run_id: object) -> str:
    """Returns the id of a run. Raises AGUIValidationError for another value."""
    if not isinstance(run_id, str) or not run_id:
        raise refused("/run_id", f"run_id: expected the id of a run, got {type(run_id).__name__}")
    return run_id


def event_of(item: Item) -> list[Any]:
    return [item[0]]


def changes_of(item: Item) -> list[Any]:
    return item[1]

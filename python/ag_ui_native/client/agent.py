"""The agents of the client side: a conversation, and the transport that answers its requests."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

from typing_extensions import TypeVar

from ag_ui_native.client.callbacks import UNSET
from ag_ui_native.client.chat import Content, Reply, ReplyStream, SyncReplyStream, texts_of
from ag_ui_native.client.conversation import Conversation
from ag_ui_native.client.loop import RunLoop
from ag_ui_native.client.notifier import Notifier
from ag_ui_native.client.scope.cancel_scope import complete
from ag_ui_native.client.scope.cancel_scope_async import AsyncCancelScope
from ag_ui_native.client.scope.cancel_scope_blocking import BlockingCancelScope, require_plain
from ag_ui_native.client.stream import RunStream, SyncRunStream
from ag_ui_native.client.transport.transport import Transport, TransportFunction, transport_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ag_ui_native.changes import Change
    from ag_ui_native.client.options import AgentOptions, RunParameters
    from ag_ui_native.client.result import RunResult
    from ag_ui_native.client.run import Item
    from ag_ui_native.client.scope.cancel_scope import CancelScope
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
    """A conversation with an agent, on asyncio.

    `transport` is a function, async or not. It takes a RunRequest, and returns the bytes of the answer as an iterable
    or async iterable, or a Response. Other agents (HttpAgent, WebSocketAgent, LocalAgent) have their own
    transports.
    """

    _scope_class = AsyncCancelScope

    def run(self, **parameters: Unpack[RunParameters]) -> RunStream[Event]:
        """Runs the agent and yields its verified events, each after it has been applied to the conversation. Leaving
        the loop closes the connection.

        Raises AGUIError, with the result so far as `run`: AGUIConnectionError if the server cannot be reached,
        refuses the request or falls silent, AGUIStreamError if the answer is truncated or is no event stream,
        AGUISequenceError, AGUIValidationError and AGUILimitError for its events. An agent that fails (RUN_ERROR) is
        not an error: the result tells it.
        """
        return RunStream(self._loop(parameters, wants_events=True), event_of)

    def stream(self, **parameters: Unpack[RunParameters]) -> RunStream[Change]:
        """Runs the agent and yields the changes of messages and state, each after it has been applied. Raises as `run`."""
        return RunStream(self._loop(parameters, wants_events=False), changes_of)

    async def run_agent(self, **parameters: Unpack[RunParameters]) -> RunResult:
        """Runs the agent to its end. Raises as `run`."""
        return await self._loop(parameters, wants_events=False, joins_text=True).run()

    async def ask(self, content: Content, **parameters: Unpack[RunParameters]) -> Reply:
        """Sends a message of the user and returns the reply. Raises as `run`."""
        return Reply(await self._asking(content, parameters).run())

    def ask_stream(self, content: Content, **parameters: Unpack[RunParameters]) -> ReplyStream:
        """Sends a message of the user and yields the text of the reply; afterwards `reply` is complete. Raises as `run`."""
        return ReplyStream(self._asking(content, parameters), texts_of)

    def _notify(self, added: list[Message], *, messages: bool = False, state: bool = False) -> None:
        if not self.subscribers:
            return
        subscribers = list(self.subscribers)

        async def notify() -> None:
            await Notifier(self, subscribers, AsyncCancelScope(None)).changed(added, messages=messages, state=state)

        self._queue.notify_anywhere(notify)

    async def close(self) -> None:
        """Closes the connections, which clones share."""
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
    """A conversation with an agent that blocks its thread instead of using asyncio. Subscribers, tools and other functions are synchronous."""

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


def event_of(item: Item) -> list[Any]:
    return [item[0]]


def changes_of(item: Item) -> list[Any]:
    return item[1]

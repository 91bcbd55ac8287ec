"""The parameters of subscribers' callbacks, and the values that they may return."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal

from typing_extensions import TypeVar

from ag_ui_native.client import rules

if TYPE_CHECKING:
    from ag_ui_native.changes import RunEnd
    from ag_ui_native.client.conversation import Conversation
    from ag_ui_native.core import (
        ActivityDeltaEvent,
        ActivityMessage,
        ActivitySnapshotEvent,
        Event,
        Interrupt,
        Message,
        ReasoningMessageContentEvent,
        ReasoningMessageEndEvent,
        RunAgentInput,
        RunFinishedEvent,
        TextMessageContentEvent,
        TextMessageEndEvent,
        ToolCall,
        ToolCallArgsEvent,
        ToolCallEndEvent,
    )
    from ag_ui_native.pipeline.reducer import Reducer

__all__ = [
    "ActivityParams",
    "ArgumentsParams",
    "CallEndParams",
    "EventParams",
    "FailureParams",
    "AgentStateMutation",
    "NewMessageParams",
    "NewToolCallParams",
    "ReasoningParams",
    "RunFinishedParams",
    "AgentSubscriberParams",
    "TextParams",
]

StateT = TypeVar("StateT", default=Any)
# Covariant: a callback may annotate a wider type of event.
EventT_co = TypeVar("EventT_co", default="Event", covariant=True)
TextT_co = TypeVar("TextT_co", default="TextMessageContentEvent | TextMessageEndEvent", covariant=True)
ReasoningT_co = TypeVar(
    "ReasoningT_co", default="ReasoningMessageContentEvent | ReasoningMessageEndEvent", covariant=True
)
ActivityT_co = TypeVar("ActivityT_co", default="ActivitySnapshotEvent | ActivityDeltaEvent", covariant=True)


class _Unset:
    """The type of UNSET, which means that no value was given; None is a value."""


UNSET: Any = _Unset()


@dataclass(slots=True)
class AgentStateMutation:
    """The changes that a callback asks for.

    Examples:
        >>> from ag_ui_native.client import AgentStateMutation, AgentSubscriber, AgentSubscriberParams, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> class Preparing(AgentSubscriber):
        ...     def on_run_initialized(self, params: AgentSubscriberParams) -> AgentStateMutation:
        ...         return AgentStateMutation(state={"tasks": ["Buy milk"]})
        >>> agent = SyncLocalAgent(scripted_agent([]), subscribers=[Preparing()])
        >>> result = agent.run_agent()
        >>> agent.state
        {'tasks': ['Buy milk']}
    """

    messages: Iterable[Message | Mapping[str, Any]] | None = None
    """The messages that replace all others."""
    state: Any = field(default=UNSET)
    """The state that replaces the old one."""
    stop_propagation: bool = False
    """True to call no further subscriber and to drop the event."""


class RunContext:
    """The context that all callbacks of a run share."""

    def __init__(self, agent: Conversation[Any], input_json: str | None) -> None:
        self.agent = agent
        self.input_json = input_json
        self._input: RunAgentInput | None = None

    @property
    def input(self) -> RunAgentInput | None:
        """The run's input, made at the first access."""
        if self._input is None and self.input_json is not None:
            self._input = rules.read_input(self.input_json, self.agent._settings.limits)
        return self._input


class AgentSubscriberParams(Generic[StateT]):
    """A run and its conversation.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, AgentSubscriberParams, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> class Showing(AgentSubscriber):
        ...     def on_run_initialized(self, params: AgentSubscriberParams) -> None:
        ...         print(params.agent.thread_id, params.input and params.input.run_id, params.messages, params.state)
        >>> agent = SyncLocalAgent(scripted_agent([]), thread_id="t1", subscribers=[Showing()])
        >>> result = agent.run_agent(run_id="r1")
        t1 r1 [] {}
    """

    def __init__(self, context: RunContext) -> None:
        self._context = context

    @property
    def agent(self) -> Conversation[StateT]:
        """The agent."""
        return self._context.agent

    @property
    def input(self) -> RunAgentInput | None:
        """The input of the run; None if the application has changed the conversation itself."""
        return self._context.input

    @property
    def messages(self) -> list[Message]:
        """The current messages, as live objects: read only. To replace them, return an `AgentStateMutation`."""
        return self._context.agent.messages

    @property
    def state(self) -> StateT:
        """The current state, as a live object or, of a model, a copy: read only. To replace it, return an `AgentStateMutation`."""
        return self._context.agent.state  # type: ignore[no-any-return]


class FailureParams(AgentSubscriberParams[StateT]):
    """A run that has failed.

    Examples:
        >>> from ag_ui_native.client import AgentStateMutation, AgentSubscriber, FailureParams, SyncHttpAgent
        >>> class Catching(AgentSubscriber):
        ...     def on_run_failed(self, params: FailureParams) -> AgentStateMutation:
        ...         return AgentStateMutation(stop_propagation=True)
        >>> with SyncHttpAgent("http://127.0.0.1:1/", subscribers=[Catching()]) as agent:
        ...     print(type(agent.run_agent().failure).__name__)
        AGUIConnectionError
    """

    def __init__(self, context: RunContext, error: Exception) -> None:
        super().__init__(context)
        self.error: Exception = error
        """The error."""


class EventParams(AgentSubscriberParams[StateT], Generic[EventT_co, StateT]):
    """An event.

    Examples:
        >>> from ag_ui_native import core
        >>> from ag_ui_native.client import AgentSubscriber, EventParams, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> class Showing(AgentSubscriber):
        ...     def on_custom_event(self, params: EventParams[core.CustomEvent]) -> None:
        ...         print(params.event.name, params.event.value)
        >>> agent = SyncLocalAgent(scripted_agent([{"type": "CUSTOM", "name": "progress", "value": 0.5}]))
        >>> result = agent.run_agent(subscriber=Showing())
        progress 0.5
    """

    def __init__(self, context: RunContext, event: EventT_co) -> None:
        # Set here: a call of super for each event costs more than the rest.
        self._context = context
        self._event = event

    @property
    def event(self) -> EventT_co:
        """The event."""
        return self._event


class RunFinishedParams(EventParams["RunFinishedEvent", StateT]):
    """RUN_FINISHED and the outcome of the run.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, RunFinishedParams, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> class Showing(AgentSubscriber):
        ...     def on_run_finished_event(self, params: RunFinishedParams) -> None:
        ...         print(params.outcome, params.result)
        >>> result = SyncLocalAgent(scripted_agent([])).run_agent(subscriber=Showing())
        success None
    """

    def __init__(self, context: RunContext, event: RunFinishedEvent, end: RunEnd) -> None:
        super().__init__(context, event)
        self.outcome: Literal["success", "interrupt", "cancelled"] = end.outcome
        """The outcome of the run."""
        self.result: Any = end.result
        """The agent's return value, after success."""
        self.pending_tool_call_ids: list[str] = end.pending_tool_call_ids or []
        """The tool calls that the application has to answer, after success."""
        self.interrupts: list[Interrupt] = end.interrupts or []
        """The interrupts that need an answer before the conversation continues."""


class _Streaming(EventParams[EventT_co, StateT]):
    def __init__(self, context: RunContext, event: EventT_co, message: Message) -> None:
        self._context = context
        self._event = event
        self._message = message

    def _text(self) -> str:
        # Not kept: a string with a second reference is copied when it grows.
        content = self._message.content
        return content if isinstance(content, str) else ""


class TextParams(_Streaming[TextT_co, StateT]):
    """A piece of a text message, or its end.

    Examples:
        >>> from ag_ui_native import core
        >>> from ag_ui_native.client import AgentSubscriber, SyncLocalAgent, TextParams
        >>> from ag_ui_native.testing import scripted_agent
        >>> class Showing(AgentSubscriber):
        ...     def on_text_message_content_event(self, params: TextParams[core.TextMessageContentEvent]) -> None:
        ...         print(repr(params.text_message_buffer), params.event.delta)
        >>> result = SyncLocalAgent(scripted_agent(["Hello!"])).run_agent(subscriber=Showing())
        '' Hello!
    """

    @property
    def text_message_buffer(self) -> str:
        """The text so far, without this piece. Valid until the callback returns."""
        return self._text()


class ReasoningParams(_Streaming[ReasoningT_co, StateT]):
    """A piece of a reasoning message, or its end.

    Examples:
        >>> from ag_ui_native import core
        >>> from ag_ui_native.client import AgentSubscriber, ReasoningParams, SyncLocalAgent
        >>> from ag_ui_native.server import Run
        >>> class Showing(AgentSubscriber):
        ...     def on_reasoning_message_end_event(self, params: ReasoningParams[core.ReasoningMessageEndEvent]) -> None:
        ...         print(params.reasoning_message_buffer)
        >>> async def think(run: Run) -> None:
        ...     async with run.reasoning() as reasoning:
        ...         await reasoning.write("The user greets me.")
        >>> result = SyncLocalAgent(think).run_agent(subscriber=Showing())
        The user greets me.
    """

    @property
    def reasoning_message_buffer(self) -> str:
        """The text so far, without this piece. Valid until the callback returns."""
        return self._text()


class ArgumentsParams(EventParams["ToolCallArgsEvent", StateT]):
    """A piece of a tool call's arguments.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, ArgumentsParams, SyncLocalAgent
        >>> from ag_ui_native.server import Run
        >>> class Showing(AgentSubscriber):
        ...     def on_tool_call_args_event(self, params: ArgumentsParams) -> None:
        ...         print(params.tool_call_name, repr(params.tool_call_buffer), params.partial_tool_call_args)
        >>> async def ask(run: Run) -> None:
        ...     async with run.tool_call("weather") as call:
        ...         await call.write('{"city": "Par')
        ...         await call.write('is"}')
        >>> result = SyncLocalAgent(ask).run_agent(subscriber=Showing())
        weather '' {}
        weather '{"city": "Par' {'city': 'Par'}
    """

    def __init__(self, context: RunContext, event: ToolCallArgsEvent, call: ToolCall, reducer: Reducer[Any]) -> None:
        super().__init__(context, event)
        self.tool_call_name: str = call.function.name
        """The name of the tool."""
        self._call = call
        self._reducer = reducer

    @property
    def tool_call_buffer(self) -> str:
        """The text of the arguments so far, without this piece. Valid until the callback returns."""
        return self._call.function.arguments

    @property
    def partial_tool_call_args(self) -> Any:
        """The arguments so far, parsed as if every open value were closed; read-only."""
        partial = self._reducer.partial_arguments(self.event.tool_call_id)
        return {} if partial is None else partial.value


class CallEndParams(EventParams["ToolCallEndEvent", StateT]):
    """The end of a tool call.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, CallEndParams, SyncLocalAgent
        >>> from ag_ui_native.server import Run
        >>> class Showing(AgentSubscriber):
        ...     def on_tool_call_end_event(self, params: CallEndParams) -> None:
        ...         print(params.tool_call_name, params.tool_call_args)
        >>> async def ask(run: Run) -> None:
        ...     async with run.tool_call("weather") as call:
        ...         await call.write('{"city": "Paris"}')
        >>> result = SyncLocalAgent(ask).run_agent(subscriber=Showing())
        weather {'city': 'Paris'}
    """

    def __init__(self, context: RunContext, event: ToolCallEndEvent, call: ToolCall) -> None:
        super().__init__(context, event)
        self.tool_call_name: str = call.function.name
        """The name of the tool."""
        self._call = call

    @property
    def tool_call_args(self) -> Any:
        """The arguments; an empty dictionary if they are not valid JSON."""
        try:
            return json.loads(self._call.function.arguments)
        except ValueError:
            return {}


class ActivityParams(EventParams[ActivityT_co, StateT]):
    """An activity that is created or changed.

    Examples:
        >>> from ag_ui_native import core
        >>> from ag_ui_native.client import ActivityParams, AgentSubscriber, SyncLocalAgent
        >>> from ag_ui_native.server import Run
        >>> class Showing(AgentSubscriber):
        ...     def on_activity_delta_event(self, params: ActivityParams[core.ActivityDeltaEvent]) -> None:
        ...         print(params.activity_message and params.activity_message.content)
        >>> async def search(run: Run) -> None:
        ...     activity = run.activity("search", {"found": 0})
        ...     await activity.patch([{"op": "replace", "path": "/found", "value": 3}])
        >>> result = SyncLocalAgent(search).run_agent(subscriber=Showing())
        {'found': 0}
    """

    def __init__(self, context: RunContext, event: ActivityT_co, existing: Message | None) -> None:
        super().__init__(context, event)
        self.existing_message: Message | None = existing
        """The message with this id, of any role."""

    @property
    def activity_message(self) -> ActivityMessage | None:
        """The activity with this id."""
        existing = self.existing_message
        return existing if existing is not None and existing.role == "activity" else None


class NewMessageParams(AgentSubscriberParams[StateT]):
    """A complete message.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, NewMessageParams, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> class Showing(AgentSubscriber):
        ...     def on_new_message(self, params: NewMessageParams) -> None:
        ...         print(params.message.role, params.message.content)
        >>> result = SyncLocalAgent(scripted_agent(["Hello!"])).run_agent(subscriber=Showing())
        assistant Hello!
    """

    def __init__(self, context: RunContext, message: Message) -> None:
        super().__init__(context)
        self.message: Message = message
        """The message."""


class NewToolCallParams(AgentSubscriberParams[StateT]):
    """A complete tool call.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, NewToolCallParams, SyncLocalAgent
        >>> from ag_ui_native.server import Run
        >>> class Showing(AgentSubscriber):
        ...     def on_new_tool_call(self, params: NewToolCallParams) -> None:
        ...         print(params.tool_call.function.name, params.tool_call.function.arguments)
        >>> async def ask(run: Run) -> None:
        ...     async with run.tool_call("weather") as call:
        ...         await call.write('{"city": "Paris"}')
        >>> result = SyncLocalAgent(ask).run_agent(subscriber=Showing())
        weather {"city": "Paris"}
    """

    def __init__(self, context: RunContext, tool_call: ToolCall) -> None:
        super().__init__(context)
        self.tool_call: ToolCall = tool_call
        """The call."""

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
    """The changes that a callback asks for."""

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
    """A run and its conversation."""

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
    """A run that has failed."""

    def __init__(self, context: RunContext, error: Exception) -> None:
        super().__init__(context)
        self.error: Exception = error
        """The error."""


class EventParams(AgentSubscriberParams[StateT], Generic[EventT_co, StateT]):
    """An event."""

    def __init__(self, context: RunContext, event: EventT_co) -> None:
        # Set here: a call of super for each event costs more than the rest.
        self._context = context
        self._event = event

    @property
    def event(self) -> EventT_co:
        """The event."""
        return self._event


class RunFinishedParams(EventParams["RunFinishedEvent", StateT]):
    """RUN_FINISHED and the outcome of the run."""

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
    """A piece of a text message, or its end."""

    @property
    def text_message_buffer(self) -> str:
        """The text so far, without this piece. Valid until the callback returns."""
        return self._text()


class ReasoningParams(_Streaming[ReasoningT_co, StateT]):
    """A piece of a reasoning message, or its end."""

    @property
    def reasoning_message_buffer(self) -> str:
        """The text so far, without this piece. Valid until the callback returns."""
        return self._text()


class ArgumentsParams(EventParams["ToolCallArgsEvent", StateT]):
    """A piece of a tool call's arguments."""

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
    """The end of a tool call."""

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
    """An activity that is created or changed."""

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
    """A complete message."""

    def __init__(self, context: RunContext, message: Message) -> None:
        super().__init__(context)
        self.message: Message = message
        """The message."""


class NewToolCallParams(AgentSubscriberParams[StateT]):
    """A complete tool call."""

    def __init__(self, context: RunContext, tool_call: ToolCall) -> None:
        super().__init__(context)
        self.tool_call: ToolCall = tool_call
        """The call."""

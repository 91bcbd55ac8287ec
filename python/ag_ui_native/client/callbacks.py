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
# A callback may say less of its event than it could: covariant.
EventT_co = TypeVar("EventT_co", default="Event", covariant=True)
TextT_co = TypeVar("TextT_co", default="TextMessageContentEvent | TextMessageEndEvent", covariant=True)
ReasoningT_co = TypeVar(
    "ReasoningT_co", default="ReasoningMessageContentEvent | ReasoningMessageEndEvent", covariant=True
)
ActivityT_co = TypeVar("ActivityT_co", default="ActivitySnapshotEvent | ActivityDeltaEvent", covariant=True)


class _Unset:
    """No value: None is one."""


UNSET: Any = _Unset()


@dataclass(slots=True)
class AgentStateMutation:
    """The changes that a callback wants."""

    messages: Iterable[Message | Mapping[str, Any]] | None = None
    """Other messages, in the place of all."""
    state: Any = field(default=UNSET)
    """Another state."""
    stop_propagation: bool = False
    """No further subscriber is asked, and what the callback is about does not happen."""


class RunContext:
    """The context that all callbacks of a run share."""

    def __init__(self, agent: Conversation[Any], input_json: str | None) -> None:
        self.agent = agent
        self.input_json = input_json
        self._input: RunAgentInput | None = None

    @property
    def input(self) -> RunAgentInput | None:
        """The run's input, made when somebody asks for it."""
        if self._input is None and self.input_json is not None:
            self._input = rules.read_input(self.input_json, self.agent.settings.limits)
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
        """The messages as they are now: live objects, to be read only. Others are returned."""
        return self._context.agent.messages

    @property
    def state(self) -> StateT:
        """The state as it is now: a live object, to be read only, or a copy where it is a model. Another is returned."""
        return self._context.agent.state  # type: ignore[no-any-return]


class FailureParams(AgentSubscriberParams[StateT]):
    """A run that has failed."""

    def __init__(self, context: RunContext, error: Exception) -> None:
        super().__init__(context)
        self.error: Exception = error
        """Why."""


class EventParams(AgentSubscriberParams[StateT], Generic[EventT_co, StateT]):
    """An event."""

    def __init__(self, context: RunContext, event: EventT_co) -> None:
        # For each event: a call of super costs more than the rest.
        self._context = context
        self._event = event

    @property
    def event(self) -> EventT_co:
        """The event."""
        return self._event


class RunFinishedParams(EventParams["RunFinishedEvent", StateT]):
    """RUN_FINISHED, and what it means."""

    def __init__(self, context: RunContext, event: RunFinishedEvent, end: RunEnd) -> None:
        super().__init__(context, event)
        self.outcome: Literal["success", "interrupt", "cancelled"] = end.outcome
        """The outcome of the run."""
        self.result: Any = end.result
        """The agent's return value, after success."""
        self.pending_tool_call_ids: list[str] = end.pending_tool_call_ids or []
        """The calls that the application is to answer, after success."""
        self.interrupts: list[Interrupt] = end.interrupts or []
        """The interrupts that need an answer before the conversation continues."""


class _Streaming(EventParams[EventT_co, StateT]):
    def __init__(self, context: RunContext, event: EventT_co, message: Message) -> None:
        self._context = context
        self._event = event
        self._message = message

    def _text(self) -> str:
        # Not kept: a text that somebody holds is copied when it grows.
        content = self._message.content
        return content if isinstance(content, str) else ""


class TextParams(_Streaming[TextT_co, StateT]):
    """A piece of a text message, or its end."""

    @property
    def text_message_buffer(self) -> str:
        """The text so far, without this piece: until the callback returns."""
        return self._text()


class ReasoningParams(_Streaming[ReasoningT_co, StateT]):
    """A piece of a reasoning message, or its end."""

    @property
    def reasoning_message_buffer(self) -> str:
        """The text so far, without this piece: until the callback returns."""
        return self._text()


class ArgumentsParams(EventParams["ToolCallArgsEvent", StateT]):
    """A piece of a tool call's arguments."""

    def __init__(self, context: RunContext, event: ToolCallArgsEvent, call: ToolCall, reducer: Reducer[Any]) -> None:
        super().__init__(context, event)
        self.tool_call_name: str = call.function.name
        """The tool."""
        self._call = call
        self._reducer = reducer

    @property
    def tool_call_buffer(self) -> str:
        """The arguments' text so far, without this piece: until the callback returns."""
        return self._call.function.arguments

    @property
    def partial_tool_call_args(self) -> Any:
        """The arguments so far, as if everything open in them were closed; read-only."""
        partial = self._reducer.partial_arguments(self.event.tool_call_id)
        return {} if partial is None else partial.value


class CallEndParams(EventParams["ToolCallEndEvent", StateT]):
    """The end of a tool call."""

    def __init__(self, context: RunContext, event: ToolCallEndEvent, call: ToolCall) -> None:
        super().__init__(context, event)
        self.tool_call_name: str = call.function.name
        """The tool."""
        self._call = call

    @property
    def tool_call_args(self) -> Any:
        """The arguments; an empty dictionary if they are no JSON."""
        try:
            return json.loads(self._call.function.arguments)
        except ValueError:
            return {}


class ActivityParams(EventParams[ActivityT_co, StateT]):
    """An activity that is shown or changes."""

    def __init__(self, context: RunContext, event: ActivityT_co, existing: Message | None) -> None:
        super().__init__(context, event)
        self.existing_message: Message | None = existing
        """The message with this id, whatever it is."""

    @property
    def activity_message(self) -> ActivityMessage | None:
        """The activity with this id."""
        existing = self.existing_message
        return existing if existing is not None and existing.role == "activity" else None


class NewMessageParams(AgentSubscriberParams[StateT]):
    """A message that is complete."""

    def __init__(self, context: RunContext, message: Message) -> None:
        super().__init__(context)
        self.message: Message = message
        """The message."""


class NewToolCallParams(AgentSubscriberParams[StateT]):
    """A tool call that is complete."""

    def __init__(self, context: RunContext, tool_call: ToolCall) -> None:
        super().__init__(context)
        self.tool_call: ToolCall = tool_call
        """The call."""

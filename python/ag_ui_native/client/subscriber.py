"""Subscribers of the runs of an agent."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from typing_extensions import TypedDict, TypeVar

from ag_ui_native._option_reader import refused
from ag_ui_native.client.callbacks import (
    ActivityParams,
    AgentStateMutation,
    AgentSubscriberParams,
    ArgumentsParams,
    CallEndParams,
    EventParams,
    FailureParams,
    NewMessageParams,
    NewToolCallParams,
    ReasoningParams,
    RunFinishedParams,
    TextParams,
)

if TYPE_CHECKING:
    from ag_ui_native import core
    from ag_ui_native.core import Message

__all__ = ["CallbackResult", "AgentStateMutationDict", "Notified", "AgentSubscriber"]

StateT = TypeVar("StateT", default=Any)

CHANGES = ("on_new_message", "on_new_tool_call", "on_messages_changed", "on_state_changed")


class AgentStateMutationDict(TypedDict, total=False):
    """An AgentStateMutation as a dictionary."""

    messages: list[Message | dict[str, Any]]
    state: Any
    stop_propagation: bool


CallbackResult: TypeAlias = (
    "AgentStateMutation | AgentStateMutationDict | Awaitable[AgentStateMutation | AgentStateMutationDict | None] | None"
)
"""The result of a callback that may change something.

Examples:
    >>> from ag_ui_native.client import AgentSubscriber, AgentSubscriberParams, CallbackResult, SyncLocalAgent
    >>> from ag_ui_native.testing import scripted_agent
    >>> class Preparing(AgentSubscriber):
    ...     def on_run_initialized(self, params: AgentSubscriberParams) -> CallbackResult:
    ...         return {"state": {"tasks": ["Buy milk"]}}
    >>> agent = SyncLocalAgent(scripted_agent([]), subscribers=[Preparing()])
    >>> result = agent.run_agent()
    >>> agent.state
    {'tasks': ['Buy milk']}
"""
Notified: TypeAlias = "Awaitable[None] | None"
"""The result of a callback that may not."""


class AgentSubscriber(Generic[StateT]):
    """Base class of subscribers: override the callbacks that you need. Each may be async in an async agent.

    The order for an event is: `on_event`, the callback of its type, then the event is applied, then
    `on_new_message` or `on_new_tool_call`, then `on_messages_changed` and `on_state_changed`. Subscribers are
    called one after the other. Exceptions of callbacks are logged, and the other callbacks are still called.
    Exceptions of the last four callbacks end the run.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, AgentSubscriberParams, NewMessageParams, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> class Showing(AgentSubscriber):
        ...     def on_new_message(self, params: NewMessageParams) -> None:
        ...         print(params.message.content)
        ...     def on_run_finalized(self, params: AgentSubscriberParams) -> None:
        ...         print("over")
        >>> result = SyncLocalAgent(scripted_agent(["Hello!"]), subscribers=[Showing()]).run_agent()
        Hello!
        over
    """

    def on_run_initialized(self, params: AgentSubscriberParams[StateT]) -> CallbackResult:
        """Called before a run is requested; returned messages and state go into its input."""

    def on_run_failed(self, params: FailureParams[StateT]) -> CallbackResult:
        """Called when a run has failed. With `stop_propagation` the error is not raised."""

    def on_run_finalized(self, params: AgentSubscriberParams[StateT]) -> CallbackResult:
        """Called at the end of every run."""

    def on_event(self, params: EventParams[core.Event, StateT]) -> CallbackResult:
        """Any event."""

    def on_run_started_event(self, params: EventParams[core.RunStartedEvent, StateT]) -> CallbackResult:
        """RUN_STARTED."""

    def on_run_finished_event(self, params: RunFinishedParams[StateT]) -> CallbackResult:
        """RUN_FINISHED."""

    def on_run_error_event(self, params: EventParams[core.RunErrorEvent, StateT]) -> CallbackResult:
        """RUN_ERROR."""

    def on_step_started_event(self, params: EventParams[core.StepStartedEvent, StateT]) -> CallbackResult:
        """STEP_STARTED."""

    def on_step_finished_event(self, params: EventParams[core.StepFinishedEvent, StateT]) -> CallbackResult:
        """STEP_FINISHED."""

    def on_subagent_started_event(self, params: EventParams[core.SubagentStartedEvent, StateT]) -> CallbackResult:
        """SUBAGENT_STARTED."""

    def on_subagent_finished_event(self, params: EventParams[core.SubagentFinishedEvent, StateT]) -> CallbackResult:
        """SUBAGENT_FINISHED."""

    def on_subagent_error_event(self, params: EventParams[core.SubagentErrorEvent, StateT]) -> CallbackResult:
        """SUBAGENT_ERROR."""

    def on_text_message_start_event(self, params: EventParams[core.TextMessageStartEvent, StateT]) -> CallbackResult:
        """TEXT_MESSAGE_START."""

    def on_text_message_content_event(self, params: TextParams[core.TextMessageContentEvent, StateT]) -> CallbackResult:
        """TEXT_MESSAGE_CONTENT."""

    def on_text_message_end_event(self, params: TextParams[core.TextMessageEndEvent, StateT]) -> CallbackResult:
        """TEXT_MESSAGE_END."""

    def on_tool_call_start_event(self, params: EventParams[core.ToolCallStartEvent, StateT]) -> CallbackResult:
        """TOOL_CALL_START."""

    def on_tool_call_args_event(self, params: ArgumentsParams[StateT]) -> CallbackResult:
        """TOOL_CALL_ARGS."""

    def on_tool_call_end_event(self, params: CallEndParams[StateT]) -> CallbackResult:
        """TOOL_CALL_END."""

    def on_tool_call_result_event(self, params: EventParams[core.ToolCallResultEvent, StateT]) -> CallbackResult:
        """TOOL_CALL_RESULT."""

    def on_state_snapshot_event(self, params: EventParams[core.StateSnapshotEvent, StateT]) -> CallbackResult:
        """STATE_SNAPSHOT."""

    def on_state_delta_event(self, params: EventParams[core.StateDeltaEvent, StateT]) -> CallbackResult:
        """STATE_DELTA."""

    def on_messages_snapshot_event(self, params: EventParams[core.MessagesSnapshotEvent, StateT]) -> CallbackResult:
        """MESSAGES_SNAPSHOT."""

    def on_activity_snapshot_event(self, params: ActivityParams[core.ActivitySnapshotEvent, StateT]) -> CallbackResult:
        """ACTIVITY_SNAPSHOT."""

    def on_activity_delta_event(self, params: ActivityParams[core.ActivityDeltaEvent, StateT]) -> CallbackResult:
        """ACTIVITY_DELTA."""

    def on_raw_event(self, params: EventParams[core.RawEvent, StateT]) -> CallbackResult:
        """RAW."""

    def on_custom_event(self, params: EventParams[core.CustomEvent, StateT]) -> CallbackResult:
        """CUSTOM."""

    def on_reasoning_start_event(self, params: EventParams[core.ReasoningStartEvent, StateT]) -> CallbackResult:
        """REASONING_START."""

    def on_reasoning_message_start_event(
        self, params: EventParams[core.ReasoningMessageStartEvent, StateT]
    ) -> CallbackResult:
        """REASONING_MESSAGE_START."""

    def on_reasoning_message_content_event(
        self, params: ReasoningParams[core.ReasoningMessageContentEvent, StateT]
    ) -> CallbackResult:
        """REASONING_MESSAGE_CONTENT."""

    def on_reasoning_message_end_event(
        self, params: ReasoningParams[core.ReasoningMessageEndEvent, StateT]
    ) -> CallbackResult:
        """REASONING_MESSAGE_END."""

    def on_reasoning_end_event(self, params: EventParams[core.ReasoningEndEvent, StateT]) -> CallbackResult:
        """REASONING_END."""

    def on_reasoning_encrypted_value_event(
        self, params: EventParams[core.ReasoningEncryptedValueEvent, StateT]
    ) -> CallbackResult:
        """REASONING_ENCRYPTED_VALUE."""

    def on_new_message(self, params: NewMessageParams[StateT]) -> Notified:
        """A message is complete, or the application has added one."""

    def on_new_tool_call(self, params: NewToolCallParams[StateT]) -> Notified:
        """A tool call is complete."""

    def on_messages_changed(self, params: AgentSubscriberParams[StateT]) -> Notified:
        """The messages have changed."""

    def on_state_changed(self, params: AgentSubscriberParams[StateT]) -> Notified:
        """The state has changed."""


# Chunks have no callbacks: they are expanded first.
CALLBACKS = tuple(name for name in vars(AgentSubscriber) if name.startswith("on_"))


def check_subscriber(given: AgentSubscriber[Any], path: str = "") -> AgentSubscriber[Any]:
    """Checks a subscriber, and raises AGUIValidationError if it is invalid. It may be of any class, but must have at
    least one callback.
    """
    misspelt = () if isinstance(given, type) else (name for name in dir(given) if _is_misspelt(name))
    for name in misspelt:
        raise refused(
            f"{path}/{name}", f"there is no callback {name!r}: use one of {', '.join(CALLBACKS)}", "unknown_field"
        )
    if isinstance(given, type) or not (
        isinstance(given, AgentSubscriber) or any(callable(getattr(given, name, None)) for name in CALLBACKS)
    ):
        raise refused(path, f"subscriber: expected an object with callbacks, got {type(given).__name__}")
    return given


def callbacks_of(subscriber: AgentSubscriber[Any]) -> list[Any]:
    """Returns the callbacks of a subscriber."""
    return [callback for name in CALLBACKS if callable(callback := getattr(subscriber, name, None))]


def _is_misspelt(name: str) -> bool:
    """True if the name looks like a callback's name, but there is no such callback. Other attributes are allowed."""
    is_meant = name.startswith("on_") or (name.startswith("on") and name[2:3].isupper())
    return is_meant and name not in CALLBACKS

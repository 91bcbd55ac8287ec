"""The 31 events, and what only they contain.

Generated from the declaration in core/src/types: `make generate`.
"""

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Dict, List, Literal, Optional, Sequence, Union

from pydantic import Field

from ag_ui_native.core.base import GeneratedBaseModel
from ag_ui_native.core.base import GeneratedBaseModel as ConfiguredBaseModel
from ag_ui_native.core.types import (
    ContentPart,
    Interrupt,
    JsonPatchOperation,
    Message,
    Metadata,
    Role,
    RunAgentInput,
    State,
    SubagentRunId,
)

if TYPE_CHECKING:
    from typing import overload  # noqa: TC004

    from typing_extensions import deprecated  # noqa: TC004

    # mypy assumes that it is true.
    MYPY = False


class EventType(str, Enum):
    """The types of events.

    Examples:
        >>> from ag_ui_native.core import EventType
        >>> print(EventType("TEXT_MESSAGE_START").name)
        TEXT_MESSAGE_START
    """

    TEXT_MESSAGE_START = "TEXT_MESSAGE_START"
    TEXT_MESSAGE_CONTENT = "TEXT_MESSAGE_CONTENT"
    TEXT_MESSAGE_END = "TEXT_MESSAGE_END"
    TEXT_MESSAGE_CHUNK = "TEXT_MESSAGE_CHUNK"
    TOOL_CALL_START = "TOOL_CALL_START"
    TOOL_CALL_ARGS = "TOOL_CALL_ARGS"
    TOOL_CALL_END = "TOOL_CALL_END"
    TOOL_CALL_CHUNK = "TOOL_CALL_CHUNK"
    TOOL_CALL_RESULT = "TOOL_CALL_RESULT"
    STATE_SNAPSHOT = "STATE_SNAPSHOT"
    STATE_DELTA = "STATE_DELTA"
    MESSAGES_SNAPSHOT = "MESSAGES_SNAPSHOT"
    ACTIVITY_SNAPSHOT = "ACTIVITY_SNAPSHOT"
    ACTIVITY_DELTA = "ACTIVITY_DELTA"
    RAW = "RAW"
    CUSTOM = "CUSTOM"
    RUN_STARTED = "RUN_STARTED"
    RUN_FINISHED = "RUN_FINISHED"
    RUN_ERROR = "RUN_ERROR"
    STEP_STARTED = "STEP_STARTED"
    STEP_FINISHED = "STEP_FINISHED"
    REASONING_START = "REASONING_START"
    REASONING_MESSAGE_START = "REASONING_MESSAGE_START"
    REASONING_MESSAGE_CONTENT = "REASONING_MESSAGE_CONTENT"
    REASONING_MESSAGE_END = "REASONING_MESSAGE_END"
    REASONING_MESSAGE_CHUNK = "REASONING_MESSAGE_CHUNK"
    REASONING_END = "REASONING_END"
    REASONING_ENCRYPTED_VALUE = "REASONING_ENCRYPTED_VALUE"
    SUBAGENT_STARTED = "SUBAGENT_STARTED"
    SUBAGENT_FINISHED = "SUBAGENT_FINISHED"
    SUBAGENT_ERROR = "SUBAGENT_ERROR"

    if TYPE_CHECKING and not MYPY:

        @overload
        def __eq__(self, other: "EventType", /) -> bool: ...
        @overload
        @deprecated("compare with a member of EventType: pyright does not check what follows a comparison with text")
        def __eq__(self, other: str, /) -> bool: ...
        @overload
        def __eq__(self, other: object, /) -> bool: ...
        def __eq__(self, other: object, /) -> bool: ...
        @overload
        def __ne__(self, other: "EventType", /) -> bool: ...
        @overload
        @deprecated("compare with a member of EventType: pyright does not check what follows a comparison with text")
        def __ne__(self, other: str, /) -> bool: ...
        @overload
        def __ne__(self, other: object, /) -> bool: ...
        def __ne__(self, other: object, /) -> bool: ...
        def __hash__(self) -> int: ...


TextMessageRole = Literal["developer", "system", "assistant", "user"]
"""The role of a streamed text message's author.

Examples:
    >>> from ag_ui_native.core import TextMessageRole
    >>> role: TextMessageRole = "developer"
    >>> print(role)
    developer
"""

ToolCallResultRole = Literal["tool"]
"""The one role of a streamed tool result.

Examples:
    >>> from ag_ui_native.core import ToolCallResultRole
    >>> role: ToolCallResultRole = "tool"
    >>> print(role)
    tool
"""

ReasoningMessageRole = Literal["reasoning"]
"""The one role of a streamed reasoning message.

Examples:
    >>> from ag_ui_native.core import ReasoningMessageRole
    >>> role: ReasoningMessageRole = "reasoning"
    >>> print(role)
    reasoning
"""

ReasoningEncryptedValueSubtype = Literal["tool-call", "message"]
"""The kind of thing that an encrypted reasoning value belongs to.

Examples:
    >>> from ag_ui_native.core import ReasoningEncryptedValueSubtype
    >>> subtype: ReasoningEncryptedValueSubtype = "tool-call"
    >>> print(subtype)
    tool-call
"""


class BaseEvent(GeneratedBaseModel):
    """The members that every event has.

    Examples:
        >>> from ag_ui_native.core import BaseEvent, EventType
        >>> event = BaseEvent(type=EventType.RAW, timestamp=1767225600000)
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"RAW","timestamp":1767225600000}
    """

    type: EventType
    """The type of the event."""
    timestamp: Optional[int] = Field(default=None, ge=-9007199254740991, le=9007199254740991)
    """The time of creation, in milliseconds since the Unix epoch by convention."""
    raw_event: Optional[Any] = None
    """The provider's own event from which this event was made, unchanged."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the event; the key `ag-ui` is reserved."""


class RunFinishedSuccessOutcome(GeneratedBaseModel):
    """The run succeeded.

    Examples:
        >>> from ag_ui_native.core import RunFinishedSuccessOutcome
        >>> outcome = RunFinishedSuccessOutcome(pending_tool_call_ids=["c1"])
        >>> print(outcome.model_dump_json(by_alias=True))
        {"type":"success","pendingToolCallIds":["c1"]}
    """

    type: Literal["success"] = "success"
    """Always `success`."""
    pending_tool_call_ids: Optional[List[str]] = None
    """The ids of the calls that the client still has to answer; absent or empty: those without a result in the stream."""


class RunFinishedInterruptOutcome(GeneratedBaseModel):
    """The run waits for answers.

    Examples:
        >>> from ag_ui_native.core import Interrupt, RunFinishedInterruptOutcome
        >>> outcome = RunFinishedInterruptOutcome(interrupts=[Interrupt(id="i1", reason="tool_call")])
        >>> print(outcome.model_dump_json(by_alias=True))
        {"type":"interrupt","interrupts":[{"id":"i1","reason":"tool_call"}]}
    """

    type: Literal["interrupt"] = "interrupt"
    """Always `interrupt`."""
    interrupts: List[Interrupt] = Field(min_length=1)
    """The questions, at least one."""


class RunFinishedCancelledOutcome(GeneratedBaseModel):
    """The run was cancelled.

    Examples:
        >>> from ag_ui_native.core import RunFinishedCancelledOutcome
        >>> outcome = RunFinishedCancelledOutcome()
        >>> print(outcome.model_dump_json(by_alias=True))
        {"type":"cancelled"}
    """

    type: Literal["cancelled"] = "cancelled"
    """Always `cancelled`."""


class SubagentFinishedSuccessOutcome(GeneratedBaseModel):
    """The subagent succeeded.

    Examples:
        >>> from ag_ui_native.core import SubagentFinishedSuccessOutcome
        >>> outcome = SubagentFinishedSuccessOutcome()
        >>> print(outcome.model_dump_json(by_alias=True))
        {"type":"success"}
    """

    type: Literal["success"] = "success"
    """Always `success`."""


class SubagentFinishedSuspendedOutcome(GeneratedBaseModel):
    """The subagent waits for answers.

    Examples:
        >>> from ag_ui_native.core import SubagentFinishedSuspendedOutcome
        >>> outcome = SubagentFinishedSuspendedOutcome(interrupt_ids=["i1"])
        >>> print(outcome.model_dump_json(by_alias=True))
        {"type":"suspended","interruptIds":["i1"]}
    """

    type: Literal["suspended"] = "suspended"
    """Always `suspended`."""
    interrupt_ids: Optional[List[str]] = None
    """The ids of the interrupts for which the subagent waits."""


class TokenUsage(GeneratedBaseModel):
    """The tokens used with one model of one provider.

    Examples:
        >>> from ag_ui_native.core import TokenUsage
        >>> usage = TokenUsage(provider="openai", input_tokens=120, output_tokens=30)
        >>> print(usage.model_dump_json(by_alias=True))
        {"provider":"openai","inputTokens":120,"outputTokens":30}
    """

    provider: Optional[str] = None
    """The provider that runs the model."""
    model: Optional[str] = None
    """The model."""
    input_tokens: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The tokens that the model has read, cached ones included."""
    output_tokens: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The tokens that the model has written, reasoning included."""
    total_tokens: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The tokens of input and output together."""
    reasoning_tokens: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The part of the output that was reasoning."""
    cached_input_tokens: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The part of the input that came from a cache."""
    cache_write_input_tokens: Optional[int] = Field(default=None, ge=0, le=9007199254740991)
    """The part of the input that was put into a cache."""


class TextMessageStartEvent(BaseEvent):
    """Begins a text message that arrives in pieces.

    Examples:
        >>> from ag_ui_native.core import TextMessageStartEvent
        >>> event = TextMessageStartEvent(message_id="m1", role="assistant")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}
    """

    type: Literal[EventType.TEXT_MESSAGE_START] = EventType.TEXT_MESSAGE_START
    """Always `TEXT_MESSAGE_START`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the message."""
    role: Optional[TextMessageRole] = None
    """The role of the author; absent means the assistant."""
    name: Optional[str] = None
    """The display name of the author."""


class TextMessageContentEvent(BaseEvent):
    """Appends to a streamed text message.

    Examples:
        >>> from ag_ui_native.core import TextMessageContentEvent
        >>> event = TextMessageContentEvent(message_id="m1", delta="Hello")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}
    """

    type: Literal[EventType.TEXT_MESSAGE_CONTENT] = EventType.TEXT_MESSAGE_CONTENT
    """Always `TEXT_MESSAGE_CONTENT`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the message."""
    delta: str
    """The text to append; may be empty."""


class TextMessageEndEvent(BaseEvent):
    """The text message is complete.

    Examples:
        >>> from ag_ui_native.core import TextMessageEndEvent
        >>> event = TextMessageEndEvent(message_id="m1")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
    """

    type: Literal[EventType.TEXT_MESSAGE_END] = EventType.TEXT_MESSAGE_END
    """Always `TEXT_MESSAGE_END`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the message."""


class TextMessageChunkEvent(BaseEvent):
    """Streams a text message without explicit start and end.

    Examples:
        >>> from ag_ui_native.core import TextMessageChunkEvent
        >>> event = TextMessageChunkEvent(message_id="m1", delta="Hello")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello"}
    """

    type: Literal[EventType.TEXT_MESSAGE_CHUNK] = EventType.TEXT_MESSAGE_CHUNK
    """Always `TEXT_MESSAGE_CHUNK`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: Optional[str] = None
    """The id of the message; the first chunk must have it."""
    role: Optional[TextMessageRole] = None
    """The role of the author; absent means the assistant."""
    delta: Optional[str] = None
    """The text to append; may be empty."""
    name: Optional[str] = None
    """The display name of the author."""


class ToolCallStartEvent(BaseEvent):
    """Opens a streamed tool call.

    Examples:
        >>> from ag_ui_native.core import ToolCallStartEvent
        >>> event = ToolCallStartEvent(tool_call_id="c1", tool_call_name="current_time")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"current_time"}
    """

    type: Literal[EventType.TOOL_CALL_START] = EventType.TOOL_CALL_START
    """Always `TOOL_CALL_START`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    tool_call_id: str
    """The id of the call."""
    tool_call_name: str
    """The name of the called tool."""
    parent_message_id: Optional[str] = None
    """The id of the assistant message that holds the call."""


class ToolCallArgsEvent(BaseEvent):
    """Appends to the arguments of a streamed tool call.

    Examples:
        >>> from ag_ui_native.core import ToolCallArgsEvent
        >>> event = ToolCallArgsEvent(tool_call_id="c1", delta="{}")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}
    """

    type: Literal[EventType.TOOL_CALL_ARGS] = EventType.TOOL_CALL_ARGS
    """Always `TOOL_CALL_ARGS`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    tool_call_id: str
    """The id of the call."""
    delta: str
    """The text to append: a piece of JSON text, not JSON."""


class ToolCallEndEvent(BaseEvent):
    """Closes a streamed tool call.

    Examples:
        >>> from ag_ui_native.core import ToolCallEndEvent
        >>> event = ToolCallEndEvent(tool_call_id="c1")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
    """

    type: Literal[EventType.TOOL_CALL_END] = EventType.TOOL_CALL_END
    """Always `TOOL_CALL_END`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    tool_call_id: str
    """The id of the call."""


class ToolCallChunkEvent(BaseEvent):
    """Streams a tool call without explicit start and end.

    Examples:
        >>> from ag_ui_native.core import ToolCallChunkEvent
        >>> event = ToolCallChunkEvent(tool_call_id="c1", tool_call_name="current_time", delta="{}")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"current_time","delta":"{}"}
    """

    type: Literal[EventType.TOOL_CALL_CHUNK] = EventType.TOOL_CALL_CHUNK
    """Always `TOOL_CALL_CHUNK`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    tool_call_id: Optional[str] = None
    """The id of the call; the first chunk must have it."""
    tool_call_name: Optional[str] = None
    """The name of the called tool; the first chunk must have it."""
    parent_message_id: Optional[str] = None
    """The id of the assistant message that holds the call."""
    delta: Optional[str] = None
    """The text to append: a piece of JSON text, not JSON."""


class ToolCallResultEvent(BaseEvent):
    """Answers a tool call; makes a tool message.

    Examples:
        >>> from ag_ui_native.core import ToolCallResultEvent
        >>> event = ToolCallResultEvent(message_id="m3", tool_call_id="c1", content="12:30")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"TOOL_CALL_RESULT","messageId":"m3","toolCallId":"c1","content":"12:30"}
    """

    type: Literal[EventType.TOOL_CALL_RESULT] = EventType.TOOL_CALL_RESULT
    """Always `TOOL_CALL_RESULT`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the tool message."""
    tool_call_id: str
    """The id of the answered call."""
    content: Union[str, List[ContentPart]]
    """Text, or parts of text and media."""
    role: Optional[ToolCallResultRole] = None
    """Always `tool`."""


class StateSnapshotEvent(BaseEvent):
    """Replaces the shared state.

    Examples:
        >>> from ag_ui_native.core import StateSnapshotEvent
        >>> event = StateSnapshotEvent(snapshot={"tasks": []})
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"STATE_SNAPSHOT","snapshot":{"tasks":[]}}
    """

    type: Literal[EventType.STATE_SNAPSHOT] = EventType.STATE_SNAPSHOT
    """Always `STATE_SNAPSHOT`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    snapshot: State
    """The state; any JSON, `null` included."""


class StateDeltaEvent(BaseEvent):
    """Patches the shared state.

    Examples:
        >>> from ag_ui_native.core import AddOperation, StateDeltaEvent
        >>> event = StateDeltaEvent(delta=[AddOperation(path="/tasks/-", value="Buy milk")])
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"STATE_DELTA","delta":[{"op":"add","path":"/tasks/-","value":"Buy milk"}]}
    """

    type: Literal[EventType.STATE_DELTA] = EventType.STATE_DELTA
    """Always `STATE_DELTA`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    delta: List[JsonPatchOperation]
    """The JSON Patch."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            timestamp: Optional[int] = None,
            raw_event: Optional[Any] = None,
            metadata: Optional[Metadata] = None,
            subagent_run_id: Optional[SubagentRunId] = None,
            delta: Sequence[Union[JsonPatchOperation, Dict[str, Any]]],
            **undeclared: Any,
        ) -> None: ...


class MessagesSnapshotEvent(BaseEvent):
    """Replaces the conversation.

    Examples:
        >>> from ag_ui_native.core import MessagesSnapshotEvent, UserMessage
        >>> event = MessagesSnapshotEvent(messages=[UserMessage(id="m1", content="Hello!")])
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"user","content":"Hello!"}]}
    """

    type: Literal[EventType.MESSAGES_SNAPSHOT] = EventType.MESSAGES_SNAPSHOT
    """Always `MESSAGES_SNAPSHOT`."""
    messages: List[Message]
    """The messages."""


class ActivitySnapshotEvent(BaseEvent):
    """Sets the content of an activity.

    Examples:
        >>> from ag_ui_native.core import ActivitySnapshotEvent
        >>> event = ActivitySnapshotEvent(message_id="m4", activity_type="search", content={"found": 0})
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"ACTIVITY_SNAPSHOT","messageId":"m4","activityType":"search","content":{"found":0}}
    """

    type: Literal[EventType.ACTIVITY_SNAPSHOT] = EventType.ACTIVITY_SNAPSHOT
    """Always `ACTIVITY_SNAPSHOT`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the activity message."""
    activity_type: str
    """The kind of activity."""
    content: Dict[str, Any]
    """The activity's data."""
    replace: Optional[bool] = None
    """True or absent: an activity with that id is replaced. False: it stays."""


class ActivityDeltaEvent(BaseEvent):
    """Patches the content of an activity.

    Examples:
        >>> from ag_ui_native.core import ActivityDeltaEvent, ReplaceOperation
        >>> event = ActivityDeltaEvent(
        ...     message_id="m4",
        ...     activity_type="search",
        ...     patch=[ReplaceOperation(path="/found", value=3)],
        ... )
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"ACTIVITY_DELTA","messageId":"m4","activityType":"search","patch":[{"op":"replace","path":"/found","value":3}]}
    """

    type: Literal[EventType.ACTIVITY_DELTA] = EventType.ACTIVITY_DELTA
    """Always `ACTIVITY_DELTA`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the activity message."""
    activity_type: str
    """The kind of activity."""
    patch: List[JsonPatchOperation]
    """The JSON Patch on its data."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            timestamp: Optional[int] = None,
            raw_event: Optional[Any] = None,
            metadata: Optional[Metadata] = None,
            subagent_run_id: Optional[SubagentRunId] = None,
            message_id: str,
            activity_type: str,
            patch: Sequence[Union[JsonPatchOperation, Dict[str, Any]]],
            **undeclared: Any,
        ) -> None: ...


class RawEvent(BaseEvent):
    """Carries an event of another system.

    Examples:
        >>> from ag_ui_native.core import RawEvent
        >>> event = RawEvent(event={"kind": "ping"}, source="provider")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"RAW","event":{"kind":"ping"},"source":"provider"}
    """

    type: Literal[EventType.RAW] = EventType.RAW
    """Always `RAW`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    event: Any
    """The event; any JSON, `null` included."""
    source: Optional[str] = None
    """The system that the event comes from."""


class CustomEvent(BaseEvent):
    """Carries data on which the application and the agent agree.

    Examples:
        >>> from ag_ui_native.core import CustomEvent
        >>> event = CustomEvent(name="progress", value=0.5)
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"CUSTOM","name":"progress","value":0.5}
    """

    type: Literal[EventType.CUSTOM] = EventType.CUSTOM
    """Always `CUSTOM`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    name: str
    """The name of the event."""
    value: Any
    """Its data; any JSON, `null` included."""


class RunStartedEvent(BaseEvent):
    """A run begins.

    Examples:
        >>> from ag_ui_native.core import RunStartedEvent
        >>> event = RunStartedEvent(thread_id="t1", run_id="r1")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}
    """

    type: Literal[EventType.RUN_STARTED] = EventType.RUN_STARTED
    """Always `RUN_STARTED`."""
    thread_id: str
    """The id of the conversation."""
    run_id: str
    """The id of the run."""
    protocol_version: Optional[str] = None
    """The protocol version of the agent, `MAJOR.MINOR`."""
    parent_run_id: Optional[str] = None
    """The id of an earlier run from which this one branches."""
    input: Optional[RunAgentInput] = None
    """The input that started the run."""


RunFinishedOutcome = Annotated[
    Union[RunFinishedSuccessOutcome, RunFinishedInterruptOutcome, RunFinishedCancelledOutcome],
    Field(discriminator="type"),
]
"""The outcome of a run.

Examples:
    >>> from ag_ui_native.core import RunFinishedOutcome, RunFinishedSuccessOutcome
    >>> outcome: RunFinishedOutcome = RunFinishedSuccessOutcome()
    >>> print(outcome.type)
    success
"""


class RunFinishedEvent(BaseEvent):
    """Closes a run.

    Examples:
        >>> from ag_ui_native.core import RunFinishedEvent, RunFinishedSuccessOutcome
        >>> event = RunFinishedEvent(thread_id="t1", run_id="r1", outcome=RunFinishedSuccessOutcome())
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    """

    type: Literal[EventType.RUN_FINISHED] = EventType.RUN_FINISHED
    """Always `RUN_FINISHED`."""
    thread_id: str
    """The id of the conversation."""
    run_id: str
    """The id of the run."""
    result: Optional[Any] = None
    """The result of the run."""
    outcome: Optional[RunFinishedOutcome] = None
    """The ending; a success if absent."""
    usage: Optional[List[TokenUsage]] = None
    """The used tokens, with one entry for each provider and model."""


class RunErrorEvent(BaseEvent):
    """The run has failed and is over.

    Examples:
        >>> from ag_ui_native.core import RunErrorEvent
        >>> event = RunErrorEvent(message="The model does not answer.", code="model_timeout")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"RUN_ERROR","message":"The model does not answer.","code":"model_timeout"}
    """

    type: Literal[EventType.RUN_ERROR] = EventType.RUN_ERROR
    """Always `RUN_ERROR`."""
    message: str
    """The description of the failure."""
    code: Optional[str] = None
    """A short code for the failure, from an open set."""
    usage: Optional[List[TokenUsage]] = None
    """The used tokens, with one entry for each provider and model."""


class StepStartedEvent(BaseEvent):
    """Opens a step of the run.

    Examples:
        >>> from ag_ui_native.core import StepStartedEvent
        >>> event = StepStartedEvent(step_name="search")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"STEP_STARTED","stepName":"search"}
    """

    type: Literal[EventType.STEP_STARTED] = EventType.STEP_STARTED
    """Always `STEP_STARTED`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    step_name: str
    """The name of the step."""


class StepFinishedEvent(BaseEvent):
    """Closes a step of the run.

    Examples:
        >>> from ag_ui_native.core import StepFinishedEvent
        >>> event = StepFinishedEvent(step_name="search")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"STEP_FINISHED","stepName":"search"}
    """

    type: Literal[EventType.STEP_FINISHED] = EventType.STEP_FINISHED
    """Always `STEP_FINISHED`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    step_name: str
    """The name of the step."""


class ReasoningStartEvent(BaseEvent):
    """A span of reasoning begins.

    Examples:
        >>> from ag_ui_native.core import ReasoningStartEvent
        >>> event = ReasoningStartEvent(message_id="m5")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"REASONING_START","messageId":"m5"}
    """

    type: Literal[EventType.REASONING_START] = EventType.REASONING_START
    """Always `REASONING_START`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the span."""


class ReasoningMessageStartEvent(BaseEvent):
    """Begins a reasoning message that arrives in pieces.

    Examples:
        >>> from ag_ui_native.core import ReasoningMessageStartEvent
        >>> event = ReasoningMessageStartEvent(message_id="m5", role="reasoning")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"REASONING_MESSAGE_START","messageId":"m5","role":"reasoning"}
    """

    type: Literal[EventType.REASONING_MESSAGE_START] = EventType.REASONING_MESSAGE_START
    """Always `REASONING_MESSAGE_START`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the message."""
    role: Literal["reasoning"] = "reasoning"
    """Always `reasoning`."""


class ReasoningMessageContentEvent(BaseEvent):
    """Appends to a streamed reasoning message.

    Examples:
        >>> from ag_ui_native.core import ReasoningMessageContentEvent
        >>> event = ReasoningMessageContentEvent(message_id="m5", delta="The user greets me.")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"REASONING_MESSAGE_CONTENT","messageId":"m5","delta":"The user greets me."}
    """

    type: Literal[EventType.REASONING_MESSAGE_CONTENT] = EventType.REASONING_MESSAGE_CONTENT
    """Always `REASONING_MESSAGE_CONTENT`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the message."""
    delta: str
    """The text to append; may be empty."""


class ReasoningMessageEndEvent(BaseEvent):
    """The reasoning message is complete.

    Examples:
        >>> from ag_ui_native.core import ReasoningMessageEndEvent
        >>> event = ReasoningMessageEndEvent(message_id="m5")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"REASONING_MESSAGE_END","messageId":"m5"}
    """

    type: Literal[EventType.REASONING_MESSAGE_END] = EventType.REASONING_MESSAGE_END
    """Always `REASONING_MESSAGE_END`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the message."""


class ReasoningMessageChunkEvent(BaseEvent):
    """Streams a reasoning message without explicit start and end.

    Examples:
        >>> from ag_ui_native.core import ReasoningMessageChunkEvent
        >>> event = ReasoningMessageChunkEvent(message_id="m5", delta="The user greets me.")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"m5","delta":"The user greets me."}
    """

    type: Literal[EventType.REASONING_MESSAGE_CHUNK] = EventType.REASONING_MESSAGE_CHUNK
    """Always `REASONING_MESSAGE_CHUNK`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: Optional[str] = None
    """The id of the message; the first chunk must have it."""
    delta: Optional[str] = None
    """The text to append; may be empty."""


class ReasoningEndEvent(BaseEvent):
    """The span of reasoning is over.

    Examples:
        >>> from ag_ui_native.core import ReasoningEndEvent
        >>> event = ReasoningEndEvent(message_id="m5")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"REASONING_END","messageId":"m5"}
    """

    type: Literal[EventType.REASONING_END] = EventType.REASONING_END
    """Always `REASONING_END`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    message_id: str
    """The id of the span."""


class ReasoningEncryptedValueEvent(BaseEvent):
    """Attaches a provider's encrypted value to a message or a tool call.

    Examples:
        >>> from ag_ui_native.core import ReasoningEncryptedValueEvent
        >>> event = ReasoningEncryptedValueEvent(
        ...     subtype="message",
        ...     entity_id="m5",
        ...     encrypted_value="gAAAAB",
        ... )
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m5","encryptedValue":"gAAAAB"}
    """

    type: Literal[EventType.REASONING_ENCRYPTED_VALUE] = EventType.REASONING_ENCRYPTED_VALUE
    """Always `REASONING_ENCRYPTED_VALUE`."""
    subagent_run_id: Optional[SubagentRunId] = None
    """The subagent invocation the event belongs to; absent means the agent itself."""
    subtype: ReasoningEncryptedValueSubtype
    """The kind of the entity to which the value belongs."""
    entity_id: str
    """The id of the message or tool call."""
    encrypted_value: str
    """The opaque value."""
    encrypted_value_type: Optional[str] = None
    """The producer's name for this kind of value; it is sent back with the value."""


class SubagentStartedEvent(BaseEvent):
    """Opens a subagent's work.

    Examples:
        >>> from ag_ui_native.core import SubagentStartedEvent
        >>> event = SubagentStartedEvent(subagent_run_id="researcher-1", name="researcher")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"SUBAGENT_STARTED","subagentRunId":"researcher-1","name":"researcher"}
    """

    type: Literal[EventType.SUBAGENT_STARTED] = EventType.SUBAGENT_STARTED
    """Always `SUBAGENT_STARTED`."""
    subagent_run_id: SubagentRunId
    """The id of the invocation."""
    name: str
    """The name of the subagent."""
    description: Optional[str] = None
    """The subagent's task."""
    parent_subagent_run_id: Optional[str] = None
    """The id of the invocation that invokes it, if that is a subagent, too."""
    parent_tool_call_id: Optional[str] = None
    """The id of the tool call that invokes it."""
    parent_message_id: Optional[str] = None
    """The id of the message that invokes it."""


SubagentFinishedOutcome = Annotated[
    Union[SubagentFinishedSuccessOutcome, SubagentFinishedSuspendedOutcome],
    Field(discriminator="type"),
]
"""The outcome of a subagent's work.

Examples:
    >>> from ag_ui_native.core import SubagentFinishedOutcome, SubagentFinishedSuspendedOutcome
    >>> outcome: SubagentFinishedOutcome = SubagentFinishedSuspendedOutcome(interrupt_ids=["i1"])
    >>> print(outcome.type)
    suspended
"""


class SubagentFinishedEvent(BaseEvent):
    """Closes a subagent's work.

    Examples:
        >>> from ag_ui_native.core import SubagentFinishedEvent
        >>> event = SubagentFinishedEvent(subagent_run_id="researcher-1", result="3 sources")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"SUBAGENT_FINISHED","subagentRunId":"researcher-1","result":"3 sources"}
    """

    type: Literal[EventType.SUBAGENT_FINISHED] = EventType.SUBAGENT_FINISHED
    """Always `SUBAGENT_FINISHED`."""
    subagent_run_id: SubagentRunId
    """The id of the invocation."""
    result: Optional[Any] = None
    """The result of the invocation."""
    outcome: Optional[SubagentFinishedOutcome] = None
    """The ending; a success if absent."""


class SubagentErrorEvent(BaseEvent):
    """Ends a subagent's work that failed.

    Examples:
        >>> from ag_ui_native.core import SubagentErrorEvent
        >>> event = SubagentErrorEvent(subagent_run_id="researcher-1", message="The search failed.")
        >>> print(event.model_dump_json(by_alias=True))
        {"type":"SUBAGENT_ERROR","subagentRunId":"researcher-1","message":"The search failed."}
    """

    type: Literal[EventType.SUBAGENT_ERROR] = EventType.SUBAGENT_ERROR
    """Always `SUBAGENT_ERROR`."""
    subagent_run_id: SubagentRunId
    """The id of the invocation."""
    message: str
    """The description of the failure."""
    code: Optional[str] = None
    """A short code for the failure, from an open set."""


Event = Annotated[
    Union[
        TextMessageStartEvent,
        TextMessageContentEvent,
        TextMessageEndEvent,
        TextMessageChunkEvent,
        ToolCallStartEvent,
        ToolCallArgsEvent,
        ToolCallEndEvent,
        ToolCallChunkEvent,
        ToolCallResultEvent,
        StateSnapshotEvent,
        StateDeltaEvent,
        MessagesSnapshotEvent,
        ActivitySnapshotEvent,
        ActivityDeltaEvent,
        RawEvent,
        CustomEvent,
        RunStartedEvent,
        RunFinishedEvent,
        RunErrorEvent,
        StepStartedEvent,
        StepFinishedEvent,
        ReasoningStartEvent,
        ReasoningMessageStartEvent,
        ReasoningMessageContentEvent,
        ReasoningMessageEndEvent,
        ReasoningMessageChunkEvent,
        ReasoningEndEvent,
        ReasoningEncryptedValueEvent,
        SubagentStartedEvent,
        SubagentFinishedEvent,
        SubagentErrorEvent,
    ],
    Field(discriminator="type"),
]
"""Any event.

Examples:
    >>> from ag_ui_native.core import Event, TextMessageContentEvent
    >>> event: Event = TextMessageContentEvent(message_id="m1", delta="Hello")
    >>> print(event.type.value)
    TEXT_MESSAGE_CONTENT
"""


__all__ = [
    "EventType",
    "TextMessageRole",
    "ReasoningMessageRole",
    "ReasoningEncryptedValueSubtype",
    "BaseEvent",
    "RunFinishedSuccessOutcome",
    "RunFinishedInterruptOutcome",
    "RunFinishedCancelledOutcome",
    "SubagentFinishedSuccessOutcome",
    "SubagentFinishedSuspendedOutcome",
    "TokenUsage",
    "TextMessageStartEvent",
    "TextMessageContentEvent",
    "TextMessageEndEvent",
    "TextMessageChunkEvent",
    "ToolCallStartEvent",
    "ToolCallArgsEvent",
    "ToolCallEndEvent",
    "ToolCallChunkEvent",
    "ToolCallResultEvent",
    "StateSnapshotEvent",
    "StateDeltaEvent",
    "MessagesSnapshotEvent",
    "ActivitySnapshotEvent",
    "ActivityDeltaEvent",
    "RawEvent",
    "CustomEvent",
    "RunStartedEvent",
    "RunFinishedEvent",
    "RunErrorEvent",
    "StepStartedEvent",
    "StepFinishedEvent",
    "ReasoningStartEvent",
    "ReasoningMessageStartEvent",
    "ReasoningMessageContentEvent",
    "ReasoningMessageEndEvent",
    "ReasoningMessageChunkEvent",
    "ReasoningEndEvent",
    "ReasoningEncryptedValueEvent",
    "SubagentStartedEvent",
    "SubagentFinishedEvent",
    "SubagentErrorEvent",
    "RunFinishedOutcome",
    "SubagentFinishedOutcome",
    "Event",
    "ConfiguredBaseModel",
    "Interrupt",
    "Message",
    "Role",
    "RunAgentInput",
    "State",
]

"""The measured types as msgspec structs, as a Python program would declare them that needs only speed."""

from typing import Any

from msgspec import Struct


class Event(Struct, rename="camel", tag_field="type", omit_defaults=True):
    pass


class TextMessageContent(Event, tag="TEXT_MESSAGE_CONTENT"):
    message_id: str
    delta: str


class TextMessageStart(Event, tag="TEXT_MESSAGE_START"):
    message_id: str
    role: str = ""


class TextMessageEnd(Event, tag="TEXT_MESSAGE_END"):
    message_id: str


class ToolCallStart(Event, tag="TOOL_CALL_START"):
    tool_call_id: str
    tool_call_name: str


class ToolCallArgs(Event, tag="TOOL_CALL_ARGS"):
    tool_call_id: str
    delta: str


class ToolCallEnd(Event, tag="TOOL_CALL_END"):
    tool_call_id: str


class ToolCallResult(Event, tag="TOOL_CALL_RESULT"):
    message_id: str
    tool_call_id: str
    content: str
    role: str = ""


class StateSnapshot(Event, tag="STATE_SNAPSHOT"):
    snapshot: Any


class Operation(Struct, omit_defaults=True):
    op: str
    path: str
    value: Any = None


class StateDelta(Event, tag="STATE_DELTA"):
    delta: list[Operation]


class FunctionCall(Struct):
    name: str
    arguments: str


class ToolCall(Struct):
    id: str
    type: str
    function: FunctionCall


class Message(Struct, rename="camel", omit_defaults=True):
    id: str
    role: str
    content: str | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None


class MessagesSnapshot(Event, tag="MESSAGES_SNAPSHOT"):
    messages: list[Message]


class RunStarted(Event, tag="RUN_STARTED"):
    thread_id: str
    run_id: str


class RunFinished(Event, tag="RUN_FINISHED"):
    thread_id: str
    run_id: str


class StepStarted(Event, tag="STEP_STARTED"):
    step_name: str


class StepFinished(Event, tag="STEP_FINISHED"):
    step_name: str


class Tool(Struct):
    name: str
    description: str
    parameters: Any


class Context(Struct):
    description: str
    value: str


class RunAgentInput(Struct, rename="camel"):
    thread_id: str
    run_id: str
    state: Any
    messages: list[Message]
    tools: list[Tool]
    context: list[Context]
    forwarded_props: Any


AnyEvent = (
    TextMessageContent
    | TextMessageStart
    | TextMessageEnd
    | ToolCallStart
    | ToolCallArgs
    | ToolCallEnd
    | ToolCallResult
    | StateSnapshot
    | StateDelta
    | MessagesSnapshot
    | RunStarted
    | RunFinished
    | StepStarted
    | StepFinished
)

"""Messages, content, run input, tools and JSON Patch operations.

Generated from the declaration in core/src/types: `make generate`.
"""

from typing import Annotated, Any, ClassVar, Dict, List, Literal, Optional, Union

from pydantic import ConfigDict, Field

from ag_ui_native.core.base import GeneratedBaseModel
from ag_ui_native.core.deprecated import BinaryInputContent

AGUI_METADATA_KEY = "ag-ui"
"""The key of a metadata object that is reserved for the protocol.

Examples:
    >>> from ag_ui_native.core import AGUI_METADATA_KEY
    >>> print(AGUI_METADATA_KEY)
    ag-ui
"""

Metadata = Dict[str, Any]
"""Free key-value data.

Examples:
    >>> from ag_ui_native.core import Metadata
    >>> metadata: Metadata = {"lang": "en"}
"""

SubagentRunId = str
"""Names one invocation of a subagent.

Examples:
    >>> from ag_ui_native.core import SubagentRunId
    >>> subagent_run_id: SubagentRunId = "researcher-1"
"""

State = Any
"""The shared state: any JSON value.

Examples:
    >>> from ag_ui_native.core import State
    >>> state: State = {"tasks": ["Buy milk"]}
"""

JsonPointer = Annotated[str, Field(pattern=r"^(/([^/~]|~[01])*)*$")]
"""A place in a JSON document (RFC 6901).

Examples:
    >>> from ag_ui_native.core import JsonPointer
    >>> place: JsonPointer = "/tasks/0"
"""

Role = Literal["developer", "system", "assistant", "user", "tool", "activity", "reasoning"]
"""The role of a message's author.

Examples:
    >>> from ag_ui_native.core import Role
    >>> role: Role = "developer"
    >>> print(role)
    developer
"""

ResumeStatus = Literal["resolved", "cancelled"]
"""The answer's status: answered or given up.

Examples:
    >>> from ag_ui_native.core import ResumeStatus
    >>> status: ResumeStatus = "resolved"
    >>> print(status)
    resolved
"""


class Attributable(GeneratedBaseModel):
    """The member of types that can belong to a subagent's work.

    Examples:
        >>> from ag_ui_native.core import Attributable
        >>> attributable = Attributable(subagent_run_id="researcher-1")
        >>> print(attributable.model_dump_json(by_alias=True))
        {"subagentRunId":"researcher-1"}
    """

    subagent_run_id: Optional[SubagentRunId] = None
    """The id of the subagent invocation to which it belongs; absent means the agent itself."""


class BaseMessage(GeneratedBaseModel):
    """The members that developer, system, assistant and user messages share.

    Examples:
        >>> from ag_ui_native.core import BaseMessage
        >>> message = BaseMessage(id="m1", role="user", name="Ada")
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m1","role":"user","name":"Ada"}
    """

    subagent_run_id: Optional[SubagentRunId] = None
    """The id of the subagent invocation to which the message belongs; absent means the agent itself."""
    id: str
    """The id of the message within the conversation."""
    role: str
    """The author of the message."""
    name: Optional[str] = None
    """The display name of the author."""
    encrypted_value: Optional[str] = None
    """A provider's opaque value; it is sent back in a later turn."""
    encrypted_value_type: Optional[str] = None
    """The producer's name for this kind of value; it is sent back with the value."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the message."""


class TextPart(GeneratedBaseModel):
    """A piece of text.

    Examples:
        >>> from ag_ui_native.core import TextPart
        >>> part = TextPart(text="What is this?")
        >>> print(part.model_dump_json(by_alias=True))
        {"type":"text","text":"What is this?"}
    """

    type: Literal["text"] = "text"
    """Always `text`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    text: str
    """The text."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class DataSource(GeneratedBaseModel):
    """Bytes given in the message itself.

    Examples:
        >>> from ag_ui_native.core import DataSource
        >>> source = DataSource(value="iVBORw0KGgo=", mime_type="image/png")
        >>> print(source.model_dump_json(by_alias=True))
        {"type":"data","value":"iVBORw0KGgo=","mimeType":"image/png"}
    """

    type: Literal["data"] = "data"
    """Always `data`."""
    value: str
    """The bytes in base64; not checked."""
    mime_type: str
    """Media type of the bytes."""


class UrlSource(GeneratedBaseModel):
    """Bytes to be fetched.

    Examples:
        >>> from ag_ui_native.core import UrlSource
        >>> source = UrlSource(value="https://example.org/cat.png", mime_type="image/png")
        >>> print(source.model_dump_json(by_alias=True))
        {"type":"url","value":"https://example.org/cat.png","mimeType":"image/png"}
    """

    type: Literal["url"] = "url"
    """Always `url`."""
    value: str
    """The URL of the bytes; its form is not checked."""
    mime_type: Optional[str] = None
    """Media type of the bytes."""


class FileSource(GeneratedBaseModel):
    """A file that a provider keeps.

    Examples:
        >>> from ag_ui_native.core import FileSource
        >>> source = FileSource(value="file-123", provider="openai")
        >>> print(source.model_dump_json(by_alias=True))
        {"type":"file","value":"file-123","provider":"openai"}
    """

    type: Literal["file"] = "file"
    """Always `file`."""
    value: str
    """The provider's handle for it."""
    provider: Optional[str] = None
    """Lower-case id of the provider."""
    mime_type: Optional[str] = None
    """Media type of the file."""


PartSource = Annotated[
    Union[DataSource, UrlSource, FileSource],
    Field(discriminator="type"),
]
"""The source of a media part's bytes.

Examples:
    >>> from ag_ui_native.core import PartSource, UrlSource
    >>> source: PartSource = UrlSource(value="https://example.org/cat.png")
    >>> print(source.type)
    url
"""


class ImagePart(GeneratedBaseModel):
    """A picture.

    Examples:
        >>> from ag_ui_native.core import ImagePart, UrlSource
        >>> part = ImagePart(source=UrlSource(value="https://example.org/cat.png"))
        >>> print(part.model_dump_json(by_alias=True))
        {"type":"image","source":{"type":"url","value":"https://example.org/cat.png"}}
    """

    type: Literal["image"] = "image"
    """Always `image`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class AudioPart(GeneratedBaseModel):
    """A sound.

    Examples:
        >>> from ag_ui_native.core import AudioPart, UrlSource
        >>> part = AudioPart(source=UrlSource(value="https://example.org/cat.mp3"))
        >>> print(part.model_dump_json(by_alias=True))
        {"type":"audio","source":{"type":"url","value":"https://example.org/cat.mp3"}}
    """

    type: Literal["audio"] = "audio"
    """Always `audio`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class VideoPart(GeneratedBaseModel):
    """A film.

    Examples:
        >>> from ag_ui_native.core import UrlSource, VideoPart
        >>> part = VideoPart(source=UrlSource(value="https://example.org/cat.mp4"))
        >>> print(part.model_dump_json(by_alias=True))
        {"type":"video","source":{"type":"url","value":"https://example.org/cat.mp4"}}
    """

    type: Literal["video"] = "video"
    """Always `video`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class DocumentPart(GeneratedBaseModel):
    """A document.

    Examples:
        >>> from ag_ui_native.core import DocumentPart, FileSource
        >>> part = DocumentPart(source=FileSource(value="file-123", provider="openai"))
        >>> print(part.model_dump_json(by_alias=True))
        {"type":"document","source":{"type":"file","value":"file-123","provider":"openai"}}
    """

    type: Literal["document"] = "document"
    """Always `document`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class AddOperation(GeneratedBaseModel):
    """Sets a member or inserts a list element.

    Examples:
        >>> from ag_ui_native.core import AddOperation
        >>> operation = AddOperation(path="/tasks/-", value="Buy milk")
        >>> print(operation.model_dump_json(by_alias=True))
        {"op":"add","path":"/tasks/-","value":"Buy milk"}
    """

    op: Literal["add"] = "add"
    """Always `add`."""
    path: JsonPointer
    """The place in the document."""
    value: Any
    """The value to add; `null` is a value."""


class RemoveOperation(GeneratedBaseModel):
    """Removes a member or list element.

    Examples:
        >>> from ag_ui_native.core import RemoveOperation
        >>> operation = RemoveOperation(path="/tasks/0")
        >>> print(operation.model_dump_json(by_alias=True))
        {"op":"remove","path":"/tasks/0"}
    """

    op: Literal["remove"] = "remove"
    """Always `remove`."""
    path: JsonPointer
    """The place in the document."""


class ReplaceOperation(GeneratedBaseModel):
    """Puts another value in the place of one that is there.

    Examples:
        >>> from ag_ui_native.core import ReplaceOperation
        >>> operation = ReplaceOperation(path="/title", value="Groceries")
        >>> print(operation.model_dump_json(by_alias=True))
        {"op":"replace","path":"/title","value":"Groceries"}
    """

    op: Literal["replace"] = "replace"
    """Always `replace`."""
    path: JsonPointer
    """The place in the document."""
    value: Any
    """The new value; `null` is a value."""


class MoveOperation(GeneratedBaseModel):
    """Takes a value from one place to another.

    Examples:
        >>> from ag_ui_native.core import MoveOperation
        >>> operation = MoveOperation(from_="/tasks/2", path="/tasks/0")
        >>> print(operation.model_dump_json(by_alias=True))
        {"op":"move","from":"/tasks/2","path":"/tasks/0"}
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(serialize_by_alias=True)

    op: Literal["move"] = "move"
    """Always `move`."""
    from_: JsonPointer = Field(alias="from")
    """The place to move from."""
    path: JsonPointer
    """The place to move to."""


class CopyOperation(GeneratedBaseModel):
    """Copies a value from one place to another.

    Examples:
        >>> from ag_ui_native.core import CopyOperation
        >>> operation = CopyOperation(from_="/title", path="/draft")
        >>> print(operation.model_dump_json(by_alias=True))
        {"op":"copy","from":"/title","path":"/draft"}
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(serialize_by_alias=True)

    op: Literal["copy"] = "copy"
    """Always `copy`."""
    from_: JsonPointer = Field(alias="from")
    """The place to copy from."""
    path: JsonPointer
    """The place to copy to."""


class TestOperation(GeneratedBaseModel):
    """Fails the patch unless the value there equals the given one.

    Examples:
        >>> from ag_ui_native.core import TestOperation
        >>> operation = TestOperation(path="/title", value="Groceries")
        >>> print(operation.model_dump_json(by_alias=True))
        {"op":"test","path":"/title","value":"Groceries"}
    """

    op: Literal["test"] = "test"
    """Always `test`."""
    path: JsonPointer
    """The place in the document."""
    value: Any
    """The expected value; `null` is a value."""


class FunctionCall(GeneratedBaseModel):
    """The function that a tool call names, with its arguments.

    Examples:
        >>> from ag_ui_native.core import FunctionCall
        >>> call = FunctionCall(name="current_time", arguments="{}")
        >>> print(call.model_dump_json(by_alias=True))
        {"name":"current_time","arguments":"{}"}
    """

    name: str
    """The name of the tool."""
    arguments: str
    """The arguments as JSON text; not checked, and incomplete while they stream in."""


class ToolCall(GeneratedBaseModel):
    """A call of a tool, made by the assistant.

    Examples:
        >>> from ag_ui_native.core import FunctionCall, ToolCall
        >>> call = ToolCall(id="c1", function=FunctionCall(name="current_time", arguments="{}"))
        >>> print(call.model_dump_json(by_alias=True))
        {"id":"c1","type":"function","function":{"name":"current_time","arguments":"{}"}}
    """

    id: str
    """The id of the call."""
    type: Literal["function"] = "function"
    """Always `function`."""
    function: FunctionCall
    """The called function."""
    encrypted_value: Optional[str] = None
    """A provider's opaque value; it is sent back in a later turn."""
    encrypted_value_type: Optional[str] = None
    """The producer's name for this kind of value; it is sent back with the value."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the call."""


class DeveloperMessage(BaseMessage):
    """Instructions by the application's developer.

    Examples:
        >>> from ag_ui_native.core import DeveloperMessage
        >>> message = DeveloperMessage(id="m1", content="Answer in one sentence.")
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m1","role":"developer","content":"Answer in one sentence."}
    """

    role: Literal["developer"] = "developer"
    """Always `developer`."""
    content: str
    """The text."""


class SystemMessage(BaseMessage):
    """Instructions to the model.

    Examples:
        >>> from ag_ui_native.core import SystemMessage
        >>> message = SystemMessage(id="m1", content="You are a helpful assistant.")
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m1","role":"system","content":"You are a helpful assistant."}
    """

    role: Literal["system"] = "system"
    """Always `system`."""
    content: str
    """The text."""


class AssistantMessage(BaseMessage):
    """The text of the model and its tool calls.

    Examples:
        >>> from ag_ui_native.core import AssistantMessage
        >>> message = AssistantMessage(id="m2", content="Hello, Ada!")
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m2","role":"assistant","content":"Hello, Ada!"}
    """

    role: Literal["assistant"] = "assistant"
    """Always `assistant`."""
    content: Optional[str] = None
    """The text, if any."""
    tool_calls: Optional[List[ToolCall]] = None
    """The tool calls, if any."""


ContentPart = Annotated[
    Union[TextPart, ImagePart, AudioPart, VideoPart, DocumentPart],
    Field(discriminator="type"),
]
"""One part of a message's content.

Examples:
    >>> from ag_ui_native.core import ContentPart, TextPart
    >>> part: ContentPart = TextPart(text="What is this?")
    >>> print(part.type)
    text
"""


class UserMessage(BaseMessage):
    """A message of the user.

    Examples:
        >>> from ag_ui_native.core import UserMessage
        >>> message = UserMessage(id="m1", content="Hello!")
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m1","role":"user","content":"Hello!"}
    """

    role: Literal["user"] = "user"
    """Always `user`."""
    content: Union[str, List[ContentPart]]
    """Text, or parts of text and media."""


class ToolMessage(GeneratedBaseModel):
    """The result of a tool call.

    Examples:
        >>> from ag_ui_native.core import ToolMessage
        >>> message = ToolMessage(id="m3", content="12:30", tool_call_id="c1")
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m3","role":"tool","content":"12:30","toolCallId":"c1"}
    """

    subagent_run_id: Optional[SubagentRunId] = None
    """The id of the subagent invocation to which the message belongs; absent means the agent itself."""
    id: str
    """The id of the message within the conversation."""
    role: Literal["tool"] = "tool"
    """Always `tool`."""
    content: Union[str, List[ContentPart]]
    """Text, or parts of text and media."""
    tool_call_id: str
    """The id of the answered call."""
    error: Optional[str] = None
    """The description of the failure, if the tool failed."""
    encrypted_value: Optional[str] = None
    """A provider's opaque value; it is sent back in a later turn."""
    encrypted_value_type: Optional[str] = None
    """The producer's name for this kind of value; it is sent back with the value."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the message."""


class ActivityMessage(GeneratedBaseModel):
    """Structured progress shown to the person; never sent to a model.

    Examples:
        >>> from ag_ui_native.core import ActivityMessage
        >>> message = ActivityMessage(id="m4", activity_type="search", content={"found": 3})
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m4","role":"activity","activityType":"search","content":{"found":3}}
    """

    subagent_run_id: Optional[SubagentRunId] = None
    """The id of the subagent invocation to which the message belongs; absent means the agent itself."""
    id: str
    """The id of the message within the conversation."""
    role: Literal["activity"] = "activity"
    """Always `activity`."""
    activity_type: str
    """The kind of activity."""
    content: Dict[str, Any]
    """The activity's data."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the message."""


class ReasoningMessage(GeneratedBaseModel):
    """The model's reasoning.

    Examples:
        >>> from ag_ui_native.core import ReasoningMessage
        >>> message = ReasoningMessage(id="m5", content="The user greets me.")
        >>> print(message.model_dump_json(by_alias=True))
        {"id":"m5","role":"reasoning","content":"The user greets me."}
    """

    subagent_run_id: Optional[SubagentRunId] = None
    """The id of the subagent invocation to which the message belongs; absent means the agent itself."""
    id: str
    """The id of the message within the conversation."""
    role: Literal["reasoning"] = "reasoning"
    """Always `reasoning`."""
    content: str
    """The text."""
    encrypted_value: Optional[str] = None
    """A provider's opaque value; it is sent back in a later turn."""
    encrypted_value_type: Optional[str] = None
    """The producer's name for this kind of value; it is sent back with the value."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the message."""


class Tool(GeneratedBaseModel):
    """A tool that the model may call.

    Examples:
        >>> from ag_ui_native.core import Tool
        >>> tool = Tool(name="current_time", description="Tells the time.", parameters={"type": "object"})
        >>> print(tool.model_dump_json(by_alias=True))
        {"name":"current_time","description":"Tells the time.","parameters":{"type":"object"}}
    """

    name: str
    """The name by which the model calls the tool."""
    description: str
    """The description of the tool for the model."""
    parameters: Optional[Any] = None
    """The JSON Schema of its arguments; not checked."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the tool."""


class Context(GeneratedBaseModel):
    """A piece of background information that the application gives the agent.

    Examples:
        >>> from ag_ui_native.core import Context
        >>> context = Context(description="The user's time zone", value="Europe/Berlin")
        >>> print(context.model_dump_json(by_alias=True))
        {"description":"The user's time zone","value":"Europe/Berlin"}
    """

    description: str
    """The description of the text."""
    value: str
    """The text."""


class ResumeEntry(GeneratedBaseModel):
    """The answer to one interrupt.

    Examples:
        >>> from ag_ui_native.core import ResumeEntry
        >>> entry = ResumeEntry(interrupt_id="i1", status="resolved", payload={"approved": True})
        >>> print(entry.model_dump_json(by_alias=True))
        {"interruptId":"i1","status":"resolved","payload":{"approved":true}}
    """

    interrupt_id: str
    """The id of the answered interrupt."""
    status: ResumeStatus
    """The status: answered or cancelled."""
    payload: Optional[Any] = None
    """The answer."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the answer."""


Message = Annotated[
    Union[
        DeveloperMessage,
        SystemMessage,
        AssistantMessage,
        UserMessage,
        ToolMessage,
        ActivityMessage,
        ReasoningMessage,
    ],
    Field(discriminator="role"),
]
"""One message of a conversation.

Examples:
    >>> from ag_ui_native.core import Message, UserMessage
    >>> message: Message = UserMessage(id="m1", content="Hello!")
    >>> print(message.role)
    user
"""


class RunAgentInput(GeneratedBaseModel):
    """The input of a run, as a client sends it.

    Examples:
        >>> from ag_ui_native.core import RunAgentInput, UserMessage
        >>> input = RunAgentInput(
        ...     thread_id="t1",
        ...     run_id="r1",
        ...     messages=[UserMessage(id="m1", content="Hello!")],
        ...     tools=[],
        ...     context=[],
        ... )
        >>> print(input.model_dump_json(by_alias=True))
        {"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"user","content":"Hello!"}],"tools":[],"context":[]}
    """

    thread_id: str
    """The id of the conversation."""
    run_id: str
    """The id of the run."""
    protocol_version: Optional[str] = None
    """The protocol version of the client, `MAJOR.MINOR`."""
    parent_run_id: Optional[str] = None
    """The id of an earlier run from which this one branches."""
    state: Optional[State] = None
    """The shared state; without one, the member is left out. `null` means no state."""
    messages: List[Message]
    """The conversation so far."""
    tools: Optional[List[Tool]] = None
    """Tools that the client offers; absent and empty mean the same."""
    context: Optional[List[Context]] = None
    """Background information for the agent; absent and empty mean the same."""
    forwarded_props: Optional[Any] = None
    """Any other data of the application for the agent."""
    resume: Optional[List[ResumeEntry]] = None
    """The answers to the interrupts that ended the run before."""


class Interrupt(GeneratedBaseModel):
    """A question that must be answered before the agent can go on.

    Examples:
        >>> from ag_ui_native.core import Interrupt
        >>> interrupt = Interrupt(id="i1", reason="tool_call", message="Send the mail?", tool_call_id="c1")
        >>> print(interrupt.model_dump_json(by_alias=True))
        {"id":"i1","reason":"tool_call","message":"Send the mail?","toolCallId":"c1"}
    """

    subagent_run_id: Optional[SubagentRunId] = None
    """The id of the subagent invocation that asks; absent means the agent itself."""
    id: str
    """The id of the interrupt."""
    reason: str
    """The reason of the question, from an open set."""
    message: Optional[str] = None
    """The question, for the person."""
    tool_call_id: Optional[str] = None
    """The id of the tool call that the question is about."""
    response_schema: Optional[Dict[str, Any]] = None
    """The JSON Schema of the answer; not checked."""
    expires_at: Optional[str] = None
    """The time at which the question expires, ISO 8601 by convention."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the interrupt."""


JsonPatchOperation = Annotated[
    Union[
        AddOperation,
        RemoveOperation,
        ReplaceOperation,
        MoveOperation,
        CopyOperation,
        TestOperation,
    ],
    Field(discriminator="op"),
]
"""One operation of a JSON Patch.

Examples:
    >>> from ag_ui_native.core import AddOperation, JsonPatchOperation
    >>> operation: JsonPatchOperation = AddOperation(path="/tasks/-", value="Buy milk")
    >>> print(operation.op)
    add
"""


JsonPatch = List[JsonPatchOperation]
"""A JSON Patch (RFC 6902).

Examples:
    >>> from ag_ui_native.core import JsonPatch, RemoveOperation
    >>> patch: JsonPatch = [RemoveOperation(path="/tasks/0")]
"""

ConfiguredBaseModel = GeneratedBaseModel
InputContent = ContentPart
InputContentPart = ContentPart
TextInputContent = TextPart
ImageInputContent = ImagePart
AudioInputContent = AudioPart
VideoInputContent = VideoPart
DocumentInputContent = DocumentPart
ImageInputPart = ImagePart
AudioInputPart = AudioPart
VideoInputPart = VideoPart
DocumentInputPart = DocumentPart
InputContentSource = PartSource
InputContentDataSource = DataSource
InputContentUrlSource = UrlSource

__all__ = [
    "AGUI_METADATA_KEY",
    "Metadata",
    "SubagentRunId",
    "ConfiguredBaseModel",
    "GeneratedBaseModel",
    "State",
    "Role",
    "ResumeStatus",
    "Attributable",
    "BaseMessage",
    "TextPart",
    "DataSource",
    "UrlSource",
    "FileSource",
    "ImagePart",
    "AudioPart",
    "VideoPart",
    "DocumentPart",
    "FunctionCall",
    "ToolCall",
    "DeveloperMessage",
    "SystemMessage",
    "AssistantMessage",
    "UserMessage",
    "ToolMessage",
    "ActivityMessage",
    "ReasoningMessage",
    "Tool",
    "Context",
    "ResumeEntry",
    "RunAgentInput",
    "Interrupt",
    "PartSource",
    "ContentPart",
    "Message",
    "InputContent",
    "InputContentPart",
    "TextInputContent",
    "ImageInputContent",
    "AudioInputContent",
    "VideoInputContent",
    "DocumentInputContent",
    "ImageInputPart",
    "AudioInputPart",
    "VideoInputPart",
    "DocumentInputPart",
    "InputContentSource",
    "InputContentDataSource",
    "InputContentUrlSource",
    "BinaryInputContent",
]

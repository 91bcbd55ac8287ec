"""Messages, content, run input, tools and JSON Patch operations.

Generated from the declaration in core/src/types: `make generate`.
"""

from typing import Annotated, Any, ClassVar, Dict, List, Literal, Optional, Union

from pydantic import ConfigDict, Field

from ag_ui_native.core.base import GeneratedBaseModel
from ag_ui_native.core.deprecated import BinaryInputContent

AGUI_METADATA_KEY = "ag-ui"
"""The key of a metadata object that is reserved for the protocol."""

Metadata = Dict[str, Any]
"""Free key-value data."""

SubagentRunId = str
"""Names one invocation of a subagent."""

State = Any
"""The shared state: any JSON value."""

JsonPointer = Annotated[str, Field(pattern=r"^(/([^/~]|~[01])*)*$")]
"""A place in a JSON document (RFC 6901)."""
Role = Literal["developer", "system", "assistant", "user", "tool", "activity", "reasoning"]
"""The role of a message's author."""

ResumeStatus = Literal["resolved", "cancelled"]
"""The answer's status: answered or given up."""


class Attributable(GeneratedBaseModel):
    """The member of types that can belong to a subagent's work."""

    subagent_run_id: Optional[SubagentRunId] = None
    """The id of the subagent invocation to which it belongs; absent means the agent itself."""


class BaseMessage(GeneratedBaseModel):
    """The members that developer, system, assistant and user messages share."""

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
    """A piece of text."""

    type: Literal["text"] = "text"
    """Always `text`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    text: str
    """The text."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class DataSource(GeneratedBaseModel):
    """Bytes given in the message itself."""

    type: Literal["data"] = "data"
    """Always `data`."""
    value: str
    """The bytes in base64; not checked."""
    mime_type: str
    """Media type of the bytes."""


class UrlSource(GeneratedBaseModel):
    """Bytes to be fetched."""

    type: Literal["url"] = "url"
    """Always `url`."""
    value: str
    """The URL of the bytes; its form is not checked."""
    mime_type: Optional[str] = None
    """Media type of the bytes."""


class FileSource(GeneratedBaseModel):
    """A file that a provider keeps."""

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
"""The source of a media part's bytes."""


class ImagePart(GeneratedBaseModel):
    """A picture."""

    type: Literal["image"] = "image"
    """Always `image`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class AudioPart(GeneratedBaseModel):
    """A sound."""

    type: Literal["audio"] = "audio"
    """Always `audio`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class VideoPart(GeneratedBaseModel):
    """A film."""

    type: Literal["video"] = "video"
    """Always `video`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class DocumentPart(GeneratedBaseModel):
    """A document."""

    type: Literal["document"] = "document"
    """Always `document`."""
    id: Optional[str] = None
    """Reserved for naming the part."""
    source: PartSource
    """The source of the bytes."""
    metadata: Optional[Any] = None
    """Any data about the part."""


class AddOperation(GeneratedBaseModel):
    """Sets a member or inserts a list element."""

    op: Literal["add"] = "add"
    """Always `add`."""
    path: JsonPointer
    """The place in the document."""
    value: Any
    """The value to add; `null` is a value."""


class RemoveOperation(GeneratedBaseModel):
    """Removes a member or list element."""

    op: Literal["remove"] = "remove"
    """Always `remove`."""
    path: JsonPointer
    """The place in the document."""


class ReplaceOperation(GeneratedBaseModel):
    """Puts another value in the place of one that is there."""

    op: Literal["replace"] = "replace"
    """Always `replace`."""
    path: JsonPointer
    """The place in the document."""
    value: Any
    """The new value; `null` is a value."""


class MoveOperation(GeneratedBaseModel):
    """Takes a value from one place to another."""

    model_config: ClassVar[ConfigDict] = ConfigDict(serialize_by_alias=True)

    op: Literal["move"] = "move"
    """Always `move`."""
    from_: JsonPointer = Field(alias="from")
    """The place to move from."""
    path: JsonPointer
    """The place to move to."""


class CopyOperation(GeneratedBaseModel):
    """Copies a value from one place to another."""

    model_config: ClassVar[ConfigDict] = ConfigDict(serialize_by_alias=True)

    op: Literal["copy"] = "copy"
    """Always `copy`."""
    from_: JsonPointer = Field(alias="from")
    """The place to copy from."""
    path: JsonPointer
    """The place to copy to."""


class TestOperation(GeneratedBaseModel):
    """Fails the patch unless the value there equals the given one."""

    op: Literal["test"] = "test"
    """Always `test`."""
    path: JsonPointer
    """The place in the document."""
    value: Any
    """The expected value; `null` is a value."""


class FunctionCall(GeneratedBaseModel):
    """The function that a tool call names, with its arguments."""

    name: str
    """The name of the tool."""
    arguments: str
    """The arguments as JSON text; not checked, and incomplete while they stream in."""


class ToolCall(GeneratedBaseModel):
    """A call of a tool, made by the assistant."""

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
    """Instructions by the application's developer."""

    role: Literal["developer"] = "developer"
    """Always `developer`."""
    content: str
    """The text."""


class SystemMessage(BaseMessage):
    """Instructions to the model."""

    role: Literal["system"] = "system"
    """Always `system`."""
    content: str
    """The text."""


class AssistantMessage(BaseMessage):
    """The text of the model and its tool calls."""

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
"""One part of a message's content."""


class UserMessage(BaseMessage):
    """A message of the user."""

    role: Literal["user"] = "user"
    """Always `user`."""
    content: Union[str, List[ContentPart]]
    """Text, or parts of text and media."""


class ToolMessage(GeneratedBaseModel):
    """The result of a tool call."""

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
    """Structured progress shown to the person; never sent to a model."""

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
    """The model's reasoning."""

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
    """A tool that the model may call."""

    name: str
    """The name by which the model calls the tool."""
    description: str
    """The description of the tool for the model."""
    parameters: Optional[Any] = None
    """The JSON Schema of its arguments; not checked."""
    metadata: Optional[Metadata] = None
    """Any key-value data about the tool."""


class Context(GeneratedBaseModel):
    """A piece of background information that the application gives the agent."""

    description: str
    """The description of the text."""
    value: str
    """The text."""


class ResumeEntry(GeneratedBaseModel):
    """The answer to one interrupt."""

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
"""One message of a conversation."""


class RunAgentInput(GeneratedBaseModel):
    """The input of a run, as a client sends it."""

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
    """A question that must be answered before the agent can go on."""

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
"""One operation of a JSON Patch."""


JsonPatch = List[JsonPatchOperation]
"""A JSON Patch (RFC 6902)."""

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

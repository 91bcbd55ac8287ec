"""What a reducer tells about each event: a record for each change, told apart by ``kind`` or by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias

from typing_extensions import TypeVar

if TYPE_CHECKING:
    from ag_ui_native.core import Message, ToolCall

__all__ = [
    "CallAdded",
    "CallEnded",
    "Change",
    "ChangeOf",
    "ChangeRecord",
    "ContentPatched",
    "ContentSet",
    "DictChange",
    "InterruptsSet",
    "MemberSet",
    "MessageEnded",
    "MessageInserted",
    "MessageReplaced",
    "MessagesArranged",
    "MetadataMerged",
    "PatchFailed",
    "RunEnd",
    "RunFailed",
    "RunFailure",
    "RunFinished",
    "StatePatched",
    "StateSet",
    "TextAppended",
]

KindT = TypeVar("KindT", bound=str)
TargetT = TypeVar("TargetT")
ValueT = TypeVar("ValueT")
MessageT = TypeVar("MessageT", default="Message")
CallT = TypeVar("CallT", default="ToolCall")


class ChangeRecord(NamedTuple, Generic[KindT, TargetT, ValueT]):
    """One change of a conversation. It has been carried out already; this is for showing it.

    What is inserted, replaced, arranged or added is handed over as it was then: a copy, which stays as it is. Other
    targets are the messages and calls of the conversation themselves, and go on changing; the value says what happened.

    Text that grows is appended to in place. While somebody holds the text of a message or the arguments of a call,
    CPython copies it for each piece: who follows a stream keeps the values instead.
    """

    kind: KindT
    """What happened."""
    event_index: int
    """The event that did it, counting from 0."""
    target: TargetT
    """The message or tool call it happened to."""
    value: ValueT
    """What was added or set."""


if not TYPE_CHECKING:
    # What stands in brackets is for type checkers: it would take milliseconds of every import.
    ChangeRecord.__class_getitem__ = classmethod(lambda cls, _arguments: cls)


class MessageInserted(ChangeRecord[Literal["message_inserted"], MessageT, None]):
    """A new message."""

    __slots__ = ()


class MessageReplaced(ChangeRecord[Literal["message_replaced"], MessageT, None]):
    """Another message took the place of one; ``target`` is the new one."""

    __slots__ = ()


class MessagesArranged(ChangeRecord[Literal["messages_arranged"], None, list[MessageT]]):
    """The list of messages was arranged anew; ``value`` is the list as it was then."""

    __slots__ = ()


class MessageEnded(ChangeRecord[Literal["message_ended"], MessageT, None]):
    """A message is complete."""

    __slots__ = ()


class CallAdded(ChangeRecord[Literal["call_added"], CallT, None]):
    """A new tool call."""

    __slots__ = ()


class CallEnded(ChangeRecord[Literal["call_ended"], CallT, None]):
    """A tool call is complete."""

    __slots__ = ()


class TextAppended(ChangeRecord[Literal["text_appended"], MessageT | CallT, str]):
    """Text was appended to a message or to the arguments of a call."""

    __slots__ = ()


class MemberSet(ChangeRecord[Literal["member_set"], MessageT | CallT, tuple[str, str | None]]):
    """A member was set; ``value`` is its name and what it is now, None if it was removed."""

    __slots__ = ()


class ContentSet(ChangeRecord[Literal["content_set"], MessageT, dict[str, Any]]):
    """An activity's content was replaced; ``value`` is the content as it was then."""

    __slots__ = ()


class ContentPatched(ChangeRecord[Literal["content_patched"], MessageT, list[dict[str, Any]]]):
    """An activity's content was patched; ``value`` has the operations."""

    __slots__ = ()


class MetadataMerged(ChangeRecord[Literal["metadata_merged"], MessageT | CallT, dict[str, Any]]):
    """Metadata was laid over what was there; ``value`` is the new metadata."""

    __slots__ = ()


class StateSet(ChangeRecord[Literal["state_set"], None, None]):
    """The state was replaced. The conversation has it, as the whole call that tells of this has left it."""

    __slots__ = ()


class StatePatched(ChangeRecord[Literal["state_patched"], None, list[dict[str, Any]]]):
    """The state was patched; ``value`` has the operations."""

    __slots__ = ()


class PatchFailed(ChangeRecord[Literal["patch_failed"], MessageT | None, list[dict[str, Any]]]):
    """A patch did not apply: of an activity, which is the ``target``, or of the state. ``value`` has the operations."""

    __slots__ = ()


class InterruptsSet(ChangeRecord[Literal["interrupts_set"], None, None]):
    """Other interrupts wait for an answer. The conversation has them, as the whole call that tells of this has left them."""

    __slots__ = ()


class RunEnd(NamedTuple):
    """How a run has finished."""

    outcome: Literal["success", "interrupt", "cancelled"]
    """In which way."""
    result: Any = None
    """What a successful run returns."""
    pending_tool_call_ids: list[str] | None = None
    """The calls that the application is to answer, after success."""
    usage: list[Any] | None = None
    """The tokens that it has used, as far as it says: `TokenUsage`, or dictionaries in a conversation of such."""
    interrupts: list[Any] | None = None
    """What is to be answered before it goes on, after an interrupt: `Interrupt`, or dictionaries."""


class RunFailure(NamedTuple):
    """How a run has failed."""

    message: str
    """What went wrong, for people."""
    code: str | None = None
    """What went wrong, for programs."""
    usage: list[Any] | None = None
    """The tokens that it has used, as far as it says: `TokenUsage`, or dictionaries in a conversation of such."""


class RunFinished(ChangeRecord[Literal["run_finished"], None, RunEnd]):
    """A run has finished."""

    __slots__ = ()


class RunFailed(ChangeRecord[Literal["run_failed"], None, RunFailure]):
    """A run has failed."""

    __slots__ = ()


if TYPE_CHECKING:
    ChangeOf: TypeAlias = (
        MessageInserted[MessageT]
        | MessageReplaced[MessageT]
        | MessagesArranged[MessageT]
        | MessageEnded[MessageT]
        | CallAdded[CallT]
        | CallEnded[CallT]
        | TextAppended[MessageT, CallT]
        | MemberSet[MessageT, CallT]
        | ContentSet[MessageT]
        | ContentPatched[MessageT]
        | MetadataMerged[MessageT, CallT]
        | StateSet
        | StatePatched
        | PatchFailed[MessageT]
        | InterruptsSet
        | RunFinished
        | RunFailed
    )
    """Any change of a conversation with messages and calls of some kind."""

    Change: TypeAlias = ChangeOf[Message, ToolCall]
    """Any change of a conversation of instances."""

    DictChange: TypeAlias = ChangeOf[dict[str, Any], dict[str, Any]]
    """Any change of a conversation of dictionaries with the keys of the wire."""
else:
    ChangeOf = Change = DictChange = ChangeRecord

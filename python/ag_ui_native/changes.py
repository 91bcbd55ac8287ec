"""The changes that a reducer reports for each event: one record for each change, of its own class and
``kind``.
"""

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
    """One change of a conversation, which has been applied already.

    The target of an insertion, replacement, rearrangement or addition is a copy that stays unchanged. Other targets are
    the live messages and calls of the conversation, which change further; the value describes the change. Growing text
    is appended in place. While a program holds the text of a message or the arguments of a call, CPython copies it for
    each piece. To follow a stream, keep the values instead.
    """

    kind: KindT
    """The kind of the change."""
    event_index: int
    """The index of the event that caused it, counting from 0."""
    target: TargetT
    """The changed message or tool call."""
    value: ValueT
    """The added or new value."""


if not TYPE_CHECKING:
    # The brackets are for type checkers. Evaluating them would take milliseconds of every import.
    ChangeRecord.__class_getitem__ = classmethod(lambda cls, _arguments: cls)


class MessageInserted(ChangeRecord[Literal["message_inserted"], MessageT, None]):
    """A new message."""

    __slots__ = ()


class MessageReplaced(ChangeRecord[Literal["message_replaced"], MessageT, None]):
    """A message replaced another; ``target`` is the new one."""

    __slots__ = ()


class MessagesArranged(ChangeRecord[Literal["messages_arranged"], None, list[MessageT]]):
    """The list of messages was rearranged; ``value`` is the list at that time."""

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
    """A member was set; ``value`` is its name and its new value, None if it was removed."""

    __slots__ = ()


class ContentSet(ChangeRecord[Literal["content_set"], MessageT, dict[str, Any]]):
    """An activity's content was replaced; ``value`` is the content at that time."""

    __slots__ = ()


class ContentPatched(ChangeRecord[Literal["content_patched"], MessageT, list[dict[str, Any]]]):
    """An activity's content was patched; ``value`` has the operations."""

    __slots__ = ()


class MetadataMerged(ChangeRecord[Literal["metadata_merged"], MessageT | CallT, dict[str, Any]]):
    """Metadata was merged into the existing one; ``value`` is the new metadata."""

    __slots__ = ()


class StateSet(ChangeRecord[Literal["state_set"], None, None]):
    """The state was replaced. The conversation has it, in its form after the whole call that reports this."""

    __slots__ = ()


class StatePatched(ChangeRecord[Literal["state_patched"], None, list[dict[str, Any]]]):
    """The state was patched; ``value`` has the operations."""

    __slots__ = ()


class PatchFailed(ChangeRecord[Literal["patch_failed"], MessageT | None, list[dict[str, Any]]]):
    """A patch of an activity, which is the ``target``, or of the state did not apply. ``value`` has the operations."""

    __slots__ = ()


class InterruptsSet(ChangeRecord[Literal["interrupts_set"], None, None]):
    """The pending interrupts changed. The conversation has them, in their form after the whole call that reports
    this.
    """

    __slots__ = ()


class RunEnd(NamedTuple):
    """The outcome of a run."""

    outcome: Literal["success", "interrupt", "cancelled"]
    """The kind of outcome."""
    result: Any = None
    """The result of a successful run."""
    pending_tool_call_ids: list[str] | None = None
    """The calls that the application must answer after success."""
    usage: list[Any] | None = None
    """The tokens used, if reported: `TokenUsage`, or dictionaries in a conversation of such."""
    interrupts: list[Any] | None = None
    """The interrupts that must be answered after an interrupt: `Interrupt`, or dictionaries."""


class RunFailure(NamedTuple):
    """The failure of a run."""

    message: str
    """Description of the failure, for people."""
    code: str | None = None
    """Code of the failure, for programs."""
    usage: list[Any] | None = None
    """The tokens used, if reported: `TokenUsage`, or dictionaries in a conversation of such."""


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

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

    Examples:
        >>> from ag_ui_native.changes import ChangeRecord
        >>> from ag_ui_native.stream import apply_events
        >>> change = apply_events([{"type": "STATE_SNAPSHOT", "snapshot": {"tasks": []}}]).changes[0]
        >>> isinstance(change, ChangeRecord), change.kind, change.event_index
        (True, 'state_set', 0)
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
    """A new message.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "TEXT_MESSAGE_START", "messageId": "m1"}]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "message_inserted":
        ...         print(change.target["role"])
        assistant
    """

    __slots__ = ()


class MessageReplaced(ChangeRecord[Literal["message_replaced"], MessageT, None]):
    """A message replaced another; ``target`` is the new one.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "ACTIVITY_SNAPSHOT", "messageId": "m1", "activityType": "search", "content": {"found": 0}}]
        >>> for change in apply_events(events, [{"id": "m1", "role": "user", "content": "Hi"}]).changes:
        ...     if change.kind == "message_replaced":
        ...         print(change.target["role"])
        activity
    """

    __slots__ = ()


class MessagesArranged(ChangeRecord[Literal["messages_arranged"], None, list[MessageT]]):
    """The list of messages was rearranged; ``value`` is the list at that time.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "MESSAGES_SNAPSHOT", "messages": []}]
        >>> for change in apply_events(events, [{"id": "m1", "role": "user", "content": "Hi"}]).changes:
        ...     if change.kind == "messages_arranged":
        ...         print(change.value)
        []
    """

    __slots__ = ()


class MessageEnded(ChangeRecord[Literal["message_ended"], MessageT, None]):
    """A message is complete.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [
        ...     {"type": "TEXT_MESSAGE_START", "messageId": "m1"},
        ...     {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Hello"},
        ...     {"type": "TEXT_MESSAGE_END", "messageId": "m1"},
        ... ]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "message_ended":
        ...         print(change.target["content"])
        Hello
    """

    __slots__ = ()


class CallAdded(ChangeRecord[Literal["call_added"], CallT, None]):
    """A new tool call.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [
        ...     {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "weather", "parentMessageId": "m2"},
        ...     {"type": "TOOL_CALL_START", "toolCallId": "c2", "toolCallName": "weather", "parentMessageId": "m2"},
        ... ]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "call_added":
        ...         print(change.target["function"]["name"])
        weather
    """

    __slots__ = ()


class CallEnded(ChangeRecord[Literal["call_ended"], CallT, None]):
    """A tool call is complete.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [
        ...     {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "weather"},
        ...     {"type": "TOOL_CALL_END", "toolCallId": "c1"},
        ... ]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "call_ended":
        ...         print(change.target["id"])
        c1
    """

    __slots__ = ()


class TextAppended(ChangeRecord[Literal["text_appended"], MessageT | CallT, str]):
    """Text was appended to a message or to the arguments of a call.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [
        ...     {"type": "TEXT_MESSAGE_START", "messageId": "m1"},
        ...     {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Hello"},
        ... ]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "text_appended":
        ...         print(change.value)
        Hello
    """

    __slots__ = ()


class MemberSet(ChangeRecord[Literal["member_set"], MessageT | CallT, tuple[str, str | None]]):
    """A member was set; ``value`` is its name and its new value, None if it was removed.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [
        ...     {"type": "REASONING_MESSAGE_START", "messageId": "m5", "role": "reasoning"},
        ...     {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "m5", "encryptedValue": "gAAAAB"},
        ... ]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "member_set":
        ...         print(change.value)
        ('encryptedValue', 'gAAAAB')
        ('encryptedValueType', None)
    """

    __slots__ = ()


class ContentSet(ChangeRecord[Literal["content_set"], MessageT, dict[str, Any]]):
    """An activity's content was replaced; ``value`` is the content at that time.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [
        ...     {"type": "ACTIVITY_SNAPSHOT", "messageId": "m4", "activityType": "search", "content": {"found": 0}},
        ...     {"type": "ACTIVITY_SNAPSHOT", "messageId": "m4", "activityType": "search", "content": {"found": 3}},
        ... ]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "content_set":
        ...         print(change.value)
        {'found': 3}
    """

    __slots__ = ()


class ContentPatched(ChangeRecord[Literal["content_patched"], MessageT, list[dict[str, Any]]]):
    """An activity's content was patched; ``value`` has the operations.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> activity = {"messageId": "m4", "activityType": "search"}
        >>> snapshot = {"type": "ACTIVITY_SNAPSHOT", **activity, "content": {"found": 0}}
        >>> delta = {"type": "ACTIVITY_DELTA", **activity, "patch": [{"op": "remove", "path": "/found"}]}
        >>> for change in apply_events([snapshot, delta]).changes:
        ...     if change.kind == "content_patched":
        ...         print(change.value)
        [{'op': 'remove', 'path': '/found'}]
    """

    __slots__ = ()


class MetadataMerged(ChangeRecord[Literal["metadata_merged"], MessageT | CallT, dict[str, Any]]):
    """Metadata was merged into the existing one; ``value`` is the new metadata.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [
        ...     {"type": "TEXT_MESSAGE_START", "messageId": "m1", "metadata": {"lang": "en"}},
        ...     {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Hello", "metadata": {"model": "large"}},
        ... ]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "metadata_merged":
        ...         print(change.value)
        {'model': 'large'}
    """

    __slots__ = ()


class StateSet(ChangeRecord[Literal["state_set"], None, None]):
    """The state was replaced. The conversation has it, in its form after the whole call that reports this.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "STATE_SNAPSHOT", "snapshot": {"tasks": []}}]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "state_set":
        ...         print(change.event_index)
        0
    """

    __slots__ = ()


class StatePatched(ChangeRecord[Literal["state_patched"], None, list[dict[str, Any]]]):
    """The state was patched; ``value`` has the operations.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/tasks"}]}]
        >>> for change in apply_events(events, state={"tasks": []}).changes:
        ...     if change.kind == "state_patched":
        ...         print(change.value)
        [{'op': 'remove', 'path': '/tasks'}]
    """

    __slots__ = ()


class PatchFailed(ChangeRecord[Literal["patch_failed"], MessageT | None, list[dict[str, Any]]]):
    """A patch of an activity, which is the ``target``, or of the state did not apply. ``value`` has the operations.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/tasks"}]}]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "patch_failed":
        ...         print(change.value)
        [{'op': 'remove', 'path': '/tasks'}]
    """

    __slots__ = ()


class InterruptsSet(ChangeRecord[Literal["interrupts_set"], None, None]):
    """The pending interrupts changed. The conversation has them, in their form after the whole call that reports
    this.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> outcome = {"type": "interrupt", "interrupts": [{"id": "i1", "reason": "confirmation"}]}
        >>> events = [{"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1", "outcome": outcome}]
        >>> applied = apply_events(events)
        >>> [change.kind for change in applied.changes], applied.pending_interrupts[0]["id"]
        (['interrupts_set', 'run_finished'], 'i1')
    """

    __slots__ = ()


class RunEnd(NamedTuple):
    """The outcome of a run.

    Examples:
        >>> from ag_ui_native.stream import RunEnd, apply_events
        >>> events = [{"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1", "result": 42}]
        >>> end = apply_events(events).changes[-1].value
        >>> isinstance(end, RunEnd) and (end.outcome, end.result)
        ('success', 42)
    """

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
    """The failure of a run.

    Examples:
        >>> from ag_ui_native.stream import RunFailure, apply_events
        >>> events = [{"type": "RUN_ERROR", "message": "No model.", "code": "no_model"}]
        >>> failure = apply_events(events).changes[-1].value
        >>> isinstance(failure, RunFailure) and (failure.message, failure.code)
        ('No model.', 'no_model')
    """

    message: str
    """Description of the failure, for people."""
    code: str | None = None
    """Code of the failure, for programs."""
    usage: list[Any] | None = None
    """The tokens used, if reported: `TokenUsage`, or dictionaries in a conversation of such."""


class RunFinished(ChangeRecord[Literal["run_finished"], None, RunEnd]):
    """A run has finished.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1", "result": 42}]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "run_finished":
        ...         print(change.value.result)
        42
    """

    __slots__ = ()


class RunFailed(ChangeRecord[Literal["run_failed"], None, RunFailure]):
    """A run has failed.

    Examples:
        >>> from ag_ui_native.stream import apply_events
        >>> events = [{"type": "RUN_ERROR", "message": "No model."}]
        >>> for change in apply_events(events).changes:
        ...     if change.kind == "run_failed":
        ...         print(change.value.message)
        No model.
    """

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
    """Any change of a conversation with messages and calls of some kind.

    Examples:
        >>> from typing import TYPE_CHECKING, Any
        >>> from ag_ui_native.stream import apply_events
        >>> if TYPE_CHECKING:
        ...     from ag_ui_native.changes import ChangeOf
        >>> def show(change: "ChangeOf[dict[str, Any], dict[str, Any]]") -> None:
        ...     print(change.kind)
        >>> for change in apply_events([{"type": "STATE_SNAPSHOT", "snapshot": {}}]).changes:
        ...     show(change)
        state_set
    """

    Change: TypeAlias = ChangeOf[Message, ToolCall]
    """Any change of a conversation of instances.

    Examples:
        >>> from ag_ui_native.client import SyncLocalAgent
        >>> from ag_ui_native.stream import Change
        >>> from ag_ui_native.testing import scripted_agent
        >>> def show(change: Change) -> None:
        ...     if change.kind == "text_appended":
        ...         print(change.value)
        >>> for change in SyncLocalAgent(scripted_agent(["Hello!"])).stream():
        ...     show(change)
        Hello!
    """

    DictChange: TypeAlias = ChangeOf[dict[str, Any], dict[str, Any]]
    """Any change of a conversation of dictionaries with the keys of the wire.

    Examples:
        >>> from ag_ui_native.stream import DictChange, apply_events
        >>> def show(change: DictChange) -> None:
        ...     if change.kind == "message_inserted":
        ...         print(change.target["role"])
        >>> for change in apply_events([{"type": "TEXT_MESSAGE_START", "messageId": "m1"}]).changes:
        ...     show(change)
        assistant
    """
else:
    ChangeOf = Change = DictChange = ChangeRecord

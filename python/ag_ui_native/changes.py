"""What a reducer tells about each event."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Change", "RunEnd"]


class Change(NamedTuple):
    """One change of a conversation. It has been carried out already; this is for showing it.

    ==================== ==================== =====================================
    kind                 target               value
    ==================== ==================== =====================================
    message_inserted     the message
    message_replaced     the new message
    messages_arranged                         the messages, in order
    message_ended        the message
    call_added           the call
    call_ended           the call
    text_appended        message or call      the text
    member_set           message or call      (name, new value or None)
    content_set          the activity         the content
    content_patched      the activity         the operations, as dicts
    metadata_merged      message or call      the new metadata
    state_set
    state_patched                             the operations
    patch_failed         the activity or None the operations
    interrupts_set
    run_finished                              a RunEnd
    run_failed                                (message, code or None)
    ==================== ==================== =====================================

    What is inserted, replaced, arranged or added is handed over as it was then: a copy, which stays as it is. Other
    targets are the messages and calls of the conversation themselves, and go on changing; the value says what happened.

    Text that grows is appended to in place. While somebody holds the text of a message or the arguments of a call,
    CPython copies it for each piece: who follows a stream keeps the values instead.
    """

    kind: str
    """What happened."""
    event_index: int
    """The event that did it, counting from 0."""
    target: Any = None
    """The message or tool call it happened to."""
    value: Any = None
    """What was added or set."""


class RunEnd(NamedTuple):
    """How a run has finished."""

    outcome: str
    """``success``, ``interrupt`` or ``cancelled``."""
    result: Any = None
    """What a successful run returns."""
    pending_tool_call_ids: list[str] | None = None
    """The calls that the application is to answer, after success."""

"""Ids for threads, runs, messages, tool calls and steps. The protocol accepts any string; these are readable."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ag_ui_native import _native

if TYPE_CHECKING:
    from ag_ui_native.typing import EventLike

__all__ = [
    "IdGenerator",
    "TimestampGenerator",
    "UuidGenerator",
    "get_default_generator",
    "new_message_id",
    "new_run_id",
    "new_step_id",
    "new_thread_id",
    "new_tool_call_id",
    "run_id_of",
    "set_default_generator",
    "thread_id_of",
]


@runtime_checkable
class IdGenerator(Protocol):
    """A generator of ids.

    Examples:
        >>> from ag_ui_native.ids import IdGenerator, UuidGenerator
        >>> isinstance(UuidGenerator(), IdGenerator)
        True
    """

    def thread_id(self) -> str:
        """A new id for a conversation."""

    def run_id(self) -> str:
        """A new id for a run."""

    def message_id(self) -> str:
        """A new id for a message."""

    def tool_call_id(self) -> str:
        """A new id for a tool call."""

    def step_id(self) -> str:
        """A new id for a step."""


class _Generator:
    """A generator that makes all five kinds of ids by one method."""

    def _make(self, kind: str) -> str:
        raise NotImplementedError

    def thread_id(self) -> str:
        """A new id for a conversation."""
        return self._make("thread")

    def run_id(self) -> str:
        """A new id for a run."""
        return self._make("run")

    def message_id(self) -> str:
        """A new id for a message."""
        return self._make("message")

    def tool_call_id(self) -> str:
        """A new id for a tool call."""
        return self._make("tool_call")

    def step_id(self) -> str:
        """A new id for a step."""
        return self._make("step")


class UuidGenerator(_Generator):
    """Ids with a random UUID: ``msg-0b5f...``.

    Examples:
        >>> from ag_ui_native.ids import UuidGenerator
        >>> ids = UuidGenerator()
        >>> [id.partition("-")[0] for id in (ids.thread_id(), ids.run_id(), ids.message_id())]
        ['thread', 'run', 'msg']
        >>> [id.partition("-")[0] for id in (ids.tool_call_id(), ids.step_id())]
        ['tool', 'step']
    """

    def _make(self, kind: str) -> str:
        return _native.make_id(kind)


class TimestampGenerator(_Generator):
    """Ids that sort by the millisecond of their creation: ``prefix-msg-1760000000000-8c1f03d2``; without a prefix they
    begin with the kind.

    Examples:
        >>> from ag_ui_native.ids import TimestampGenerator
        >>> ids = TimestampGenerator("shop")
        >>> ids.message_id().startswith("shop-msg-")
        True
        >>> ids.thread_id() != ids.thread_id()
        True
    """

    def __init__(self, prefix: str | None = None) -> None:
        self.prefix = prefix

    def _make(self, kind: str) -> str:
        return _native.make_id(kind, self.prefix, time.time_ns() // 1_000_000)


_default: IdGenerator = UuidGenerator()


def get_default_generator() -> IdGenerator:
    """The generator that is used if none is given.

    Examples:
        >>> from ag_ui_native.ids import get_default_generator
        >>> type(get_default_generator()).__name__
        'UuidGenerator'
    """
    return _default


def set_default_generator(generator: IdGenerator | None) -> None:
    """Sets the generator that is used if none is given; None restores the UUIDs.

    Examples:
        >>> from ag_ui_native.ids import TimestampGenerator, new_run_id, set_default_generator
        >>> set_default_generator(TimestampGenerator("shop"))
        >>> new_run_id().startswith("shop-run-")
        True
        >>> set_default_generator(None)
    """
    global _default
    _default = UuidGenerator() if generator is None else generator


def new_thread_id(generator: IdGenerator | None = None) -> str:
    """A new id for a conversation.

    Examples:
        >>> from ag_ui_native.ids import new_thread_id
        >>> new_thread_id().startswith("thread-")
        True
    """
    return (generator or _default).thread_id()


def new_run_id(generator: IdGenerator | None = None) -> str:
    """A new id for a run.

    Examples:
        >>> from ag_ui_native.ids import new_run_id
        >>> new_run_id().startswith("run-")
        True
    """
    return (generator or _default).run_id()


def new_message_id(generator: IdGenerator | None = None) -> str:
    """A new id for a message.

    Examples:
        >>> from ag_ui_native.ids import new_message_id
        >>> new_message_id().startswith("msg-")
        True
    """
    return (generator or _default).message_id()


def new_tool_call_id(generator: IdGenerator | None = None) -> str:
    """A new id for a tool call.

    Examples:
        >>> from ag_ui_native.ids import new_tool_call_id
        >>> new_tool_call_id().startswith("tool-")
        True
    """
    return (generator or _default).tool_call_id()


def new_step_id(generator: IdGenerator | None = None) -> str:
    """A new id for a step.

    Examples:
        >>> from ag_ui_native.ids import new_step_id
        >>> new_step_id().startswith("step-")
        True
    """
    return (generator or _default).step_id()


def thread_id_of(event: EventLike | Mapping[str, Any]) -> str | None:
    """The conversation that an event names, as an instance or a dictionary; None if its type names none.

    Examples:
        >>> from ag_ui_native.core import RunStartedEvent
        >>> from ag_ui_native.ids import thread_id_of
        >>> thread_id_of(RunStartedEvent(thread_id="t1", run_id="r1"))
        't1'
    """
    return _id_of(event, "threadId", "thread_id")


def run_id_of(event: EventLike | Mapping[str, Any]) -> str | None:
    """The run that an event names, as an instance or a dictionary; None if its type names none.

    Examples:
        >>> from ag_ui_native.ids import run_id_of
        >>> run_id_of({"type": "RUN_STARTED", "threadId": "t1", "runId": "r1"})
        'r1'
    """
    return _id_of(event, "runId", "run_id")


def _id_of(event: object, key: str, attribute: str) -> str | None:
    members = event if isinstance(event, Mapping) else vars(event) if hasattr(event, "__dict__") else {}
    event_type = members.get("type")
    if not isinstance(event_type, str):
        raise TypeError(f"event: expected an event, got {type(event).__name__}")
    if not _native.declares(event_type, key):
        return None
    value = members.get(key if isinstance(event, Mapping) else attribute)
    return value if isinstance(value, str) else None

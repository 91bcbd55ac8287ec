"""Types of the arguments of this package's functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

__all__ = [
    "EventLike",
    "InterruptLike",
    "MessageLike",
    "OnPatchFailure",
    "OpenKind",
    "OperationLike",
    "PlainState",
    "Profile",
    "ResumeLike",
    "RunInputLike",
]

Profile: TypeAlias = Literal["strict", "tolerant", "relay"]
"""The strictness of reading events. ``ag_ui_native.stream`` describes the profiles."""

OnPatchFailure: TypeAlias = Literal["flag", "error"]
"""The reaction to a patch of the state or of an activity that does not apply."""

OpenKind: TypeAlias = Literal["step", "message", "reasoning message", "reasoning span", "tool call", "subagent"]
"""The kinds of entities that can be open during a run."""


PlainState: TypeAlias = Mapping[str, Any] | Sequence[Any] | int | float | None
"""A state as JSON: dictionaries (a TypedDict, for example), lists, texts, numbers. Models are for agents, and for
`run.state`.
"""


class EventLike(Protocol):
    """An event as an object: of this package, or of ``ag_ui``."""

    @property
    def type(self) -> str:
        """The type of the event."""

    @property
    def raw_event(self) -> Any:
        """The provider's own event that this one was made from."""


class MessageLike(Protocol):
    """A message as an object: of this package, or of ``ag_ui``."""

    @property
    def id(self) -> str:
        """Names the message within the conversation."""

    @property
    def role(self) -> str:
        """The author of the message."""


class InterruptLike(Protocol):
    """An interrupt as an object: of this package, or of ``ag_ui``."""

    @property
    def id(self) -> str:
        """Names the interrupt."""

    @property
    def reason(self) -> str:
        """The reason of the question."""


class ResumeLike(Protocol):
    """The answer to an interrupt as an object: of this package, or of ``ag_ui``."""

    @property
    def interrupt_id(self) -> str:
        """The interrupt."""

    @property
    def status(self) -> str:
        """The answer's status: answered or given up."""


class RunInputLike(Protocol):
    """A run's input as an object: of this package, or of ``ag_ui``."""

    @property
    def thread_id(self) -> str:
        """Names the conversation."""

    @property
    def run_id(self) -> str:
        """Names the run."""


class OperationLike(Protocol):
    """An operation of a JSON Patch as an object: of this package, or of ``ag_ui``."""

    @property
    def op(self) -> str:
        """The name of the operation."""

    @property
    def path(self) -> str:
        """The place in the document."""

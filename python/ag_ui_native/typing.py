"""Names for what the functions of this package take."""

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
"""How strictly events are read; ``ag_ui_native.stream`` says what each means."""

OnPatchFailure: TypeAlias = Literal["flag", "error"]
"""What happens where a patch of the state or of an activity does not apply."""

OpenKind: TypeAlias = Literal["step", "message", "reasoning message", "reasoning span", "tool call", "subagent"]
"""What can be open during a run."""


PlainState: TypeAlias = Mapping[str, Any] | Sequence[Any] | int | float | None
"""A state as JSON has it: dictionaries (a TypedDict, say), lists, texts, numbers. Models are for agents, and for `run.state`."""


class EventLike(Protocol):
    """An event as an object: of this package, or of ``ag_ui``."""

    @property
    def type(self) -> str:
        """Which event it is."""

    @property
    def raw_event(self) -> Any:
        """The provider's own event this one was made from."""


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
        """Why the agent asks."""


class ResumeLike(Protocol):
    """The answer to an interrupt as an object: of this package, or of ``ag_ui``."""

    @property
    def interrupt_id(self) -> str:
        """The interrupt."""

    @property
    def status(self) -> str:
        """Whether it was answered or given up."""


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
        """Which operation it is."""

    @property
    def path(self) -> str:
        """Where."""

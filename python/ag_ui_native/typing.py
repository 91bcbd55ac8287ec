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
"""The strictness of reading events. ``ag_ui_native.stream`` describes the profiles.

Examples:
    >>> from ag_ui_native.stream import decode_event
    >>> from ag_ui_native.typing import Profile
    >>> profile: Profile = "relay"
    >>> decode_event('{"type": "WEATHER_CHANGED"}', profile=profile)
    {'type': 'WEATHER_CHANGED'}
"""

OnPatchFailure: TypeAlias = Literal["flag", "error"]
"""The reaction to a patch of the state or of an activity that does not apply.

Examples:
    >>> from ag_ui_native.stream import Reducer
    >>> from ag_ui_native.typing import OnPatchFailure
    >>> reaction: OnPatchFailure = "error"
    >>> reducer = Reducer(on_patch_failure=reaction)
"""

OpenKind: TypeAlias = Literal["step", "message", "reasoning message", "reasoning span", "tool call", "subagent"]
"""The kinds of entities that can be open during a run.

Examples:
    >>> from ag_ui_native.core import RunStartedEvent, StepStartedEvent
    >>> from ag_ui_native.stream import EventVerifier
    >>> from ag_ui_native.typing import OpenKind
    >>> verifier = EventVerifier()
    >>> verifier.check(RunStartedEvent(thread_id="t1", run_id="r1"))
    >>> verifier.check(StepStartedEvent(step_name="search"))
    >>> kind: OpenKind = verifier.open[0][0]
    >>> kind
    'step'
"""


PlainState: TypeAlias = Mapping[str, Any] | Sequence[Any] | int | float | None
"""A state as JSON: dictionaries (a TypedDict, for example), lists, texts, numbers. Models are for agents, and for
`run.state`.

Examples:
    >>> from ag_ui_native.stream import Reducer
    >>> from ag_ui_native.typing import PlainState
    >>> state: PlainState = {"tasks": ["Buy milk"]}
    >>> Reducer(state=state).state
    {'tasks': ['Buy milk']}
"""


class EventLike(Protocol):
    """An event as an object: of this package, or of ``ag_ui``.

    Examples:
        >>> from ag_ui_native.core import RunErrorEvent
        >>> from ag_ui_native.typing import EventLike
        >>> event: EventLike = RunErrorEvent(message="No model.")
        >>> print(event.type == "RUN_ERROR", event.raw_event)
        True None
    """

    @property
    def type(self) -> str:
        """The type of the event."""

    @property
    def raw_event(self) -> Any:
        """The provider's own event that this one was made from."""


class MessageLike(Protocol):
    """A message as an object: of this package, or of ``ag_ui``.

    Examples:
        >>> from ag_ui_native.core import UserMessage
        >>> from ag_ui_native.typing import MessageLike
        >>> message: MessageLike = UserMessage(id="m1", content="Hello!")
        >>> message.id, message.role
        ('m1', 'user')
    """

    @property
    def id(self) -> str:
        """Names the message within the conversation."""

    @property
    def role(self) -> str:
        """The author of the message."""


class InterruptLike(Protocol):
    """An interrupt as an object: of this package, or of ``ag_ui``.

    Examples:
        >>> from ag_ui_native.core import Interrupt
        >>> from ag_ui_native.typing import InterruptLike
        >>> interrupt: InterruptLike = Interrupt(id="i1", reason="confirmation")
        >>> interrupt.id, interrupt.reason
        ('i1', 'confirmation')
    """

    @property
    def id(self) -> str:
        """Names the interrupt."""

    @property
    def reason(self) -> str:
        """The reason of the question."""


class ResumeLike(Protocol):
    """The answer to an interrupt as an object: of this package, or of ``ag_ui``.

    Examples:
        >>> from ag_ui_native.core import ResumeEntry
        >>> from ag_ui_native.typing import ResumeLike
        >>> answer: ResumeLike = ResumeEntry(interrupt_id="i1", status="cancelled")
        >>> answer.interrupt_id, answer.status
        ('i1', 'cancelled')
    """

    @property
    def interrupt_id(self) -> str:
        """The interrupt."""

    @property
    def status(self) -> str:
        """The answer's status: answered or given up."""


class RunInputLike(Protocol):
    """A run's input as an object: of this package, or of ``ag_ui``.

    Examples:
        >>> from ag_ui_native.core import RunAgentInput
        >>> from ag_ui_native.typing import RunInputLike
        >>> input: RunInputLike = RunAgentInput(thread_id="t1", run_id="r1", messages=[], tools=[], context=[])
        >>> input.thread_id, input.run_id
        ('t1', 'r1')
    """

    @property
    def thread_id(self) -> str:
        """Names the conversation."""

    @property
    def run_id(self) -> str:
        """Names the run."""


class OperationLike(Protocol):
    """An operation of a JSON Patch as an object: of this package, or of ``ag_ui``.

    Examples:
        >>> from ag_ui_native.core import RemoveOperation
        >>> from ag_ui_native.typing import OperationLike
        >>> operation: OperationLike = RemoveOperation(path="/tasks/0")
        >>> operation.op, operation.path
        ('remove', '/tasks/0')
    """

    @property
    def op(self) -> str:
        """The name of the operation."""

    @property
    def path(self) -> str:
        """The place in the document."""

"""The types of the stages of a stream. Each returns events of the kind that it is given."""

from collections.abc import Callable, Iterable
from typing import Any, Self, final, overload

from typing_extensions import TypeVar

from ag_ui_native.core.events import Event
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.typing import EventLike, OpenKind, Profile

__all__ = [
    "ChunkExpander",
    "EventVerifier",
    "compact_events",
    "enforce_events",
    "expand_chunks",
    "verify_events",
]

_GivenT = TypeVar("_GivenT", bound=EventLike | dict[str, Any])

@final
class ChunkExpander:
    """Turns chunk events into the START, CONTENT and END events they stand for, one event at a time.

    Examples:
        >>> from ag_ui_native.core import TextMessageChunkEvent
        >>> from ag_ui_native.stream import ChunkExpander
        >>> expander = ChunkExpander()
        >>> chunk = TextMessageChunkEvent(message_id="m1", delta="Hello")
        >>> [event.type.value for event in expander.push(chunk)]
        ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']
    """

    def __new__(
        cls,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    @overload
    def push(self, event: Event) -> list[Event]: ...
    @overload
    def push(self, event: dict[str, Any]) -> list[dict[str, Any]]: ...
    @overload
    def push(self, event: EventLike) -> list[EventLike]:
        """The expansion of `event`: the event itself, if it is no chunk, behind the ENDs of the streams that it closes.

        Raises AGUISequenceError (a C rule).
        """

@final
class EventVerifier:
    """Verifies the order of events, one at a time: of a stream that is read, or of one that is about to be sent.

    Examples:
        >>> from ag_ui_native import AGUISequenceError, AGUIStreamError
        >>> from ag_ui_native.core import RunStartedEvent, StepStartedEvent
        >>> from ag_ui_native.stream import EventVerifier
        >>> verifier = EventVerifier()
        >>> verifier.check(RunStartedEvent(thread_id="t1", run_id="r1"))
        >>> verifier.admit(StepStartedEvent(step_name="search"))
        >>> verifier.is_running, verifier.open
        (True, [('step', 'search', None)])
        >>> try:
        ...     verifier.finish()
        ... except AGUIStreamError as error:
        ...     print(error.code)
        stream_truncated
    """

    def __new__(
        cls,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    def check(self, event: EventLike | dict[str, Any]) -> None:
        """Takes the next event. After a failure the verifier takes no more.

        Raises AGUISequenceError (a V rule).
        """

    def admit(self, event: EventLike | dict[str, Any]) -> None:
        """Takes the next event. A refused event changes nothing, and others may follow.

        Raises AGUISequenceError (a V rule).
        """

    def finish(self) -> None:
        """Ends the stream.

        Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
        """

    @property
    def is_running(self) -> bool:
        """True if a run has begun and not ended."""

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """The warnings about repaired, dropped and ignored parts so far."""

    @property
    def open(self) -> list[tuple[OpenKind, str, str | None]]:
        """The open entities, in order of opening: (kind, id or name, subagent run id or None). The kinds are `step`,
        `message`, `reasoning message`, `reasoning span`, `tool call` and `subagent`.
        """

@overload
def enforce_events(
    events: Iterable[Event],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Event]: ...
@overload
def enforce_events(
    events: Iterable[dict[str, Any]],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[dict[str, Any]]: ...
@overload
def enforce_events(
    events: Iterable[_GivenT],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[_GivenT]:
    """Brings events into the form of AG-UI 1.1: unknown parts are dropped, with a warning each; malformed known parts
    fail.

    Takes events of any form and returns a list of the same form; an event without repairs is the caller's own object.
    Raises AGUIValidationError with `event_index`; its `partial` holds the events before.

    Examples:
        >>> from ag_ui_native.stream import enforce_events
        >>> enforce_events([{"type": "TEXT_MESSAGE_END", "messageId": "m1", "mood": "fine"}])
        [{'type': 'TEXT_MESSAGE_END', 'messageId': 'm1'}]
    """

@overload
def expand_chunks(
    events: Iterable[Event],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Event]: ...
@overload
def expand_chunks(
    events: Iterable[dict[str, Any]],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[dict[str, Any]]: ...
@overload
def expand_chunks(
    events: Iterable[EventLike | dict[str, Any]],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[EventLike | dict[str, Any]]:
    """Turns chunk events into the START, CONTENT and END events they stand for; all others pass.

    Takes events of any form and returns a list of the same form. Raises AGUISequenceError (a C rule) with
    `event_index`; its `partial` holds the events before.

    Examples:
        >>> from ag_ui_native.stream import expand_chunks
        >>> chunks = [{"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Hello"}]
        >>> [event["type"] for event in expand_chunks(chunks)]
        ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT']
    """

@overload
def verify_events(
    events: Iterable[Event],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Event]: ...
@overload
def verify_events(
    events: Iterable[dict[str, Any]],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[dict[str, Any]]: ...
@overload
def verify_events(
    events: Iterable[_GivenT],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[_GivenT]:
    """Verifies the order of events. It does not judge the end of the list; EventVerifier.finish does that.

    Takes events of any form and returns them as a list. Raises AGUISequenceError (a V rule) with `event_index`; its
    `partial` holds the events before.

    Examples:
        >>> from ag_ui_native.core import RunErrorEvent, RunStartedEvent
        >>> from ag_ui_native.stream import verify_events
        >>> len(verify_events([RunStartedEvent(thread_id="t1", run_id="r1"), RunErrorEvent(message="No model.")]))
        2
    """

@overload
def compact_events(
    events: Iterable[Event],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Event]: ...
@overload
def compact_events(
    events: Iterable[dict[str, Any]],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[dict[str, Any]]: ...
@overload
def compact_events(
    events: Iterable[EventLike | dict[str, Any]],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[EventLike | dict[str, Any]]:
    """Shortens a list of events without changing its meaning: pieces of text and arguments are joined, states applied.

    Takes events of any form and returns a list of the same form. Chunks are not expanded. Raises AGUIValidationError
    with `event_index` for an invalid event; its `partial` holds the events before, compacted.

    Examples:
        >>> from ag_ui_native.stream import compact_events
        >>> pieces = [{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": delta} for delta in ("Hel", "lo")]
        >>> start, end = {"type": "TEXT_MESSAGE_START", "messageId": "m1"}, {"type": "TEXT_MESSAGE_END", "messageId": "m1"}
        >>> [event.get("delta") for event in compact_events([start, *pieces, end])]
        [None, 'Hello', None]
    """

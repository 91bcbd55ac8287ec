"""Joins adjacent deltas, one event at a time."""

from types import GenericAlias
from typing import Any, Generic, final

from typing_extensions import TypeVar

from ag_ui_native.typing import EventLike

__all__ = ["Coalescer"]

_ItemT = TypeVar("_ItemT", default=EventLike)

@final
class Coalescer(Generic[_ItemT]):
    """Joins adjacent deltas of one entity: TEXT_MESSAGE_CONTENT, TOOL_CALL_ARGS and REASONING_MESSAGE_CONTENT.

    The first of adjacent deltas goes out at once, and so does one that comes `max_delay` seconds or more after the
    last that went out. Deltas in between wait, and are joined up to `max_bytes` of text. Any other event first
    sends the waiting delta, then follows it. Only deltas with the same `subagent_run_id` are joined. Of metadata,
    the last value of each key is kept; `timestamp` is lost. A delta with a `raw_event` or undeclared members is not
    joined.

    Raises ValueError if the delay is negative or not a number.

    Examples:
        >>> from ag_ui_native.core import TextMessageContentEvent
        >>> from ag_ui_native.server import Coalescer
        >>> coalescer: Coalescer[TextMessageContentEvent] = Coalescer(max_delay=5)
        >>> words = [TextMessageContentEvent(message_id="m1", delta=delta) for delta in ("One", " two", " three")]
        >>> [len(coalescer.push(word)) for word in words], coalescer.deadline is None
        ([1, 0, 0], False)
        >>> [event.delta for event in coalescer.flush()]
        [' two three']
    """

    def __new__(cls, *, max_bytes: int = 4096, max_delay: float = 0.05) -> Coalescer[_ItemT]: ...
    def push(self, event: _ItemT, now: float | None = None) -> list[_ItemT]:
        """Takes the next event, of any form, and returns the events that go out now. An event that is not joined is
        the caller's own object. `now` is a time of `time.monotonic`; the default is the current time.

        Raises AGUIValidationError for an invalid delta; the waiting delta stays.
        """

    @property
    def deadline(self) -> float | None:
        """The time by which the waiting event must be sent, by the clock `time.monotonic`: call `flush` then. None if
        no event is waiting.
        """

    def flush(self, now: float | None = None) -> list[_ItemT]:
        """Removes and returns the waiting event, as a list of one or none."""

    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

"""Deltas that go out together, one event at a time."""

from types import GenericAlias
from typing import Any, Generic, final

from typing_extensions import TypeVar

from ag_ui_native.typing import EventLike

__all__ = ["Coalescer"]

_ItemT = TypeVar("_ItemT", default=EventLike)

@final
class Coalescer(Generic[_ItemT]):
    """Joins adjacent deltas of one entity: TEXT_MESSAGE_CONTENT, TOOL_CALL_ARGS and REASONING_MESSAGE_CONTENT.

    The first of adjacent deltas goes out at once, and so does one that comes `max_delay` seconds after the last that went
    out; what comes between waits, and is joined to no more than `max_bytes` of text. Whatever else comes sends out what
    waits, and follows it. What is joined has the same `subagent_run_id`; of metadata the last value per key is kept,
    `timestamp` is lost. A delta with a `raw_event` or undeclared members is not joined.

    Raises ValueError for a delay that is negative or no number.
    """

    def __new__(cls, *, max_bytes: int = 4096, max_delay: float = 0.05) -> Coalescer[_ItemT]: ...
    def push(self, event: _ItemT, now: float | None = None) -> list[_ItemT]:
        """Takes the next event, of any form, and returns those that go out now: one that is not joined is the caller's
        own object. `now` is a time of the clock `time.monotonic`, which is asked if there is none.

        Raises AGUIValidationError for a delta that is none; what waits goes on waiting.
        """

    @property
    def deadline(self) -> float | None:
        """The latest time to send the waiting event, by the clock `time.monotonic`: call `flush` then. None if no event
        waits.
        """

    def flush(self, now: float | None = None) -> list[_ItemT]:
        """Takes what waits: one event, or none."""

    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

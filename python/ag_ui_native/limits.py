"""Limits on the cost of reading input."""

from dataclasses import dataclass
from typing import Final  # whole, before `dataclass` looks into what another thread may have loaded half of it

from ag_ui_native import _native

__all__ = ["Limits"]

_DEFAULTS: Final = _native.default_limits()


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the cost of reading. The error that reports one names it in its ``limit``.

    Examples:
        >>> from ag_ui_native import AGUILimitError, Limits, read_run_input
        >>> body = '{"threadId": "t1", "runId": "r1", "messages": []}'
        >>> try:
        ...     read_run_input(body, limits=Limits(input_bytes=20))
        ... except AGUILimitError as error:
        ...     print(error.limit)
        input_bytes
    """

    event_bytes: int = _DEFAULTS["event_bytes"]
    """The largest event, in bytes of its text."""
    input_bytes: int = _DEFAULTS["input_bytes"]
    """The largest body of a request for a run, in bytes. It holds a whole conversation, and each message may be as long as an event."""
    input_values: int = _DEFAULTS["input_values"]
    """The maximum number of values in the input of a run; each list, object and scalar counts."""
    depth: int = _DEFAULTS["depth"]
    """The deepest nesting of lists and objects; at most 1000."""
    id_bytes: int = _DEFAULTS["id_bytes"]
    """The longest id, in bytes."""
    open_entities: int = _DEFAULTS["open_entities"]
    """The maximum number of messages, calls, spans, steps and subagents that are open at one time."""
    metadata_members: int = _DEFAULTS["metadata_members"]
    """The maximum number of members that the events of a message or call may add to its metadata."""
    run_entities: int = _DEFAULTS["run_entities"]
    """The maximum number of messages, calls, spans, activities and subagents of one run that are remembered, open or not."""
    warnings: int = _DEFAULTS["warnings"]
    """The maximum number of warnings about one stream; one more warning says that others are left out."""
    patch_operations: int = _DEFAULTS["patch_operations"]
    """The maximum number of operations in one patch."""
    patch_copies: int = _DEFAULTS["patch_copies"]
    """The maximum number of values that the ``copy`` operations of one patch make, and that its moves take to deeper places."""
    patch_shifts: int = _DEFAULTS["patch_shifts"]
    """The maximum number of places by which the insertions and removals of one patch shift the items of lists."""
    state_values: int = _DEFAULTS["state_values"]
    """The maximum number of values in the state of a run that is compared at each await. A larger state is compared when a message, a
    tool call or a step ends, when it is flushed, and at the end of the run."""

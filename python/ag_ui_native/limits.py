"""Limits on the cost of reading input."""

from dataclasses import dataclass
from typing import Final  # whole, before `dataclass` looks into what another thread may have loaded half of it

from ag_ui_native import _native

__all__ = ["Limits"]

_DEFAULTS: Final = _native.default_limits()


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the cost of reading. The error that reports one names it in its ``limit``."""

    event_bytes: int = _DEFAULTS["event_bytes"]
    """Largest event, in bytes of its text."""
    input_bytes: int = _DEFAULTS["input_bytes"]
    """Largest body of a request for a run. It holds a whole conversation, whose messages may each be as long as an event."""
    input_values: int = _DEFAULTS["input_values"]
    """Most values in the input of a run; each list, object and scalar counts."""
    depth: int = _DEFAULTS["depth"]
    """Deepest nesting of lists and objects; at most 1000."""
    id_bytes: int = _DEFAULTS["id_bytes"]
    """Longest id, in bytes."""
    open_entities: int = _DEFAULTS["open_entities"]
    """Most messages, calls, spans, steps and subagents that are open at one time."""
    metadata_members: int = _DEFAULTS["metadata_members"]
    """Most members that the events of a message or call may add to its metadata."""
    run_entities: int = _DEFAULTS["run_entities"]
    """Most messages, calls, spans, activities and subagents of one run that are remembered, open or not."""
    warnings: int = _DEFAULTS["warnings"]
    """Most warnings about one stream; one more says that there would be others."""
    patch_operations: int = _DEFAULTS["patch_operations"]
    """Most operations in one patch."""
    patch_copies: int = _DEFAULTS["patch_copies"]
    """Most values that the ``copy`` operations of one patch make, and that its moves take to deeper places."""
    patch_shifts: int = _DEFAULTS["patch_shifts"]
    """Most places by which the insertions and removals of one patch move the items of lists."""
    state_values: int = _DEFAULTS["state_values"]
    """Most values of a run's state that is compared whenever something written is awaited; a larger one is compared when a message, a
    tool call or a step ends, when it is flushed, and at the end of the run."""

"""What input may cost."""

from dataclasses import dataclass

from ag_ui_native import _native

__all__ = ["Limits"]

_DEFAULTS = _native.default_limits()


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what is read. The error that reports one names it in its ``limit``."""

    event_bytes: int = _DEFAULTS["event_bytes"]
    """Largest event, in bytes of its text."""
    depth: int = _DEFAULTS["depth"]
    """Deepest nesting of lists and objects."""

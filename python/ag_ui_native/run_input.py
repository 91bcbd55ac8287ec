"""A run's input as a request brings it, whatever version has written it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ag_ui_native import _native
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput

__all__ = ["RunInput", "read_run_input"]


class RunInput(NamedTuple):
    """A run's input, and what was said while it was read."""

    input: RunAgentInput
    """The input, as 1.0 has it."""
    warnings: list[ProtocolWarning]
    """What was repaired, translated or left out, and whether the peer speaks another version."""


def read_run_input(
    body: bytes | bytearray | memoryview | str | dict[str, Any],
    *,
    profile: Literal["strict", "tolerant", "relay"] = "tolerant",
    limits: Limits | None = None,
) -> RunInput:
    """Reads the body of a request: bytes, text, or the dictionary that a framework has made of it.

    Input of 0.x is translated; absent ``tools`` and ``context`` are empty lists. Raises AGUIValidationError with code and
    path for what is no input, AGUILimitError for what is too large or nested too deeply.
    """
    # The classes that the input is made of.
    import ag_ui_native.core  # noqa: F401

    return RunInput(*_native.read_run_input(body, profile=profile, limits=limits))

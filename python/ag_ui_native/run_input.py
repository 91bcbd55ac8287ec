"""Reads the input of a run from the body of a request of any version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ag_ui_native import _native
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput

__all__ = ["RunInput", "read_run_input"]


class RunInput(NamedTuple):
    """A run's input, with the warnings of its reading.

    Examples:
        >>> from ag_ui_native import RunInput, read_run_input
        >>> read: RunInput = read_run_input('{"threadId": "t1", "runId": "r1", "messages": []}')
        >>> read.input.thread_id, read.warnings
        ('t1', [])
    """

    input: RunAgentInput
    """The input, in the form of 1.0."""
    warnings: list[ProtocolWarning]
    """Warnings about repaired, translated and dropped parts, and about a foreign version."""


def read_run_input(
    body: bytes | bytearray | memoryview | str | dict[str, Any],
    *,
    profile: Literal["strict", "tolerant", "relay"] = "tolerant",
    limits: Limits | None = None,
) -> RunInput:
    """Reads the body of a request: bytes, text, or the dictionary that a framework has made of it.

    Input of 0.x is translated; absent ``tools`` and ``context`` become empty lists. Raises AGUIValidationError with
    code and path for an invalid input, AGUILimitError for one that is too large or nests too deeply.

    Examples:
        >>> from ag_ui_native import read_run_input
        >>> body = '{"threadId": "t1", "runId": "r1", "messages": [], "mood": "fine"}'
        >>> input, warnings = read_run_input(body)
        >>> input.run_id, [warning.path for warning in warnings]
        ('r1', ['/mood'])
    """
    # The classes of the input.
    import ag_ui_native.core  # noqa: F401

    return RunInput(*_native.read_run_input(body, profile=profile, limits=limits))

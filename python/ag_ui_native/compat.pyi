"""The types of `ag_ui_native.compat`."""

from typing import Any, overload

from typing_extensions import TypeVar

from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.typing import RunInputLike

__all__ = ["check_protocol_version", "downgrade_input", "upgrade_input"]

_InputT = TypeVar("_InputT", bound=RunInputLike)

def check_protocol_version(declared: str | None) -> ProtocolWarning | None:
    """The warning about the version that a peer declares: if it is newer than ours or invalid; otherwise None.

    Examples:
        >>> from ag_ui_native.compat import check_protocol_version
        >>> check_protocol_version("1.0") is None
        True
        >>> warning = check_protocol_version("9.0")
        >>> warning and warning.code
        'foreign_version'
    """

@overload
def downgrade_input(input: dict[str, Any], peer: str) -> tuple[dict[str, Any], list[ProtocolWarning]]: ...
@overload
def downgrade_input(input: _InputT, peer: str) -> tuple[_InputT, list[ProtocolWarning]]:
    """A run's input in the form of an older peer, and the warnings about losses.

    `peer` is the newest version the peer speaks, such as `0.0.39`. Takes an instance or a dictionary and returns the
    like. Raises AGUIValidationError for an invalid input, ValueError for an invalid version.

    Examples:
        >>> from ag_ui_native.compat import downgrade_input
        >>> from ag_ui_native.core import RunAgentInput, UserMessage
        >>> input = RunAgentInput(
        ...     thread_id="t1", run_id="r1", messages=[UserMessage(id="m1", content="Hello!")], tools=[], context=[]
        ... )
        >>> older, warnings = downgrade_input(input, "0.0.39")
        >>> older.thread_id, warnings
        ('t1', [])
    """

def upgrade_input(input: dict[str, Any]) -> tuple[dict[str, Any], list[ProtocolWarning]]:
    """A run's input in the form of 1.0, if its messages have retired binary parts, and the warnings about the
    conversion. Takes a dictionary with the keys of the wire, and returns another.

    Examples:
        >>> from ag_ui_native.compat import upgrade_input
        >>> part = {"type": "binary", "mimeType": "image/png", "url": "https://example.org/cat.png"}
        >>> message = {"id": "m1", "role": "user", "content": [part]}
        >>> newer, warnings = upgrade_input({"threadId": "t1", "runId": "r1", "messages": [message]})
        >>> newer["messages"][0]["content"][0]["type"]
        'image'
    """

"""The types of `ag_ui_native.proto`."""

from collections.abc import Callable
from typing import Any, Literal, overload

from ag_ui_native.core.events import Event
from ag_ui_native.encoder.encoder import AGUI_MEDIA_TYPE as AGUI_MEDIA_TYPE
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.typing import EventLike, Profile

__all__ = ["AGUI_MEDIA_TYPE", "decode", "encode"]

def encode(
    event: EventLike | dict[str, Any],
    *,
    profile: Profile = "strict",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> bytes:
    """An event as a protobuf message, without the length of a frame.

    Takes the objects that `EventEncoder` takes. The event is validated by `profile` first. Values that protobuf cannot
    hold (numbers beyond 2^53, undeclared members, unknown types) are an error by `strict` and a warning by the other
    profiles; an event of an unknown type gives no bytes. Raises AGUIValidationError with the path of the fault,
    AGUILimitError.

    Examples:
        >>> from ag_ui_native import proto
        >>> from ag_ui_native.core import TextMessageEndEvent
        >>> event = TextMessageEndEvent(message_id="m1")
        >>> proto.decode(proto.encode(event)) == event
        True
    """

@overload
def decode(
    message: bytes | bytearray | memoryview,
    *,
    profile: Literal["strict", "tolerant"] = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[False] = False,
) -> Event | None: ...
@overload
def decode(
    message: bytes | bytearray | memoryview,
    *,
    profile: Literal["relay"],
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool = False,
) -> dict[str, Any] | None: ...
@overload
def decode(
    message: bytes | bytearray | memoryview,
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[True],
) -> dict[str, Any] | None:
    """The event of a protobuf message, which has no length of a frame.

    The options are those of `stream.EventDecoder`. An event of an unknown type that the profile drops is None. Raises
    AGUIValidationError (`invalid_protobuf` with the offset of the fault), AGUILimitError.

    Examples:
        >>> from ag_ui_native import proto
        >>> message = proto.encode({"type": "TEXT_MESSAGE_END", "messageId": "m1"})
        >>> proto.decode(message, as_dicts=True)
        {'type': 'TEXT_MESSAGE_END', 'messageId': 'm1'}
    """

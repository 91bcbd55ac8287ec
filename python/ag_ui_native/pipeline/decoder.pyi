"""The type of `EventDecoder`: generic in the form of its events."""

from collections.abc import Callable
from types import GenericAlias
from typing import Any, Generic, Literal, final, overload

from typing_extensions import TypeVar

from ag_ui_native.core.events import Event
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.typing import Profile

__all__ = ["EventDecoder"]

_EventT = TypeVar("_EventT", default=Event)

@final
class EventDecoder(Generic[_EventT]):
    """Decodes a stream of events that arrives in pieces of any size.

    `content_type` is that of the response; a type that is not an event stream is an error. `profile` is `tolerant`,
    `strict` or `relay`; `limits` is an `ag_ui_native.limits.Limits`. `replace_invalid_text`
    replaces invalid UTF-8 and lone surrogates with U+FFFD instead of refusing them; `go_member_names` reads the member
    names of the protocol's Go document. `as_dicts` returns dictionaries with the keys of the wire instead of instances.
    The relay profile always returns dictionaries, since instances cannot hold unknown events and `null` where the
    protocol has no value.

    `on_warning` is called with each warning, at the end of the call in which it occurs. It may read the decoder;
    feeding the decoder raises AGUIStreamError `reentrant_call`. If it raises, the next call returns the events of this
    one first.

    A failure ends the stream. The exception's `partial` holds the events that the failing call had decoded. A long
    piece is read in turns of a few milliseconds: other threads run in between, and after a signal's exception the next
    call reads the rest.
    """

    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Literal["strict", "tolerant"] = "tolerant",
        limits: Limits | None = None,
        replace_invalid_text: bool = False,
        go_member_names: bool = False,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> EventDecoder[Event]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Literal["relay"],
        limits: Limits | None = None,
        replace_invalid_text: bool = False,
        go_member_names: bool = False,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> EventDecoder[dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        replace_invalid_text: bool = False,
        go_member_names: bool = False,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[True],
    ) -> EventDecoder[dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        replace_invalid_text: bool = False,
        go_member_names: bool = False,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> EventDecoder[Event | dict[str, Any]]: ...
    def feed(self, data: bytes | bytearray | memoryview) -> list[_EventT]:
        """Reads a piece of the stream and returns the events it completes."""

    def close(self) -> list[_EventT]:
        """Ends the stream and returns the event that lacks only its blank line, if there is one."""

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """The warnings about repaired and dropped parts so far."""

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream, to resume from; empty if none was."""

    @property
    def retry(self) -> int | None:
        """The pause that the server asks for before a new connection, in milliseconds."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

"""The type of `EventDecoder`: generic in the form of its events."""

from types import GenericAlias
from typing import Any, Generic, Literal, final, overload

from typing_extensions import TypeVar, Unpack

from ag_ui_native.core.events import Event
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.pipeline.options import DecodeOptions
from ag_ui_native.typing import Profile

__all__ = ["EventDecoder"]

_EventT = TypeVar("_EventT", default=Event)

@final
class EventDecoder(Generic[_EventT]):
    r"""Decodes a stream of events that arrives in pieces of any size.

    `content_type` is that of the response; a type that is not an event stream is an error. `profile` is `tolerant`,
    `strict` or `relay`. `as_dicts` returns dictionaries with the keys of the wire instead of instances. The relay profile
    always returns dictionaries, since instances cannot hold unknown events and `null` where the protocol has no value.
    The other options are `DecodeOptions`.

    `on_warning` is called with each warning, at the end of the call in which it occurs. It may read the decoder;
    feeding the decoder raises AGUIStreamError `reentrant_call`. If it raises, the next call returns the events of this
    one first.

    A failure ends the stream. The exception's `partial` holds the events that the failing call had decoded. A long
    piece is read in turns of a few milliseconds: other threads run in between, and after a signal's exception the next
    call reads the rest.

    Examples:
        >>> from ag_ui_native.stream import EventDecoder
        >>> decoder = EventDecoder("text/event-stream")
        >>> decoder.feed(b'id: 7\ndata: {"type": "TEXT_MESSAGE_END", "messa')
        []
        >>> [event.type.value for event in decoder.feed(b'geId": "m1"}\n\n')]
        ['TEXT_MESSAGE_END']
        >>> decoder.close(), decoder.last_event_id, decoder.warnings
        ([], '7', [])
    """

    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Literal["strict", "tolerant"] = "tolerant",
        as_dicts: Literal[False] = False,
        **options: Unpack[DecodeOptions],
    ) -> EventDecoder[Event]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Literal["relay"],
        as_dicts: bool = False,
        **options: Unpack[DecodeOptions],
    ) -> EventDecoder[dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Profile = "tolerant",
        as_dicts: Literal[True],
        **options: Unpack[DecodeOptions],
    ) -> EventDecoder[dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: Profile = "tolerant",
        as_dicts: bool = False,
        **options: Unpack[DecodeOptions],
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
        r"""The pause that the server asks for before a new connection, in milliseconds.

        Examples:
            >>> from ag_ui_native.stream import EventDecoder
            >>> decoder = EventDecoder("text/event-stream")
            >>> decoder.feed(b"retry: 3000\n\n"), decoder.retry
            ([], 3000)
        """

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

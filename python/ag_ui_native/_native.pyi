"""The native part of `ag_ui_native`."""

from collections.abc import Callable
from typing import Any, Final, Self, final

from pydantic import BaseModel
from typing_extensions import disjoint_base

from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits

__all__ = [
    "EventEncoder",
    "EventDecoder",
    "model_metaclass",
    "start_engine",
    "fast_path_stats",
    "default_limits",
    "decode_event",
    "to_json",
    "check",
    "usage_from_vendor",
    "aggregate_usage",
    "make_id",
    "_panic_for_tests",
    "PROTOCOL_VERSION",
    "__version__",
    "BUILD_PROFILE",
]

BUILD_PROFILE: Final[str]
PROTOCOL_VERSION: Final[str]
__version__: Final[str]

@disjoint_base
class EventEncoder:
    """Encodes events for the wire.

    Takes the events of this package and of `ag_ui`, their subclasses, and any other pydantic model. `accept` is taken
    as it comes from the request and does not change the form: the text transport is every client's common ground.
    With `timestamps`, an event without timestamp is written with the time of its encoding; the event itself stays as
    it is.
    """

    def __new__(cls, accept: str | None = None, *, timestamps: bool = False) -> Self: ...
    def __init__(self, accept: str | None = None, *, timestamps: bool = False) -> None: ...
    def get_content_type(self) -> str:
        """The content type of what `encode` returns."""

    def encode(self, event: BaseModel) -> str:
        """The event as one frame: `data: `, its JSON, and a blank line.

        Raises what `event.model_dump_json(by_alias=True)` raises, `pydantic_core.PydanticSerializationError` for one.
        """

    def encode_binary(self, event: BaseModel) -> bytes:
        """The bytes of `encode`."""

@final
class EventDecoder:
    """Decodes a stream of events that arrives in pieces of any size.

    `content_type` is that of the response; another than an event stream's is an error. `profile` is `tolerant`,
    `strict` or `relay`; `limits` an `ag_ui_native.limits.Limits`. `lossy` replaces text that is not Unicode instead
    of refusing it, `go_names` reads the member names of the protocol's Go document. `on_warning` is called with each
    warning. `as_dicts` yields dictionaries with the keys of the wire instead of instances; the relay profile always
    does, because instances cannot hold unknown events and `null` where the protocol has no value.

    A failure ends the stream. The exception's `partial` holds the events that the failing call had decoded.
    """

    def __new__(
        cls,
        content_type: str | None = None,
        *,
        profile: str = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> Self: ...
    def feed(self, data: bytes | bytearray | memoryview) -> list[Any]:
        """Reads a piece of the stream and returns the events it completes."""

    def close(self) -> list[Any]:
        """Ends the stream and returns the event that only lacked its blank line, if there is one."""

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """What was mended or left out so far."""

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream, to resume from; empty if none was."""

    @property
    def retry(self) -> int | None:
        """How long the server asks to wait before connecting again, in milliseconds."""

def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: str = "Event",
    profile: str = "tolerant",
    limits: Limits | None = None,
    lossy: bool = False,
    go_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool = False,
) -> Any:
    """Reads one event from JSON, or one object of another type or union of the protocol, by its name.

    The options are those of `EventDecoder`. An event of an unknown type that the profile leaves out is None.
    Raises AGUIValidationError, AGUILimitError, and ValueError for an unknown profile or type name.
    """

def model_metaclass() -> type:
    """The metaclass of the protocol classes; pydantic's own where ours cannot be made."""

def start_engine(base: type, classes: dict[str, Any], event_type: type) -> None:
    """Puts the native engine under the protocol classes."""

def fast_path_stats() -> tuple[int, int, int]:
    """How often the native paths were taken: constructed, encoded, decoded."""

def default_limits() -> dict[str, int]:
    """The defaults of the limits, by name."""

def to_json(model: BaseModel) -> str | None:
    """The JSON of an instance of a protocol class, or None if it is pydantic's to write."""

def check(cls: type, json: str, non_empty: bool) -> bool:
    """Checks JSON as an object of a protocol class, by the strict profile; False if it is no protocol class."""

def usage_from_vendor(report: object, vendor: str, provider: str | None, model: str | None) -> str | None:
    """An entry of token usage, as JSON, from what a vendor reports; None if no count in it is usable."""

def aggregate_usage(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries of token usage, with the keys of the wire, summed up per provider and model."""

def make_id(kind: str, prefix: str | None = None, milliseconds: int | None = None) -> str:
    """A new id with a UUID, or one with a prefix and a time in milliseconds."""

def _panic_for_tests() -> None:
    """Panics, so that a test sees what becomes of it."""

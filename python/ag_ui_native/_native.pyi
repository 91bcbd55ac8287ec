"""The native part of `ag_ui_native`."""

from collections.abc import Callable, Iterable, Mapping
from types import GenericAlias
from typing import Any, Final, Generic, Literal, Self, final, overload

from pydantic import BaseModel
from typing_extensions import TypeVar, disjoint_base

from ag_ui_native.adapters.rules import *
from ag_ui_native.client.resumable import *
from ag_ui_native.client.rules import *
from ag_ui_native.compat import check_protocol_version as check_protocol_version
from ag_ui_native.compat import downgrade_input as downgrade_input
from ag_ui_native.compat import upgrade_input as upgrade_input
from ag_ui_native.core.events import BaseEvent, Event
from ag_ui_native.core.types import Message, RunAgentInput
from ag_ui_native.durable.rules import *
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.patch import apply_patch as apply_patch
from ag_ui_native.patch import diff as diff
from ag_ui_native.pipeline.decoder import EventDecoder as EventDecoder
from ag_ui_native.pipeline.pipeline import EventPipeline as EventPipeline
from ag_ui_native.pipeline.reducer import Reducer as Reducer
from ag_ui_native.pipeline.stages import ChunkExpander as ChunkExpander
from ag_ui_native.pipeline.stages import EventVerifier as EventVerifier
from ag_ui_native.pipeline.stages import compact_events as compact_events
from ag_ui_native.pipeline.stages import enforce_events as enforce_events
from ag_ui_native.pipeline.stages import expand_chunks as expand_chunks
from ag_ui_native.pipeline.stages import verify_events as verify_events
from ag_ui_native.proto import decode as decode_protobuf_event
from ag_ui_native.proto import encode as encode_protobuf
from ag_ui_native.run_writer import ActivityWriter as ActivityWriter
from ag_ui_native.run_writer import EntityWriter as EntityWriter
from ag_ui_native.run_writer import FirstStep as FirstStep
from ag_ui_native.run_writer import RunWriter as RunWriter
from ag_ui_native.server.coalescer import Coalescer as Coalescer
from ag_ui_native.server.rules import *
from ag_ui_native.server.state import StateTracker as StateTracker
from ag_ui_native.typing import EventLike, InterruptLike, Profile, ResumeLike, RunInputLike

__all__ = [
    "EventEncoder",
    "EventDecoder",
    "BodyDecoder",
    "Delivery",
    "Exchange",
    "RequestCommand",
    "Runs",
    "address_of",
    "answer_tool",
    "body_decoder",
    "build_resume",
    "check_request_header",
    "client_error",
    "close_failure",
    "event_content_type",
    "frame_message",
    "invalid_location",
    "limit_within",
    "misfit",
    "outcome_error",
    "read_arguments",
    "read_input",
    "read_message",
    "refusal_error",
    "timeout_error",
    "check_protocol_version",
    "downgrade_input",
    "read_run_input",
    "upgrade_input",
    "apply_patch",
    "diff",
    "EventPipeline",
    "Reducer",
    "check_resume",
    "arguments_text",
    "accept_request",
    "check_request_resume",
    "refuse_internal",
    "result_text",
    "json_text",
    "agree_websocket",
    "websocket_messages",
    "ActivityWriter",
    "EntityWriter",
    "FirstStep",
    "RequestBody",
    "RunWriter",
    "ChunkExpander",
    "ToolCalls",
    "Guard",
    "EventVerifier",
    "Intake",
    "compact_events",
    "enforce_events",
    "expand_chunks",
    "verify_events",
    "PartialArguments",
    "Coalescer",
    "StateTracker",
    "decode_protobuf_event",
    "encode_protobuf",
    "is_protobuf",
    "model_metaclass",
    "start_engine",
    "UnionValidator",
    "learn_arguments",
    "members_validator",
    "unwatched",
    "claim_package",
    "accelerated_metaclass",
    "accelerate_class",
    "fast_path_stats",
    "default_limits",
    "decode_event",
    "declares",
    "to_json",
    "check",
    "usage_from_vendor",
    "aggregate_usage",
    "make_id",
    "_panic_for_tests",
    "NO_JSON_RESULT",
    "PROTOCOL_VERSION",
    "__version__",
    "BUILD_PROFILE",
]
__all__ += ["ModelStream", "model_messages", "model_tools"]
__all__ += ["CANCEL_TIMEOUT", "no_active_run", "over_http_only", "read_thread", "RESUME_HEADER", "ResumableStream", "Hint", "LogCase", "LogKey", "LogOptions", "LogRefusal", "LogRequest", "LogStart", "LogStream", "Machine", "MemoryStore", "Occupancy", "Operation", "Place", "PrefixCache", "Recorder",
            "RedisKeyspace", "RedisOperation", "Reply", "SqliteStore", "SqliteWatch", "Ticket", "accept_log_request", "check_log_options", "log_cases", "refused_notice", "documentation_of"]  # fmt: skip

BUILD_PROFILE: Final[str]
PROTOCOL_VERSION: Final[str]
"""The version of the protocol that this package speaks.

Examples:
    >>> import ag_ui_native
    >>> ag_ui_native.PROTOCOL_VERSION
    '1.1'
"""
__version__: Final[str]
"""The version of this package.

Examples:
    >>> import ag_ui_native
    >>> ag_ui_native.__version__.count(".")
    2
"""

_FrameT = TypeVar("_FrameT", bound=str | bytes, default=str)
# Subclasses may declare that they take event objects only, as programs for `ag_ui` do.
_EventT_contra = TypeVar("_EventT_contra", default=BaseEvent, contravariant=True)

@disjoint_base
class EventEncoder(Generic[_FrameT, _EventT_contra]):
    r"""Encodes events for the wire.

    Takes events of this package and of `ag_ui`, other pydantic models, and dictionaries with the keys of the wire,
    which `profile` validates first, as it validates all events for the binary transport. `accept` selects that
    transport, with `protobuf`.

    Examples:
        >>> from ag_ui_native.core import TextMessageEndEvent
        >>> from ag_ui_native.encoder import EventEncoder
        >>> encoder = EventEncoder()
        >>> encoder.get_content_type(), encoder.encode(TextMessageEndEvent(message_id="m1"))
        ('text/event-stream', 'data: {"type":"TEXT_MESSAGE_END","messageId":"m1"}\n\n')
        >>> encoder.encode_binary({"type": "TEXT_MESSAGE_END", "messageId": "m1"})[:6]
        b'data: '
        >>> len(encoder.encode_protobuf({"type": "TEXT_MESSAGE_END", "messageId": "m1"}))
        14
    """

    @overload
    def __init__(
        self: EventEncoder[str, BaseEvent | Mapping[str, Any]],
        accept: str | None = None,
        *,
        timestamps: bool = False,
        protobuf: Literal[False] = False,
        profile: Profile = "strict",
    ) -> None: ...
    @overload
    def __init__(
        self: EventEncoder[str, BaseEvent],
        accept: str | None = None,
        *,
        timestamps: bool = False,
        protobuf: Literal[False] = False,
        profile: Profile = "strict",
    ) -> None: ...
    @overload
    def __init__(
        self: EventEncoder[str | bytes, BaseEvent | Mapping[str, Any]],
        accept: str | None = None,
        *,
        timestamps: bool = False,
        protobuf: bool,
        profile: Profile = "strict",
    ) -> None: ...
    @overload
    def __init__(
        self: EventEncoder[str | bytes, BaseEvent],
        accept: str | None = None,
        *,
        timestamps: bool = False,
        protobuf: bool,
        profile: Profile = "strict",
    ) -> None: ...
    def get_content_type(self) -> str:
        """The content type of the frames of `encode`."""

    def encode(self, event: _EventT_contra) -> _FrameT:
        """The event as one frame: str on the text transport, bytes on the binary one. Raises AGUIValidationError, TypeError."""

    def encode_binary(self, event: EventLike | Mapping[str, Any]) -> bytes:
        """The bytes of `encode`."""

    def _encode_sse(self, event: BaseEvent) -> str:
        """The event as a server-sent event. A subclass that overrides this method changes the result of `encode`."""

    def __init_subclass__(cls, **named: Any) -> None: ...
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def encode_protobuf(self, event: EventLike | Mapping[str, Any]) -> bytes:
        """The event as a frame of the binary transport, for any `accept`: its length in four bytes, and the message."""

@final
class Guard:
    """Takes events of any form, or encoded ones in pieces, and returns what may be sent. `guard` is its public form."""

    def __new__(
        cls,
        mode: str = "fix",
        *,
        input: RunInputLike | dict[str, Any] | None = None,
        content_type: str | None = None,
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    def push(self, event: EventLike | dict[str, Any] | bytes | bytearray | memoryview | str) -> list[Any]:
        """The events to send for `event`, or none; for a piece of text or bytes, the frames of the events that it completes.
        Raises AGUISequenceError in the mode `error`, AGUIValidationError, and the errors of the decoder.
        """

    def finish(self) -> list[Any]:
        """Ends the stream. In the mode `fix`, returns the events that end an active run.

        Raises AGUIStreamError `stream_truncated` in the mode `error`; `report` warns.
        """

    def fail(self, text: str | None = None) -> list[Any]:
        """The events to send when the agent or a call has failed: those that the call had made, and in the mode `fix` those that
        close everything, and RUN_ERROR, unless the run has ended. The client sees the exception's text only if `text` is given.
        """

    @property
    def is_running(self) -> bool:
        """True if a run has begun and not ended."""

@final
class PartialArguments:
    """Reads the arguments of a tool call, or any JSON document, while they arrive.

    `value` is the value of the text so far, as if everything open were closed: a string grows as it arrives; a number,
    `true`, `false`, `null` or key counts once it is finished. The dictionaries and lists are always the same objects
    and grow in place; do not change them. Until a value begins, the value is an empty dictionary.

    The cost of all pieces together is linear in their text. Of `limits`, `depth` and `event_bytes` (for all text) apply.

    Examples:
        >>> from ag_ui_native.stream import PartialArguments
        >>> arguments = PartialArguments()
        >>> arguments.feed('{"city": "Par')
        []
        >>> arguments.value, arguments.is_complete
        ({'city': 'Par'}, False)
        >>> arguments.feed('is"}')
        ['/city', '']
        >>> arguments.finish()
        {'city': 'Paris'}
    """

    def __new__(cls, *, limits: Limits | None = None) -> Self: ...
    def feed(self, delta: str) -> list[str]:
        """Reads the next piece and returns JSON pointers of the values that it completes: members, items, the whole
        (``""``), each as it ends.

        Raises AGUIValidationError and AGUILimitError, with byte offsets into the whole text; `partial` has the pointers
        of the values completed before. The text before the fault counts. Later calls raise AGUIStreamError, code
        `decoder_failed`.
        """

    def finish(self) -> Any:
        """Ends the text and returns the whole value. Raises AGUIValidationError if it is cut."""

    @property
    def value(self) -> Any:
        """The value so far."""

    @property
    def is_complete(self) -> bool:
        """True if the value is whole. A number at the root is whole once other text follows it."""

def check_resume(
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]],
    resume: Iterable[ResumeLike | dict[str, Any]],
    now: int | None = None,
) -> None:
    """Checks the answers of a run before it is requested: each pending interrupt needs one, and an expired one can only
    be cancelled. Takes instances or dictionaries; `now` is in milliseconds since the Unix epoch.

    Raises AGUISequenceError with rule L01 or L02.

    Examples:
        >>> from ag_ui_native import AGUISequenceError
        >>> from ag_ui_native.core import Interrupt
        >>> from ag_ui_native.stream import check_resume
        >>> try:
        ...     check_resume([Interrupt(id="i1", reason="tool_call")], [])
        ... except AGUISequenceError as error:
        ...     print(error.rule)
        L01
    """

def read_run_input(
    body: bytes | bytearray | memoryview | str | dict[str, Any],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
) -> tuple[RunAgentInput, list[ProtocolWarning]]:
    """Reads the body of a request as a run's input. Returns it with the warnings."""

def declares(event_type: str, member: str) -> bool:
    """True if events of a type have a member, by its key on the wire."""

@overload
def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: Literal["Event"] = "Event",
    profile: Literal["strict", "tolerant"] = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[False] = False,
) -> Event | None: ...
@overload
def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: Literal["Message"],
    profile: Literal["strict", "tolerant"] = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[False] = False,
) -> Message | None: ...
@overload
def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: Literal["RunAgentInput"],
    profile: Literal["strict", "tolerant"] = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[False] = False,
) -> RunAgentInput | None: ...
@overload
def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: str,
    profile: Literal["strict", "tolerant"] = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[False] = False,
) -> BaseModel | None: ...
@overload
def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: str = "Event",
    profile: Literal["relay"],
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool = False,
) -> dict[str, Any] | None: ...
@overload
def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: str = "Event",
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[True],
) -> dict[str, Any] | None:
    """Reads one event from JSON, or one object of another type or union of the protocol, by its name.

    The options are those of `EventDecoder`. An event of an unknown type that the profile leaves out is None. Raises
    AGUIValidationError, AGUILimitError, and ValueError for an unknown profile or type name.

    Examples:
        >>> from ag_ui_native.stream import decode_event
        >>> event = decode_event('{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Hello"}')
        >>> type(event).__name__
        'TextMessageContentEvent'
    """

# The engine of the protocol classes. The functions themselves say what they do.
def model_metaclass() -> type: ...
def start_engine(base: type, classes: dict[str, Any], event_type: type) -> None: ...
def learn_arguments(samples: list[tuple[tuple[int, ...], object]]) -> bool: ...
def members_validator(class_: type) -> Callable[[object, Callable[[object], object]], object]: ...
def unwatched(work: Callable[[], object]) -> None: ...
def claim_package(package: object) -> None: ...
def accelerated_metaclass() -> type[type] | None: ...
def accelerate_class(cls: type, on: bool) -> bool: ...

@final
class UnionValidator:
    def __new__(cls, name: str, validator: object) -> Self: ...
    def validate_python(self, input: object, /, **options: Any) -> Any: ...
    def validate_json(self, input: object, /, **options: Any) -> Any: ...

def fast_path_stats() -> tuple[int, int, int]:
    """Number of times that the native paths were taken: constructed, encoded, decoded."""

def default_limits() -> dict[str, int]:
    """The defaults of the limits, by name."""

def is_protobuf(content_type: str) -> bool:
    """Returns true if a content type is that of the binary transport, with or without parameters."""

def documentation_of(code: str, rule: str | None = None) -> str | None:
    """Returns the address of the documentation of a broken rule or of a code. None if the code is not of this package."""

def to_json(model: BaseModel) -> str | None:
    """The JSON of an instance of a protocol class; None if pydantic has to write it."""

def check(cls: type, json: str, non_empty: bool) -> bool:
    """Validates JSON as an object of a protocol class, by the strict profile. Returns False for other classes."""

def usage_from_vendor(report: object, vendor: str, provider: str | None, model: str | None) -> dict[str, Any] | None:
    """An entry of token usage, as JSON, from a vendor's report; None if it holds no usable count."""

def aggregate_usage(entries: list[dict[str, Any] | None]) -> list[dict[str, Any]]:
    """Sums entries of token usage, with the keys of the wire, by provider and model."""

def make_id(kind: str, prefix: str | None = None, milliseconds: int | None = None) -> str:
    """A new id with a UUID, or one with a prefix and a time in milliseconds."""

def _panic_for_tests() -> None:
    """Panics, for tests of the error handling."""

def json_text(value: object, place: str = "") -> str:
    """The JSON of a value, also of one that pydantic can write; or an error with the place within it, below `place`."""

"""The native part of `ag_ui_native`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Any, Final, Generic, Literal, Self, final, overload

from pydantic import BaseModel
from typing_extensions import TypeVar, disjoint_base

from ag_ui_native.client.rules import *
from ag_ui_native.core.events import BaseEvent, Event
from ag_ui_native.core.types import Message, RunAgentInput
from ag_ui_native.decoder import EventDecoder as EventDecoder
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.pipeline import EventPipeline as EventPipeline
from ag_ui_native.reducer import Reducer as Reducer
from ag_ui_native.run_writer import ActivityWriter as ActivityWriter
from ag_ui_native.run_writer import AgentSteps as AgentSteps
from ag_ui_native.run_writer import EntityWriter as EntityWriter
from ag_ui_native.run_writer import FirstStep as FirstStep
from ag_ui_native.run_writer import RunWriter as RunWriter
from ag_ui_native.server.coalescer import Coalescer as Coalescer
from ag_ui_native.server.rules import *
from ag_ui_native.server.state import StateTracker as StateTracker
from ag_ui_native.stages import ChunkExpander as ChunkExpander
from ag_ui_native.stages import EventVerifier as EventVerifier
from ag_ui_native.stages import compact_events as compact_events
from ag_ui_native.stages import enforce_events as enforce_events
from ag_ui_native.stages import expand_chunks as expand_chunks
from ag_ui_native.stages import verify_events as verify_events
from ag_ui_native.typing import EventLike, InterruptLike, OperationLike, Profile, ResumeLike, RunInputLike

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
    "misfit",
    "outcome_error",
    "prepare_input",
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
    "check_request_length",
    "check_request_resume",
    "cors_headers",
    "read_request",
    "refuse_request",
    "request_is_binary",
    "result_text",
    "run_error_message",
    "json_text",
    "agree_websocket",
    "websocket_messages",
    "AgentSteps",
    "ActivityWriter",
    "EntityWriter",
    "FirstStep",
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
    "model_metaclass",
    "start_engine",
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
__all__ += ["CLOSE_DONE", "CLOSE_GOING_AWAY"]

BUILD_PROFILE: Final[str]
PROTOCOL_VERSION: Final[str]
__version__: Final[str]

_FrameT = TypeVar("_FrameT", bound=str | bytes, default=str)
# Subclasses may say that they take event objects only, as programs for `ag_ui` do.
_EventT_contra = TypeVar("_EventT_contra", default=BaseEvent, contravariant=True)
_InputT = TypeVar("_InputT", bound=RunInputLike)

@disjoint_base
class EventEncoder(Generic[_FrameT, _EventT_contra]):
    """Encodes events for the wire.

    Takes events of this package and of `ag_ui`, other pydantic models, and dictionaries with the keys of the wire, which
    `profile` reads first, as it reads all events for the binary transport. `accept` chooses that with `protobuf`.
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
        """The content type of what `encode` returns."""

    def encode(self, event: _EventT_contra) -> _FrameT:
        """The event as one frame: of text as str, on the binary transport as bytes. Raises AGUIValidationError, TypeError."""

    def encode_binary(self, event: EventLike | Mapping[str, Any]) -> bytes:
        """The bytes of `encode`."""

    def _encode_sse(self, event: BaseEvent) -> str:
        """The event as a server-sent event. A subclass that overrides it changes what `encode` returns."""

    def __init_subclass__(cls, **named: Any) -> None: ...
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def encode_protobuf(self, event: EventLike | Mapping[str, Any]) -> bytes:
        """The event as a frame of the binary transport, whatever was asked for: its length in four bytes, the message."""

@final
class Guard:
    """Takes events of any form, one at a time, and hands on what may be sent. `guard` is the way to use it."""

    def __new__(
        cls,
        mode: str = "fix",
        *,
        input: RunInputLike | dict[str, Any] | None = None,
        profile: Profile = "relay",
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    def push(self, event: EventLike | dict[str, Any]) -> list[Any]:
        """What may be sent for `event`: itself, behind what has to come before it, or nothing.

        Raises AGUISequenceError in the mode `error`, and AGUIValidationError for what is no event.
        """

    def finish(self) -> list[Any]:
        """Ends the stream: what ends a run that is still active, in the mode `fix`.

        Raises AGUIStreamError `stream_truncated` in the mode `error`; `report` warns.
        """

    def fail(self, text: str | None = None) -> list[Any]:
        """What to send when the agent has failed: what closes everything, and RUN_ERROR. Nothing if the run has ended, and
        in other modes than `fix`. The client sees the exception's `text` only if it is given.
        """

    @property
    def is_running(self) -> bool:
        """True if a run has begun and not ended."""

@final
class PartialArguments:
    """Reads the arguments of a tool call, or any JSON document, as they arrive.

    `value` is what the text so far comes to when everything open is closed: a string grows as it arrives; a number,
    `true`, `false`, `null` or key counts once it is finished. The dictionaries and lists are always the same ones, and
    grow in place; they are to be read only. As long as no value has begun, it is an empty dictionary, and so are
    arguments that never come: calls without arguments are streamed like that.

    All pieces together cost what their text costs, however small they are and however often `value` is read; who keeps
    every state of a growing string pays for copies of it. Of `limits`, an `ag_ui_native.limits.Limits`, `depth`
    counts, and `event_bytes` for the whole text.
    """

    def __new__(cls, *, limits: Limits | None = None) -> Self: ...
    def feed(self, delta: str) -> list[str]:
        """Reads the next piece and returns JSON pointers of what it completes: members, items, the whole (``""``),
        each as it ends.

        Raises AGUIValidationError and AGUILimitError, with byte offsets into the whole text; `partial` has what the
        piece completed before. What stands before the fault counts. Then AGUIStreamError, code `decoder_failed`.
        """

    def finish(self) -> Any:
        """Ends the text and returns the whole value.

        Raises AGUIValidationError if it is cut.
        """

    @property
    def value(self) -> Any:
        """The value so far."""

    @property
    def is_complete(self) -> bool:
        """True if the value is whole. A number by itself is when something stands behind it."""

def check_resume(
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]],
    resume: Iterable[ResumeLike | dict[str, Any]],
    now: int | None = None,
) -> None:
    """Checks the answers of a run before it is asked for: each pending interrupt needs one, and one that has expired can
    only be cancelled. Takes instances or dictionaries; `now` is in milliseconds since the Unix epoch.

    Raises AGUISequenceError with rule L01 or L02.
    """

@overload
def downgrade_input(input: dict[str, Any], peer: str) -> tuple[dict[str, Any], list[ProtocolWarning]]: ...
@overload
def downgrade_input(input: _InputT, peer: str) -> tuple[_InputT, list[ProtocolWarning]]:
    """A run's input as an older peer takes it, and the warnings about what that loses.

    `peer` is the newest version the peer speaks, such as `0.0.39`. Takes an instance or a dictionary and returns the
    like. Raises AGUIValidationError for what is no input, ValueError for what is no version.
    """

def upgrade_input(input: dict[str, Any]) -> tuple[dict[str, Any], list[ProtocolWarning]]:
    """A run's input as 1.0 has it, if its messages have the retired binary parts, and the warnings about the conversion.

    Takes a dictionary with the keys of the wire, and returns another.
    """

def read_run_input(
    body: bytes | bytearray | memoryview | str | dict[str, Any],
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
) -> tuple[RunAgentInput, list[ProtocolWarning]]:
    """The body of a request as a run's input, and the warnings."""

def declares(event_type: str, member: str) -> bool:
    """True if events of a type have a member, by its key on the wire."""

def check_protocol_version(declared: str | None) -> ProtocolWarning | None:
    """What is to be said about the version that a peer declares: a warning if it is newer than ours or none, else None."""

@overload
def decode_event(
    json: str | bytes | bytearray,
    *,
    type_name: Literal["Event"] = "Event",
    profile: Literal["strict", "tolerant"] = "tolerant",
    limits: Limits | None = None,
    lossy: bool = False,
    go_names: bool = False,
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
    lossy: bool = False,
    go_names: bool = False,
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
    lossy: bool = False,
    go_names: bool = False,
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
    lossy: bool = False,
    go_names: bool = False,
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
    lossy: bool = False,
    go_names: bool = False,
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
    lossy: bool = False,
    go_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[True],
) -> dict[str, Any] | None:
    """Reads one event from JSON, or one object of another type or union of the protocol, by its name.

    The options are those of `EventDecoder`. An event of an unknown type that the profile leaves out is None.
    Raises AGUIValidationError, AGUILimitError, and ValueError for an unknown profile or type name.
    """

def apply_patch(
    document: object,
    operations: Sequence[OperationLike | dict[str, Any]],
    limits: Limits | None = None,
    in_place: bool = False,
) -> Any:
    """Applies a JSON Patch (RFC 6902) and returns the result: all of it, or nothing.

    `document` is any JSON value: dict, list, str, int, float, bool, None. `operations` is a list of dicts or of operation
    instances; values are copied out of them. The document stays as it is: the result shares with it what the patch does
    not touch. With `in_place` dicts and lists are changed where they are, and the document itself is returned, unless an
    operation replaces the root. `limits` is an `ag_ui_native.limits.Limits`.

    Raises AGUIPatchError with `operation`, the index of the operation that fails, and AGUILimitError. The document is
    then as it was, in place too, the order of keys included.
    """

def diff(old: object, new: object) -> list[dict[str, Any]]:
    """A patch that turns `old` into `new`, as a list of dicts: empty if they are equal, never longer as JSON than one
    that replaces the whole document. The order of keys is no difference; `1` and `1.0` differ.

    Raises AGUIValidationError for what is no JSON value, AGUILimitError for values that are too deep.
    """

def model_metaclass() -> type:
    """The metaclass of the protocol classes; pydantic's own where ours cannot be made."""

def start_engine(base: type, classes: dict[str, Any], event_type: type) -> None:
    """Puts the native engine under the protocol classes."""

def claim_package(package: object) -> None:
    """Notes the package's module. Raises ImportError if it is not the first of this process."""

def accelerated_metaclass() -> type[type] | None:
    """The metaclass that lets the official package's classes make instances natively; None where the engine does not run."""

def accelerate_class(cls: type, on: bool) -> bool:
    """Lets instances of a class of the official package be made natively, or no longer. False if it is none."""

def fast_path_stats() -> tuple[int, int, int]:
    """How often the native paths were taken: constructed, encoded, decoded."""

def default_limits() -> dict[str, int]:
    """The defaults of the limits, by name."""

def encode_protobuf(
    event: EventLike | dict[str, Any],
    *,
    profile: Profile = "strict",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> bytes:
    """An event as a protobuf message, without the length that frames have.

    Takes what `EventEncoder` takes, and dictionaries with the keys of the wire. The event is read by `profile` first.
    What protobuf does not hold (numbers beyond 2^53, undeclared members, unknown types) is an error by `strict` and a
    warning by the others; without a known type there are no bytes.
    Raises AGUIValidationError with the path of what is wrong, AGUILimitError.
    """

@overload
def decode_protobuf_event(
    message: bytes | bytearray | memoryview,
    *,
    profile: Literal["strict", "tolerant"] = "tolerant",
    limits: Limits | None = None,
    lossy: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[False] = False,
) -> Event | None: ...
@overload
def decode_protobuf_event(
    message: bytes | bytearray | memoryview,
    *,
    profile: Literal["relay"],
    limits: Limits | None = None,
    lossy: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool = False,
) -> dict[str, Any] | None: ...
@overload
def decode_protobuf_event(
    message: bytes | bytearray | memoryview,
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    lossy: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[True],
) -> dict[str, Any] | None:
    """The event that is a protobuf message, without the length that frames have.

    The options are those of `stream.EventDecoder`. An event of an unknown type that the profile leaves out is None.
    Raises AGUIValidationError (`invalid_protobuf` with the offset of what is malformed), AGUILimitError.
    """

def to_json(model: BaseModel) -> str | None:
    """The JSON of an instance of a protocol class, or None if it is pydantic's to write."""

def check(cls: type, json: str, non_empty: bool) -> bool:
    """Checks JSON as an object of a protocol class, by the strict profile; False if it is no protocol class."""

def usage_from_vendor(report: object, vendor: str, provider: str | None, model: str | None) -> dict[str, Any] | None:
    """An entry of token usage, as JSON, from what a vendor reports; None if no count in it is usable."""

def aggregate_usage(entries: list[dict[str, Any] | None]) -> list[dict[str, Any]]:
    """Entries of token usage, with the keys of the wire, summed up per provider and model."""

def make_id(kind: str, prefix: str | None = None, milliseconds: int | None = None) -> str:
    """A new id with a UUID, or one with a prefix and a time in milliseconds."""

def _panic_for_tests() -> None:
    """Panics, so that a test sees what becomes of it."""

def json_text(value: object, place: str = "") -> str:
    """The JSON of a value, as it stands or by what it is made of. What has none is refused, with the pointer to it:
    `place` is that of the value itself."""

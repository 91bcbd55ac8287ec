"""The native part of `ag_ui_native`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Self, final

from pydantic import BaseModel
from typing_extensions import disjoint_base

from ag_ui_native.changes import Change
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits

__all__ = [
    "EventEncoder",
    "EventDecoder",
    "check_protocol_version",
    "downgrade_input",
    "read_run_input",
    "upgrade_input",
    "apply_patch",
    "diff",
    "EventPipeline",
    "Reducer",
    "check_resume",
    "ChunkExpander",
    "EventVerifier",
    "compact_events",
    "enforce_events",
    "expand_chunks",
    "verify_events",
    "PartialArguments",
    "decode_protobuf_event",
    "encode_protobuf",
    "model_metaclass",
    "start_engine",
    "claim_package",
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
    as it comes from the request. It changes the form only with `protobuf`, and only if it names the media type of the
    binary transport acceptably; wildcards do not. Then `encode` and `encode_binary` return frames of that transport,
    and events are read by `profile` first: what is no event, or what protobuf cannot hold, is refused by `strict`;
    `tolerant` mends it with a warning in the log.
    With `timestamps`, an event without timestamp is written with the time of its encoding; the event itself stays as
    it is.
    """

    def __new__(
        cls, accept: str | None = None, *, timestamps: bool = False, protobuf: bool = False, profile: str = "strict"
    ) -> Self: ...
    def __init__(
        self, accept: str | None = None, *, timestamps: bool = False, protobuf: bool = False, profile: str = "strict"
    ) -> None: ...
    def get_content_type(self) -> str:
        """The content type of what `encode` returns."""

    def encode(self, event: BaseModel) -> Any:
        """The event as one frame: `data: `, its JSON, and a blank line, as str.

        On the binary transport its length in four bytes and the message, as bytes; see `encode_protobuf`.
        Raises what `event.model_dump_json(by_alias=True)` raises, `pydantic_core.PydanticSerializationError` for one.
        """

    def encode_binary(self, event: BaseModel) -> bytes:
        """The bytes of `encode`."""

    def _encode_sse(self, event: BaseModel) -> str:
        """The event as a server-sent event. A subclass that overrides it changes what `encode` returns."""

    def __init_subclass__(cls, **named: Any) -> None: ...
    def encode_protobuf(self, event: BaseModel) -> bytes:
        """The event as a frame of the binary transport, whatever was asked for: its length in four bytes, the message.

        Raises AGUIValidationError with the path of what is no event or does not fit protobuf.
        """

@final
class EventDecoder:
    """Decodes a stream of events that arrives in pieces of any size.

    `content_type` is that of the response; another than an event stream's is an error. `profile` is `tolerant`,
    `strict` or `relay`; `limits` an `ag_ui_native.limits.Limits`. `lossy` replaces text that is not Unicode instead
    of refusing it, `go_names` reads the member names of the protocol's Go document. `as_dicts` yields dictionaries with
    the keys of the wire instead of instances; the relay profile always does, because instances cannot hold unknown
    events and `null` where the protocol has no value.

    `on_warning` is called with each warning when the call that met it has done its work: it may read the decoder, and
    feeding it is an AGUIStreamError `reentrant_call`. If it raises, the next call returns first what this one would
    have.

    A failure ends the stream. The exception's `partial` holds the events that the failing call had decoded. A long
    piece is read in turns of a few milliseconds: other threads run in between, and a signal's exception leaves the
    rest to the next call.
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

@final
class EventPipeline:
    """Takes a stream of events from bytes to changes of a conversation: decodes, translates 0.x, enforces, expands,
    verifies and reduces.

    The options are those of `EventDecoder` and `Reducer`. `peer` is the newest version that the peer is taken to speak, if
    that is an older one. `expand`, `verify` and `reduce` switch stages off; without `reduce` the pipeline returns events
    instead of changes. A failure ends the stream: everything before it has been applied, and the exception's `partial`
    holds what the failing call had made.
    """

    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[Any] | None = None,
        state: Any = None,
        pending_interrupts: Iterable[Any] | None = None,
        profile: str = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: bool = True,
        on_patch_failure: str | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> Self: ...
    def feed(self, data: bytes | bytearray | memoryview) -> list[Any]:
        """Reads a piece of the stream and returns the changes it brings."""

    def close(self) -> list[Any]:
        """Ends the stream and returns the last changes.

        Raises AGUIStreamError `stream_truncated` if the stream ends inside an event or before its run does.
        """

    def partial_arguments(self, tool_call_id: str) -> PartialArguments | None:
        """The arguments of a tool call as they arrive, a `PartialArguments` that follows the call to its end; None if no
        call has this id.

        Raises AGUIValidationError if what has come so far is no JSON.
        """

    @property
    def messages(self) -> list[Any]:
        """The messages: always the same list, of live objects. What somebody else adds or takes out stays so, until the
        list is arranged anew by a snapshot.
        """

    @property
    def state(self) -> Any:
        """The state, a live object."""

    @property
    def pending_interrupts(self) -> list[Any]:
        """The interrupts that wait for an answer."""

    @property
    def state_in_sync(self) -> bool:
        """Whether the state is the agent's: no patch of it has failed since the last snapshot."""

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """What was mended, left out or ignored so far."""

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream, to resume from; empty if none was."""

    @property
    def retry(self) -> int | None:
        """How long the server asks to wait before connecting again, in milliseconds."""

@final
class Reducer:
    """Turns events into changes of a conversation.

    `messages`, `state` and `pending_interrupts` are what the conversation begins with; they are copied. Messages are
    kept in the form they are given in: instances, dictionaries with the keys of the wire, or the official package's
    instances; `as_dicts` asks for dictionaries. Events are read by `profile` within `limits`. `on_patch_failure` is
    `flag` (a warning, and `state_in_sync` is False until the next snapshot; the default) or `error` (the default of
    the strict profile).
    """

    def __new__(
        cls,
        messages: Iterable[Any] | None = None,
        state: Any = None,
        pending_interrupts: Iterable[Any] | None = None,
        *,
        profile: str = "tolerant",
        limits: Limits | None = None,
        on_patch_failure: str | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> Self: ...
    def apply(self, event: Any) -> list[Change]:
        """Applies one event, of any form, and returns its changes.

        Raises AGUIValidationError for what is no event, AGUISequenceError for a chunk, AGUIPatchError under the policy
        `error`.
        """

    def partial_arguments(self, tool_call_id: str) -> PartialArguments | None:
        """The arguments of a tool call as they arrive, a `PartialArguments` that follows the call to its end; None if no
        call has this id.

        Raises AGUIValidationError if what has come so far is no JSON.
        """

    @property
    def messages(self) -> list[Any]:
        """The messages: always the same list, of live objects. What somebody else adds or takes out stays so, until the
        list is arranged anew by a snapshot.
        """

    @property
    def state(self) -> Any:
        """The state, a live object."""

    @property
    def pending_interrupts(self) -> list[Any]:
        """The interrupts that wait for an answer."""

    @property
    def state_in_sync(self) -> bool:
        """Whether the state is the agent's: no patch of it has failed since the last snapshot."""

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """What was mended, left out or ignored so far."""

@final
class ChunkExpander:
    """Turns chunk events into the START, CONTENT and END events they stand for, one event at a time."""

    def __new__(
        cls,
        *,
        profile: str = "tolerant",
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    def push(self, event: Any) -> list[Any]:
        """The events that `event` stands for: itself, if it is no chunk, behind the ENDs of what it closes.

        Raises AGUISequenceError (a C rule).
        """

@final
class EventVerifier:
    """Verifies the order of events, one at a time: of a stream that is read, or of one that is about to be sent."""

    def __new__(
        cls,
        *,
        profile: str = "tolerant",
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    def check(self, event: Any) -> None:
        """Takes the next event. After a failure the verifier takes no more.

        Raises AGUISequenceError (a V rule).
        """

    def admit(self, event: Any) -> None:
        """Takes the next event; one that is refused changes nothing, and others may follow.

        Raises AGUISequenceError (a V rule).
        """

    def finish(self) -> None:
        """Ends the stream.

        Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
        """

    @property
    def is_running(self) -> bool:
        """Whether a run has begun and not ended."""

    @property
    def open(self) -> list[tuple[str, str, str | None]]:
        """What is open, in order of opening: (kind, id or name, subagent run id or None). The kinds are `step`,
        `message`, `reasoning message`, `reasoning span`, `tool call` and `subagent`.
        """

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
        """Whether the value is whole. A number by itself is when something stands behind it."""

def enforce_events(
    events: Iterable[Any],
    *,
    profile: str = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Any]:
    """Events as AG-UI 1.0 has them: what it does not know is left out, with a warning each time; malformed known
    material fails.

    Takes events of any form and returns a list of the same form; an event that needs no mending is the caller's own
    object. Raises AGUIValidationError with `event_index`; its `partial` holds the events before.
    """

def expand_chunks(
    events: Iterable[Any],
    *,
    profile: str = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Any]:
    """Turns chunk events into the START, CONTENT and END events they stand for; all others pass.

    Takes events of any form and returns a list of the same form. Raises AGUISequenceError (a C rule) with
    `event_index`; its `partial` holds what came before.
    """

def verify_events(
    events: Iterable[Any],
    *,
    profile: str = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Any]:
    """Verifies the order of events. The end of the list is not judged: EventVerifier.finish does that.

    Takes events of any form and returns them as a list. Raises AGUISequenceError (a V rule) with `event_index`; its
    `partial` holds the events before.
    """

def compact_events(
    events: Iterable[Any],
    *,
    profile: str = "tolerant",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> list[Any]:
    """A shorter list of events that comes to the same: pieces of text and arguments joined, states applied.

    Takes events of any form and returns a list of the same form. Chunks are not expanded.
    Raises AGUIValidationError with `event_index` for what is no event; its `partial` holds those before, compacted.
    """

def check_resume(pending_interrupts: Iterable[Any], resume: Iterable[Any], now: int | None = None) -> None:
    """Checks the answers of a run before it is asked for: each pending interrupt needs one, and one that has expired can
    only be cancelled. Takes instances or dictionaries; `now` is in milliseconds since the Unix epoch.

    Raises AGUISequenceError with rule L01 or L02.
    """

def downgrade_input(input: Any, peer: str) -> tuple[Any, list[ProtocolWarning]]:
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
    profile: str = "tolerant",
    limits: Limits | None = None,
) -> tuple[Any, list[ProtocolWarning]]:
    """The body of a request as a run's input, and the warnings."""

def declares(event_type: str, member: str) -> bool:
    """Whether events of a type have a member, by its key on the wire."""

def check_protocol_version(declared: str | None) -> ProtocolWarning | None:
    """What is to be said about the version that a peer declares: a warning if it is newer than ours or none, else None."""

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

def apply_patch(document: Any, operations: Sequence[Any], limits: Limits | None = None, in_place: bool = False) -> Any:
    """Applies a JSON Patch (RFC 6902) and returns the result: all of it, or nothing.

    `document` is any JSON value: dict, list, str, int, float, bool, None. `operations` is a list of dicts or of operation
    instances; values are copied out of them. The document stays as it is: the result shares with it what the patch does
    not touch. With `in_place` dicts and lists are changed where they are, and the document itself is returned, unless an
    operation replaces the root. `limits` is an `ag_ui_native.limits.Limits`.

    Raises AGUIPatchError with `operation`, the index of the operation that fails, and AGUILimitError. The document is
    then as it was, in place too, the order of keys included.
    """

def diff(old: Any, new: Any) -> list[dict[str, Any]]:
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

def fast_path_stats() -> tuple[int, int, int]:
    """How often the native paths were taken: constructed, encoded, decoded."""

def default_limits() -> dict[str, int]:
    """The defaults of the limits, by name."""

def encode_protobuf(
    event: object,
    *,
    profile: str = "strict",
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> bytes:
    """An event as a protobuf message, without the length that frames have.

    Takes what `EventEncoder` takes, and dictionaries with the keys of the wire. The event is read by `profile` first.
    What protobuf does not hold (numbers beyond 2^53, undeclared members, unknown types) is an error by `strict` and a
    warning by the others; without a known type there are no bytes.
    Raises AGUIValidationError with the path of what is wrong, AGUILimitError.
    """

def decode_protobuf_event(
    message: bytes | bytearray | memoryview,
    *,
    profile: str = "tolerant",
    limits: Limits | None = None,
    lossy: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool = False,
) -> Any:
    """The event that is a protobuf message, without the length that frames have.

    The options are those of `stream.EventDecoder`. An event of an unknown type that the profile leaves out is None.
    Raises AGUIValidationError (`invalid_protobuf` with the offset of what is malformed), AGUILimitError.
    """

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

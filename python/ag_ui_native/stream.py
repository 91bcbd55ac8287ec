"""Event streams: turns bytes into events or changes.

Three profiles: ``tolerant`` (the default) drops undeclared parts and repairs clear faults, with a warning each time;
``strict`` refuses both; ``relay`` keeps everything and returns dictionaries.

``EventDecoder`` decodes bytes. The stages behind it take events of any form (instances of this package or of
``ag_ui``, dictionaries): enforcement, chunk expansion, verification, reduction, compaction. ``EventPipeline``
combines them in one object.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, overload

from typing_extensions import TypeVar, Unpack

from ag_ui_native._native import check_resume, decode_event
from ag_ui_native.changes import Change, DictChange, RunEnd, RunFailure
from ag_ui_native.errors import AGUIError, ProtocolWarning
from ag_ui_native.partial import PartialArguments
from ag_ui_native.pipeline.decoder import EventDecoder
from ag_ui_native.pipeline.options import DecodeOptions, PipelineOptions
from ag_ui_native.pipeline.pipeline import EventPipeline
from ag_ui_native.pipeline.reducer import Reducer
from ag_ui_native.pipeline.stages import (
    ChunkExpander,
    EventVerifier,
    compact_events,
    enforce_events,
    expand_chunks,
    verify_events,
)

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ag_ui_native.changes import ChangeOf
    from ag_ui_native.core import Event, Interrupt, Message
    from ag_ui_native.limits import Limits
    from ag_ui_native.typing import EventLike, InterruptLike, MessageLike, OnPatchFailure, PlainState, Profile

__all__ = [
    "Applied",
    "Change",
    "ChunkExpander",
    "DecodeOptions",
    "DictChange",
    "EventDecoder",
    "EventPipeline",
    "EventVerifier",
    "PartialArguments",
    "PipelineOptions",
    "Reducer",
    "RunEnd",
    "RunFailure",
    "adecode_events",
    "apply_events",
    "check_resume",
    "compact_events",
    "decode_event",
    "decode_events",
    "enforce_events",
    "expand_chunks",
    "verify_events",
]


StateT = TypeVar("StateT", bound="PlainState", default=Any)
ChangeT = TypeVar("ChangeT", default=Change)
MessageT = TypeVar("MessageT", default="Message")
InterruptT = TypeVar("InterruptT", default="Interrupt")
_EventT = TypeVar("_EventT")


@overload
def decode_events(
    chunks: Iterable[bytes],
    content_type: str | None = None,
    *,
    profile: Literal["strict", "tolerant"] = "tolerant",
    as_dicts: Literal[False] = False,
    **options: Unpack[DecodeOptions],
) -> Iterator[Event]: ...
@overload
def decode_events(
    chunks: Iterable[bytes],
    content_type: str | None = None,
    *,
    profile: Literal["relay"],
    as_dicts: bool = False,
    **options: Unpack[DecodeOptions],
) -> Iterator[dict[str, Any]]: ...
@overload
def decode_events(
    chunks: Iterable[bytes],
    content_type: str | None = None,
    *,
    profile: Profile = "tolerant",
    as_dicts: Literal[True],
    **options: Unpack[DecodeOptions],
) -> Iterator[dict[str, Any]]: ...
@overload
def decode_events(
    chunks: Iterable[bytes],
    content_type: str | None = None,
    *,
    profile: Profile = "tolerant",
    as_dicts: bool = False,
    **options: Unpack[DecodeOptions],
) -> Iterator[Event | dict[str, Any]]: ...
def decode_events(
    chunks: Iterable[bytes],
    content_type: str | None = None,
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool = False,
) -> Iterator[Event | dict[str, Any]]:
    r"""The events of a stream, from its bytes in pieces of any size. Takes the options of EventDecoder.

    The events before a failure of the stream or an exception of ``on_warning`` are yielded first. A generator of pieces
    is closed when this one ends or is closed. Raises AGUIValidationError, AGUIStreamError, AGUILimitError.

    Examples:
        >>> from ag_ui_native.stream import decode_events
        >>> pieces = [b'data: {"type": "TEXT_MESSAGE_CONTENT", "messageId"', b': "m1", "delta": "Hello"}\n\n']
        >>> [event.type.value for event in decode_events(pieces, "text/event-stream")]
        ['TEXT_MESSAGE_CONTENT']
    """
    decoder = EventDecoder(
        content_type,
        profile=profile,
        limits=limits,
        replace_invalid_text=replace_invalid_text,
        go_member_names=go_member_names,
        on_warning=on_warning,
        as_dicts=as_dicts,
    )
    pieces = iter(chunks)
    try:
        for chunk in pieces:
            yield from _decoded(decoder, decoder.feed, chunk)
        yield from _decoded(decoder, decoder.close)
    finally:
        if isinstance(pieces, Generator):
            pieces.close()


@overload
def adecode_events(
    chunks: AsyncIterable[bytes],
    content_type: str | None = None,
    *,
    profile: Literal["strict", "tolerant"] = "tolerant",
    as_dicts: Literal[False] = False,
    **options: Unpack[DecodeOptions],
) -> AsyncIterator[Event]: ...
@overload
def adecode_events(
    chunks: AsyncIterable[bytes],
    content_type: str | None = None,
    *,
    profile: Literal["relay"],
    as_dicts: bool = False,
    **options: Unpack[DecodeOptions],
) -> AsyncIterator[dict[str, Any]]: ...
@overload
def adecode_events(
    chunks: AsyncIterable[bytes],
    content_type: str | None = None,
    *,
    profile: Profile = "tolerant",
    as_dicts: Literal[True],
    **options: Unpack[DecodeOptions],
) -> AsyncIterator[dict[str, Any]]: ...
@overload
def adecode_events(
    chunks: AsyncIterable[bytes],
    content_type: str | None = None,
    *,
    profile: Profile = "tolerant",
    as_dicts: bool = False,
    **options: Unpack[DecodeOptions],
) -> AsyncIterator[Event | dict[str, Any]]: ...
async def adecode_events(
    chunks: AsyncIterable[bytes],
    content_type: str | None = None,
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    replace_invalid_text: bool = False,
    go_member_names: bool = False,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool = False,
) -> AsyncIterator[Event | dict[str, Any]]:
    r"""The events of a stream, from its bytes in pieces of any size. See decode_events.

    Examples:
        >>> import asyncio
        >>> from collections.abc import AsyncIterator
        >>> from ag_ui_native.stream import adecode_events
        >>> async def pieces() -> AsyncIterator[bytes]:
        ...     yield b'data: {"type": "TEXT_MESSAGE_END", "messageId": "m1"}\n\n'
        >>> async def main() -> None:
        ...     async for event in adecode_events(pieces()):
        ...         print(event.type.value)
        >>> asyncio.run(main())
        TEXT_MESSAGE_END
    """
    decoder = EventDecoder(
        content_type,
        profile=profile,
        limits=limits,
        replace_invalid_text=replace_invalid_text,
        go_member_names=go_member_names,
        on_warning=on_warning,
        as_dicts=as_dicts,
    )
    pieces = aiter(chunks)
    try:
        async for chunk in pieces:
            for event in _decoded(decoder, decoder.feed, chunk):
                yield event
        for event in _decoded(decoder, decoder.close):
            yield event
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


def _decoded(decoder: EventDecoder[_EventT], step: Callable[..., list[_EventT]], *chunk: bytes) -> Iterator[_EventT]:
    """Yields the events of a step of the decoder, also those that a failing step had decoded."""
    try:
        events = step(*chunk)
    except Exception as error:
        if isinstance(error, AGUIError):
            yield from error.partial
        # After an exception of a callback, the decoder holds the decoded events.
        with suppress(AGUIError):
            yield from decoder.feed(b"")
        raise
    yield from events


class Applied(NamedTuple, Generic[StateT, ChangeT, MessageT, InterruptT]):
    """The conversation after events, with their changes.

    Examples:
        >>> from ag_ui_native.core import StateSnapshotEvent
        >>> from ag_ui_native.stream import apply_events
        >>> applied = apply_events([StateSnapshotEvent(snapshot={"tasks": 2})])
        >>> applied.state, applied.state_in_sync, [change.kind for change in applied.changes]
        ({'tasks': 2}, True, ['state_set'])
    """

    messages: list[MessageT]
    """The messages."""
    state: StateT
    """The state."""
    pending_interrupts: list[InterruptT]
    """The pending interrupts."""
    changes: list[ChangeT]
    """The changes, in order."""
    state_in_sync: bool
    """True if every patch of the state since the last snapshot has applied."""
    warnings: list[ProtocolWarning]
    """The warnings about repaired, dropped and ignored parts."""


@overload
def apply_events(
    events: Iterable[EventLike],
    messages: Iterable[Message] = (),
    state: StateT | None = ...,
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]] = (),
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_patch_failure: OnPatchFailure | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: None = None,
) -> Applied[StateT, Change, Message, Interrupt]: ...
@overload
def apply_events(
    events: Iterable[dict[str, Any]],
    messages: Iterable[dict[str, Any]] = (),
    state: StateT | None = ...,
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]] = (),
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_patch_failure: OnPatchFailure | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: None = None,
) -> Applied[StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
@overload
def apply_events(
    events: Iterable[EventLike | dict[str, Any]],
    messages: Iterable[MessageLike | dict[str, Any]] = (),
    state: StateT | None = ...,
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]] = (),
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_patch_failure: OnPatchFailure | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[True],
) -> Applied[StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
@overload
def apply_events(
    events: Iterable[EventLike | dict[str, Any]],
    messages: Iterable[Message] = (),
    state: StateT | None = ...,
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]] = (),
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_patch_failure: OnPatchFailure | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: Literal[False],
) -> Applied[StateT, Change, Message, Interrupt]: ...
@overload
def apply_events(
    events: Iterable[EventLike],
    messages: Iterable[MessageLike],
    state: StateT | None = ...,
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]] = (),
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_patch_failure: OnPatchFailure | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: None = None,
) -> Applied[StateT, ChangeOf[BaseModel, BaseModel], BaseModel, BaseModel]: ...
def apply_events(
    events: Iterable[EventLike | dict[str, Any]],
    messages: Iterable[Any] = (),
    state: Any = ...,
    pending_interrupts: Iterable[InterruptLike | dict[str, Any]] = (),
    *,
    profile: Profile = "tolerant",
    limits: Limits | None = None,
    on_patch_failure: OnPatchFailure | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
    as_dicts: bool | None = None,
) -> Applied[StateT, Any, Any, Any]:
    """Applies events to a conversation, and returns it. Chunks must be expanded before; the order is not verified.

    Takes the options of Reducer, and events of any form. Messages keep the form of those given, otherwise they have
    that of the events; ``as_dicts`` asks for dictionaries. The given objects are never changed. The default state is an
    empty object; None is null. ``on_warning`` is called at the end. Raises the exceptions of Reducer.apply, with
    ``event_index``; their ``partial`` holds the changes before, their ``applied`` the conversation.

    Examples:
        >>> from ag_ui_native.core import TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent
        >>> from ag_ui_native.stream import apply_events
        >>> start, end = TextMessageStartEvent(message_id="m1"), TextMessageEndEvent(message_id="m1")
        >>> applied = apply_events([start, TextMessageContentEvent(message_id="m1", delta="Hello"), end])
        >>> applied.messages[0].content
        'Hello'
    """
    listed = list(events)
    messages = list(messages)
    if as_dicts is None:
        as_dicts = not messages and bool(listed) and isinstance(listed[0], dict)
    # The caller knows the form of the messages.
    reducer: Reducer[StateT, Any, Any, Any] = Reducer(
        messages,
        state,
        pending_interrupts,
        profile=profile,
        limits=limits,
        on_patch_failure=on_patch_failure,
        as_dicts=as_dicts,
    )
    changes: list[Any] = []

    def applied() -> Applied[StateT, Any, Any, Any]:
        return Applied(
            reducer.messages,
            reducer.state,
            reducer.pending_interrupts,
            changes,
            reducer.state_in_sync,
            reducer.warnings,
        )

    try:
        try:
            for event in listed:
                changes += reducer.apply(event)
        except AGUIError as error:
            changes += error.partial
            raise
        finally:
            if on_warning is not None:
                for warning in reducer.warnings:
                    on_warning(warning)
    except BaseException as error:
        error.partial, error.applied = changes, applied()  # type: ignore[attr-defined]
        raise
    return applied()

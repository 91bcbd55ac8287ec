"""Event streams: bytes in, events or changes out.

Three profiles: ``tolerant`` (the default) leaves out what AG-UI 1.0 does not know and mends what is clear, with a
warning each time; ``strict`` refuses both; ``relay`` keeps everything and yields dictionaries.

``EventDecoder`` turns bytes into events. The stages behind it, on events of any form (instances of this package or of
``ag_ui``, dictionaries): enforcement, chunk expansion, verification, reduction, compaction. ``EventPipeline`` is all
of it in one object.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from ag_ui_native._native import (
    ChunkExpander,
    EventDecoder,
    EventPipeline,
    EventVerifier,
    PartialArguments,
    Reducer,
    check_resume,
    compact_events,
    decode_event,
    enforce_events,
    expand_chunks,
    verify_events,
)
from ag_ui_native.changes import Change, RunEnd
from ag_ui_native.errors import AGUIError, ProtocolWarning

__all__ = [
    "Applied",
    "Change",
    "ChunkExpander",
    "EventDecoder",
    "EventPipeline",
    "EventVerifier",
    "PartialArguments",
    "Reducer",
    "RunEnd",
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


def decode_events(chunks: Iterable[bytes], **options: Any) -> Iterator[Any]:
    """The events of a stream, from its bytes in pieces of any size.

    Takes the options of EventDecoder. What comes before a failure is yielded first, be it the stream's or an exception
    of ``on_warning``. Raises AGUIValidationError, AGUIStreamError, AGUILimitError.
    """
    decoder = EventDecoder(**options)
    for chunk in chunks:
        yield from _decoded(decoder, decoder.feed, chunk)
    yield from _decoded(decoder, decoder.close)


async def adecode_events(chunks: AsyncIterable[bytes], **options: Any) -> AsyncIterator[Any]:
    """The events of a stream, from its bytes in pieces of any size. See decode_events."""
    decoder = EventDecoder(**options)
    async for chunk in chunks:
        for event in _decoded(decoder, decoder.feed, chunk):
            yield event
    for event in _decoded(decoder, decoder.close):
        yield event


def _decoded(decoder: EventDecoder, step: Any, *chunk: bytes) -> Iterator[Any]:
    """What a step of the decoder yields, with what a failing one had decoded."""
    try:
        events = step(*chunk)
    except Exception as error:
        if isinstance(error, AGUIError):
            yield from error.partial
        # Where a callback has raised, the decoder has what was decoded.
        with suppress(AGUIError):
            yield from decoder.feed(b"")
        raise
    yield from events


class Applied(NamedTuple):
    """What events have made of a conversation."""

    messages: list[Any]
    """The messages."""
    state: Any
    """The state."""
    pending_interrupts: list[Any]
    """The interrupts that wait for an answer."""
    changes: list[Change]
    """What happened, in order."""
    state_in_sync: bool
    """Whether every patch of the state since the last snapshot has applied."""
    warnings: list[ProtocolWarning]
    """What was mended, left out or ignored."""


def apply_events(
    events: Iterable[Any],
    messages: Iterable[Any] = (),
    state: Any = None,
    pending_interrupts: Iterable[Any] = (),
    *,
    on_warning: Callable[[ProtocolWarning], Any] | None = None,
    **options: Any,
) -> Applied:
    """What the events make of a conversation. Chunks must have been expanded; order is not verified.

    Takes the options of Reducer, and events of any form. Messages come in the form of those given, else in that of
    the events. The objects given are never changed. ``on_warning`` is called at the end. Raises what Reducer.apply
    raises, with ``event_index``; the ``partial`` of what is raised holds the changes before, its ``applied`` the
    conversation.
    """
    listed = list(events)
    messages = list(messages)
    if not messages and listed and isinstance(listed[0], dict):
        options.setdefault("as_dicts", True)
    reducer = Reducer(messages, state, pending_interrupts, **options)
    changes: list[Change] = []

    def applied() -> Applied:
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
            for warning in reducer.warnings if on_warning else ():
                on_warning(warning)
    except BaseException as error:
        error.partial, error.applied = changes, applied()  # type: ignore[attr-defined]
        raise
    return applied()

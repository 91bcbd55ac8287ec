"""Event streams: bytes in, events out.

Three profiles: ``tolerant`` (the default) leaves out what AG-UI 1.0 does not know and mends what is clear, with a
warning each time; ``strict`` refuses both; ``relay`` keeps everything and yields dictionaries.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any

from ag_ui_native._native import EventDecoder, decode_event

__all__ = ["EventDecoder", "adecode_events", "decode_event", "decode_events"]


def decode_events(chunks: Iterable[bytes], **options: Any) -> Iterator[Any]:
    """The events of a stream, from its bytes in pieces of any size.

    Takes the options of EventDecoder. What comes before a failure is yielded first.
    Raises AGUIValidationError, AGUIStreamError, AGUILimitError.
    """
    decoder = EventDecoder(**options)
    for chunk in chunks:
        yield from _decoded(decoder.feed, chunk)
    yield from _decoded(decoder.close)


async def adecode_events(chunks: AsyncIterable[bytes], **options: Any) -> AsyncIterator[Any]:
    """The events of a stream, from its bytes in pieces of any size. See decode_events."""
    decoder = EventDecoder(**options)
    async for chunk in chunks:
        for event in _decoded(decoder.feed, chunk):
            yield event
    for event in _decoded(decoder.close):
        yield event


def _decoded(step: Any, *chunk: bytes) -> Iterator[Any]:
    """What a step of the decoder yields, with what a failing one had decoded."""
    from ag_ui_native.errors import AGUIError

    try:
        events = step(*chunk)
    except AGUIError as error:
        yield from error.partial
        raise
    yield from events

"""Event streams in Python, from the bytes of the network to the list of events: three ways to write it."""

from collections.abc import Callable
from typing import Any

import httpx
import models_msgspec
import msgspec
from ag_ui.core import Event
from httpx_sse import EventSource
from pydantic import TypeAdapter

from ag_ui_native.stream import EventDecoder, EventPipeline

MEDIA_TYPE = "text/event-stream"


def our_stream(chunks: list[bytes], keep: Callable[[Any], None] = len) -> None:
    """Decodes a stream. Each of these functions passes the events of a read to `keep`; by default they are dropped, as
    clients drop them.
    """
    decoder = EventDecoder(content_type=MEDIA_TYPE)
    for chunk in chunks:
        keep(decoder.feed(chunk))
    keep(decoder.close())


def our_pipeline(chunks: list[bytes], keep: Callable[[Any], None] = len) -> None:
    """Decodes a stream, and verifies the order of events."""
    pipeline = EventPipeline(MEDIA_TYPE, reduce=False)
    for chunk in chunks:
        keep(pipeline.feed(chunk))
    keep(pipeline.close())


official_event = TypeAdapter(Event)


def official_stream(chunks: list[bytes], keep: Callable[[Any], None] = len) -> None:
    """Decodes a stream as clients of the official package do. That package has no decoder: httpx-sse splits the
    stream.
    """
    response = httpx.Response(200, headers={"content-type": MEDIA_TYPE}, content=iter(chunks))
    for event in EventSource(response).iter_sse():
        keep([official_event.validate_json(event.data)])


msgspec_event = msgspec.json.Decoder(models_msgspec.AnyEvent)


def msgspec_stream(chunks: list[bytes], keep: Callable[[Any], None] = len) -> None:
    """The shortest loop that reads this stream. It does not know other line ends, comments or long frames."""
    rest = b""
    for chunk in chunks:
        *frames, rest = (rest + chunk).split(b"\n\n")
        keep([msgspec_event.decode(frame[6:]) for frame in frames])


def collected(stream: Callable[..., None], chunks: list[bytes]) -> list[Any]:
    """Returns all events."""
    events: list[Any] = []
    stream(chunks, events.extend)
    return events

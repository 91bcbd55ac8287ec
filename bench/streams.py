"""Event streams in Python, from the bytes of the network to the list of events: three ways to write it."""

from typing import Any

import httpx
import models_msgspec
import msgspec
from ag_ui.core import Event
from httpx_sse import EventSource
from pydantic import TypeAdapter

from ag_ui_native.stream import EventDecoder

MEDIA_TYPE = "text/event-stream"


def our_stream(chunks: list[bytes]) -> list[Any]:
    decoder = EventDecoder(content_type=MEDIA_TYPE)
    events = []
    for chunk in chunks:
        events += decoder.feed(chunk)
    return events + decoder.close()


official_event = TypeAdapter(Event)


def official_stream(chunks: list[bytes]) -> list[Any]:
    """What clients of the official package do, which has no decoder: httpx-sse takes the stream apart."""
    response = httpx.Response(200, headers={"content-type": MEDIA_TYPE}, content=iter(chunks))
    return [official_event.validate_json(event.data) for event in EventSource(response).iter_sse()]


msgspec_event = msgspec.json.Decoder(models_msgspec.AnyEvent)


def msgspec_stream(chunks: list[bytes]) -> list[Any]:
    """The shortest loop that reads this stream; other line ends, comments and long frames are beyond it."""
    events = []
    rest = b""
    for chunk in chunks:
        *frames, rest = (rest + chunk).split(b"\n\n")
        events += [msgspec_event.decode(frame[6:]) for frame in frames]
    return events

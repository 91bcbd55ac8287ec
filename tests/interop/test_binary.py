"""The binary transport: the same bytes by all three that speak it, and the same events out of them."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
import sides
from peer import Peer
from sample_events import Random, event_texts

from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.stream import EventDecoder

EVENTS: list[dict[str, Any]] = [*map(json.loads, event_texts()), *Random(5, with_floats=True).events(620)]


def ask(peer: Peer, who: str, what: str, **arguments: Any) -> bytes:
    return base64.b64decode(peer.ask(who, what, binary=True, **arguments))


def read(frames: bytes) -> list[Any]:
    """The events, by our strict decoder, in pieces of an odd size."""
    decoder = EventDecoder(AGUI_MEDIA_TYPE, profile="strict")
    pieces = (frames[at : at + 777] for at in range(0, len(frames), 777))
    return [event for piece in pieces for event in decoder.feed(piece)] + decoder.close()


@pytest.mark.parametrize("who", ["ours", "official"])
def test_python_writes_what_node_writes(who: str, peer: Peer) -> None:
    written = b"".join(EventEncoder().encode_protobuf(sides.our_events.validate_python(event)) for event in EVENTS)
    assert ask(peer, who, "encode", events=json.dumps(EVENTS)) == written


@pytest.mark.parametrize("who", ["ours", "official"])
def test_there_and_back(who: str, peer: Peer) -> None:
    """Python writes, Node reads and writes again, Python reads: the same events, the same bytes."""
    there = b"".join(EventEncoder().encode_protobuf(sides.our_events.validate_python(event)) for event in EVENTS)
    back = ask(peer, who, "recode", stream=base64.b64encode(there).decode())
    assert back == there
    again = b"".join(map(EventEncoder().encode_protobuf, read(back)))
    assert again == there

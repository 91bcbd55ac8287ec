"""The binary transport: the same bytes by all four that speak it, and the same events out of them."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
import sides
from peer import Peer
from sample_events import Random, event_texts

from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.stream import EventDecoder

EVENTS: list[dict[str, Any]] = [*map(json.loads, event_texts()), *Random(5, with_floats=True).events(620)]
SPEAKERS = tuple(name for name in sides.NAMES if name != "official in Python")


def encode(name: str, peer: Peer) -> bytes:
    """The frames that an implementation writes."""
    if name == "ours in Python":
        return b"".join(EventEncoder().encode_protobuf(sides.our_events.validate_python(event)) for event in EVENTS)
    return bytes.fromhex(peer.ask(sides.PEERS[name], "encode", binary=True, events=json.dumps(EVENTS)))


def recode(name: str, frames: bytes, peer: Peer) -> bytes:
    """The frames that an implementation writes for the events that it reads."""
    if name == "ours in Python":
        return b"".join(map(EventEncoder().encode_protobuf, read(frames)))
    return bytes.fromhex(peer.ask(sides.PEERS[name], "recode", binary=True, stream=frames.hex()))


def read(frames: bytes) -> list[Any]:
    """The events, by our strict decoder, in pieces of an odd size."""
    decoder = EventDecoder(AGUI_MEDIA_TYPE, profile="strict")
    pieces = (frames[at : at + 777] for at in range(0, len(frames), 777))
    return [event for piece in pieces for event in decoder.feed(piece)] + decoder.close()


@pytest.mark.parametrize("name", SPEAKERS[1:])
def test_all_write_what_python_writes(name: str, peer: Peer) -> None:
    assert encode(name, peer) == encode("ours in Python", peer)


@pytest.mark.parametrize(("writer", "reader"), [*permutations(SPEAKERS, 2)])
def test_what_one_writes_the_other_hands_on(writer: str, reader: str, peer: Peer) -> None:
    """One writes, another reads and writes again: the same bytes."""
    there = encode(writer, peer)
    assert recode(reader, there, peer) == there

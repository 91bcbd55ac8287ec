"""The five implementations: ours in Python, JavaScript and Rust, the official ones in Python and JavaScript, behind one shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import ag_ui.core
import ag_ui.encoder
from peer import Peer
from pydantic import TypeAdapter

from ag_ui_native import core, encoder, stream

official_events = TypeAdapter(ag_ui.core.Event)
our_events = TypeAdapter(core.Event)

NAMES = ("ours in Python", "ours in Node", "ours in Rust", "official in Python", "official in Node")
# The names that the peers use for their implementations.
PEERS = {"ours in Node": "ours", "official in Node": "official", "ours in Rust": "rust"}


def frames(text: str) -> list[str]:
    """The JSON texts of a stream with one data line per event."""
    assert text == "" or text.endswith("\n\n")
    pieces = text.split("\n\n")[:-1]
    assert all(piece.startswith("data: ") for piece in pieces)
    return [piece.removeprefix("data: ") for piece in pieces]


def decode(text: str) -> list[Any]:
    """The events of a stream, by our strict decoder, in pieces of an odd size."""
    data = text.encode()
    chunks = (data[at : at + 777] for at in range(0, len(data), 777))
    return list(stream.decode_events(chunks, content_type="text/event-stream", profile="strict"))


def encode(name: str, events: list[dict[str, Any]], peer: Peer) -> str:
    """Returns the text that an implementation writes for events given as dictionaries with the keys of the wire."""
    match name:
        case "ours in Python":
            write = encoder.EventEncoder().encode
            return "".join(write(our_events.validate_python(event)) for event in events)
        case "official in Python":
            write = ag_ui.encoder.EventEncoder().encode
            return "".join(write(official_events.validate_python(event)) for event in events)
        case _:
            return peer.ask(PEERS[name], "encode", events=json.dumps(events))


def recode(name: str, text: str, peer: Peer) -> str:
    """Returns the text that an implementation writes for the events that it reads from a stream."""
    match name:
        case "ours in Python":
            return "".join(map(encoder.EventEncoder().encode, decode(text)))
        case "official in Python":
            read: Callable[[str], Any] = official_events.validate_json
            return "".join(ag_ui.encoder.EventEncoder().encode(read(frame)) for frame in frames(text))
        case _:
            return peer.ask(PEERS[name], "recode", stream=text)

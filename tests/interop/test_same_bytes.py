"""All five encoders write the same bytes where they have no choice."""

from __future__ import annotations

import json

import sides
from peer import Peer
from sample_events import Random, event_texts

# Rust spells doubles as Python does.
PYTHON = ("ours in Python", "ours in Rust", "official in Python")


def compare(events: list[dict], names: tuple[str, ...], peer: Peer) -> None:
    """Fails on the first event that two implementations write differently."""
    written = {name: sides.frames(sides.encode(name, events, peer)) for name in names}
    for texts in zip(*written.values(), strict=True):
        assert len(set(texts)) == 1, dict(zip(names, texts, strict=True))


def test_all_five_alike(peer: Peer) -> None:
    """With keys in serialization order and integers as numbers, the encoders have no choice."""
    whole = [json.loads(text) for text in event_texts() if "2.5" not in text]
    compare(whole + Random(3, with_floats=False).events(620), sides.NAMES, peer)


def test_doubles_alike_within_a_language(peer: Peer) -> None:
    events = Random(4, with_floats=True).events(620)
    compare(events, PYTHON, peer)
    compare(events, ("ours in Node", "official in Node"), peer)


def test_nulls_left_out_alike(peer: Peer) -> None:
    """An optional member that is null is not written, by all that take one (Rust has no such values); a null inside free values is."""
    events = []
    for text in event_texts():
        event = json.loads(text)
        optional = {"timestamp": None, "rawEvent": None, "metadata": None}
        events.append({**event, **{key: None for key in optional if key not in event}})
    events.append({"type": "RAW", "event": {"a": None, "b": [None]}, "source": None})
    events.append({"type": "STATE_SNAPSHOT", "snapshot": None, "subagentRunId": None})
    events.append(
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "result": None, "outcome": None, "usage": None}
    )
    compare(events, ("ours in Python", "official in Python"), peer)
    compare(events, ("ours in Node", "official in Node"), peer)


def test_javascript_moves_integer_like_keys_alike(peer: Peer) -> None:
    event = {"type": "STATE_SNAPSHOT", "snapshot": {"b": 1, "10": 2, "a": {"x": 1, "2": 2, "1": 3}, "01": 4}}
    compare([event], PYTHON, peer)
    compare([event], ("ours in Node", "official in Node"), peer)

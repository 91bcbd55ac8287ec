"""Every implementation reads the output of every other one without loss."""

from __future__ import annotations

import json
from itertools import permutations

import pytest
import sides
from peer import Peer
from sample_events import FIXTURES, Random, event_texts


@pytest.mark.parametrize(("writer", "reader"), [*permutations(sides.NAMES, 2)])
def test_what_one_writes_the_other_hands_on(writer: str, reader: str, peer: Peer) -> None:
    events = [*map(json.loads, event_texts()), *Random(1, with_floats=True).events(310)]
    wanted = list(map(sides.our_events.validate_python, events))
    there = sides.encode(writer, events, peer)
    back = sides.recode(reader, there, peer)
    assert sides.decode(there) == wanted
    assert sides.decode(back) == wanted
    # JavaScript has one kind of number, so a text may change on its first way through it, and not again.
    assert sides.recode(reader, back, peer) == back


def test_there_and_back_through_all_five(peer: Peer) -> None:
    events = Random(2, with_floats=True).events(310)
    stream = sides.encode("ours in Python", events, peer)
    for name in (
        "ours in Node",
        "official in Python",
        "ours in Rust",
        "official in Node",
        "ours in Node",
        "ours in Python",
    ):
        stream = sides.recode(name, stream, peer)
    assert sides.decode(stream) == list(map(sides.our_events.validate_python, events))


def test_relays_keep_unknown_members(peer: Peer) -> None:
    """Unknown events, members and variants, and null where the protocol has no value, pass through all relays."""
    cases = json.loads((FIXTURES / "types/documents.json").read_text(encoding="utf-8"))
    kept = [
        c["relay"]["value"]
        for c in cases
        if c["type"] == "Event" and "errors" in c["strict"] and "value" in c.get("relay", {})
    ]
    assert len(kept) > 300
    stream = "".join(f"data: {text}\n\n" for text in kept)
    for who in ("ours", "rust"):
        back = peer.ask(who, "recode", stream=stream, profile="relay")
        assert [json.loads(text) for text in sides.frames(back)] == [json.loads(text) for text in kept], who
    read = list(sides.stream.decode_events([stream.encode()], profile="relay"))
    assert read == [json.loads(text) for text in kept]

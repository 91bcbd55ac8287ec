"""Events to send around: the fullest and smallest of every type, and random ones made from them."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent.parent / "fixtures"
# Members with free content, and members whose text means nothing to the protocol.
FREE = {"rawEvent", "snapshot", "event", "result", "payload", "parameters", "forwardedProps", "state", "value"}
FREE_OBJECTS = {"metadata", "responseSchema"}
TEXTS = {"messageId", "toolCallId", "delta", "name", "stepName", "threadId", "message", "text", "source", "id", "code"}


@cache
def event_texts() -> tuple[str, ...]:
    """The smallest and the fullest document of each of the 31 types, as JSON text."""
    cases = json.loads((FIXTURES / "types/documents.json").read_text(encoding="utf-8"))
    sizes = (" smallest", " fullest")
    texts = tuple(
        c["json"]
        for c in cases
        if c["type"].endswith("Event")
        and c["name"].endswith(sizes)
        and c["type"] != "BaseEvent"
        and c["type"] != "Event"
    )
    assert len({json.loads(text)["type"] for text in texts}) == 31
    return texts


class Random:
    """Random JSON, the same in every run."""

    def __init__(self, seed: int, *, with_floats: bool) -> None:
        self.random = random.Random(seed)
        self.with_floats = with_floats

    def text(self) -> str:
        """Random text with many characters that need an escape or more than one byte."""
        alphabet = 'ab "\\/\n\r\t\b\f\x00\x1f\x7f{}[]:,\u2028\u2029\ufeff\xe9\u4e2d\U0001f600'
        return "".join(self.random.choices(alphabet, k=self.random.randrange(12)))

    def key(self) -> str:
        """A key that JavaScript leaves in its place: integer-like ones move to the front there."""
        return "k" + self.text()

    def number(self) -> int | float:
        """A number that every language keeps. JavaScript writes a whole double from 2^53 on as digits, which an exact
        reader takes for another integer: such doubles are left out.
        """
        if self.with_floats and self.random.random() < 0.5:
            double = self.random.uniform(-1, 1) * 10.0 ** self.random.choice([*range(-12, 16), *range(23, 300, 9)])
            return double if abs(double) < 2**53 or abs(double) >= 1e21 else 0.5
        return self.random.randint(-(2**53) + 1, 2**53 - 1) >> self.random.randrange(50)

    def value(self, depth: int = 3) -> Any:
        """Any JSON value but null, which optional members do not take."""
        kinds = [self.text, self.number, lambda: self.random.random() < 0.5]
        if depth > 0:
            kinds += [lambda: self.list(depth), lambda: self.dict(depth)]
        return self.random.choice(kinds)()

    def list(self, depth: int = 3) -> list[Any]:
        """A list."""
        items = (None if self.random.random() < 0.1 else self.value(depth - 1) for _ in range(self.random.randrange(5)))
        return list(items)

    def dict(self, depth: int = 3) -> dict[str, Any]:
        """An object."""
        return {
            self.key(): None if self.random.random() < 0.1 else self.value(depth - 1)
            for _ in range(self.random.randrange(5))
        }

    def changed(self, value: Any, key: str = "") -> Any:
        """Returns the document with other values in all places with free content."""
        if key in FREE and not (key == "value" and isinstance(value, str)):
            return self.value()
        if key in FREE_OBJECTS and isinstance(value, dict):
            return self.dict()
        if key in TEXTS and isinstance(value, str):
            return self.text()
        if key == "timestamp":
            return self.random.randint(-(2**53) + 1, 2**53 - 1)
        if isinstance(value, dict):
            return {name: self.changed(member, name) for name, member in value.items()}
        if isinstance(value, list):
            return [self.changed(item) for item in value]
        return value

    def events(self, count: int) -> list[dict[str, Any]]:
        """Events of all types in turn."""
        texts = event_texts()
        return [self.changed(json.loads(texts[index % len(texts)])) for index in range(count)]

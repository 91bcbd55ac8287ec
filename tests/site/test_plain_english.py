"""Pages are for readers whose first language is not English: no sentence is too long to be read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from plain import parsed, shown

ROOT = Path(__file__).parents[2]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "core/README.md",
    *(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")),
]
MOST_WORDS = 30


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yields the sentences of a page, and in which line the paragraph of each begins. A colon or semicolon ends one,
    code counts as one word, and so does a list of code.
    """
    for token in parsed(text):
        if token.type == "inline":
            children = token.children or []
            prose = "".join("X" if child.type == "code_inline" else shown(child) for child in children)
            prose = re.sub(r"\bX(?:[\s,]+X\b)+", "X", prose)
            for sentence in re.split(r"(?<=[.!?:;])[)\"”*]*\s", prose):
                yield (token.map or [0])[0] + 1, " ".join(sentence.split())


@pytest.mark.parametrize("page", PAGES)
def test_sentences_are_short(page: str) -> None:
    found = [
        f"{page}:{line}: {len(sentence.split())} words: {sentence}"
        for line, sentence in sentences((ROOT / page).read_text("utf-8"))
        if len(sentence.split()) > MOST_WORDS
    ]
    assert not found, "write two sentences:\n" + "\n".join(found)


def test_a_long_sentence_is_found() -> None:
    words = " ".join(["word"] * 41)
    assert [
        line
        for line, sentence in sentences(f"# Title\n\nShort. {words}.\n\n- {words}")
        if len(sentence.split()) > MOST_WORDS
    ] == [3, 5]
    assert not [
        sentence
        for _, sentence in sentences(f"```\n{words}\n```\n\n{'word ' * 25}: {'word ' * 25}")
        if len(sentence.split()) > MOST_WORDS
    ]

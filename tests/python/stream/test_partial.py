"""Arguments that arrive in pieces: the fixture cases, live values that grow in place, hostile input."""

from __future__ import annotations

import gc
import json
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ag_ui_native import AGUIError, AGUILimitError, AGUIStreamError, AGUIValidationError, Limits
from ag_ui_native.partial import PartialArguments
from conftest import describe, fixture_cases

CASES = fixture_cases("partial")
WHOLE = [case for case in CASES if "steps" in case]


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case["name"])
def test_after_each_character(case: dict[str, Any]) -> None:
    partial = PartialArguments()
    steps = {length: (json.loads(value), completed) for length, value, completed in case["steps"]}
    value, complete = {}, False
    assert partial.value == {}
    for length, character in enumerate(case["json"], 1):
        value, completed = steps.get(length, (value, []))
        assert partial.feed(character) == completed
        complete = complete or "" in completed
        assert describe(partial.value) == describe(value)
        assert partial.is_complete == complete
    assert describe(partial.finish()) == describe(json.loads(case["value"]))


def outcome(pieces: list[str], limits: dict[str, int]) -> dict[str, Any]:
    """Returns the result of the pieces, in the shape of the fixtures."""
    partial = PartialArguments(limits=Limits(**limits))
    try:
        for piece in pieces:
            partial.feed(piece)
        return {"value": describe(partial.finish())}
    except AGUIError as error:
        named = {"code": error.code, "path": error.path, "offset": error.offset, "limit": error.limit}
        return {"error": {name: value for name, value in named.items() if value is not None}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_however_they_are_cut(case: dict[str, Any]) -> None:
    text = case["json"]
    expected = {"error": case["error"]} if "error" in case else {"value": describe(json.loads(case["value"]))}
    for pieces in [[text], list(text), *([text[:at], "", text[at:]] for at in range(len(text)))]:
        assert outcome(pieces, case.get("limits", {})) == expected


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES, st.booleans(), st.randoms(use_true_random=False))
def test_random_documents_in_random_pieces(value: Any, ascii_only: bool, random: Any) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    partial = PartialArguments()
    at, told = 0, []
    while at < len(text):
        size = random.randint(1, 10)
        told += partial.feed(text[at : at + size])
        at += size
    assert describe(partial.finish()) == describe(value)
    assert len(told) == len(set(told))
    for pointer in told:
        found = value
        for token in pointer.split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            found = found[int(key) if isinstance(found, list) else key]


def test_values_grow_in_place() -> None:
    partial = PartialArguments()
    partial.feed('{"list":[{"text":"a')
    value = partial.value
    inner = value["list"][0]
    assert partial.feed("b") == [] and inner == {"text": "ab"}
    assert partial.feed('c"},2') == ["/list/0/text", "/list/0"] and value == {"list": [{"text": "abc"}]}
    assert partial.feed("0]}") == ["/list/1", "/list", ""]
    assert partial.value is value and value["list"][0] is inner and value == {"list": [{"text": "abc"}, 20]}
    assert partial.finish() is value


def test_numbers_that_no_double_reaches_are_told_at_their_places(caplog: pytest.LogCaptureFixture) -> None:
    partial = PartialArguments()
    for piece in ('{"a":[1,1e4', '00,2e999],"b/c":-1e400', "}"):
        partial.feed(piece)
    whole = PartialArguments()
    whole.feed("1e400")
    whole.finish()
    told = [record.getMessage() for record in caplog.records]
    assert [text.partition(";")[0].partition(" at ")[2] for text in told] == ["/a/1", "/a/2", "/b~1c", ""]
    assert all(text.startswith("number_out_of_range: ") for text in told)


def test_a_string_that_is_kept_stays_as_it_is() -> None:
    partial = PartialArguments()
    seen = []
    for piece in ['["', "a", "b", "é", "c", "語", "d", "😀", "e", '"', "]"]:
        partial.feed(piece)
        seen.append(partial.value[0])
        hash(seen[-1])
    assert seen == ["", "a", "ab", "abé", "abéc", "abéc語", "abéc語d", "abéc語d😀", *["abéc語d😀e"] * 3]


def test_integers_of_any_size() -> None:
    partial = PartialArguments()
    partial.feed(f"[{2**70},{-(2**63)},{10**400}.0]")
    assert partial.value == [2**70, -(2**63), float("inf")]


def test_what_stands_before_a_fault_counts() -> None:
    partial = PartialArguments()
    with pytest.raises(AGUIValidationError) as caught:
        partial.feed('{"a":"x","b":"yz\\q"}')
    assert (caught.value.code, caught.value.offset, caught.value.path) == ("invalid_json", 17, "/b")
    assert caught.value.partial == ["/a"] and partial.value == {"a": "x", "b": "yz"} and not partial.is_complete
    for step in (lambda: partial.feed("x"), partial.finish):
        with pytest.raises(AGUIStreamError, match="decoder_failed"):
            step()


def test_half_a_pair_is_no_text() -> None:
    with pytest.raises(UnicodeEncodeError):
        PartialArguments().feed('"\ud83d')
    with pytest.raises(TypeError):
        PartialArguments().feed(b"{}")  # type: ignore[arg-type]


def test_a_program_that_changes_the_value_breaks_only_its_own() -> None:
    for tamper in (list.clear, lambda items: items.append(1), lambda items: items.__setitem__(0, None)):
        partial = PartialArguments()
        partial.feed('{"a":["x')
        tamper(partial.value["a"])
        try:
            partial.feed('y","z"],"b":2}')
        except IndexError:
            continue
        assert partial.finish()["b"] == 2


def seconds(text: str) -> float:
    partial = PartialArguments()
    start = time.process_time()
    for character in text:
        partial.feed(character)
        assert partial.value is not None
    return time.process_time() - start


@pytest.mark.parametrize(
    "make",
    [
        lambda size: '{"t":"' + "x" * size,
        lambda size: '["' + "語" * size,
        lambda size: "[0" + ",1" * (size // 2),
        lambda size: "{" + "".join(f'"{index:05}":1,' for index in range(size // 10)),
    ],
    ids=["text", "wide text", "items", "members"],
)
def test_a_hundred_thousand_small_pieces_cost_what_they_hold(make: Any) -> None:
    # Ten times as much; quadratic would be a hundred.
    assert seconds(make(100_000)) < 40 * max(seconds(make(10_000)), 0.002)


def test_depth_and_size_are_limited() -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000):
        with pytest.raises(AGUILimitError) as caught:
            PartialArguments().feed(text)
        assert caught.value.limit == "depth"
    with pytest.raises(AGUILimitError) as caught:
        PartialArguments().feed('{"' + "k" * 100_000 + '":[' + "0," * 100_000)
    assert caught.value.limit == "event_bytes"


def test_nothing_is_left_behind() -> None:
    def use() -> None:
        partial = PartialArguments()
        for piece in ('{"key of no other":[1,"te', 'xt","é', 'è"],"n":{"a":1.5', "}}"):
            partial.feed(piece)
        partial.finish()
        with pytest.raises(AGUIValidationError):
            PartialArguments().feed('{"a":"b",x')

    for _ in range(50):
        use()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(500):
        use()
    gc.collect()
    assert sys.getallocatedblocks() - before < 400

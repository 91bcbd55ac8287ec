"""JSON Patch and diff on Python objects: the public test suite, the recorded cases, and which objects are kept and
shared.
"""

from __future__ import annotations

import copy
import enum
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ag_ui_native.core.types import AddOperation, MoveOperation, RemoveOperation
from ag_ui_native.errors import AGUILimitError, AGUIPatchError, AGUIValidationError
from ag_ui_native.limits import Limits
from ag_ui_native.patch import apply_patch, diff
from conftest import fixture_cases as fixture

SUITE = [
    record
    for name in ("tests", "spec_tests")
    for record in fixture(f"json-patch-test-suite/{name}")
    # Two members `op` in one operation: of an object in memory, one is left.
    if "doc" in record and record.get("comment") != "duplicate ops"
]
CASES: list[dict[str, Any]] = [case for case in fixture("stream-cases")["cases"] if case["section"] == "patch"]
EXCEPTIONS = {entry["name"] for entry in fixture("stream-exceptions") if entry["section"] == "patch"}


def text(value: Any) -> str:
    """Returns the text of a value with its members in order, and with the kind of each number."""
    return json.dumps(value)


@pytest.mark.parametrize("record", SUITE, ids=text)
def test_the_suite_of_others(record: dict[str, Any]) -> None:
    before = text(record["doc"])
    if "error" in record:
        with pytest.raises(AGUIPatchError):
            apply_patch(record["doc"], record["patch"])
    else:
        result = apply_patch(record["doc"], record["patch"])
        assert "expected" not in record or result == record["expected"]
    assert text(record["doc"]) == before


def test_the_suite_is_whole() -> None:
    assert len(SUITE) == 94


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_recorded_cases(case: dict[str, Any]) -> None:
    document, before = case["input"]["document"], text(case["input"]["document"])
    try:
        outcome = {"document": apply_patch(document, case["input"]["operations"])}
    except AGUIPatchError as error:
        outcome = {"error": True, "atIndex": error.operation, "rule": case["expected"].get("rule")}
    assert text(document) == before
    if case["name"] in EXCEPTIONS:
        assert outcome != case["expected"], "an exception that is none any more"
    else:
        assert outcome == case["expected"]


def test_what_is_not_touched_is_shared() -> None:
    document = {"a": {"b": {"c": 1}, "d": [1, {"e": 2}]}, "f": {"g": []}}
    before = copy.deepcopy(document)
    patched = apply_patch(
        document,
        [
            {"op": "replace", "path": "/a/b/c", "value": 2},
            {"op": "add", "path": "/a/d/-", "value": 3},
            {"op": "test", "path": "/f", "value": {"g": []}},
        ],
    )
    assert document == before
    assert patched == {"a": {"b": {"c": 2}, "d": [1, {"e": 2}, 3]}, "f": {"g": []}}
    assert patched["f"] is document["f"]
    assert patched["a"]["d"][1] is document["a"]["d"][1]
    assert apply_patch(document, [{"op": "test", "path": "/f/g", "value": []}]) is document


@pytest.mark.parametrize("in_place", [False, True])
def test_values_are_copied_out_of_the_operations(in_place: bool) -> None:
    operations = [
        {"op": "add", "path": "/x", "value": {"list": []}},
        {"op": "add", "path": "/x/list/-", "value": {"deep": {}}},
        {"op": "copy", "from": "/x", "path": "/y"},
        {"op": "add", "path": "/y/list/0/deep/er", "value": 1},
    ]
    before = copy.deepcopy(operations)
    patched = apply_patch({}, operations, in_place=in_place)
    assert patched == {"x": {"list": [{"deep": {}}]}, "y": {"list": [{"deep": {"er": 1}}]}}
    patched["x"]["list"].clear()
    assert operations == before


def test_in_place() -> None:
    document: dict[str, Any] = {"a": [1, 2], "b": {"c": {}}}
    a, b = document["a"], document["b"]
    assert apply_patch(document, [{"op": "move", "from": "/a/0", "path": "/b/c/x"}], in_place=True) is document
    assert document == {"a": [2], "b": {"c": {"x": 1}}}
    assert document["a"] is a and document["b"] is b
    assert apply_patch(document, [{"op": "replace", "path": "", "value": []}], in_place=True) == []
    assert document == {"a": [2], "b": {"c": {"x": 1}}}


def test_operations_of_any_form() -> None:
    operations = [
        AddOperation(path="/a", value={"x": 1}),
        MoveOperation(from_="/a/x", path="/b"),  # type: ignore[call-arg]
        RemoveOperation(path="/a"),
        {"op": "test", "path": "/b", "value": 1, "comment": "ignored"},
    ]
    assert apply_patch({}, operations) == apply_patch({}, tuple(operations)) == {"b": 1}


class Colour(str, enum.Enum):
    RED = "red"


def test_other_classes_than_the_plain_ones() -> None:
    class Sub(dict):
        pass

    document = {"t": (1, [2], {"x": Colour.RED}), "s": Sub(a=[1])}
    operations = [
        {"op": "test", "path": "/t", "value": [1, [2], {"x": "red"}]},
        {"op": "add", "path": "/t/1/-", "value": 3},
        {"op": "replace", "path": "/t/2/x", "value": None},
        {"op": "add", "path": "/s/a/0", "value": 0},
    ]
    expected = {"t": [1, [2, 3], {"x": None}], "s": {"a": [0, 1]}}
    assert apply_patch(document, operations) == expected
    assert document == {"t": (1, [2], {"x": Colour.RED}), "s": {"a": [1]}}
    assert apply_patch(document, diff(document, expected)) == expected
    assert diff(document, {"t": [1, [2], {"x": "red"}], "s": {"a": [1]}}) == []
    with pytest.raises(AGUIValidationError, match="not object"):
        apply_patch({"a": object()}, [{"op": "copy", "from": "/a", "path": "/b"}])
    for bad in ({"a": {1, 2}}, {1: 2}, {"a": "\ud800"}, {"\ud800": 1}):
        with pytest.raises(AGUIValidationError):
            diff({}, bad)


@pytest.mark.parametrize(
    ("operation", "code", "path"),
    [
        (3, "patch_invalid", "/1"),
        ({"path": "/a"}, "patch_invalid", "/1/op"),
        ({"op": "merge", "path": "/a"}, "patch_invalid", "/1/op"),
        ({"op": "remove", "path": 1}, "patch_invalid", "/1/path"),
        ({"op": "remove", "path": "/\ud800"}, "patch_invalid", "/1/path"),
        ({"op": "add", "path": "/a"}, "patch_invalid", "/1/value"),
        ({"op": "move", "path": "/a"}, "patch_invalid", "/1/from"),
        ({"op": "remove", "path": "/clear"}, "patch_target_missing", "/1/path"),
        ({"op": "add", "path": "/list/1", "value": 0}, "patch_index_invalid", "/1/path"),
        ({"op": "test", "path": "/secret", "value": "guess"}, "patch_test_failed", "/1/path"),
        ({"op": "move", "from": "/list", "path": "/list/0"}, "patch_into_itself", "/1/path"),
    ],
)
def test_an_error_names_code_operation_and_place(operation: Any, code: str, path: str) -> None:
    document = {"secret": "contents", "list": []}
    with pytest.raises(AGUIPatchError) as caught:
        apply_patch(document, [{"op": "test", "path": "/list", "value": []}, operation])
    error = caught.value
    assert (error.code, error.operation, error.path) == (code, 1, path)
    assert "contents" not in str(error) and "guess" not in str(error)


def test_a_patch_that_is_no_list() -> None:
    with pytest.raises(AGUIPatchError) as caught:
        apply_patch({}, {"op": "remove", "path": "/a"})  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.operation) == ("patch_invalid", None)


def test_numbers_are_compared_by_their_value() -> None:
    def equal(one: Any, other: Any) -> bool:
        try:
            apply_patch(one, [{"op": "test", "path": "", "value": other}])
        except AGUIPatchError:
            return False
        return True

    big = 2**64
    assert all(equal(*pair) for pair in [(1, 1.0), (0, -0.0), (big, float(big)), (big + 1, big + 1)])
    assert not any(equal(*pair) for pair in [(1, True), (0, False), (0, None), (big + 1, float(big)), (big, big + 1)])


def test_budgets() -> None:
    bomb = [{"op": "add", "path": "", "value": [0]}] + [{"op": "copy", "from": "", "path": "/-"}] * 30
    with pytest.raises(AGUILimitError) as caught:
        apply_patch({}, bomb)
    assert (caught.value.limit, caught.value.operation, caught.value.path) == ("patch_copies", 16, "/16")

    document = {"a": {"b": [[]]}}
    deeper = [{"op": "add", "path": "/c", "value": {}}, {"op": "move", "from": "/a", "path": "/c/a"}]
    assert apply_patch(document, deeper, Limits(depth=5, patch_copies=3)) == {"c": {"a": {"b": [[]]}}}
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    for operations, limits, limit in [
        (deeper, Limits(depth=4), "depth"),
        (deeper, Limits(patch_copies=2), "patch_copies"),
        (deeper, Limits(patch_operations=1), "patch_operations"),
        ([{"op": "add", "path": "/a/x", "value": [[]]}], Limits(depth=3), "depth"),
        ([{"op": "add", "path": "/x", "value": cyclic}], Limits(), "depth"),
        ([{"op": "add", "path": "/a/b/0", "value": 1}], Limits(patch_shifts=0), "patch_shifts"),
        ([{"op": "remove", "path": "/a/b/0"}], Limits(patch_shifts=0), "patch_shifts"),
    ]:
        with pytest.raises(AGUILimitError) as caught:
            apply_patch(document, operations, limits)
        assert caught.value.limit == limit
    other: list[Any] = []
    other.append(other)
    with pytest.raises(AGUILimitError):
        apply_patch(cyclic, [{"op": "test", "path": "", "value": other}])
    with pytest.raises(AGUILimitError):
        diff(cyclic, other)


KEYS = ["a", "b", "c", "0", "1", "-", "", "a/b", "~1", "__class__"]
SCALARS = st.sampled_from(
    [None, True, False, 0, 1, 1.0, -0.0, 2.5, 2**70, "", "x", "something long enough to keep", "é𝄞"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)


@st.composite
def pointers(draw: st.DrawFn, document: Any) -> str:
    """A pointer into the document, or out of it."""
    path, at = "", document
    while draw(st.integers(0, 4)):
        tokens = (
            list(at) if isinstance(at, dict) else [*map(str, range(len(at) + 1)), "-"] if isinstance(at, list) else []
        )
        token = draw(st.sampled_from([*tokens, *tokens, *KEYS[:3]]))
        path += "/" + token.replace("~", "~0").replace("/", "~1")
        try:
            at = at[int(token)] if isinstance(at, list) else at[token]
        except (KeyError, IndexError, ValueError, TypeError):
            break
    return path


@st.composite
def patches(draw: st.DrawFn) -> tuple[Any, list[dict[str, Any]]]:
    document = {"a": draw(VALUES), "b": [draw(VALUES), draw(VALUES)]}
    ops = st.sampled_from(["add", "add", "add", "remove", "replace", "move", "copy", "test"])
    return document, [
        {"op": draw(ops), "path": draw(pointers(document)), "from": draw(pointers(document)), "value": draw(VALUES)}
        for _ in range(draw(st.integers(1, 4)))
    ]


def identities(value: Any) -> Any:
    """The containers of a tree, by identity, and the keys in order."""
    if isinstance(value, dict):
        return id(value), [(key, identities(member)) for key, member in value.items()]
    return (id(value), [identities(item) for item in value]) if isinstance(value, list) else value


@settings(max_examples=600, deadline=None)
@given(patches())
def test_copying_and_in_place_come_to_the_same(patch: tuple[Any, list[dict[str, Any]]]) -> None:
    document, operations = patch
    before, seen, given_operations = text(document), identities(document), text(operations)
    changed = copy.deepcopy(document)
    try:
        expected = apply_patch(document, operations)
    except AGUIPatchError as error:
        changed_seen = identities(changed)
        with pytest.raises(AGUIPatchError) as caught:
            apply_patch(changed, operations, in_place=True)
        assert (caught.value.code, caught.value.operation, caught.value.path) == (
            error.code,
            error.operation,
            error.path,
        )
        assert text(changed) == before and identities(changed) == changed_seen
    else:
        assert text(apply_patch(changed, operations, in_place=True)) == text(expected)
        check_diff(document, expected)
    assert text(document) == before and identities(document) == seen
    assert text(operations) == given_operations


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def check_diff(old: Any, new: Any) -> None:
    operations = diff(old, new)
    assert canonical(apply_patch(old, operations)) == canonical(new)
    whole = [{"op": "replace", "path": "", "value": new}]
    sizes = [
        len(json.dumps(patch, separators=(",", ":"), ensure_ascii=False).encode()) for patch in (operations, whole)
    ]
    assert sizes[0] <= sizes[1]


@settings(max_examples=600, deadline=None)
@given(VALUES, VALUES)
def test_a_diff_turns_one_into_the_other(old: Any, new: Any) -> None:
    check_diff(old, new)
    assert diff(old, copy.deepcopy(old)) == []


def test_a_diff_is_small_and_its_values_are_copies() -> None:
    steps = [{"id": index, "text": f"what is to be done in step {index}"} for index in range(20)]
    moved = steps.copy()
    moved.insert(10, moved.pop(2))
    assert diff({"steps": steps}, {"steps": moved}) == [{"op": "move", "from": "/steps/2", "path": "/steps/10"}]
    assert diff({"n": 1, "x": "long enough"}, {"n": 1.0, "x": "long enough"}) == [
        {"op": "replace", "path": "/n", "value": 1.0}
    ]
    new = {"steps": steps, "value": [1]}
    operations = diff({"steps": steps}, new)
    assert operations == [{"op": "add", "path": "/value", "value": [1]}]
    assert operations[0]["value"] is not new["value"]


@pytest.mark.parametrize("grow", [lambda a: a.extend([a, a]), lambda a: a.extend([{"x": a, "y": a}])])
def test_what_contains_itself_twice_is_refused_at_once(grow: Any) -> None:
    cyclic: list[Any] = []
    grow(cyclic)
    for old, new in (({}, cyclic), ([1], cyclic)):
        with pytest.raises(AGUILimitError, match="depth"):
            diff(old, new)

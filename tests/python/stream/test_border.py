"""The border to Python: with any code that runs while objects are read, no object is used after it was freed, and no
call is half done.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import textwrap
from typing import Any

import ag_ui.core
import pytest
from pydantic import BaseModel

from ag_ui_native import core
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.errors import AGUIPatchError, AGUIValidationError
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.stream import EventDecoder, Reducer, enforce_events
from conftest import CLASSES, FastPath, ours, parsed

PROGRAMS = {
    "diff, a finalizer of the collector": """
        import gc, weakref
        from ag_ui_native.patch import diff
        class Session:
            pass
        old = {f"k{i}": "x" * 50 for i in range(200)}
        for threshold in (1, 5, 20, 300):
            new = dict(old)
            for i in range(60):
                new[f"n{i}"] = {"v": ["payload" * 3, i]}
            gc.collect(), gc.disable()
            session = Session()
            session.me = session
            weakref.finalize(session, lambda: [new.pop(key) for key in list(new) if key[0] == "n"])
            del session
            gc.set_threshold(threshold), gc.enable()
            assert len(diff(old, new)) in (0, 60), "of one moment"
            gc.set_threshold(700)
    """,
    "diff, a key that hashes in its own way": """
        from ag_ui_native.patch import diff
        class Key(str):
            armed = False
            def __hash__(self):
                if Key.armed:
                    new.clear()
                    global junk
                    junk = [bytearray(b"A" * 56) for _ in range(20_000)]
                return str.__hash__(self)
        keep = "x" * 50_000
        new = {"keep": keep}
        for i in range(60):
            new[f"n{i}"] = {Key("v"): ["payload" * 3, i]}
        expected = [{"op": "add", "path": f"/n{i}", "value": {"v": ["payload" * 3, i]}} for i in range(60)]
        Key.armed = True
        assert diff({"keep": keep}, new) == expected
        assert all(type(key) is str for operation in diff({}, new) for key in operation["value"])
    """,
    "diff, keys of an Enum and a second thread": """
        import enum, sys, threading
        from ag_ui_native.patch import apply_patch, diff
        sys.setswitchinterval(1e-6)
        class Key(str, enum.Enum):
            NAME = "name"
            AGE = "age"
            __hash__ = lambda self: str.__hash__(self)
        old = {"keep": "x" * 30_000}
        state, done = dict(old), False
        def change():
            while not done:
                state.clear()
                for i in range(300):
                    state[f"b{i}"] = {Key.NAME: [f"x{i}"] * 5, Key.AGE: i}
                state.update(old)
        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(500):
                made = apply_patch(old, diff(old, state))
                assert all(made[key] == {"name": [f"x{key[1:]}"] * 5, "age": int(key[1:])} for key in made if key != "keep")
        finally:
            done = True
            thread.join()
    """,
    "encoding, a finalizer while dictionaries are made": """
        import gc
        from ag_ui_native.core import MessagesSnapshotEvent, UserMessage
        from ag_ui_native.encoder import EventEncoder
        class Garbage:
            def __del__(self):
                event.__dict__["messages"].clear()
                global junk
                junk = [bytearray(b"A" * 64) for _ in range(20_000)]
        MEMBERS = ("id", "role", "content", "name", "encrypted_value", "encrypted_value_type", "metadata", "subagent_run_id")
        SLOTS = ("__pydantic_fields_set__", {"id"}), ("__pydantic_extra__", None), ("__pydantic_private__", None)
        def lazy(index):
            message = object.__new__(UserMessage)
            values = (f"i{index}", "user", "c" * 10, None, None, None, None, None)
            for name, value in (*zip(MEMBERS, values), *SLOTS):
                object.__setattr__(message, name, value)
            return message
        for _ in range(5):
            event = MessagesSnapshotEvent(messages=[])
            event.messages = [lazy(index) for index in range(3_000)]
            gc.collect(), gc.disable()
            garbage = Garbage()
            garbage.me = garbage
            del garbage
            gc.set_threshold(300), gc.enable()
            text = EventEncoder().encode(event)
            gc.set_threshold(700)
            assert text.count('"id"') in (0, 3_000), "of one moment"
    """,
    "encoding, long integers and a second thread": """
        import sys, threading, time
        from ag_ui_native.core import CustomEvent
        from ag_ui_native.encoder import EventEncoder
        sys.set_int_max_str_digits(0)
        sys.setswitchinterval(1e-6)
        encoder, event, done = EventEncoder(), CustomEvent(name="n", value=[]), False
        def change():
            while not done:
                if value := event.__dict__["value"]:
                    value.clear()
                    junk = [bytearray(b"A" * 56) for _ in range(2_000)]
                time.sleep(0)
        thread = threading.Thread(target=change)
        thread.start()
        try:
            for digits in (4_000, 40_000):
                for _ in range(100):
                    event.__dict__["value"] = [[[10**digits - 1, ["a"] * 10], ["b"] * 10] for _ in range(3)]
                    assert encoder.encode(event).startswith("data: {")
        finally:
            done = True
            thread.join()
    """,
    "events as dictionaries, a tuple that iterates in its own way": """
        import logging
        from ag_ui_native.stream import enforce_events
        logging.disable()
        class Pair(tuple):
            def __iter__(self):
                outer.clear()
                global junk
                junk = [bytearray(b"A" * 40) for _ in range(20_000)]
                return super().__iter__()
        for more in [], [object()], [float("nan")]:
            outer = [Pair(([1], "text")), Pair(("text", 2)), {}, *more]
            try:
                (made,) = enforce_events([{"type": "RAW", "event": outer, "rawEvent": None}])
                assert more or made["event"] == [[[1], "text"], ["text", 2], {}], "of one moment"
            except (TypeError, ValueError):
                assert more
    """,
    "arguments that contain themselves": """
        from ag_ui_native import _native, core
        from ag_ui_native.encoder import EventEncoder
        from ag_ui_native.patch import apply_patch, diff
        from ag_ui_native.stream import Reducer, enforce_events
        loop = [{}]
        loop[0]["a"] = loop
        event = core.CustomEvent(name="n", value=loop)
        for call in (
            lambda: diff({}, {"a": loop}), lambda: apply_patch({}, [{"op": "add", "path": "/a", "value": loop}]),
            lambda: EventEncoder().encode(event), lambda: Reducer(state=loop), lambda: Reducer().apply(event),
            lambda: Reducer().apply({"type": "CUSTOM", "name": "n", "value": loop}), lambda: enforce_events([event]),
            lambda: _native.aggregate_usage(loop), lambda: _native.usage_from_vendor(loop[0], "langchain", None, None),
        ):
            try:
                call()
            except (Exception, RecursionError):
                pass
    """,
}
"""Programs that ran into freed memory, or past the end of the stack."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_end_well(name: str) -> None:
    program = textwrap.dedent(PROGRAMS[name])
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


class Colliding:
    """A key with the hash of a name in the dictionary. Its comparison raises, as many times as given."""

    def __init__(self, name: str, error: BaseException, times: int = 1) -> None:
        self.name, self.error, self.times = name, error, times

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        if self is not other and self.times:
            self.times -= 1
            raise self.error
        return False


@pytest.mark.parametrize("error", [ValueError("from a key"), KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("operation", ["add", "remove", "replace", "test", "move", "copy"])
def test_what_a_key_raises_goes_on(error: BaseException, operation: str) -> None:
    def document() -> Any:
        return {Colliding("x", error): 1, "a": 2}

    step = {"op": operation, "path": "/x", "value": 1, "from": "/a"}
    for in_place in (False, True):
        with pytest.raises(type(error)) as caught:
            apply_patch(document(), [step], in_place=in_place)
        assert caught.value is error
        with pytest.raises(type(error)) as caught:
            apply_patch({"a": 1}, [{Colliding("path", error): 1, **step}])
        assert caught.value is error


def test_in_place_is_all_or_nothing() -> None:
    stop = KeyboardInterrupt()
    pair = (1, {"deep": [1, 2]})
    document = {"x": 1, "y": [1], "pair": pair, "last": {Colliding("z", stop): 1}, "w": 0}
    deep, before = pair[1], copy.deepcopy({key: value for key, value in document.items() if key != "last"})
    steps = [
        {"op": "replace", "path": "/x", "value": 2},
        {"op": "remove", "path": "/y"},
        {"op": "add", "path": "/pair/1/deep/0", "value": 0},
        {"op": "add", "path": "/pair/-", "value": 3},
        {"op": "move", "from": "/w", "path": "/v"},
    ]
    for failing, error in [("/last/z", KeyboardInterrupt), ("/none/z", AGUIPatchError)]:
        with pytest.raises(error):
            apply_patch(document, [*steps, {"op": "add", "path": failing, "value": 1}], in_place=True)
        assert list(document) == ["x", "y", "pair", "last", "w"]
        assert {key: value for key, value in document.items() if key != "last"} == before
        assert document["pair"] is pair and pair[1] is deep


def test_a_key_that_takes_another_out() -> None:
    class Taker:
        asked = 0

        def __hash__(self) -> int:
            return hash("x")

        def __eq__(self, other: object) -> bool:
            Taker.asked += 1
            if Taker.asked == 2 and "x" in document:
                document.pop("x")
            return False

    document: dict[Any, Any] = {}
    document[Taker()], document["x"] = 1, 2
    Taker.asked = 0
    with pytest.raises(AGUIPatchError) as caught:
        apply_patch(document, [{"op": "remove", "path": "/x"}], in_place=True)
    assert caught.value.code == "patch_target_missing"


NUMBERS = [0, -1, 2**63, -(2**70), 10**4_000, 0.5, -0.0, 1e300, 1e16, 5e-324]


@pytest.mark.parametrize("number", NUMBERS)
def test_events_as_dictionaries_are_read_exactly(number: float) -> None:
    class Text(str):
        __slots__ = ()

    value = {"n": [number, (number,)], Text("t"): Text("\u2028\n")}
    (made,) = enforce_events([{"type": "RAW", "event": value, "more": 1}])
    assert json.dumps(made["event"]) == json.dumps({"n": [number, [number]], "t": "\u2028\n"})


def test_a_value_that_changes_while_it_is_copied(capfd: pytest.CaptureFixture[str]) -> None:
    class Key(str):
        def __hash__(self) -> int:
            value["more"] = 1
            return str.__hash__(self)

    value: dict[str, Any] = {}
    value[Key("k")] = {"list": []}
    document = {"x": 1, "y": [1]}
    steps = [{"op": "replace", "path": "/x", "value": 2}, {"op": "add", "path": "/z", "value": value}]
    apply_patch(document, steps, in_place=True)
    assert document == {"x": 2, "y": [1], "z": {"k": {"list": []}, "more": 1}}
    assert Reducer(state=value).state == document["z"]
    assert capfd.readouterr().err == ""


def test_containers_are_changed_by_what_dict_and_list_do() -> None:
    class Dict(dict):
        def __setitem__(self, key: Any, value: Any) -> None:
            raise AssertionError

        __delitem__ = __getitem__ = __contains__ = __iter__ = keys = copy = clear = update = __setitem__

    class List(list):
        def __setitem__(self, key: Any, value: Any) -> None:
            raise AssertionError

        __delitem__ = __getitem__ = __iter__ = __len__ = insert = __setitem__

    class Tuple(tuple):
        def __iter__(self) -> Any:
            raise AssertionError

        __len__ = __getitem__ = __iter__

    document = Dict(a=List([1, 2]), b=Tuple([1, 2]), c=3)
    steps = [
        {"op": op, "path": path, "value": 0} for path in ("/a/0", "/b/0", "/c") for op in ("add", "replace", "remove")
    ]
    result = apply_patch(document, steps)
    assert (dict(result), list.copy(dict.get(result, "a"))) == ({"a": [1, 2], "b": [1, 2]}, [1, 2])
    assert apply_patch(document, steps, in_place=True) is document
    assert list(dict.items(document)) == [("a", document.get("a")), ("b", [1, 2])]
    assert list.copy(dict.get(document, "a")) == [1, 2]
    assert diff({"a": List([1]), "b": Tuple([1])}, {"a": List([1]), "b": Tuple([2])}) != []


def test_copies_have_plain_keys() -> None:
    class Key(str):
        __slots__ = ()

    made = apply_patch({}, [{"op": "add", "path": "/a", "value": [{Key("k"): Key("v")}]}])
    assert made == {"a": [{"k": "v"}]} and type(next(iter(made["a"][0]))) is str
    for bad in (1, None, ("a",)):
        with pytest.raises(AGUIValidationError) as caught:
            apply_patch({}, [{"op": "add", "path": "/a", "value": {bad: 1}}])
        assert caught.value.code == "wrong_type"


EQUAL = [
    (1, 1.0, True),
    (2**63, float(2**63), True),
    (-(2**63), -float(2**63), True),
    (2**63 - 1, float(2**63), False),
    (2**70, 2.0**70, True),
    (10**6_000, 10**6_000, True),
    (10**6_000, 10**6_000 + 1, False),
    (True, 1, False),
    (float("inf"), float("inf"), True),
    ("\ud800", "\ud800", True),
    ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, True),
    ({"a": 1, "b": 2}, {"a": 1, "c": 2}, False),
    ([1, 2], (1, 2), True),
    ([1], [1, 2], False),
]


@pytest.mark.parametrize(("one", "other", "same"), EQUAL, ids=range(len(EQUAL)))
def test_what_tests_take_for_the_same(one: Any, other: Any, same: bool) -> None:
    for left, right in ((one, other), (other, one)):
        steps = [{"op": "test", "path": "/a", "value": right}]
        if same:
            apply_patch({"a": left}, steps)
        else:
            with pytest.raises(AGUIPatchError):
                apply_patch({"a": left}, steps)


@pytest.mark.parametrize("name", CLASSES)
def test_members_in_any_order_are_written_as_pydantic_does(name: str, fast_path: FastPath) -> None:
    for values in parsed(name):
        for event in (ours(name)(**values), ours(name).model_validate(values)):
            members = dict(reversed(event.__dict__.items()))
            event.__dict__.clear()
            event.__dict__.update(members)
            fast_path.taken()
            text = event.model_dump_json(by_alias=True)
            assert text == BaseModel.model_dump_json(event, by_alias=True)


DIGITS = [64, 65, 127, 128, 1_000, 4_299, 4_300, 4_301, 16_600, 20_000]


@pytest.mark.parametrize("bits", DIGITS)
def test_long_integers_are_written_as_pydantic_does(bits: int) -> None:
    for value in (2**bits, 2**bits - 1, -(2**bits), 3**bits % 2**bits, 10 ** (bits * 3 // 10)):
        event = core.RawEvent(event={"value": [value]})
        assert event.model_dump_json(by_alias=True) == BaseModel.model_dump_json(event, by_alias=True)


def test_looking_at_a_class_lets_interrupts_through() -> None:
    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            raise stop

    class Model(metaclass=Meta):
        pass

    stop: BaseException = KeyboardInterrupt()
    for use in (EventEncoder().encode, Reducer().apply, EventEncoder().encode_binary):
        with pytest.raises(KeyboardInterrupt):
            use(Model())
    event = ag_ui.core.MessagesSnapshotEvent(messages=[])
    event.messages.append(Model())  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        EventEncoder().encode(event)


def test_foreign_text_cannot_forge_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    forged = "\n2030-01-01 ERROR root: forged\r\u2028\x1b[2J\x85"
    events = [{"type": forged}, {"type": "CUSTOM", "name": "n", "value": 1, forged: 1}]
    decoder = EventDecoder()
    for event in events:
        decoder.feed(f"data: {json.dumps(event)}\n\n".encode())
    assert len(caplog.messages) == len(decoder.warnings) == 2
    for message in caplog.messages:
        assert "forged" in message and message.isprintable()
    assert forged in decoder.warnings[1].path

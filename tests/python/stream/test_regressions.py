"""Programs that failed once, each in a process of its own, and their output now."""

from __future__ import annotations

import pytest

from programs import run

SPACES = r"""
import json, logging
logging.disable()
from ag_ui_native.core import RunAgentInput
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import EventDecoder, EventPipeline, decode_event
bad = 0
for text in (
    '[ "asd"]', '{"a":  "b"}', '{"a":\t"b"}', '{"a":\n"b"}', '[1,  "x"]', '[1,\n"x"]', '{"a":  null}', '{"a":  {"b":1}}', '{"a":  [1,2]}',
    '{"a":  true}', '{"k":1,  "a":2}', '[ {"role":"x"},{"role":"y"}]', '[\n["a"]]', '{"a":  "12"}', '[ "a", "b" ]', '["a" ,"b"]',
):
    event = '{"type":"CUSTOM","name":"n","value":' + text + '}'
    for options in ({}, {"as_dicts": True}, {"profile": "strict"}, {"profile": "relay"}):
        made = decode_event(event, **options)
        bad += (made["value"] if isinstance(made, dict) else made.value) != json.loads(text)
pipeline = EventPipeline()
for event in (
    '{"type":"RUN_STARTED","threadId":"t","runId":"r"}',
    '{"type":"STATE_SNAPSHOT","snapshot":{"user":  {"name":"Ada"},"tags":[ "a"]}}',
    '{"type":"STATE_DELTA","delta":[{"op":"add","path":"/x","value":[ "v"]}]}',
):
    pipeline.feed(f"data: {event}\n\n".encode())
print(pipeline.state)
members = '"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]'
given = RunAgentInput.model_validate_json("{" + members + ',"state":{"user":  "Ada"},"forwardedProps":{"a":  [1]}}')
print(given.state, given.forwarded_props)
(event,) = EventDecoder().feed(b'data: {"type":"CUSTOM","name":"n","value":{"a":  "b"}}\n\n')
print(EventEncoder().encode(event).strip())
print("bad", bad)
"""

CLEARED_BY_THE_COLLECTOR = """
import gc
from ag_ui_native.patch import diff
class Cache:
    def __init__(self, document): self.document = document; self.me = self
    def __del__(self):
        self.document.clear()
        global junk
        junk = [bytearray(b"A" * 56) for _ in range(20_000)]
def compare(old, new, threshold):
    gc.collect(); gc.disable()
    Cache(new)
    gc.set_threshold(threshold); gc.enable()
    made = diff(old, new)
    gc.set_threshold(700)
    # Of one moment: before it was cleared, or after.
    return len(made) in (whole, len(old)) and str(made)
old = {f"k{i}": "x" * 50 for i in range(200)}
whole = 60
print(bool(compare(old, {**old, **{f"n{i}": {"v": ["payload" * 3, i]} for i in range(60)}}, 5)))
keep = "x" * 500_000
whole = 2_000
for _ in range(5):
    new = {f"b{i}": [[f"x{i}"] * 5, {"y": i}] for i in range(2_000)}
    print(bool(compare({"keep": keep}, {**new, "keep": keep}, 500)))
print("survived")
"""

CLEARED_BY_A_KEY = """
from ag_ui_native.patch import diff
class Key(str):
    armed = False
    def __hash__(self):
        if Key.armed:
            Key.armed = False
            new.clear()
            global junk
            junk = [bytearray(b"A" * 56) for _ in range(20_000)]
        return str.__hash__(self)
keep = "x" * 50_000
for _ in range(20):
    new = {"keep": keep, "a": {Key("k"): 1}, **{f"b{i}": [[f"x{i}"] * 5, {"y": i}] for i in range(50)}}
    Key.armed = True
    made = diff({"keep": keep}, new)
    assert made[0]["value"] == {"k": 1} and made[-1]["value"] == [["x49"] * 5, {"y": 49}]
print(len(made))
"""

HALF_DONE = """
import logging
logging.disable()
from ag_ui_native.patch import apply_patch
from ag_ui_native.stream import EventDecoder
class Key(str):
    armed = None
    def __hash__(self):
        if isinstance(Key.armed, BaseException): raise Key.armed
        if Key.armed: Key.armed = None; value["more"] = 1
        return str.__hash__(self)
for armed in True, KeyboardInterrupt("asked for"):
    value, document = {Key("k"): 1, "b": 2}, {"x": 1, "y": [1]}
    steps = [{"op": "replace", "path": "/x", "value": 2}, {"op": "remove", "path": "/y"}, {"op": "add", "path": "/z", "value": value}]
    Key.armed = armed
    try:
        apply_patch(document, steps, in_place=True)
    except KeyboardInterrupt as error:
        assert error is armed and document == {"x": 1, "y": [1]}
    else:
        document["z"].pop("more", None)
        assert document == {"x": 2, "z": {"k": 1, "b": 2}}
    Key.armed = None
def boom(warning): raise ZeroDivisionError
event = b'data: {"type":"CUSTOM","name":"n","value":1%s}\\n\\n'
decoder, raised, got = EventDecoder(on_warning=boom), 0, []
for chunk in (event % b"" + event % b',"q":1' + event % b"", event % b""):
    try:
        got += decoder.feed(chunk)
    except ZeroDivisionError:
        raised += 1
print("raised", raised, "got", len(got))
"""

CALLBACKS_THAT_RAISE = """
import json, logging
logging.disable()
from ag_ui_native.stream import EventDecoder, EventPipeline
def sse(*events): return b"".join(b"data: " + json.dumps(event).encode() + b"\\n\\n" for event in events)
def step(name, **more): return {"type": "STEP_STARTED", "stepName": name, **more}
def boom(warning): raise ValueError("from the callback")
decoder, pipeline = EventDecoder(on_warning=boom), EventPipeline(on_warning=boom)
message = {"type": "TEXT_MESSAGE_START", "messageId": "m"}, {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x", "odd": 1}
for it, chunk in (
    (decoder, sse(step("a"), step("b", odd=1))),
    (pipeline, sse({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, *message)),
):
    try:
        it.feed(chunk)
    except ValueError as error:
        print(error)
print([event.step_name for event in decoder.feed(sse(step("c")))])
print([message.content for message in pipeline.messages], [change.kind for change in pipeline.feed(b"")])
"""

CYCLES = """
import gc, weakref
from ag_ui_native.core import CustomEvent
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import ChunkExpander, EventDecoder, EventPipeline, EventVerifier, Reducer
for cls in (EventDecoder, EventPipeline, Reducer, EventVerifier, ChunkExpander):
    class Reader:
        def __init__(self): self.it = cls(on_warning=self.warn)
        def warn(self, warning): pass
    gone = [weakref.ref(Reader()) for _ in range(2_000)]
    gc.collect()
    print(cls.__name__, gc.is_tracked(cls()), sum(one() is not None for one in gone))
encoder = EventEncoder()
encoder.me = encoder
event = CustomEvent(name="n", value=None)
event.value = [event]
gone = [weakref.ref(encoder), weakref.ref(event)]
del encoder, event
for _ in range(1_000):
    reducer = Reducer(state={})
    reducer.state["me"] = reducer
del reducer
gc.collect()
print([one() for one in gone], sum(type(one) is Reducer for one in gc.get_objects()))
"""

FIRST = """
import sys
if sys.argv[1:]: import ag_ui_native.core
from ag_ui_native import _native
from ag_ui_native.stream import EventDecoder
data = b"".join(b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x%d"}\\n\\n' % at for at in range(300))
for _ in range(2):
    events = EventDecoder().feed(data)
    print(len(events), {type(event).__name__ for event in events}, _native.fast_path_stats()[1:])
"""

REIMPORT = """
import sys
import ag_ui_native.core as first
for name in [name for name in sys.modules if name.startswith("ag_ui_native") and name != "ag_ui_native._native"]: del sys.modules[name]
try:
    import ag_ui_native.core
except ImportError as error:
    print("imported before" in str(error))
event = first.CustomEvent(name="n", value=1)
print(event.model_dump_json(), first.CustomEvent.model_validate_json(event.model_dump_json()) == event)
"""

ODD_OBJECTS = """
from ag_ui_native.core import CustomEvent
from ag_ui_native.encoder import EventEncoder
class Text(str):
    def __str__(self): raise AssertionError
    __hash__ = __len__ = __iter__ = __str__
class Number(int):
    def __index__(self): raise AssertionError
    __int__ = __bool__ = __str__ = __repr__ = __index__
class List(list):
    def __iter__(self): self.clear(); return iter([object()])
    def __len__(self): return 1 << 60
class Dict(dict):
    def items(self): self.clear(); return [("odd",)]
    __iter__ = keys = values = items
class Raises:
    def __getattribute__(self, name): raise LookupError(name)
for value in Text("x"), Number(1), List([1, [2]]), Dict(a=[1]), Raises(), object(), [Text("x"), Raises()], {"a": List([Dict(a=Raises())])}:
    for method in "encode", "encode_binary":
        event = CustomEvent(name="n", value=None)
        event.__dict__["value"] = value
        try:
            getattr(EventEncoder(), method)(event)
        except Exception:
            pass
event = CustomEvent(name="n", value=1)
print(EventEncoder().encode(event).strip())
"""

EVENTS = "300 {'TextMessageContentEvent'} (0, 0)"
CUSTOM = '{"type":"CUSTOM","name":"n","value":1}'

PROGRAMS = {
    "white space inside free values": (
        SPACES,
        [
            "{'user': {'name': 'Ada'}, 'tags': ['a'], 'x': ['v']}",
            "{'user': 'Ada'} {'a': [1]}",
            'data: {"type":"CUSTOM","name":"n","value":{"a":"b"}}',
            "bad 0",
        ],
    ),
    "a finalizer clears what is compared": (CLEARED_BY_THE_COLLECTOR, [*["True"] * 6, "survived"]),
    "a key clears what is compared": (CLEARED_BY_A_KEY, ["51"]),
    "a patch half done, events lost": (HALF_DONE, ["raised 1 got 4"]),
    "callbacks that raise": (
        CALLBACKS_THAT_RAISE,
        [*["from the callback"] * 2, "['a', 'b', 'c']", "['x'] ['message_inserted', 'text_appended']"],
    ),
    "cycles": (
        CYCLES,
        [
            *[
                f"{name} True 0"
                for name in ("EventDecoder", "EventPipeline", "Reducer", "EventVerifier", "ChunkExpander")
            ],
            "[None, None] 0",
        ],
    ),
    "the cold path": (FIRST, [EVENTS] * 2),
    "modules imported anew": (REIMPORT, ["True", f"{CUSTOM} True"]),
    "odd objects through the encoder": (ODD_OBJECTS, [f"data: {CUSTOM}"]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_program_prints(name: str) -> None:
    program, printed = PROGRAMS[name]
    assert run(program).splitlines() == printed


def test_the_cold_path_behind_the_classes() -> None:
    assert run(FIRST, "core").splitlines() == [EVENTS] * 2

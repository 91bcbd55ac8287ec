"""Classes and numbers that report a wrong type or value: the engine reads Python's own layout, or leaves them to
pydantic."""

from __future__ import annotations

import pytest

from programs import run

PROGRAMS = {
    "a class that only says that it is the official package's": """
        import ag_ui.core
        from ag_ui.core import RawEvent as Real
        from ag_ui_native.encoder import EventEncoder
        real = Real(event=1)
        looks = {name: getattr(Real, name) for name in ("model_fields", "__pydantic_validator__", "__pydantic_decorators__", "model_dump_json")}
        for base in (int, float, tuple, str, object, Exception, dict):
            Fake = type("RawEvent", (base,), {**looks, "__module__": "ag_ui.core.events"})
            fake = Fake() if base in (object, Exception, dict) else Fake({int: 1 << 300, float: 1e300, tuple: (1, 2), str: "x"}[base])
            fake.__dict__.update(real.__dict__)
            for encoder in (EventEncoder(), EventEncoder(timestamps=True)):
                try:
                    encoder.encode(fake)
                except Exception:
                    pass
        assert EventEncoder().encode(real) == 'data: {"type":"RAW","event":1}\\n\\n'
    """,
    "a metaclass that lies about bases": """
        from pydantic import BaseModel
        from ag_ui.core import RawEvent as Real
        from ag_ui_native.encoder import EventEncoder
        class Liar(type):
            def __subclasscheck__(cls, other):
                return True
            def __getattribute__(cls, name):
                if name in ("__mro__", "__bases__"):
                    return (cls, BaseModel, object)
                return type.__getattribute__(cls, name)
        looks = {name: getattr(Real, name) for name in ("model_fields", "__pydantic_validator__", "__pydantic_decorators__", "model_dump_json")}
        Fake = Liar("RawEvent", (int,), {**looks, "__module__": "ag_ui.core.events"})
        fake = Fake(1 << 300)
        fake.__dict__.update(Real(event=1).__dict__)
        try:
            EventEncoder().encode(fake)
        except Exception:
            pass
    """,
    "slots of pydantic's that collide, are deleted and replaced": """
        import copy, gc, pickle
        from ag_ui_native import core
        from ag_ui_native.encoder import EventEncoder
        slots = ("__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
        class Again(core.RawEvent):
            __slots__ = slots
        again = Again(event=1, more=2)
        assert again.model_extra == {"more": 2} and again.model_fields_set == {"event", "more"}
        text = EventEncoder().encode(again)
        assert text == EventEncoder().encode(core.RawEvent(event=1, more=2))
        for name in slots:
            for odd in (None, 5, (), frozenset({"x"}), type("Odd", (dict,), {"items": None})(a=1), {1: 2}, "x"):
                event = core.RawEvent(event=1)
                object.__setattr__(event, name, odd)
                for act in (lambda: EventEncoder().encode(event), event.model_dump_json, lambda: event == core.RawEvent(event=1),
                            lambda: copy.deepcopy(event), lambda: pickle.dumps(event), lambda: repr(event), event.model_copy):
                    try:
                        act()
                    except Exception:
                        pass
            event = core.RawEvent(event=1)
            object.__delattr__(event, name)
            for _ in range(2):
                try:
                    getattr(event, name)
                except AttributeError:
                    continue
                raise SystemExit(name)
            try:
                EventEncoder().encode(event)
            except Exception:
                pass
            gc.collect()
        assert EventEncoder().encode(core.RawEvent(event=1)) == 'data: {"type":"RAW","event":1}\\n\\n'
    """,
    "dictionaries in the place of __dict__": """
        from ag_ui_native import core
        from ag_ui_native.encoder import EventEncoder
        class Odd(dict):
            def __getitem__(self, key): raise RuntimeError
            def __iter__(self): raise RuntimeError
            def __len__(self): return 1 << 40
            def items(self): raise RuntimeError
        expected = EventEncoder().encode(core.TextMessageContentEvent(message_id="m", delta="d"))
        event = core.TextMessageContentEvent(message_id="m", delta="d")
        event.__dict__ = Odd(event.__dict__)
        assert EventEncoder().encode(event) == expected
        for odd in ({}, {"delta": "d"}, {1: 2}, Odd()):
            event.__dict__ = odd
            try:
                EventEncoder().encode(event)
            except Exception:
                pass
        nested = core.AssistantMessage(id="a", tool_calls=[core.ToolCall(id="c", function={"name": "f", "arguments": ""})])
        nested.tool_calls[0].__dict__ = {}
        try:
            nested.model_dump_json(by_alias=True)
        except Exception:
            pass
    """,
    "an object that changes its class, and several bases": """
        from ag_ui_native import core
        from ag_ui_native.encoder import EventEncoder
        class Mixin:
            __slots__ = ()
            def model_post_init(self, context): self.__dict__["event"] = 7
        class Both(Mixin, core.RawEvent):
            pass
        assert EventEncoder().encode(Both(event=1)) == 'data: {"type":"RAW","event":7}\\n\\n'
        class Room:
            __slots__ = ("a", "b", "c")
        for bases in ((int, core.RawEvent), (core.RawEvent, int), (Room, core.RawEvent), (Exception, core.RawEvent)):
            try:
                type(core.RawEvent)("Odd", bases, {})
            except TypeError as error:
                assert "lay-out conflict" in str(error), error
                continue
            raise SystemExit(str(bases))
        event = core.RawEvent(event=1)
        event.__class__ = core.CustomEvent
        for act in (lambda: EventEncoder().encode(event), event.model_dump_json, lambda: repr(event)):
            try:
                act()
            except Exception:
                pass
        event.__class__ = core.RawEvent
        assert EventEncoder().encode(event) == 'data: {"type":"RAW","event":1}\\n\\n'
        for wrong in (int, Room, dict, BaseException):
            try:
                event.__class__ = wrong
            except TypeError:
                continue
            raise SystemExit(str(wrong))
    """,
    "what is bound to something else than a protocol class": """
        from ag_ui_native import core
        base = next(cls for cls in core.RawEvent.__mro__ if "model_validate_json" in vars(cls))
        descriptor = vars(base)["model_validate_json"]
        for owner in (5, "x", int, object(), type, type(core.RawEvent), base):
            try:
                descriptor.__get__(None, owner)('{"type":"RAW","event":1}')
            except Exception:
                pass
        class Meta(type(core.RawEvent)):
            def __call__(cls, *args, **kwargs):
                return super().__call__(*args, **kwargs)
        class Own(core.RawEvent, metaclass=Meta):
            pass
        assert Own(event=1).event == 1 and Own.model_validate_json('{"type":"RAW","event":1}').event == 1
        # A class may change its metaclass for one of the same layout.
        class Plain(type(core.RawEvent)):
            pass
        core.RawEvent.__class__ = Plain
        assert core.RawEvent(event=2).event == 2
        core.RawEvent.__class__ = Plain.__base__
        assert core.RawEvent(event=3).event == 3
    """,
    "numbers and texts with methods that lie": """
        from ag_ui_native import core
        from ag_ui_native.encoder import EventEncoder
        from ag_ui_native.patch import apply_patch, diff
        from ag_ui_native.stream import Reducer
        def lies(base):
            def raises(*_, **__): raise RuntimeError("a method was called")
            names = ["__float__", "__int__", "__index__", "__str__", "__repr__", "__eq__", "__bool__", "__len__", "__iter__", "__trunc__",
                     "__getitem__", "__neg__", "__abs__", "__lt__", "__ge__", "bit_length", "is_integer", "hex", "as_integer_ratio", "encode"]
            made = {name: raises for name in names if hasattr(base, name) or name in ("__float__", "__int__", "__index__")}
            return type("Lying", (base,), {**made, "__hash__": base.__hash__})
        Int, Float, Str = map(lies, (int, float, str))
        big = 1 << 90
        for lying, true in ((Int(5), 5), (Int(-big), -big), (Int(1 << 63), 1 << 63), (Float(1.5), 1.5), (Float(-0.0), -0.0), (Str("é"), "é")):
            is_true = lambda value: type(true).__eq__(value, true)
            assert diff({"a": true}, {"a": lying}) == [] and diff({"a": lying}, {"a": true}) == []
            (step,) = diff({}, {"a": lying})
            assert is_true(step["value"])
            assert is_true(apply_patch({}, [step])["a"]) and is_true(apply_patch({"a": lying}, [{**step, "op": "test"}])["a"])
            made = Reducer(state={"a": lying})
            assert is_true(made.state["a"])
            event = core.StateSnapshotEvent(snapshot={"a": true})
            assert [change.kind for change in made.apply(event)] == ["state_set"] and type(made.state["a"]) is type(true)
        for odd in (Float("nan"), Float("inf")):
            try:
                Reducer(state={"a": odd})
            except ValueError as error:
                assert error.path == "/state/a", error
                continue
            raise SystemExit("a number that JSON does not have")
    """,
    "classes that are made and encoded in threads, while the collector runs": """
        import gc, sys, threading
        import ag_ui.core
        from ag_ui_native import core
        from ag_ui_native.encoder import EventEncoder
        sys.setswitchinterval(1e-6)
        gc.set_threshold(1)
        failures = []
        def work(number):
            try:
                for turn in range(20):
                    Own = type(core.RawEvent)("RawEvent", (core.RawEvent,), {"__module__": "ag_ui.core.events"})
                    Official = type(ag_ui.core.RawEvent)("RawEvent", (ag_ui.core.RawEvent,), {"__module__": "ag_ui.core.events"})
                    for cls in (Own, Official, core.RawEvent, ag_ui.core.RawEvent):
                        event = cls(event=[number, turn])
                        event.me = event
                        del event.me
                        assert f"[{number},{turn}]" in EventEncoder().encode(event).replace(" ", ""), cls
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert not failures, failures
    """,
    "a BaseModel without the slots": """
        import warnings
        import pydantic
        class Without(pydantic.BaseModel):
            __slots__ = ("room",)
        pydantic.BaseModel = Without
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            from ag_ui_native import core
            from ag_ui_native.encoder import EventEncoder
        assert any("without its native engine" in str(warning.message) for warning in told), told
        assert EventEncoder().encode(core.RawEvent(event=1)) == 'data: {"type":"RAW","event":1}\\n\\n'
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_odd_classes(name: str) -> None:
    run(PROGRAMS[name], PYTHONMALLOC="debug", PYTHONFAULTHANDLER="1")

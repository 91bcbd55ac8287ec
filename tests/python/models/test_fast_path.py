"""The native engine handles every class, except where pydantic has to."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections import OrderedDict
from typing import Any, get_args

import pytest
from pydantic import BaseModel, PrivateAttr, TypeAdapter
from pydantic_core import SchemaValidator, core_schema

from ag_ui_native import _native, core
from ag_ui_native.core.engine import UNIONS, shows_arguments
from ag_ui_native.encoder import EventEncoder
from conftest import CLASSES, SAMPLES, FastPath, official, ours, parsed
from test_drop_in import built

# Its validator of its own is the class's, so pydantic runs it.
WITH_VALIDATOR = {"BinaryInputContent"}


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_constructed_natively(name: str, fast_path: FastPath) -> None:
    cls = ours(name)
    for given in parsed(name):
        whole = cls.model_validate(given)
        arguments = {field: getattr(whole, field) for field in whole.model_fields_set}
        by_wire_name = {cls.model_fields[field].alias: member for field, member in arguments.items()}
        fast_path.taken()
        cls(**arguments)
        cls(**by_wire_name)
        assert fast_path.taken()[0] == (0 if name in WITH_VALIDATOR else 2)


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_built_natively_from_dictionaries(name: str, fast_path: FastPath) -> None:
    cls = ours(name)
    for given in parsed(name):
        fast_path.taken()
        made = cls(**given, undeclared=given)
        assert fast_path.taken()[0] == (0 if name in WITH_VALIDATOR else 1)
        assert made.undeclared is given


@pytest.mark.skipif(not shows_arguments(), reason="this pydantic shows no arguments: its own validators stay")
@pytest.mark.parametrize("name", sorted({*CLASSES} - WITH_VALIDATOR))
def test_other_validators_build_every_class_natively_from_dictionaries(name: str, fast_path: FastPath) -> None:
    cls = ours(name)
    assert "FunctionWrapValidator" in repr(cls.__pydantic_validator__)
    members = _native.members_validator(cls)
    # The handler returns the value itself.
    validate = SchemaValidator(core_schema.no_info_wrap_validator_function(members, core_schema.any_schema()))
    for given in parsed(name):
        values, extra, names = validate.validate_python(given)
        made = cls.model_validate(given)
        assert (values, dict(extra), names) == (made.__dict__, made.model_extra, made.model_fields_set)
        odd = OrderedDict(given)
        assert validate.validate_python(odd) is odd
        for unusual in ({"by_alias": False}, {"by_name": False}, {"extra": "ignore"}, {"from_attributes": False}):
            assert validate.validate_python(given, **unusual) is given
        assert validate.validate_python(given, by_alias=True, extra="allow", from_attributes=True)[0] == values
        assert members(given, lambda value: value) is given
        fast_path.taken()
        cls.model_validate(given)
        cls.model_validate(odd)
        assert fast_path.taken()[0] == 1


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_encoded_natively(name: str, fast_path: FastPath) -> None:
    encoder = EventEncoder()
    for given in parsed(name):
        for cls in (ours(name), official(name)):
            for model in (built(cls, given), cls.model_validate(given)):
                fast_path.taken()
                encoder.encode(model)
                encoder.encode_binary(model)
                assert fast_path.taken()[1] == 2
        fast_path.taken()
        built(ours(name), given).model_dump_json(by_alias=True)
        assert fast_path.taken()[1] == 1


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_decoded_natively(name: str, fast_path: FastPath) -> None:
    for sample in SAMPLES[name]:
        ours(name).model_validate_json(sample)
        ours(name).model_validate_json(sample.encode())
        ours(name).model_validate_json(bytearray(sample.encode()))
        assert fast_path.taken()[2] == 2


@pytest.mark.parametrize("union", UNIONS)
def test_adapters_of_unions_make_every_class_natively(union: str, fast_path: FastPath) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(getattr(core, union))
    for cls in get_args(get_args(getattr(core, union))[0]):
        for given in parsed(cls.__name__):
            fast_path.taken()
            made = adapter.validate_python(given)
            assert type(adapter.validate_json(json.dumps(given))) is type(made) is cls
            assert adapter.validate_python(made) is made
            assert fast_path.taken() == (2, 0, 1)


def refuse(*_: Any, **__: Any) -> Any:
    raise AssertionError("pydantic is called")


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_is_dumped_copied_and_compared_natively(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    models = [built(ours(name), given) for given in parsed(name)]
    models += [ours(name).model_validate(given) for given in parsed(name)]
    expected = [model.model_dump() for model in models]
    for method in ("model_dump", "model_copy", "__copy__", "__deepcopy__", "__eq__"):
        monkeypatch.setattr(BaseModel, method, refuse)
    for model, dumped in zip(models, expected, strict=True):
        assert model.model_dump() == dumped
        assert model.model_copy() == copy.copy(model) == copy.deepcopy(model) == model
        model.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_unset=True, exclude_defaults=True)
        model.model_dump(include={"type", "id"}, exclude={"id"})
        with pytest.raises(AssertionError):
            model.model_dump(round_trip=True)


def test_subclasses_are_copied_and_compared_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mixin:
        pass

    class Noted(Mixin, core.StepStartedEvent):
        note: str | None = None
        _secret: list[int] = PrivateAttr(default_factory=list)

    model = Noted(step_name="s", note="n", more=1)
    for method in ("model_copy", "__copy__", "__eq__"):
        monkeypatch.setattr(BaseModel, method, refuse)
    assert model.model_copy() == copy.copy(model) == model
    changed = model.model_copy(update={"note": "o", "other": 2})
    assert changed != model and changed.model_extra == {"more": 1, "other": 2}
    assert changed.model_fields_set == {"step_name", "note", "more", "other"}
    # A change of a class is noticed, also of one that another derives from.
    lower: Any = type("Lower", (Noted,), {})(step_name="s")
    assert lower.model_copy() == lower
    monkeypatch.setattr(Noted, "__copy__", lambda self: "copied", raising=False)
    with pytest.raises(AssertionError, match="pydantic is called"):
        lower.model_copy()


def test_a_change_of_pydantics_methods_reaches_subclasses(monkeypatch: pytest.MonkeyPatch) -> None:
    class Noted(core.StepStartedEvent):
        note: str | None = None

    model, given = Noted(step_name="s"), {"step_name": "s"}
    assert model.model_dump() == {**model.model_dump(), **given} and Noted.model_validate(given) == model
    for method in ("model_dump", "model_dump_json", "model_validate", "model_validate_json"):
        monkeypatch.setattr(BaseModel, method, classmethod(refuse) if "validate" in method else refuse)
    for act in (model.model_dump, model.model_dump_json):
        with pytest.raises(AssertionError, match="pydantic is called"):
            act()
    for validate in (Noted.model_validate, Noted.model_validate_json):
        with pytest.raises(AssertionError, match="pydantic is called"):
            validate("{}")


@pytest.mark.parametrize("is_first", [True, False])
def test_the_methods_of_another_parent_run(is_first: bool) -> None:
    class Other(BaseModel):
        def model_dump(self, **_: Any) -> dict[str, Any]:
            return {"other": 1}

        def model_copy(self, **_: Any) -> Any:
            return "copied"

        def __copy__(self) -> Any:
            return "copied"

        def __deepcopy__(self, memo: Any = None) -> Any:
            return "copied"

        def __eq__(self, other: object) -> Any:
            return "compared"

    parents = (core.StepStartedEvent, Other) if is_first else (Other, core.StepStartedEvent)
    model: Any = type("Both", parents, {})(step_name="s")
    assert model.model_dump() == model.model_dump(by_alias=True) == {"other": 1}
    assert model.model_copy() == copy.copy(model) == copy.deepcopy(model) == "copied"
    same = model
    assert (model == same) == (model == 1) == "compared"


def test_subclasses_are_pydantics(fast_path: FastPath) -> None:
    class Narrower(core.StepStartedEvent):
        step_name: str = "default"

    fast_path.taken()
    assert EventEncoder().encode(Narrower()) == 'data: {"type":"STEP_STARTED","stepName":"default"}\n\n'
    assert type(Narrower.model_validate_json("{}")) is Narrower
    assert fast_path.taken() == (0, 0, 0)


@pytest.mark.parametrize(
    "attribute",
    ["__init__", "__new__", "__setattr__", "model_post_init", "model_dump", "model_dump_json", "model_copy", "__eq__"],
)
def test_patched_classes_are_pydantics(attribute: str) -> None:
    script = f"""
from unittest import mock
from ag_ui_native import _native, core
with mock.patch.object(core.{{cls}}, {attribute!r}, mock.DEFAULT):
    before = _native.fast_path_stats()[0]
    try:
        core.StepStartedEvent(step_name="s")
    except TypeError:
        pass
    assert _native.fast_path_stats()[0] == before
"""
    for cls in ("StepStartedEvent", "BaseEvent"):
        subprocess.run([sys.executable, "-c", script.format(cls=cls)], check=True)


def test_a_patched_initialiser_runs() -> None:
    script = """
from ag_ui_native import core
seen = []
core.StepStartedEvent.__init__ = lambda self, **values: seen.append(values)
core.StepStartedEvent(step_name="s")
assert seen == [{"step_name": "s"}]
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unknown_pydantic_is_left_alone() -> None:
    script = """
import warnings
from pydantic import BaseModel
answers = iter(range(100))
BaseModel.model_fields_set = property(lambda self: {next(answers)})
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from ag_ui_native import core
assert "native engine" in str(caught[0].message), caught
event = core.StepStartedEvent(step_name="s")
assert event.model_dump_json(by_alias=True) == '{"type":"STEP_STARTED","stepName":"s"}'
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import EventDecoder, decode_event
assert EventDecoder().feed(EventEncoder().encode_binary(event)) == [event]
assert decode_event(event.model_dump_json(by_alias=True), profile="strict") == event
"""
    subprocess.run([sys.executable, "-c", script], check=True)


COUNT_CALLS = """
import sys
def calls(work):
    count = 0
    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
def stream(count):
    return b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d"}\\n\\n' * count
"""


def test_an_unknown_pydantic_costs_a_few_calls_for_each_event() -> None:
    # Each way there and back is some tenths of a microsecond; an adapter made anew would be thousands.
    script = """
import warnings
from pydantic import BaseModel
answers, known = iter(range(100)), BaseModel.model_fields_set
BaseModel.model_fields_set = property(lambda self: {next(answers)})
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from ag_ui_native import core
BaseModel.model_fields_set = known
from ag_ui_native.stream import EventDecoder, EventPipeline, decode_event
for work in (
    EventDecoder().feed,
    EventPipeline(verify=False, reduce=False).feed,
    lambda data: [decode_event(line[6:]) for line in data.splitlines() if line],
):
    work(stream(1))
    counts = [calls(lambda: work(stream(count))) for count in (100, 200, 400)]
    assert counts[1] - counts[0] <= 600 and counts[2] - counts[1] <= 1200, counts
"""
    subprocess.run([sys.executable, "-c", COUNT_CALLS + script], check=True)


def test_the_engine_starts_without_the_classes_being_asked_for() -> None:
    script = """
from ag_ui_native import _native
from ag_ui_native.stream import EventDecoder, EventPipeline, decode_event
decoder, pipeline = EventDecoder(), EventPipeline(verify=False, reduce=False)
for work in (decoder.feed, pipeline.feed, lambda data: decode_event(data[6:])):
    assert calls(lambda: work(stream(1))) < 10
assert calls(lambda: decoder.feed(stream(300))) < 10
event = decoder.feed(stream(1))[0]
before = _native.fast_path_stats()[0]
type(event)(message_id="m", delta="d")
assert _native.fast_path_stats()[0] == before + 1
"""
    subprocess.run([sys.executable, "-c", COUNT_CALLS + script], check=True)


def test_a_second_family_of_classes_is_refused_by_name() -> None:
    script = """
import sys, importlib
import ag_ui_native.core, ag_ui_native.stream
first = ag_ui_native.core
importlib.reload(ag_ui_native)
importlib.reload(first)
assert importlib.import_module("ag_ui_native.core") is first
event = first.CustomEvent(name="n", value=1)
def drop(prefix):
    for name in [name for name in sys.modules if name.startswith(prefix) and name != "ag_ui_native._native"]:
        del sys.modules[name]
for prefix, wanted in (("ag_ui_native.core", "ag_ui_native.core"), ("ag_ui_native", "ag_ui_native.stream")):
    drop(prefix)
    for attempt in range(2):
        try:
            importlib.import_module(wanted)
        except ImportError as error:
            assert "imported before" in str(error), error
        else:
            raise AssertionError("not refused")
assert event.model_dump_json() == '{"type":"CUSTOM","name":"n","value":1}'
assert first.CustomEvent.model_validate_json(event.model_dump_json()) == event
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unusual_value_hands_over_everything(fast_path: FastPath) -> None:
    class Word(str):
        pass

    event = core.TextMessageContentEvent(message_id=Word("m"), delta=b"d")
    assert fast_path.taken()[0] == 0
    assert (event.message_id, event.delta, type(event.message_id)) == ("m", "d", str)


def test_a_tag_assigned_later_counts() -> None:
    part: Any = core.TextPart(text="x")
    part.type = "image"
    with pytest.raises(ValueError, match="image"):
        core.UserMessage(id="m", content=[part])

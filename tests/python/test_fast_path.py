"""The native engine is taken, for every class; and it steps aside where it must."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from ag_ui_native import core
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


def test_subclasses_are_pydantics(fast_path: FastPath) -> None:
    class Narrower(core.StepStartedEvent):
        step_name: str = "default"

    fast_path.taken()
    assert EventEncoder().encode(Narrower()) == 'data: {"type":"STEP_STARTED","stepName":"default"}\n\n'
    assert type(Narrower.model_validate_json("{}")) is Narrower
    assert fast_path.taken() == (0, 0, 0)


@pytest.mark.parametrize("attribute", ["__init__", "__new__", "__setattr__", "model_post_init", "model_dump_json"])
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

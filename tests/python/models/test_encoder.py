"""The encoder writes the same bytes as the official one."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import time
import types
import uuid
import warnings
from typing import Any

import ag_ui.core as official_core
import ag_ui.encoder as official_encoder
import hypothesis
import pytest
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_serializer, model_serializer
from pydantic_core import PydanticSerializationError

from ag_ui_native import core
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.errors import AGUIValidationError
from ag_ui_native.stream import EventDecoder
from conftest import CLASSES, fixture_cases, official, ours, parsed
from test_drop_in import built

MINE, THEIRS = EventEncoder(), official_encoder.EventEncoder()


def frame(encoder: Any, model: Any) -> Any:
    """The frame, or the failure; warnings count."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = encoder.encode(model)
        except Exception as error:
            result = type(error), str(error)
    return result, [str(warning.message).replace("ag_ui_native.core.", "") for warning in caught]


def same(model: Any, other: Any) -> None:
    expected = frame(THEIRS, other)
    assert frame(MINE, model) == expected
    assert frame(MINE, other) == expected


@pytest.mark.parametrize("name", CLASSES)
def test_every_class(name: str) -> None:
    for given in parsed(name):
        same(built(ours(name), given), built(official(name), given))
        extra = {**given, "some extra": [None, {"a": 1.5}], "zwölf": "\x00\u2028"}
        same(ours(name)(**extra), official(name)(**extra))


@pytest.mark.parametrize("count", [1, 7, 64, 300])
def test_keys_that_occur_again(count: int) -> None:
    """Dictionaries that share the objects of their keys, and ones with equal keys of their own."""
    keys = [("k" * (at % 20) + str(at)) + ("", '"\n', "ä😀")[at % 3] for at in range(count)]
    for _ in range(3):
        own = json.loads(json.dumps([dict.fromkeys(keys, 1), {"in": {key: [{keys[0]: 2}] for key in reversed(keys)}}]))
        state = [dict.fromkeys(keys), *own, {key: {key: [{key: key}]} for key in keys}, {}]
        same(core.StateSnapshotEvent(snapshot=state), official_core.StateSnapshotEvent(snapshot=state))
        # The next text has the same objects at other places.
        moved = {"before": keys, **{key: dict.fromkeys(keys[::-1]) for key in keys[::5]}}
        same(core.StateSnapshotEvent(snapshot=moved), official_core.StateSnapshotEvent(snapshot=moved))


@pytest.mark.parametrize("name", CLASSES)
def test_members_assigned_later(name: str) -> None:
    """A member may be assigned a value of any type: it is written as it is, and pydantic warns."""
    for value in (None, True, 5, 5.5, "x", b"x", [1], {"a": 1}, {1: 2}, (1,)):
        for attribute in official(name).model_fields:
            models = [built(cls(name), given) for given in parsed(name)[:1] for cls in (ours, official)]
            for model in models:
                setattr(model, attribute, value)
            assert frame(MINE, models[0])[0] == frame(THEIRS, models[1])[0]
            assert len(frame(MINE, models[0])[1]) == len(frame(THEIRS, models[1])[1])


@pytest.mark.parametrize("case", fixture_cases("values"), ids=lambda case: case["name"])
def test_free_values(case: dict[str, Any]) -> None:
    if "python" not in case:
        return
    event = core.CustomEvent.model_validate_json(f'{{"type":"CUSTOM","name":"n","value":{case["json"]}}}')
    other = official_core.CustomEvent.model_validate_json(f'{{"type":"CUSTOM","name":"n","value":{case["json"]}}}')
    same(event, other)
    same(core.CustomEvent(name="n", value=event.value), official_core.CustomEvent(name="n", value=event.value))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([2**63, -(2**63), 1e16, 1e-7]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@hypothesis.settings(deadline=None, max_examples=300)
@hypothesis.given(
    value=VALUES, text=st.text(st.characters(codec=None)), metadata=st.dictionaries(st.text(), VALUES, max_size=3)
)
def test_generated_values(value: Any, text: str, metadata: Any) -> None:
    arguments = {"name": text, "value": value, "metadata": metadata, "raw_event": value}
    same(core.CustomEvent(**arguments), official_core.CustomEvent(**arguments))


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int


class Foreign(BaseModel):
    any_thing: int = Field(1, alias="anyThing")


NASTY = [
    datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC),
    datetime.date(2020, 1, 2),
    datetime.timedelta(seconds=1.5),
    uuid.UUID(int=5),
    decimal.Decimal("1.50"),
    Colour.RED,
    {1},
    (1, (2,)),
    b"bytes",
    Point(1),
    Foreign(),
    {1: 2, 1.5: None, None: 1, False: 2},
    {"a": {Colour.RED: 1}},
    "\ud800",
    {"\ud800": 1},
    10**5000,
    2**70,
    float("nan"),
    float("-inf"),
    -0.0,
    object(),
    type("Word", (str,), {})("w"),
    type("Number", (int,), {})(7),
    type("Mapping", (dict,), {})(a=1),
    [official_core.TextPart(text="x")],
    {"message": core.UserMessage(id="m", content="x")},
    iter([1, 2]),
]


@pytest.mark.parametrize("value", NASTY, ids=lambda value: type(value).__name__)
def test_values_that_are_pydantics(value: Any) -> None:
    if hasattr(value, "__next__"):
        assert MINE.encode(core.RawEvent(event=value)) == 'data: {"type":"RAW","event":[1,2]}\n\n'
        return
    same(core.RawEvent(event=value), official_core.RawEvent(event=value))
    same(core.RawEvent(event=1, raw_event=value), official_core.RawEvent(event=1, raw_event=value))
    same(
        core.RawEvent(event=[value], raw_event={"a": value}),
        official_core.RawEvent(event=[value], raw_event={"a": value}),
    )


def test_what_pydantic_refuses_is_refused() -> None:
    for value in (object(), "\ud800"):
        with pytest.raises(PydanticSerializationError):
            MINE.encode(core.RawEvent(event=value))
    circle: list[Any] = []
    circle.append(circle)
    same(core.RawEvent(event=circle), official_core.RawEvent(event=circle))
    deep: Any = 1
    for _ in range(240):
        deep = [deep]
    same(core.RawEvent(event=deep), official_core.RawEvent(event=deep))


def test_extras_named_like_members() -> None:
    for extra in ({"message_id": "snake"}, {"messageId": "again", "message_id": None}, {"rawEvent": 1, "raw_event": 2}):
        arguments = {"messageId": "m", "delta": "d", **extra}
        same(core.TextMessageContentEvent(**arguments), official_core.TextMessageContentEvent(**arguments))
    models = [core.StepStartedEvent(step_name="s"), official_core.StepStartedEvent(step_name="s")]
    for model in models:
        model.__pydantic_extra__["stepName"] = "other"
        model.__pydantic_extra__["timestamp"] = None
    same(*models)


def test_subclasses_in_lists_are_written_as_declared() -> None:
    frames = []
    for package in (core, official_core):

        class Mine(package.UserMessage):  # type: ignore[name-defined, misc]
            mood: str = "good"

        event = package.MessagesSnapshotEvent(messages=[Mine(id="m", content="x")])
        frames += [frame(MINE, event), frame(THEIRS, event), frame(MINE, Mine(id="m", content="x"))]
    assert len({str(found) for found in frames}) == 2


@pytest.mark.parametrize("package", [core, official_core], ids=["own", "official"])
def test_classes_with_serializers_of_their_own(package: Any) -> None:
    class Other(BaseModel):
        model_config = ConfigDict(extra="allow")
        colour: str = "red"
        _secret: int = PrivateAttr(5)

        @field_serializer("colour")
        def loud(self, colour: str) -> str:
            return colour.upper()

    class First(Other, package.StepStartedEvent):
        pass

    class Second(package.StepStartedEvent, Other):
        def __init__(self, **values: Any) -> None:
            super().__init__(**values, step_name="from init")

    class Third(package.StepStartedEvent):
        @model_serializer
        def short(self) -> dict[str, Any]:
            return {"s": self.step_name}

    for model in (First(step_name="s"), Second(), Third(step_name="s")):
        assert MINE.encode(model) == THEIRS.encode(model) == f"data: {model.model_dump_json(by_alias=True)}\n\n"
    assert Second().step_name == "from init" and First(step_name="s")._secret == 5


def test_any_model_is_taken() -> None:
    assert MINE.encode(Foreign()) == 'data: {"anyThing":1}\n\n'
    assert MINE.encode_binary(Foreign()) == b'data: {"anyThing":1}\n\n'


def test_the_rest_of_the_encoder() -> None:
    for accept in (None, "*/*", AGUI_MEDIA_TYPE, "text/event-stream"):
        assert EventEncoder(accept=accept).get_content_type() == "text/event-stream"
    assert EventEncoder("text/event-stream")
    event = core.TextMessageContentEvent(message_id="m", delta="ü")
    assert MINE.encode_binary(event) == MINE.encode(event).encode()

    class Mine(EventEncoder):
        def __init__(self) -> None:
            super().__init__(accept="x")
            self.count = 0

        def encode(self, event: Any) -> str:
            self.count += 1
            return super().encode(event)

    mine = Mine()
    assert mine.encode(event) == MINE.encode(event) and mine.count == 1
    with pytest.raises(TypeError):
        EventEncoder(1, 2)  # type: ignore[call-arg]


def test_timestamps() -> None:
    encoder = EventEncoder(timestamps=True)

    class Sub(core.StepStartedEvent):
        pass

    for event in (core.StepStartedEvent(step_name="s"), Sub(step_name="s"), core.CustomEvent(name="n", value={1})):
        written = json.loads(encoder.encode(event)[6:])
        assert abs(written["timestamp"] - time.time() * 1000) < 60_000
        assert event.timestamp is None and "timestamp" not in json.loads(MINE.encode(event)[6:])
        event.timestamp = 7
        assert json.loads(encoder.encode_binary(event)[6:])["timestamp"] == 7
    message = core.UserMessage(id="m", content="x")
    assert encoder.encode(message) == MINE.encode(message)


@pytest.mark.parametrize("base", [official_encoder.EventEncoder, EventEncoder])
def test_subclasses_may_override_the_private_method(base: Any) -> None:
    class Loud(base):
        def _encode_sse(self, event: Any) -> str:
            return super()._encode_sse(event).replace("x", "X")

    class Louder(Loud):
        def _encode_sse(self, event: Any) -> str:
            return super()._encode_sse(event) + ":\n\n"

    class Own(Loud):
        def encode(self, event: Any) -> str:
            return "own"

    event = core.StepStartedEvent(step_name="x")
    text = 'data: {"type":"STEP_STARTED","stepName":"X"}\n\n'
    assert base()._encode_sse(event) == text.replace("X", "x") == base().encode(event)
    assert Loud().encode(event) == text == Loud()._encode_sse(event)
    assert (Louder().encode(event), Own().encode(event)) == (text + ":\n\n", "own")


def test_the_private_method_is_about_text_alone() -> None:
    class Loud(EventEncoder):
        def _encode_sse(self, event: Any) -> str:
            return "loud"

    class Mixin:
        def __init_subclass__(cls, *, name: str, **named: Any) -> None:
            cls.name = name

    class Both(EventEncoder, Mixin, name="n"):
        pass

    event = core.StepStartedEvent(step_name="x")
    binary = Loud(AGUI_MEDIA_TYPE, protobuf=True)
    assert binary.encode(event) == binary.encode_protobuf(event)
    assert EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)._encode_sse(event).startswith("data: ")
    assert Both.name == "n" and Both().encode(event) == MINE.encode(event)


WIRE = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "é"}


def json_of(frame: str) -> Any:
    return json.loads(frame.removeprefix("data: "))


class Custom(dict[str, Any]):
    """A dictionary all the same."""


@pytest.mark.parametrize("given", [WIRE, Custom(WIRE), types.MappingProxyType(WIRE), {**WIRE, "timestamp": None}])
def test_dictionaries_are_encoded(given: Any) -> None:
    event = core.TextMessageContentEvent(message_id="m", delta="é")
    assert MINE.encode(given) == MINE.encode(event) == MINE._encode_sse(given)
    assert MINE.encode_binary(given) == MINE.encode_binary(event)
    binary = EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)
    assert binary.encode(given) == binary.encode(event) == binary.encode_protobuf(given)


@pytest.mark.parametrize(
    ("given", "code", "path"),
    [
        ({}, "missing_event_type", "/type"),
        ({"type": "NONE"}, "unknown_event_type", "/type"),
        ({**WIRE, "delta": 5}, "wrong_type", "/delta"),
        ({**WIRE, "message_id": "m"}, "unknown_field", "/message_id"),
        ({"type": "RAW", "event": {"a": [object()]}}, "wrong_type", "/event/a/0"),
    ],
)
def test_dictionaries_that_are_no_events(given: Any, code: str, path: str) -> None:
    for encoder in (MINE, EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)):
        with pytest.raises(AGUIValidationError) as caught:
            encoder.encode(given)
        assert (caught.value.code, caught.value.path) == (code, path)


def test_dictionaries_by_profile(caplog: pytest.LogCaptureFixture) -> None:
    tolerant, relay = EventEncoder(profile="tolerant"), EventEncoder(profile="relay")
    assert tolerant.encode({**WIRE, "more": 1}) == MINE.encode(WIRE)
    assert "unknown_field" in caplog.text
    assert (tolerant.encode({"type": "LATER"}), tolerant.encode_binary({"type": "LATER"})) == ("", b"")
    text = '{"type":"LATER","a":null,"n":123456789012345678901234567890,"b":1.5}'
    assert relay.encode(json.loads(text)) == f"data: {text}\n\n"
    kept = EventDecoder(profile="relay").feed(
        f'data: {{"type":"CUSTOM","name":"n","value":1,"more":{text}}}\n\n'.encode()
    )
    assert json_of(relay.encode(kept[0])) == kept[0]


def test_timestamps_of_dictionaries() -> None:
    encoder = EventEncoder(timestamps=True)
    assert abs(json_of(encoder.encode(WIRE))["timestamp"] - time.time() * 1000) < 10_000
    assert list(json_of(encoder.encode(WIRE)))[:2] == ["type", "timestamp"]
    assert json_of(encoder.encode({**WIRE, "timestamp": 5}))["timestamp"] == 5


@pytest.mark.parametrize("given", [None, 5, "text", b"bytes", [], [WIRE], object(), core.RunErrorEvent, BaseModel])
def test_what_can_be_no_event(given: Any) -> None:
    expected = rf"^event: expected an event, .* or a dictionary with the keys of the wire, got {type(given).__name__}$"
    for encode in (MINE.encode, MINE.encode_binary, MINE.encode_protobuf, MINE._encode_sse):
        with pytest.raises(TypeError, match=expected):
            encode(given)

"""The binary transport: bytes and events as the official TypeScript package has them, and to whom it is spoken."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import ag_ui.core
import pytest

from ag_ui_native import AGUIError, AGUILimitError, AGUIStreamError, AGUIValidationError, Limits, core, proto
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.stream import EventDecoder, EventPipeline, decode_event, decode_events
from conftest import FIXTURES, fixture_cases

CASES = json.loads((FIXTURES / "wire/protobuf.json").read_text("utf-8"))
EXCEPTIONS = {case["name"]: case["outcome"] for case in fixture_cases("protobuf-exceptions")}
TEXT = core.TextMessageContentEvent(message_id="m", delta="hé")
RUN = [
    core.RunStartedEvent(thread_id="t", run_id="r"),
    core.TextMessageStartEvent(message_id="m"),
    TEXT,
    core.StateSnapshotEvent(snapshot={"list": [1, 2.5, None], "ü": {}}),
    core.TextMessageEndEvent(message_id="m"),
    core.RunFinishedEvent(thread_id="t", run_id="r", result=3),
]


def test_every_exception_is_one_of_the_cases() -> None:
    assert EXCEPTIONS.keys() <= {case["name"] for case in CASES["encode"] + CASES["decode"]}


def outcome(read: Callable[[], Any]) -> Any:
    """Returns the value that was read, or the code of the error."""
    try:
        return read()
    except AGUIError as error:
        return error.code


@pytest.mark.parametrize("case", CASES["encode"], ids=lambda case: case["name"])
def test_events_become_the_official_bytes(case: dict[str, str]) -> None:
    is_same = EXCEPTIONS.get(case["name"]) != "other bytes"
    assert (proto.encode(json.loads(case["json"])).hex() == case["hex"]) is is_same
    event = decode_event(case["json"])
    assert (proto.encode(event).hex() == case["hex"]) is is_same
    assert proto.encode(proto.decode(bytes.fromhex(case["hex"]))).hex() == case["hex"]


@pytest.mark.parametrize("accept", ["text/event-stream", AGUI_MEDIA_TYPE])
@pytest.mark.parametrize("as_dict", [False, True])
def test_events_of_any_length_are_written(accept: str, as_dict: bool) -> None:
    """The limits are for reading."""
    delta, encoder = "x" * (17 << 20), EventEncoder(accept, protobuf=True)
    event: Any = core.TextMessageContentEvent(message_id="m", delta=delta)
    frame = encoder.encode_binary(event.model_dump(mode="json", by_alias=True) if as_dict else event)
    limits = Limits(event_bytes=64 << 20)
    (found,) = decode_events([frame], encoder.get_content_type(), profile="strict", limits=limits)
    assert found.delta == delta  # type: ignore[union-attr]  # It is a text event.


@pytest.mark.parametrize("case", CASES["decode"], ids=lambda case: case["name"])
def test_messages_are_read_as_the_official_package_reads_them(case: dict[str, str]) -> None:
    ours = outcome(lambda: proto.decode(bytes.fromhex(case["hex"])))
    if own := EXCEPTIONS.get(case["name"]):
        assert own == (ours if isinstance(ours, str) else "event")
    elif "json" in case:
        expected = outcome(lambda: decode_event(case["json"]))
        # An event by itself: there is no stream that it could be left out of.
        assert ours == ("invalid_value" if expected is None else expected)
    elif case["error"] == "unknown_event_type":
        assert ours == "unknown_event_type"
    else:
        assert isinstance(ours, str)


def test_values_that_an_operation_does_not_declare_survive() -> None:
    message = bytes.fromhex(next(case["hex"] for case in CASES["decode"] if case["name"] == "bytes: leftover value"))
    assert proto.decode(message).delta[1].model_extra == {"value": 3}
    assert proto.encode(proto.decode(message)) == message


@pytest.mark.parametrize(
    ("accept", "is_binary"),
    [
        (AGUI_MEDIA_TYPE, True),
        (AGUI_MEDIA_TYPE.upper(), True),
        (f"text/event-stream;q=1, {AGUI_MEDIA_TYPE};q=0.1", True),
        (f"{AGUI_MEDIA_TYPE};q=0", False),
        (f"{AGUI_MEDIA_TYPE};q=abc", False),
        (f"{AGUI_MEDIA_TYPE};v=1", False),
        ("*/*", False),
        ("application/*", False),
        (f"*/*, {AGUI_MEDIA_TYPE};q=0", False),
        ("text/event-stream", False),
        ("", False),
        (None, False),
    ],
)
def test_who_names_the_media_type_gets_it_if_the_application_offers_it(accept: str | None, is_binary: bool) -> None:
    default, offering = EventEncoder(accept), EventEncoder(accept, protobuf=True)
    assert default.get_content_type() == "text/event-stream"
    assert default.encode(TEXT).encode() == default.encode_binary(TEXT)
    assert offering.get_content_type() == (AGUI_MEDIA_TYPE if is_binary else "text/event-stream")
    assert offering.encode_binary(TEXT) == (default.encode_protobuf(TEXT) if is_binary else default.encode_binary(TEXT))
    assert offering.encode(TEXT) == (offering.encode_protobuf(TEXT) if is_binary else default.encode(TEXT))


def test_a_frame_is_a_length_and_a_message() -> None:
    frame = EventEncoder().encode_protobuf(TEXT)
    assert frame == len(frame[4:]).to_bytes(4, "big") + proto.encode(TEXT)
    official = ag_ui.core.TextMessageContentEvent(message_id="m", delta="hé")
    assert EventEncoder().encode_protobuf(official) == frame
    assert proto.decode(EventEncoder(timestamps=True).encode_protobuf(TEXT)[4:]).timestamp > 0


@pytest.mark.parametrize("size", [1, 3, 7, 1024])
@pytest.mark.parametrize("media_type", [AGUI_MEDIA_TYPE, f" {AGUI_MEDIA_TYPE.upper()} ; charset=x"])
def test_streams_are_read_however_they_are_cut(size: int, media_type: str) -> None:
    stream = b"".join(map(EventEncoder().encode_protobuf, RUN))
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert list(decode_events(chunks, content_type=media_type)) == RUN
    pipeline = EventPipeline(media_type)
    for chunk in chunks:
        pipeline.feed(chunk)
    pipeline.close()
    assert pipeline.state == {"list": [1, 2.5, None], "ü": {}}
    assert [message.content for message in pipeline.messages] == ["hé"]


def test_a_cut_stream_and_a_bad_frame_lose_nothing_before_them() -> None:
    frames = list(map(EventEncoder().encode_protobuf, RUN))
    decoder = EventDecoder(AGUI_MEDIA_TYPE)
    assert decoder.feed(frames[0] + frames[1][:-1]) == RUN[:1]
    with pytest.raises(AGUIStreamError) as caught:
        decoder.close()
    assert (caught.value.code, caught.value.event_index) == ("stream_truncated", 1)
    with pytest.raises(AGUIValidationError) as caught:
        EventDecoder(AGUI_MEDIA_TYPE).feed(frames[0] + b"\0\0\0\2\x1a\x07")
    assert (caught.value.code, caught.value.event_index, caught.value.offset) == ("invalid_protobuf", 1, 2)
    assert caught.value.partial == RUN[:1]


def test_limits_count_before_memory_is_taken() -> None:
    with pytest.raises(AGUILimitError, match="event_bytes"):
        EventDecoder(AGUI_MEDIA_TYPE).feed(b"\xff\xff\xff\xff")
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    with pytest.raises(AGUILimitError, match="depth"):
        proto.encode({"type": "CUSTOM", "name": "n", "value": deep})
    message = proto.encode({"type": "CUSTOM", "name": "n", "value": deep}, limits=Limits(depth=400))
    with pytest.raises(AGUILimitError, match="depth") as caught:
        proto.decode(message)
    assert caught.value.path.startswith("/value/0/0")


@pytest.mark.parametrize(
    ("event", "code", "path"),
    [
        ({"type": "CUSTOM", "name": "n", "value": {"a": [2**53]}}, "number_out_of_range", "/value/a/0"),
        ({"type": "CUSTOM", "name": "n", "value": 10**30}, "number_out_of_range", "/value"),
        ({"type": "RAW", "event": 1, "extra": 1}, "unknown_field", "/extra"),
        ({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "", "why": 1}]}, "unknown_field", "/delta/0/why"),
    ],
)
def test_what_protobuf_does_not_hold_is_never_silent(event: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(AGUIValidationError) as caught:
        proto.encode(event)
    assert (caught.value.code, caught.value.path) == (code, path)
    warnings: list[Any] = []
    message = proto.encode(event, profile="tolerant", on_warning=warnings.append)
    assert proto.decode(message).type == event["type"]
    assert [(warning.code, warning.path) for warning in warnings] == [(code, path)]


@pytest.mark.parametrize("profile", ["strict", "tolerant", "relay"])
def test_optional_members_that_are_none_are_left_out(profile: str) -> None:
    plain = {"type": "TEXT_MESSAGE_START", "messageId": "m"}
    warnings: list[Any] = []
    event = plain | {"rawEvent": None, "name": None}
    assert proto.encode(event, profile=profile, on_warning=warnings.append) == proto.encode(plain)
    assert warnings == []


def test_a_tolerant_encoder_says_so_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    event = core.CustomEvent(name="n", value=2**60)
    with pytest.raises(AGUIValidationError):
        EventEncoder().encode_protobuf(event)
    with caplog.at_level(logging.WARNING, "ag_ui_native"):
        EventEncoder(profile="tolerant").encode_protobuf(event)
    assert "number_out_of_range" in caplog.text


def test_an_encoder_can_be_set_up_anew() -> None:
    encoder = EventEncoder(AGUI_MEDIA_TYPE, protobuf=True, profile="tolerant")
    event = core.CustomEvent(name="n", value=2**60)
    encoder.encode(event)
    encoder.__init__()
    assert encoder.get_content_type() == "text/event-stream"
    with pytest.raises(AGUIValidationError):
        encoder.encode_protobuf(event)


def test_numbers_that_json_has_not() -> None:
    message = bytes.fromhex("5a120a02080a12016e1a0911000000000000f87f")
    warnings: list[Any] = []
    assert proto.decode(message, on_warning=warnings.append).value is None
    assert [warning.code for warning in warnings] == ["number_out_of_range"]
    with pytest.raises(AGUIValidationError, match="number_out_of_range"):
        proto.decode(message, profile="strict")


def test_unknown_types_are_left_out_with_a_warning_or_refused() -> None:
    unknown = b"\0\0\0\5" + bytes.fromhex("8a02020a00")
    decoder = EventDecoder(AGUI_MEDIA_TYPE)
    assert decoder.feed(unknown + EventEncoder().encode_protobuf(TEXT)) == [TEXT]
    assert [(warning.event_index, warning.code) for warning in decoder.warnings] == [(0, "unknown_event_type")]
    with pytest.raises(AGUIValidationError, match="unknown_event_type"):
        EventDecoder(AGUI_MEDIA_TYPE, profile="strict").feed(unknown)

"""Event streams: the fixture streams cut in every way, options, and errors with the events before them."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import BaseModel

from ag_ui_native import AGUIError, AGUILimitError, AGUIStreamError, AGUIValidationError, Limits, core, to_json
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import EventDecoder, adecode_events, decode_event, decode_events
from conftest import fixture_cases

CASES = fixture_cases("streams")


def as_bytes(chunk: Any) -> bytes:
    return chunk.encode() if isinstance(chunk, str) else base64.b64decode(chunk["base64"])


def decode(case: dict[str, Any], chunks: list[bytes]) -> dict[str, Any]:
    """The result of a stream in the shape of the fixtures."""
    options = dict(case.get("options", {}))
    limits = options.pop("limits", {})
    events: list[Any] = []
    result: dict[str, Any] = {}
    decoder = None
    try:
        decoder = EventDecoder(case.get("content_type"), limits=Limits(**limits), **options)
        for chunk in chunks:
            events += decoder.feed(chunk)
        events += decoder.close()
    except AGUIError as error:
        events += error.partial
        result["error"] = {"code": error.code, "event_index": error.event_index, "path": error.path}
        if error.limit:
            result["error"]["limit"] = error.limit
    result["events"] = [json.loads(to_json(e)) if isinstance(e, BaseModel) else e for e in events]
    if decoder is not None:
        found = {(warning.event_index, warning.code, warning.path) for warning in decoder.warnings}
        result |= {"warnings": found, "last_event_id": decoder.last_event_id, "retry": decoder.retry}
    return result


def expected(case: dict[str, Any]) -> dict[str, Any]:
    result = {
        "events": [json.loads(event) for event in case["events"]],
        "warnings": {(w["event_index"], w["code"], w["path"]) for w in case.get("warnings", [])},
        "last_event_id": case.get("last_event_id", ""),
        "retry": case.get("retry"),
    }
    if "error" in case:
        error = case["error"]
        result["error"] = {"code": error["code"], "event_index": error.get("event_index"), "path": error["path"]}
        if "limit" in error:
            result["error"]["limit"] = error["limit"]
    return result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_streams_however_they_are_cut(case: dict[str, Any]) -> None:
    whole = b"".join(as_bytes(chunk) for chunk in case["chunks"])
    cuts = [[as_bytes(chunk) for chunk in case["chunks"]], [whole], [whole[i : i + 1] for i in range(len(whole))]]
    if len(whole) < 2_000:
        cuts += [[whole[:at], b"", whole[at:]] for at in range(len(whole) + 1)]
    for chunks in cuts:
        got = decode(case, chunks)
        assert {key: got[key] for key in got} == {key: expected(case)[key] for key in got}


EVENTS = [
    core.RunStartedEvent(thread_id="t", run_id="r"),
    core.TextMessageContentEvent(message_id="m", delta="zwölf 🎉"),
    core.StateSnapshotEvent(snapshot={"a": [1, 2**70, 0.1, None]}),
    core.RunFinishedEvent(thread_id="t", run_id="r"),
]
STREAM = b"".join(EventEncoder().encode_binary(event) for event in EVENTS)


def test_iterators() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for at in range(0, len(STREAM), 7):
            yield STREAM[at : at + 7]

    async def collect() -> list[Any]:
        return [event async for event in adecode_events(chunks(), content_type="text/event-stream; charset=utf-8")]

    assert list(decode_events([STREAM])) == EVENTS
    assert asyncio.run(collect()) == EVENTS
    with pytest.raises(AGUIStreamError, match="wrong_content_type"):
        list(decode_events([STREAM], content_type="text/html"))


def test_what_comes_before_a_failure_is_yielded() -> None:
    seen = []
    with pytest.raises(AGUIValidationError) as caught:
        seen.extend(decode_events([STREAM + b'data: {"type":"RAW"}\n\n']))
    assert seen == EVENTS and caught.value.partial == EVENTS
    assert (caught.value.code, caught.value.path) == ("missing_field", "/event")
    assert (caught.value.event_index, caught.value.event_type) == (4, "RAW")


def test_a_failed_decoder_stays_failed() -> None:
    decoder = EventDecoder()
    with pytest.raises(AGUIValidationError):
        decoder.feed(b"data: nonsense\n\n")
    for step in (lambda: decoder.feed(STREAM), decoder.close):
        with pytest.raises(AGUIStreamError, match="decoder_failed"):
            step()


def test_any_bytes_are_taken() -> None:
    for kind in (bytes, bytearray, memoryview):
        assert EventDecoder().feed(kind(STREAM)) == EVENTS
    with pytest.raises(TypeError):
        EventDecoder().feed("text")  # type: ignore[arg-type]


def test_warnings_reach_callback_log_and_list(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[Any] = []
    decoder = EventDecoder(on_warning=seen.append)
    with caplog.at_level(logging.WARNING, "ag_ui_native"):
        assert decoder.feed(b'data: {"type":"NEW"}\n\n') == []
    assert seen == decoder.warnings and len(caplog.records) == 1
    assert (seen[0].code, seen[0].event_index) == ("unknown_event_type", 0)


def test_profiles_and_dictionaries() -> None:
    unknown = b'data: {"type":"NEW","a":[null]}\n\n'
    assert EventDecoder(profile="relay").feed(unknown) == [{"type": "NEW", "a": [None]}]
    assert EventDecoder(as_dicts=True).feed(STREAM)[1] == {
        "type": "TEXT_MESSAGE_CONTENT",
        "messageId": "m",
        "delta": "zwölf 🎉",
    }
    with pytest.raises(AGUIValidationError):
        EventDecoder(profile="strict").feed(unknown)
    with pytest.raises(ValueError, match="profile"):
        EventDecoder(profile="other")
    assert (
        decode_event('{"type":"TOOL_CALL_START","toolCallId":"c","toolName":"n"}', go_member_names=True).tool_call_name
        == "n"
    )


def test_limits() -> None:
    with pytest.raises(AGUILimitError) as caught:
        EventDecoder(limits=Limits(event_bytes=50)).feed(STREAM)
    assert caught.value.limit == "event_bytes"
    deep = "[" * 300 + "]" * 300
    with pytest.raises(AGUILimitError) as caught:
        decode_event(f'{{"type":"RAW","event":{deep}}}')
    assert caught.value.limit == "depth"


def test_ids_are_shared_and_types_are_members() -> None:
    event = EventEncoder().encode_binary(core.TextMessageEndEvent(message_id="0b5f3f54-0000-4000-8000-000000000000"))
    first, second = EventDecoder().feed(event * 2)
    assert first.message_id is second.message_id and first.type is core.EventType.TEXT_MESSAGE_END

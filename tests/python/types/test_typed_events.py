"""The values that decoding and the stages return, for type checkers and at run time. Both check this file by their
strict rules.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, assert_type

import ag_ui.core as official

from ag_ui_native import proto
from ag_ui_native.core import (
    AddOperation,
    Attributable,
    BaseEvent,
    Event,
    EventType,
    JsonPatchOperation,
    Message,
    RunAgentInput,
    StateDeltaEvent,
    TextMessageChunkEvent,
    TextMessageRole,
    TextMessageStartEvent,
    UserMessage,
)
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.run_input import read_run_input
from ag_ui_native.stream import (
    ChunkExpander,
    EventDecoder,
    EventVerifier,
    adecode_events,
    compact_events,
    decode_event,
    decode_events,
    enforce_events,
    expand_chunks,
    verify_events,
)
from ag_ui_native.typing import EventLike, OpenKind, Profile

LINE = b'data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}\n\n'
CHUNK = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Hi"}


def test_decoders() -> None:
    for decoder in (EventDecoder(), EventDecoder("text/event-stream", profile="strict", replace_invalid_text=True)):
        assert_type(decoder, EventDecoder[Event])
        for event in assert_type(decoder.feed(LINE), list[Event]):
            if event.type is EventType.TEXT_MESSAGE_CHUNK:
                assert_type(event, TextMessageChunkEvent)
                assert assert_type(event.delta, str | None) == "Hi"
    relaying = EventDecoder(profile="relay")
    assert_type(relaying, EventDecoder[dict[str, Any]])
    assert assert_type(relaying.feed(LINE) + relaying.close(), list[dict[str, Any]]) == [CHUNK]
    assert assert_type(EventDecoder(as_dicts=True), EventDecoder[dict[str, Any]]).feed(LINE) == [CHUNK]


def any_decoder(profile: Profile, as_dicts: bool) -> EventDecoder[Event | dict[str, Any]]:
    return EventDecoder(profile=profile, as_dicts=as_dicts)


def test_a_decoder_of_a_profile_that_is_not_known_before() -> None:
    assert any_decoder("relay", False).feed(LINE) == [CHUNK]


def test_events_one_by_one() -> None:
    assert_type(decode_events([LINE]), Iterator[Event])
    assert_type(decode_events([LINE], profile="relay"), Iterator[dict[str, Any]])
    assert_type(decode_events([LINE], "text/event-stream", as_dicts=True), Iterator[dict[str, Any]])
    assert [event.type for event in decode_events([LINE])] == ["TEXT_MESSAGE_CHUNK"]
    text = '{"id":"u","role":"user","content":"Hi"}'
    assert assert_type(decode_event(LINE[6:], profile="relay"), dict[str, Any] | None) == CHUNK
    assert isinstance(assert_type(decode_event(text, type_name="Message"), Message | None), UserMessage)
    assert isinstance(assert_type(decode_event(LINE[6:]), Event | None), TextMessageChunkEvent)
    message = proto.encode(TextMessageChunkEvent(message_id="m"))
    assert isinstance(assert_type(proto.decode(message), Event | None), TextMessageChunkEvent)
    assert_type(proto.decode(message, as_dicts=True), dict[str, Any] | None)


async def later(chunks: AsyncIterator[bytes]) -> None:
    assert_type(adecode_events(chunks), AsyncIterator[Event])
    async for event in adecode_events(chunks, profile="relay"):
        assert_type(event, dict[str, Any])


def test_stages_hand_on_what_they_are_given() -> None:
    ours = [TextMessageChunkEvent(message_id="m", delta="Hi")]
    theirs: list[official.BaseEvent] = [official.TextMessageChunkEvent(message_id="m", delta="Hi")]
    assert_type(expand_chunks(ours), list[Event])
    assert_type(compact_events(ours, profile="strict"), list[Event])
    assert_type(expand_chunks([CHUNK]), list[dict[str, Any]])
    assert_type(enforce_events(theirs), list[official.BaseEvent])
    assert isinstance(enforce_events(theirs)[0], official.BaseEvent)
    assert [event.type for event in expand_chunks(ours)] == ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]
    assert_type(verify_events(iter(())), list[Event])
    expander, verifier = ChunkExpander(), EventVerifier()
    assert_type(expander.push(ours[0]), list[Event])
    assert_type(expander.push(theirs[0]), list[EventLike])
    verifier.admit({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
    assert_type(verifier.open, list[tuple[OpenKind, str, str | None]])


def test_encoders() -> None:
    event: BaseEvent = TextMessageStartEvent(message_id="m")
    encoder = EventEncoder(accept="text/event-stream")
    assert_type(encoder, EventEncoder[str, BaseEvent | Mapping[str, Any]])
    handed_on: EventEncoder = encoder
    assert handed_on.encode(event) == encoder.encode(event)
    assert assert_type(encoder.encode(CHUNK), str).startswith("data: ")
    assert isinstance(assert_type(encoder.encode(event), str), str)
    assert_type(encoder.encode_binary(event), bytes)
    binary = EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)
    assert isinstance(assert_type(binary.encode(event), str | bytes), bytes)
    assert isinstance(assert_type(encoder.encode_protobuf(event), bytes), bytes)


def test_patches() -> None:
    operations = diff({"a": 1}, {"a": 2})
    event = StateDeltaEvent(delta=operations)
    assert_type(event.delta, list[JsonPatchOperation])
    assert event.delta[0].op == "replace"
    assert apply_patch({"a": 1}, event.delta) == apply_patch({"a": 1}, operations) == {"a": 2}
    assert (
        StateDeltaEvent(delta=[AddOperation(path="/a", value=1), {"op": "remove", "path": "/b"}]).delta[1].path == "/b"
    )


def test_names_for_types() -> None:
    role: TextMessageRole = "assistant"
    attributed: Attributable = Attributable(subagent_run_id="s")
    assert (TextMessageStartEvent(message_id="m", role=role).role, attributed.subagent_run_id) == ("assistant", "s")


def test_run_input() -> None:
    run, warnings = read_run_input('{"threadId":"t","runId":"r","messages":[]}')
    assert_type(run, RunAgentInput)
    assert_type(run.messages, list[Message])
    assert (run.thread_id, [warning.code for warning in warnings]) == ("t", [])

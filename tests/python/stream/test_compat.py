"""One boundary for the shapes of 0.x, for all kinds of documents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ag_ui_native import AGUIValidationError
from ag_ui_native.compat import downgrade_input
from ag_ui_native.stream import EventPipeline, decode_event
from conftest import fixture_cases

PICTURE = {"type": "binary", "mimeType": "image/png", "data": "AAAA", "filename": "a.png"}
MODERN = {
    "type": "image",
    "source": {"type": "data", "value": "AAAA", "mimeType": "image/png"},
    "metadata": {"filename": "a.png"},
}


def documents(part: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    """A part in documents of each kind: its path, and the document."""
    message = {"id": "u", "role": "user", "content": [{"type": "text", "text": "Look:"}, part]}
    run = {"threadId": "t", "runId": "r", "messages": [message], "tools": [], "context": []}
    started = {"type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": run}
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [message]}
    return {
        "Event": ("/messages/0/content/1", snapshot),
        "MessagesSnapshotEvent": ("/messages/0/content/1", snapshot),
        "RunStartedEvent": ("/input/messages/0/content/1", started),
        "RunAgentInput": ("/messages/0/content/1", run),
        "Message": ("/content/1", message),
        "UserMessage": ("/content/1", message),
        "ContentPart": ("", part),
        "ImagePart": ("", part),
    }


@pytest.mark.parametrize("as_dicts", [False, True])
@pytest.mark.parametrize("kind", documents(PICTURE))
def test_every_kind_of_document(kind: str, as_dicts: bool) -> None:
    warnings: list[Any] = []
    path, old = documents(PICTURE)[kind]
    options: dict[str, Any] = {"type_name": kind, "as_dicts": as_dicts}
    read = decode_event(json.dumps(old), on_warning=warnings.append, **options)
    assert read == decode_event(json.dumps(documents(MODERN)[kind][1]), **options)
    assert [(warning.code, warning.path) for warning in warnings] == [("legacy_shape", path)]
    with pytest.raises(AGUIValidationError):
        decode_event(json.dumps(old), profile="strict", **options)
    if kind != "ImagePart":  # A part of that name has that type, even for a relay.
        assert decode_event(json.dumps(old), profile="relay", **options) == old


def test_messages_given_to_a_pipeline() -> None:
    message = documents(PICTURE)["Message"][1]
    assert EventPipeline(messages=[message]).messages == [documents(MODERN)["Message"][1]]


@pytest.mark.parametrize("case", [c for c in fixture_cases("compat") if c["kind"] == "stream"], ids=lambda c: c["name"])
def test_messages_of_old_streams(case: dict[str, Any]) -> None:
    given = [event for event in case["events"] if event["type"] == "MESSAGES_SNAPSHOT"]
    expected = [event for event in case["expected"] if event["type"] == "MESSAGES_SNAPSHOT"]
    for old, new in zip(given, expected, strict=True):
        for old_message, new_message in zip(old["messages"], new["messages"], strict=True):
            read = decode_event(json.dumps(old_message), type_name="Message", as_dicts=True)
            assert read == decode_event(json.dumps(new_message), type_name="Message", as_dicts=True)


@pytest.mark.parametrize(
    "case", [c for c in fixture_cases("compat") if c["kind"] == "downgrade"], ids=lambda c: c["name"]
)
def test_inputs_for_old_peers(case: dict[str, Any]) -> None:
    sent, warnings = downgrade_input(case["input"], case["ceiling"])
    assert sent == case["expected"]
    assert [[warning.code, warning.path] for warning in warnings] == case["warnings"]


def test_what_is_left_out_while_an_input_is_read_is_told() -> None:
    """A file without a type of its own, and a message with an unknown role, for a peer of any version."""
    parts = [{"type": "binary", "mimeType": "audio/x", "id": "file-1"}, {"type": "text", "text": "see"}]
    messages = [{"id": "1", "role": "user", "content": parts}, {"id": "2", "role": "moderator", "content": "so"}]
    for peer in ["0.0.39", "1.0"]:
        sent, warnings = downgrade_input({"threadId": "t", "runId": "r", "messages": messages}, peer)
        assert len(sent["messages"]) == 1
        assert [(warning.code, warning.path) for warning in warnings] == [
            ("unknown_variant", "/messages/0/content/0"),
            ("unknown_variant", "/messages/1"),
        ]

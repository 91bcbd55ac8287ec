"""Token usage, ids, content and metadata."""

from __future__ import annotations

import json
import re
import time
from types import SimpleNamespace
from typing import Any

import ag_ui.core as official
import pytest
from pydantic import TypeAdapter

from ag_ui_native import AGUIError, _native, core, ids, to_json, validate
from ag_ui_native.content import content_has_media, content_parts, content_to_text
from ag_ui_native.core.token_usage import token_usage_from_ai_sdk_usage
from ag_ui_native.metadata import merge_metadata
from ag_ui_native.stream import decode_event
from conftest import fixture_cases

CONTENT: TypeAdapter[Any] = TypeAdapter(str | list[core.ContentPart])


def read(text: Any) -> Any:
    return CONTENT.validate_python(text)


def validate_non_empty(event: dict[str, Any]) -> Any:
    decoded = decode_event(json.dumps(event), profile="strict")
    validate(decoded, non_empty=True)
    return decoded


FUNCTIONS: dict[str, Any] = {
    "token_usage_from_langchain": lambda report, provider, model: core.token_usage_from_langchain_metadata(
        report, provider=provider, model=model
    ),
    "token_usage_from_ai_sdk": lambda report, provider, model: token_usage_from_ai_sdk_usage(
        report, provider=provider, model=model
    ),
    "aggregate_token_usage": lambda entries: core.aggregate_token_usage(
        [core.TokenUsage.model_construct(**entry) if isinstance(entry, dict) else entry for entry in entries]
    ),
    "merge_metadata": merge_metadata,
    "content_to_text": lambda content: content_to_text(read(content)),
    "content_has_media": lambda content: content_has_media(read(content)),
    "content_parts": lambda content: content_parts(read(content)),
    "thread_id_of": ids.thread_id_of,
    "run_id_of": ids.run_id_of,
    "generate_id": lambda kind: getattr(ids.UuidGenerator(), f"{kind}_id")(),
    "generate_timestamp_id": lambda prefix, kind, milliseconds: _native.make_id(kind, prefix, milliseconds),
    "validate_non_empty": validate_non_empty,
}


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(item) for item in value]
    return json.loads(to_json(value)) if hasattr(value, "model_dump") else value


@pytest.mark.parametrize("case", fixture_cases("helpers"), ids=lambda case: case["name"])
def test_fixtures(case: dict[str, Any]) -> None:
    arguments = json.loads(case["input"])
    warnings: list[Any] = []
    function = FUNCTIONS.get(case["function"])
    if case["function"] == "read_go_member_names":
        function = lambda event: decode_event(json.dumps(event), go_member_names=True, on_warning=warnings.append)
    if case.get("errors"):
        with pytest.raises(AGUIError) as caught:
            function(*arguments)
        found = {(issue.code, issue.path) for issue in caught.value.issues}
        assert found == {(issue["code"], issue["path"]) for issue in case["errors"]}
        return
    result = function(*arguments)
    if "errors" in case:
        return
    if "matches" in case:
        assert re.search(case["matches"], result if isinstance(result, str) else to_json(result))
    else:
        assert plain(result) == json.loads(case["output"])
    assert {(w.code, w.path) for w in warnings} == {(w["code"], w["path"]) for w in case.get("warnings", [])}


REPORTS: list[Any] = [
    None,
    {},
    5,
    "text",
    {"input_tokens": 1.0, "output_tokens": True, "total_tokens": -1},
    {"input_tokens": 2**53, "output_tokens": float("nan"), "total_tokens": "3"},
    {"input_tokens": 10**1000, "input_token_details": {"cache_read": 3, "cache_creation": None}},
    SimpleNamespace(input_tokens=3, output_token_details=SimpleNamespace(reasoning=2)),
    {"input_tokens": 0, "output_token_details": 5, object: 1},
]


@pytest.mark.parametrize("report", REPORTS, ids=range(len(REPORTS)))
def test_langchain_as_the_official_function_does(report: Any) -> None:
    mine = core.token_usage_from_langchain_metadata(report, provider="p", model=None)
    theirs = official.token_usage_from_langchain_metadata(report, provider="p", model=None)
    assert (mine and mine.model_dump()) == (theirs and theirs.model_dump())


def test_aggregation_as_the_official_function_does() -> None:
    rows = [{"provider": "a", "inputTokens": 1}, {"model": "m"}, {"provider": "a", "inputTokens": 2, "totalTokens": 0}]
    results = []
    for package in (core, official):
        entries = [package.TokenUsage(**row) for row in rows]
        results.append([entry.model_dump() for entry in package.aggregate_token_usage(entries)])
    assert results[0] == results[1]
    assert core.aggregate_token_usage([official.TokenUsage(input_tokens=1)]) == [core.TokenUsage(input_tokens=1)]
    most = 2**53 - 1
    with pytest.raises(ValueError, match="count_too_large"):
        core.aggregate_token_usage([core.TokenUsage(input_tokens=most), core.TokenUsage(input_tokens=1)])


def test_id_generators() -> None:
    assert isinstance(ids.UuidGenerator(), ids.IdGenerator)
    stamped = ids.TimestampGenerator("app")
    found = re.fullmatch(r"app-msg-(\d+)-[0-9a-f]{8}", ids.new_message_id(stamped))
    assert found and abs(int(found[1]) - time.time() * 1000) < 60_000
    ids.set_default_generator(stamped)
    try:
        assert ids.get_default_generator() is stamped
        makers = [ids.new_thread_id, ids.new_run_id, ids.new_message_id, ids.new_tool_call_id, ids.new_step_id]
        assert [make().split("-")[1] for make in makers] == ["thread", "run", "msg", "tool", "step"]
    finally:
        ids.set_default_generator(None)
    assert re.fullmatch(r"run-[0-9a-f-]{36}", ids.new_run_id())
    with pytest.raises(ValueError):
        _native.make_id("other")

"""The fixture documents: read as pydantic reads them, and by the three profiles."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from ag_ui_native import AGUIError, to_json
from ag_ui_native.stream import EventDecoder, EventPipeline, decode_event
from conftest import fixture_cases, official, ours, outcome, reader

CASES = fixture_cases("documents")
IN_PYTHON = [case for case in CASES if "python" in case]


def ids(case: dict[str, Any]) -> str:
    return case["name"]


def validate_json(kind: Any, text: str) -> Any:
    return kind.model_validate_json(text) if hasattr(kind, "model_validate_json") else reader(kind).validate_json(text)


@pytest.mark.parametrize("case", IN_PYTHON, ids=ids)
def test_json_is_read_as_the_official_classes_read_it(case: dict[str, Any]) -> None:
    mine, theirs = ours(case["type"]), official(case["type"])
    for text in (case["json"], case["json"].encode()):
        got = outcome(lambda text=text: validate_json(mine, text))
        assert got == outcome(lambda text=text: validate_json(theirs, text))


@pytest.mark.parametrize("case", IN_PYTHON, ids=ids)
def test_python_values_are_read_as_the_official_classes_read_them(case: dict[str, Any]) -> None:
    try:
        value = json.loads(case["json"])
    except ValueError:
        pytest.skip("no JSON")
    mine, theirs = reader(ours(case["type"])), reader(official(case["type"]))
    assert outcome(lambda: mine.validate_python(value)) == outcome(lambda: theirs.validate_python(value))


def verdicts() -> list[Any]:
    found = []
    for case in CASES:
        for profile in ("strict", "tolerant", "relay"):
            verdict = case.get(profile, case["strict"])
            found.append(pytest.param(case, profile, verdict, id=f"{case['name']} {profile}"))
    return found


def written(value: Any) -> Any:
    """JSON without regard to the order of members: a dictionary has them as they came."""
    return json.loads(to_json(value)) if isinstance(value, BaseModel) else value


@pytest.mark.parametrize(("case", "profile", "verdict"), verdicts())
def test_profiles(case: dict[str, Any], profile: str, verdict: dict[str, Any]) -> None:
    warnings: list[Any] = []
    options = {"type_name": case["type"], "profile": profile, "on_warning": warnings.append}
    if "errors" in verdict:
        with pytest.raises(AGUIError) as caught:
            decode_event(case["json"], **options)
        found = {(issue.code, issue.path) for issue in caught.value.issues}
        assert found == {(issue["code"], issue["path"]) for issue in verdict["errors"]}
        return
    value = decode_event(case["json"], **options)
    if verdict.get("dropped"):
        assert value is None
    else:
        assert written(value) == json.loads(verdict["value"])
    expected = {(issue["code"], issue["path"]) for issue in verdict.get("warnings", [])}
    assert {(warning.code, warning.path) for warning in warnings} == expected


LOST = ["1" * 4_301, "-" + "9" * 10_000, "1e400", "-1e400", "2.5e999"]
"""Numbers that Python does not read: of too many digits, or beyond the range of its doubles."""


@pytest.mark.parametrize("number", LOST, ids=range(len(LOST)))
@pytest.mark.parametrize("profile", ["strict", "tolerant", "relay"])
def test_a_number_that_python_does_not_read_is_told(number: str, profile: Any) -> None:
    for value, json_text in {
        "/value": f'{{"type":"CUSTOM","name":"n","value":{{"a":[1,{number}]}}}}',
        "/rawEvent": f'{{"type":"CUSTOM","name":"n","value":1,"rawEvent":{number}}}',
    }.items():
        found: list[Any] = []
        decode_event(json_text, profile=profile, on_warning=found.append)
        assert [(warning.code, warning.path) for warning in found] == [("number_out_of_range", value)]
        for make in (EventDecoder, lambda **named: EventPipeline(verify=False, reduce=False, **named)):
            stream = make(profile=profile)
            assert len(stream.feed(f"data: {json_text}\n\ndata: {json_text}\n\n".encode())) == 2
            assert [(warning.event_index, warning.path) for warning in stream.warnings] == [(0, value), (1, value)]
            # One that is read tells nothing.
            stream.feed(b'data: {"type":"CUSTOM","name":"n","value":[1e300]}\n\n')
            assert len(stream.warnings) == 2
    assert decode_event(json_text[:-1] + f',"more":{number}}}', profile="relay")["more"] == float(number)


def test_such_numbers_in_a_conversation_are_told() -> None:
    message = '{"id":"u","role":"user","content":"x","metadata":{"n":1e400}}'
    events = [
        '{"type":"STATE_SNAPSHOT","snapshot":{"n":1e400}}',
        '{"type":"STATE_DELTA","delta":[{"op":"add","path":"/m","value":[1e400]}]}',
        f'{{"type":"MESSAGES_SNAPSHOT","messages":[{message}]}}',
        '{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","metadata":{"n":1e400}}',
        '{"type":"STATE_SNAPSHOT","snapshot":{}}',
    ]
    for profile in ("tolerant", "relay"):
        pipeline = EventPipeline(profile=profile, verify=False)
        pipeline.feed("".join(f"data: {event}\n\n" for event in events).encode())
        found = [(warning.event_index, warning.code) for warning in pipeline.warnings]
        assert found == [(index, "number_out_of_range") for index in range(4)]


def test_integers_are_exact_as_long_as_python_reads_them() -> None:
    digits = "7" * 4_300
    for profile in ("strict", "tolerant", "relay"):
        found: list[Any] = []
        event = decode_event(
            f'{{"type":"CUSTOM","name":"n","value":{digits}}}', profile=profile, on_warning=found.append
        )
        value = event["value"] if isinstance(event, dict) else event.value
        assert type(value) is int and str(value) == digits and not found

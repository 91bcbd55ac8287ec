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


@pytest.mark.parametrize("case", fixture_cases("lost_numbers"), ids=lambda case: case["name"])
@pytest.mark.parametrize("profile", ["strict", "tolerant", "relay"])
def test_a_number_that_is_lost_is_told_at_its_place(case: dict[str, Any], profile: Any) -> None:
    if profile not in case.get("profiles", [profile]):
        return
    paths = sorted(case["paths"])

    def lost(warnings: Any, index: int | None) -> list[str]:
        told = [warning for warning in warnings if warning.code == "number_out_of_range"]
        return sorted(warning.path for warning in told if warning.event_index == index)

    for as_dicts in (False, True):
        found: list[Any] = []
        decode_event(case["json"], profile=profile, on_warning=found.append, as_dicts=as_dicts)
        assert lost(found, None) == paths
        options: Any = {"profile": profile, "as_dicts": as_dicts}
        streams: list[Any] = [EventDecoder(**options)]
        streams += [EventPipeline(verify=False, reduce=reduce, **options) for reduce in (False, True)]
        for stream in streams:
            stream.feed(f"data: {case['json']}\n\n".encode() * 2)
            assert [lost(stream.warnings, index) for index in (0, 1)] == [paths, paths]


def test_integers_are_exact_as_long_as_python_reads_them() -> None:
    digits = "7" * 4_300
    for profile in ("strict", "tolerant", "relay"):
        found: list[Any] = []
        event = decode_event(
            f'{{"type":"CUSTOM","name":"n","value":{digits}}}', profile=profile, on_warning=found.append
        )
        value = event["value"] if isinstance(event, dict) else event.value
        assert type(value) is int and str(value) == digits and not found

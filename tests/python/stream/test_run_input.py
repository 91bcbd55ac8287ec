"""Bodies of requests: the run's input that is read from them."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from ag_ui_native import AGUIError, Limits, RunInput, core, read_run_input, to_json
from conftest import fixture_cases

CASES = fixture_cases("run-input")


def body_of(case: dict[str, Any]) -> bytes:
    body = case["body"]
    return body.encode() if isinstance(body, str) else base64.b64decode(body["base64"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_body_is_read_as_recorded(case: dict[str, Any]) -> None:
    body = body_of(case)
    options = {"profile": case.get("profile", "tolerant"), "limits": Limits(**case.get("limits", {}))}
    for form in (bytes, bytearray, memoryview):
        if "error" in case:
            with pytest.raises(AGUIError) as caught:
                read_run_input(form(body), **options)
            error = {key: getattr(caught.value, key) for key in ("code", "path", "limit")}
            assert error == {"limit": None, **case["error"]}
            continue
        read = read_run_input(form(body), **options)
        assert isinstance(read, RunInput) and type(read.input) is core.RunAgentInput
        assert json.loads(to_json(read.input)) == json.loads(case["input"])
        expected = {(issue["code"], issue["path"]) for issue in case.get("warnings", [])}
        assert {(warning.code, warning.path) for warning in read.warnings} == expected


def test_text_and_dictionaries_are_bodies_too() -> None:
    document = {"threadId": "t", "runId": "r", "messages": [], "state": {"n": 2**70}}
    for body in (json.dumps(document), json.dumps(document).encode(), document):
        read, warnings = read_run_input(body)
        assert (read.thread_id, read.state, read.tools, warnings) == ("t", {"n": 2**70}, [], [])
    for wrong in (None, 5, [document]):
        with pytest.raises(TypeError):
            read_run_input(wrong)

"""tests/fixtures/client/client_rules.json: the rules of the client, as Python asks them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError, AGUIValidationError
from ag_ui_native.client import ToolCallFilter, rules
from ag_ui_native.stream import check_resume
from conftest import fixture_cases

CASES: Any = fixture_cases("client_rules")
NOW = 1_767_225_600_000
"""A time in 2026, between the expired and the unexpired entries of the cases."""


@pytest.mark.parametrize("case", CASES["headers"], ids=repr)
def test_headers(case: dict[str, Any]) -> None:
    if case["valid"]:
        rules.check_request_header(case["name"], case["value"])
    else:
        with pytest.raises(AGUIValidationError) as caught:
            rules.check_request_header(case["name"], case["value"])
        assert (caught.value.code, caught.value.path) == ("invalid_header", f"/headers/{case['name']}")
        assert case["value"].strip() in ("", "a") or case["value"] not in str(caught.value)


def test_reserved_headers() -> None:
    assert not any(rules.check_request_header(name, "") for name in CASES["reserved"]["yes"])
    assert all(rules.check_request_header(name, "") for name in CASES["reserved"]["no"] if name)


def test_addresses() -> None:
    for case in CASES["addresses"]:
        assert rules.address_of(case["of"]) == (case["url"], case["authorization"])
    for case in CASES["redirectedAddresses"]:
        there = rules.address_of(case["to"], case["before"], case["sameOrigin"])
        assert there == (case["url"], case["authorization"]), case


@pytest.mark.parametrize("case", CASES["limits"], ids=repr)
def test_limits(case: dict[str, Any]) -> None:
    passed, total, lasts, left = (
        None if case[name] is None else case[name] / 1000 for name in ("passed", "total", "lasts", "left")
    )
    assert passed is not None and total is not None
    reported = lasts if case["limit"] == case["timeout"] else total
    assert rules.limit_within(passed, total, case["timeout"], lasts) == (left, case["limit"], reported)


@pytest.mark.parametrize("case", CASES["redirects"], ids=repr)
def test_redirects(case: dict[str, Any]) -> None:
    when, here = (0.0, 0, 0.0), case["from"]
    exchange = rules.Exchange(redirects="any" if case["anyOrigin"] else "same-origin")
    exchange.prepared(when, here, [])
    for _ in range(case["followed"]):
        exchange.head(when, 307, location=here)
        exchange.closed(when)
    assert exchange.head(when, case["status"], location=case["to"]).name == "close"
    told = exchange.closed(when)
    if case["sameOrigin"] is not None:
        assert (told.name, not told.left_behind) == ("send", case["sameOrigin"])
    else:
        assert isinstance(told.error, AGUIConnectionError)
        assert told.error.code == "redirect_refused"


@pytest.mark.parametrize("case", fixture_cases("tool_filter"), ids=lambda case: case["name"])
def test_calls_of_some_tools(case: dict[str, Any]) -> None:
    names = {option: case[option] for option in ("allow", "deny") if option in case}

    async def later(_: Any) -> AsyncIterator[Any]:
        for event in case["events"]:
            yield event

    async def passed() -> list[Any]:
        return [event async for event in ToolCallFilter(**names)(None, later)]  # type: ignore[arg-type]

    filtered = ToolCallFilter(**names)
    for _ in range(2):
        # Each run begins anew.
        assert list(filtered(None, lambda _: iter(case["events"]))) == case["passed"]  # type: ignore[arg-type]
    assert asyncio.run(passed()) == case["passed"]


@pytest.mark.parametrize("wrong", [{"allow": "look"}, {"deny": [5]}, {"allow": ["a"], "deny": ["b"]}, {}])
def test_what_is_no_filter(wrong: dict[str, Any]) -> None:
    with pytest.raises(AGUIValidationError):
        ToolCallFilter(**wrong)


@pytest.mark.parametrize("case", CASES["failures"], ids=repr)
def test_failures(case: dict[str, Any]) -> None:
    error = rules.refusal_error(case["status"], case["contentType"], case["body"].encode())
    assert (error.code, error.status, error.payload) == ("http_error", case["status"], case["payload"])
    assert case["says"] in str(error)


@pytest.mark.parametrize("case", CASES["inputs"], ids=lambda case: case["name"])
def test_inputs(case: dict[str, Any]) -> None:
    runs = rules.Runs().next(1)
    asked = json.dumps(case["given"]), (None, "[]"), case.get("pending", []), lambda: "r", case.get("peer")
    if "sent" not in case:
        with pytest.raises(AGUIError) as caught:
            runs.prepare(*asked)
        assert (caught.value.rule, caught.value.code) == (case.get("rule"), case.get("code", "sequence_broken"))
    else:
        assert json.loads(runs.prepare(*asked)[1]) == case["sent"]


@pytest.mark.parametrize("case", CASES["resumes"], ids=repr)
def test_resumes(case: dict[str, Any]) -> None:
    pending: list[Any] = [{"id": name, "reason": "ask"} for name in case["pending"]]
    answers: list[Any] = [{"interruptId": name, "status": "resolved"} for name in case["answers"]]
    if "code" in case:
        with pytest.raises(AGUIError) as caught:
            rules.build_resume(pending, answers, NOW)
        assert caught.value.code == case["code"]
    else:
        assert [entry.interrupt_id for entry in rules.build_resume(pending, answers, NOW)] == case["order"]


@pytest.mark.parametrize("case", CASES["messages"], ids=repr)
def test_messages(case: dict[str, Any]) -> None:
    assert rules.frame_message(case["text"].encode(), False, False).decode() == case["frame"]
    assert rules.frame_message(b"\x01\x02", True, True) == b"\x00\x00\x00\x02\x01\x02"


def test_what_is_no_rule() -> None:
    for wrong in (lambda: rules.client_error("oh"), lambda: rules.timeout_error("oh")):
        with pytest.raises(ValueError, match="unknown "):
            wrong()


def test_what_is_wrong_with_one_of_several_answers_is_said_with_its_index() -> None:
    pending = [{"id": "i", "reason": "ask"}]
    answers = [{"interruptId": "i", "status": "resolved"}, {"interruptId": "j", "status": "maybe"}]
    with pytest.raises(AGUIValidationError) as wrong_answer:
        check_resume(pending, answers)
    assert wrong_answer.value.path == "/1/status"
    with pytest.raises(AGUIValidationError) as wrong_interrupt:
        check_resume([*pending, {"reason": "ask"}], answers)
    assert wrong_interrupt.value.path == "/1/id"

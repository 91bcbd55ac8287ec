"""tests/fixtures/client/client_requests.json: the steps of a client for one request: the calls of core, and core's
answers.
"""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from ag_ui_native.client import Retry, rules
from conftest import fixture_cases

SCRIPTS: Any = fixture_cases("client_requests")["scripts"]


def seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else inf if milliseconds > 1e200 else milliseconds / 1000


def exchange(options: dict[str, Any]) -> rules.Exchange:
    given = options.get("retry")
    times = {"first", "longest"}
    retry = None if given is None else Retry(**{k: v / 1000 if k in times else v for k, v in given.items()})
    subject = options.get("subject", {})
    names = {"purpose": "purpose", "threadId": "thread_id", "runId": "run_id"}
    about = {name: subject[given] for given, name in names.items() if given in subject}
    pauses = subject.get("reconnect")
    return rules.Exchange(
        begun=options.get("begun", 0) / 1000,
        protobuf=options.get("protobuf", False),
        redirects=options.get("redirects", "same-origin"),
        retry=retry and (retry.attempts, retry.first, retry.longest, retry.jitter),
        connect=seconds(options.get("connect")),
        first_byte=seconds(options.get("firstByte")),
        idle=seconds(options.get("idle")),
        total=seconds(options.get("total")),
        reconnect=pauses and (pauses["attempts"], pauses["first"] / 1000, pauses["longest"] / 1000, pauses["jitter"]),
        **about,
    )


def tell(to: rules.Exchange, step: dict[str, Any]) -> rules.RequestCommand:
    when = step.get("now", 0) / 1000, step.get("wall", 0), step.get("chance", 0)
    match step["input"]:
        case "prepared":
            return to.prepared(when, step["url"], step["headers"])
        case "head":
            names = {"contentType": "content_type", "contentEncoding": "content_encoding", "retryAfter": "retry_after"}
            head = {
                names.get(name, name): value for name, value in step.items() if name not in ("input", "now", "then")
            }
            return to.head(when, **head)
        case "piece":
            return to.piece((step["text"] * step.get("times", 1)).encode())
        case "end":
            return to.end()
        case "failed":
            return to.failed(when, step["code"], step.get("limit"), step.get("status"))
        case "late":
            return to.late(when, step["connecting"])
        case "connected" | "closed" | "tick" | "aborted" as name:
            return getattr(to, name)(when)  # type: ignore[no-any-return]
    raise AssertionError(step)


def milliseconds(time: float | None) -> float | None:
    return None if time is None else round(time * 1000, 3)


def told(command: rules.RequestCommand) -> dict[str, Any]:
    """A command as the scripts have it."""
    found: dict[str, Any] = {"command": command.name, "deadline": None}
    if command.until is not None:
        found["deadline"] = {"at": milliseconds(command.until), "timeout": command.timeout}
    if command.name == "send":
        limits = {name: getattr(command, name) for name in ("connect", "head")}
        found |= {"method": command.method, "hasInput": command.has_input}
        found |= {"url": command.url, "headers": command.headers, "leftBehind": command.left_behind}
        for name, (lasts, timeout) in limits.items():
            found[name] = timeout and lasts and {"lasts": milliseconds(lasts), "timeout": timeout}
    if command.name == "sleep":
        found["until"] = milliseconds(command.until)
    if command.name in ("refusal", "events"):
        found["encoding"] = command.encoding
    if command.name == "events":
        found["contentType"] = command.content_type
    error = command.error
    found["given"] = command.name == "fail" and error is None
    if error is not None:
        payload = getattr(error, "payload", None)
        found |= {"code": error.code, "limit": error.limit, "payload": payload, "says": str(error)}
        found |= {"status": getattr(error, "status", None), "payloadLength": payload and len(payload)}
    return found


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script["name"])
def test_scripts(script: dict[str, Any]) -> None:
    to = exchange(script["options"])
    for step in script["steps"]:
        found, then = told(tell(to, step)), step["then"]
        if then.get("given"):
            # The error is the host's.
            then = {"command": "fail", "given": True}
        if then["command"] == "sleep":
            # The command waits for the earlier of the two times.
            then = {name: value for name, value in then.items() if name != "until" or "deadline" not in then}
        for name, value in then.items():
            if name == "says":
                assert value in found["says"], step
            else:
                assert found.get(name) == value, step


def test_what_is_told_wrongly() -> None:
    with pytest.raises(ValueError, match="redirects: expected"):
        rules.Exchange(redirects="all")  # type: ignore[arg-type]
    # Invalid numbers count as forever, or as never.
    odd = rules.Exchange(begun=float("nan"), idle=-1.0, retry=(2, float("nan"), -1.0, float("inf")))
    command = odd.prepared((float("nan"), 0, float("nan")), "", [])
    assert (command.name, command.until) == ("send", None)
    assert odd.failed((0.0, 0, 0.0), "unknown").name == "fail"

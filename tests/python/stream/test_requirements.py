"""tests/fixtures/stream/requirements.json: the requirements of the specification, and the verdict of each profile."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from ag_ui_native import AGUIError, read_run_input, to_json
from ag_ui_native.client import Agent
from ag_ui_native.compat import upgrade_input
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.stream import EventPipeline, decode_event, decode_events
from client_scripts import Script, frame
from conftest import FIXTURES, fixture_cases

CASES = fixture_cases("requirements")
PROFILES = ("strict", "tolerant", "relay")


def summary(told: Any, *, indexed: bool = False) -> str:
    """An error or a warning in a line: its code, the rule, the event of a stream, the place."""
    at = told.event_index if indexed else None
    parts = [told.code, told.rule, f"at {at}" if at is not None else None, told.path]
    return " ".join(part for part in parts if part)


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(item) for item in value]
    return json.loads(to_json(value)) if isinstance(value, BaseModel) else value


def is_within(wanted: Any, found: Any) -> bool:
    """Returns True if `found` has every wanted member, and none that is wanted as "(absent)". Lists have the same
    length.
    """
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            key not in found if value == "(absent)" else key in found and is_within(value, found[key])
            for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return isinstance(found, list) and len(wanted) == len(found) and all(map(is_within, wanted, found))
    return wanted == found and isinstance(wanted, bool) == isinstance(found, bool)


def verdict(error: Any, warnings: Iterable[Any], *, indexed: bool = False) -> dict[str, Any]:
    told = sorted(summary(warning, indexed=indexed) for warning in warnings)
    return ({"error": summary(error, indexed=indexed)} if error else {}) | ({"warnings": told} if told else {})


def tell_stream(case: dict[str, Any], profile: Any) -> dict[str, Any]:
    """Feeds a stream, or the bytes of one, to a pipeline. If protobuf has all of its events, the result over protobuf
    must be the same.
    """
    if "body" in case:
        return tell_bytes(case["body"].encode(), None, case, profile)
    found = tell_bytes(b"".join(map(frame, case["stream"])), None, case, profile)
    with contextlib.suppress(AGUIError):
        events = [decode_event(json.dumps(event), profile="strict") for event in case["stream"]]
        frames = b"".join(map(EventEncoder().encode_protobuf, events))
        assert tell_bytes(frames, AGUI_MEDIA_TYPE, case, profile) == found
    return found


def tell_bytes(body: bytes, content_type: str | None, case: dict[str, Any], profile: Any) -> dict[str, Any]:
    warnings: list[Any] = []
    options = {"profile": profile, "peer": case.get("peer"), "on_warning": warnings.append, "as_dicts": True}
    pipeline: Any = EventPipeline(content_type, **options)
    error = None
    try:
        pipeline.feed(body)
        pipeline.close()
    except AGUIError as failure:
        error = failure
    found = verdict(error, warnings, indexed=True)
    return found | {"messages": plain(pipeline.messages), "state": pipeline.state}


def tell_document(case: dict[str, Any], profile: Any) -> dict[str, Any]:
    """An event, or a run's input, by itself."""
    warnings: list[Any] = []
    try:
        if "event" in case:
            decode_event(json.dumps(case["event"]), profile=profile, on_warning=warnings.append)
        else:
            warnings += read_run_input(json.dumps(case["input"]), profile=profile).warnings
    except AGUIError as failure:
        return verdict(failure, warnings)
    return verdict(None, warnings)


def tell_client(case: dict[str, Any], profile: Any) -> dict[str, Any]:
    """Runs an agent of the client. The result is that of the last run."""
    asked = case["client"]
    start = dict(asked.get("start", {}))
    if "stored" in start:
        start["messages"] = upgrade_input({"messages": start.pop("stored")})[0]["messages"]
    script = Script(*([frame(event) for event in run["answer"]] for run in asked["runs"]))
    warnings: list[Any] = []
    seen: list[Any] = []

    async def watch(input: Any, ask: Any) -> AsyncIterator[Any]:
        async for event in ask(input):
            # pydantic warns of unexpected values.
            seen.append(json.loads(event.model_dump_json(by_alias=True, warnings=False)))
            yield event

    if "seen" in case["tolerant"]:
        start["middleware"] = [watch]

    async def talk() -> dict[str, Any]:
        agent: Any = None
        try:
            agent = Agent(script, thread_id="t", profile=profile, on_warning=warnings.append, **start)
            for run in asked["runs"]:
                warnings.clear()
                options = {"run_id": run.get("runId", "r")} | ({"resume": run["resume"]} if "resume" in run else {})
                result = await agent.run_agent(**options)
        except AGUIError as failure:
            found = verdict(failure, warnings)
        else:
            found = verdict(None, warnings) | {"outcome": result.outcome}
        if agent is not None:
            found |= {"messages": plain(agent.messages), "state": agent.state}
        sent = script.asked[-1] if script.asked else None
        return found | {"asked": len(script.asked), "sent": sent, "seen": seen}

    return asyncio.run(talk())


def tell_server(case: dict[str, Any]) -> dict[str, Any]:
    """A request to a server whose agent sends the events one by one."""
    asked = case["server"]
    body = asked["body"] if isinstance(asked["body"], str) else json.dumps(asked["body"])

    async def agent(run: Run) -> None:
        for event in asked["agent"]:
            await run.event(event)

    async def ask() -> tuple[dict[str, Any], bytes]:
        sent: list[Any] = []
        requests = iter([{"type": "http.request", "body": body.encode(), "more_body": False}])

        async def receive() -> Any:
            for request in requests:
                return request
            return await asyncio.Future()

        async def send(message: Any) -> None:
            sent.append(message)

        accept = asked.get("accept", "text/event-stream").encode()
        headers = [(b"content-type", b"application/json"), (b"accept", accept)]
        scope: Any = {"type": "http", "method": "POST", "path": "/", "headers": headers}
        await asgi_app(agent)(scope, receive, send)
        return sent[0], b"".join(message.get("body", b"") for message in sent[1:])

    head, answer = asyncio.run(ask())
    found: dict[str, Any] = {"status": head["status"]}
    if head["status"] == 200:
        found["type"] = dict(head["headers"])[b"content-type"].decode().split(";")[0]
        found["events"] = [plain(event) for event in decode_events([answer], content_type=found["type"])]
    return found


def judge(case: dict[str, Any], wanted: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Returns the names of the members that differ from the wanted ones."""
    wrong = [name for name in ("error", "warnings") if wanted.get(name) != found.get(name)]
    names = ("status", "type", "events", "outcome", "asked", "sent", "seen")
    both = {name: wanted[name] for name in names if name in wanted}
    if "error" not in wanted:
        both |= {name: case[name] for name in ("messages", "state") if name in case}
    both |= {name: wanted[name] for name in ("messages", "state") if name in wanted}
    wrong += [name for name, value in both.items() if not (name in found and is_within(value, found[name]))]
    for path in wanted.get("unsent", ()):
        value: Any = found["sent"]
        *parents, last = path.split(".")
        for key in parents:
            value = value and value[int(key) if isinstance(value, list) else key]
        wrong += [path] if value is None or last in value else []
    return wrong


def tell(case: dict[str, Any], profile: str) -> dict[str, Any]:
    if "server" in case:
        return tell_server(case)
    if "client" in case:
        return tell_client(case, profile)
    return (tell_document if "event" in case or "input" in case else tell_stream)(case, profile)


def verdicts() -> Iterator[Any]:
    for case in CASES:
        for profile in ("answer",) if "server" in case else PROFILES:
            if profile in case:
                yield pytest.param(case, profile, id=f"{case['page']} {case['number']} {profile}")


@pytest.mark.parametrize(("case", "profile"), list(verdicts()))
def test_requirements(case: dict[str, Any], profile: str) -> None:
    found = tell(case, profile)
    wrong = judge(case, case[profile], found)
    if profile in (today := case.get("today", {})):
        assert wrong, "it is right now: take `today` away"
        assert not judge(case, today[profile], found), found
    else:
        assert not wrong, found


def test_each_requirement_is_named_once_and_says_what_is_wanted() -> None:
    numbers = [(case["page"], case["number"]) for case in CASES]
    assert len(set(numbers)) == len(numbers)
    for case in CASES:
        assert case["level"] in ("MUST", "MUST NOT", "SHOULD", "MAY") and case["text"].endswith(".")
        assert case["who"] in ("producer", "reader", "client", "server")
        assert ("later" in case) == ("today" in case), case


def test_each_stream_case_upstream_has_one_of_ours() -> None:
    """But for three about text in several scripts, of 1.0, which the tests of decoders have."""
    results = json.loads((FIXTURES.parent / "upstream" / "results.json").read_text("utf-8"))
    scripts = {"combining-mark-split-from-its-base", "multibyte-text-assembles", "zwj-sequence-split-at-the-joiner"}
    upstream = {name.split(" ")[1] for name in results if name.count(" ") == 1} - scripts
    assert {case["case"] for case in CASES if "case" in case} == upstream
    assert len(upstream) == 74

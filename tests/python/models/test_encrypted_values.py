"""The results of encrypted values of providers and of their types: our classes have a member for the type, and those
of ``install()`` keep it as an extra member.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import ag_ui.core
import httpx
import pytest
from pydantic import BaseModel

from ag_ui_native import AGUIError, core, proto, to_json
from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.compat import downgrade_input
from ag_ui_native.stream import EventPipeline, Reducer, compact_events, decode_event
from conftest import FIXTURES
from programs import run

HERE = Path(__file__).parent
CASES = json.loads((FIXTURES / "types/encrypted_values.json").read_text("utf-8"))
PROFILES = ["strict", "tolerant", "relay"]
VALUE = {"encryptedValue": "A", "encryptedValueType": "p.t"}


def named(case: dict[str, Any]) -> str:
    return case["name"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("case", CASES["documents"], ids=named)
def test_a_type_stands_beside_its_value_only(case: dict[str, Any], profile: Any) -> None:
    verdict = case.get(profile, case["strict"])
    for as_dicts in (False, True):
        found: list[Any] = []
        options: Any = {"type_name": case["type"], "profile": profile, "on_warning": found.append, "as_dicts": as_dicts}
        if "errors" in verdict:
            with pytest.raises(AGUIError) as caught:
                decode_event(case["json"], **options)
            found = list(caught.value.issues)
        else:
            value = decode_event(case["json"], **options)
            # A dictionary has the members as they came.
            text = to_json(value) if isinstance(value, BaseModel) else json.dumps(value)
            assert json.loads(text) == json.loads(verdict["value"])
        wanted = verdict.get("errors", verdict.get("warnings", []))
        assert {(issue.code, issue.path) for issue in found} == {(issue["code"], issue["path"]) for issue in wanted}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("case", CASES["conversations"], ids=named)
def test_a_type_is_of_one_value(case: dict[str, Any], profile: Any) -> None:
    typed = [decode_event(json.dumps(event), profile=profile) for event in case["events"]]
    for events in (case["events"], typed):
        start = (
            case["start"] if events is case["events"] else [core.UserMessage(**message) for message in case["start"]]
        )
        reducer = Reducer(messages=start, profile=profile)
        for event in events:
            reducer.apply(event)
        assert [json.loads(to_json(m)) if isinstance(m, BaseModel) else m for m in reducer.messages] == case["messages"]
        assert [[warning.event_index, warning.code] for warning in reducer.warnings] == case["warnings"]
        compact = Reducer(messages=start, profile=profile)
        for event in compact_events(events):
            compact.apply(event)
        assert compact.messages == reducer.messages
    pipeline = EventPipeline(messages=case["start"], profile=profile, as_dicts=True)
    pipeline.feed("".join(f"data: {json.dumps(event)}\n\n" for event in case["events"]).encode())
    assert pipeline.messages == case["messages"]


@pytest.mark.parametrize("case", CASES["protobuf"], ids=named)
def test_protobuf_has_slots_for_it(case: dict[str, str]) -> None:
    event = decode_event(case["json"])
    assert proto.encode(event).hex() == proto.encode(json.loads(case["json"])).hex() == case["hex"]
    assert proto.decode(bytes.fromhex(case["hex"])) == event


def test_our_classes_have_it() -> None:
    classes: list[Any] = [core.DeveloperMessage, core.SystemMessage, core.AssistantMessage, core.UserMessage]
    classes += [core.ToolMessage, core.ReasoningMessage, core.ToolCall, core.ReasoningEncryptedValueEvent]
    for cls in classes:
        names = list(cls.model_fields)
        assert names[names.index("encrypted_value") + 1] == "encrypted_value_type"
    assert "encrypted_value_type" not in core.ActivityMessage.model_fields
    for made in (
        core.AssistantMessage(id="m", encrypted_value="A", encrypted_value_type="p.t"),
        core.AssistantMessage(id="m", encryptedValue="A", encryptedValueType="p.t"),
        core.AssistantMessage.model_validate({"id": "m", **VALUE}),
    ):
        assert made.encrypted_value_type == "p.t" and not made.model_extra
        assert to_json(made) == '{"id":"m","role":"assistant","encryptedValue":"A","encryptedValueType":"p.t"}'


def test_a_value_without_a_type_leaves_no_trace_of_one() -> None:
    reducer = Reducer()
    reducer.apply(core.TextMessageStartEvent(message_id="m"))
    reducer.apply(core.ReasoningEncryptedValueEvent(subtype="message", entity_id="m", encrypted_value="A"))
    assert "encrypted_value_type" not in reducer.messages[0].model_fields_set


def test_objects_of_the_official_package_keep_it() -> None:
    reducer = Reducer(messages=[ag_ui.core.AssistantMessage(id="m")])
    value = {"subtype": "message", "entityId": "m", "encryptedValue": "A"}
    reducer.apply(ag_ui.core.ReasoningEncryptedValueEvent(**value, encryptedValueType="p.t"))
    message = reducer.messages[0]
    assert type(message).__module__.startswith("ag_ui.") and message.model_extra == {"encryptedValueType": "p.t"}
    reducer.apply(ag_ui.core.ReasoningEncryptedValueEvent(**value))
    assert message.model_extra == {} and message.encrypted_value == "A"


@pytest.mark.parametrize(("peer", "sent", "lost"), [("1.0", "1.1", 1), (None, "1.1", 0), ("0.0.58", None, 1)])
def test_what_an_agent_sends_to_a_peer(peer: str | None, sent: str | None, lost: int) -> None:
    seen: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(json.loads(request.content))
        ids = {"threadId": seen[0]["threadId"], "runId": seen[0]["runId"], "protocolVersion": "1.0"}
        events = [
            {"type": "RUN_STARTED", **ids},
            {"type": "RUN_FINISHED", "threadId": ids["threadId"], "runId": ids["runId"]},
        ]
        text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})

    warnings: list[Any] = []
    message = core.AssistantMessage(id="m", encrypted_value="A", encrypted_value_type="p.t", content="")
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        agent = SyncHttpAgent("http://x/", client=client, messages=[message], peer=peer, on_warning=warnings.append)
        assert agent.ask("Hi").text == ""
    assert seen[0].get("protocolVersion") == sent
    assert ("encryptedValueType" in seen[0]["messages"][0]) is not bool(lost)
    assert [(warning.code, warning.path) for warning in warnings] == lost * [
        ("foreign_version", "/messages/0/encryptedValueType")
    ]


def test_a_peer_of_1_0_gets_no_type_and_the_application_a_warning() -> None:
    message = core.AssistantMessage(id="m", encrypted_value="A", encrypted_value_type="p.t")
    asked = core.RunAgentInput(thread_id="t", run_id="r", messages=[message])
    sent, warnings = downgrade_input(asked, "1.0")
    assert [(warning.code, warning.path) for warning in warnings] == [
        ("foreign_version", "/messages/0/encryptedValueType")
    ]
    assert "encryptedValueType" not in to_json(sent)
    assert downgrade_input(asked, "1.1") == (asked, [])


def test_the_classes_of_install_are_those_of_1_0_0() -> None:
    """Other tests leave out newer members when they compare our classes with the official ones; under ``install()``
    they leave out none.
    """
    program = (
        "import sys, ag_ui_native, pytest; ag_ui_native.install(); import ag_ui.core; ag_ui_native.uninstall();"
        # Without them the comparison itself looks away from nothing.
        "from ag_ui_native.core import base, newer; assert base.LACKED == newer.NEWER;"
        "sys.exit(pytest.main(sys.argv[1:]))"
    )
    options = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    files = [
        str(file)
        for name in ("modules", "drop_in", "encoder", "random")
        for file in HERE.parent.glob(f"*/test_{name}.py")
    ]
    command = [sys.executable, "-c", program, *options, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parents[2], timeout=900)
    assert done.returncode == 0, done.stdout[-5000:]


def test_the_classes_of_install_keep_it() -> None:
    run(
        """
        import ag_ui_native
        ag_ui_native.install()
        from ag_ui.core import AssistantMessage, MessagesSnapshotEvent, PROTOCOL_VERSION
        from ag_ui_native import _native
        from ag_ui_native.stream import Reducer, decode_event
        assert (PROTOCOL_VERSION, ag_ui_native.PROTOCOL_VERSION) == ("1.0", "1.1")
        assert "encrypted_value_type" not in AssistantMessage.model_fields
        text = '{"id":"m","role":"assistant","encryptedValue":"A","encryptedValueType":"p.t"}'
        before = _native.fast_path_stats()
        for message in (AssistantMessage.model_validate_json(text), decode_event(text, type_name="Message", profile="strict")):
            assert message.model_extra == {"encryptedValueType": "p.t"} and message.encryptedValueType == "p.t"
            assert message.model_dump_json(by_alias=True) == text
        taken = [now - then for now, then in zip(_native.fast_path_stats(), before)]
        assert taken == [0, 2, 1], taken

        class Mine(AssistantMessage):
            mine: int = 1

        assert [*Mine.model_fields] == [*AssistantMessage.model_fields, "mine"]
        reducer = Reducer()
        reducer.apply(decode_event('{"type":"MESSAGES_SNAPSHOT","messages":[' + text + "]}"))
        value = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "m", "encryptedValue": "B"}
        assert reducer.apply({**value, "encryptedValueType": "q.t"})[1].value == ("encryptedValueType", "q.t")
        assert reducer.messages[0].model_extra == {"encryptedValueType": "q.t"}
        reducer.apply(value)
        assert reducer.messages[0].model_extra == {} and reducer.messages[0].encrypted_value == "B"
        """
    )

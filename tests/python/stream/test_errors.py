"""The exceptions, and checks of objects."""

from __future__ import annotations

import pickle
from typing import Any

import ag_ui.core as official
import pytest
from pydantic import ValidationError

from ag_ui_native import (
    AGUIError,
    AGUIInternalError,
    AGUILimitError,
    AGUIStreamError,
    AGUIValidationError,
    Issue,
    _native,
    core,
    to_json,
    validate,
)
from ag_ui_native.patch import apply_patch
from ag_ui_native.stream import EventDecoder, EventPipeline, Reducer, decode_event, enforce_events
from conftest import fixture_cases


def test_one_family() -> None:
    for cls in (AGUIValidationError, AGUIStreamError, AGUILimitError, AGUIInternalError):
        assert issubclass(cls, AGUIError)
    assert issubclass(AGUIValidationError, ValueError)


@pytest.mark.parametrize("case", fixture_cases("error_addresses"), ids=lambda case: case["code"])
def test_where_an_error_is_described(case: dict[str, Any]) -> None:
    error = AGUIError("message", code=case["code"], rule=case.get("rule"))
    assert error.documentation == case["address"]
    assert pickle.loads(pickle.dumps(error)).documentation == case["address"]


def test_a_validation_error_says_all() -> None:
    with pytest.raises(AGUIValidationError) as caught:
        decode_event(
            '{"type":"STATE_DELTA","delta":[{"op":"add","path":"x","value":1},{"op":"remove"}]}', profile="strict"
        )
    error = caught.value
    assert error.errors() == [
        {"type": "invalid_pointer", "loc": ("delta", 0, "path"), "msg": error.issues[0].message},
        {"type": "missing_field", "loc": ("delta", 1, "path"), "msg": error.issues[1].message},
    ]
    assert (error.code, error.path, error.event_type) == ("invalid_pointer", "/delta/0/path", "STATE_DELTA")
    assert isinstance(error.issues[0], Issue) and str(error) == error.message
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is AGUIValidationError and again.__dict__ == error.__dict__


@pytest.mark.parametrize("case", fixture_cases("advice"), ids=lambda case: case["name"])
def test_every_message_says_what_to_do_where_the_fault_is(case: dict[str, Any]) -> None:
    profile = case.get("profile", "tolerant")
    issues: list[Any] = []
    try:
        if "json" in case:
            decode_event(case["json"], profile=profile, on_warning=issues.append)
        else:
            decoder = EventDecoder(case.get("content_type"), profile=profile, on_warning=issues.append)
            decoder.feed(case["stream"].encode())
            decoder.close()
    except AGUIError as error:
        assert str(error).endswith("; " + case["advice"][0])
        issues = list(error.issues)
    assert len(issues) == len(case["advice"])
    for issue, advice in zip(issues, case["advice"], strict=True):
        assert issue.message.endswith("; " + advice) and issue.message.isprintable()


def test_payloads_are_not_quoted() -> None:
    with pytest.raises(AGUIError) as caught:
        decode_event('{"type":"STATE_SNAPSHOT","snapshot":{"secret":"hunter2"},"timestamp":"hunter2"}')
    assert "hunter2" not in str(caught.value)


def test_offsets() -> None:
    with pytest.raises(AGUIValidationError) as caught:
        decode_event('{"type":}')
    assert (caught.value.code, caught.value.offset) == ("invalid_json", 8)


def test_a_panic_is_an_exception() -> None:
    with pytest.raises(AGUIInternalError, match="on purpose"):
        _native._panic_for_tests()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # What pyo3 says of the allocation.
def test_a_panic_loses_nothing_made_before_it() -> None:
    """One allocation fails, each in its turn: the next call returns the events that stood in front of it."""
    memory = pytest.importorskip("_testcapi", reason="lets an allocation fail; some builds of CPython are without it")
    names = [f"the event {index}" for index in range(4)]
    stream = "".join(f'data: {{"type":"CUSTOM","name":"{name}","value":[{{"a":1}}]}}\n\n' for name in names).encode()
    most = 0
    for failing in range(1, 1000):
        decoder = EventDecoder()
        memory.set_nomemory(failing, failing + 1)
        try:
            made = decoder.feed(stream)
        except (AGUIInternalError, MemoryError):
            memory.remove_mem_hooks()
        else:
            memory.remove_mem_hooks()
            assert [event.name for event in made] == names
            break
        kept = [event.name for event in decoder.feed(b"")]
        assert kept == names[: len(kept)]
        most = max(most, len(kept))
    assert most == 3, "the last event failed, too"


def test_validate() -> None:
    event = core.TextMessageContentEvent(message_id="m", delta="")
    validate(event)
    with pytest.raises(AGUIValidationError, match="empty_value"):
        validate(event, non_empty=True)
    event.timestamp = 2**60
    with pytest.raises(AGUIValidationError) as caught:
        validate(event)
    assert (caught.value.code, caught.value.path) == ("number_out_of_range", "/timestamp")
    with pytest.raises(AGUIValidationError, match="unknown_field"):
        validate(core.UserMessage(id="m", content="x", colour="red"))  # type: ignore[call-arg]

    class Mine(core.UserMessage):
        pass

    validate(Mine(id="m", content=[core.TextPart(text="x")]))
    with pytest.raises(AGUIValidationError, match="unknown_field"):
        validate(official.StepStartedEvent(step_name="s", colour="red"))
    with pytest.raises(TypeError):
        validate(5)  # type: ignore[arg-type]


def test_to_json() -> None:
    message = core.UserMessage(id="m", content="x")
    assert to_json(message) == message.model_dump_json(by_alias=True) == '{"id":"m","role":"user","content":"x"}'
    assert to_json(core.RawEvent(event={1})) == '{"type":"RAW","event":[1]}'


SECRET = "a password"


@pytest.mark.parametrize(
    "fail",
    [
        lambda: core.TextMessageContentEvent(message_id="m", delta={"key": SECRET}),
        lambda: core.StateSnapshotEvent(snapshots={"key": SECRET}),
        lambda: core.RunAgentInput.model_validate({"threadId": "t", "messages": [{"content": SECRET}]}),
        lambda: core.RunAgentInput.model_validate_json(f'{{"state": {{"key": "{SECRET}"'),
        lambda: core.MessagesSnapshotEvent.model_validate_json(f'{{"messages": "{SECRET}"}}'),
        lambda: decode_event(f'{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"/a","value":"{SECRET}"}},5]}}'),
        lambda: decode_event(f'{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":["{SECRET}"]}}'),
        lambda: decode_event(f'{{"type":"STATE_SNAPSHOT","snapshot":{{"key":"{SECRET}"'),
        lambda: EventPipeline(state={"key": object(), "other": SECRET}),
        lambda: Reducer(state={SECRET: {1, 2}}),
        lambda: apply_patch({"key": SECRET}, [{"op": "test", "path": "/key", "value": "another"}]),
        lambda: enforce_events([{"type": "STATE_SNAPSHOT", "snapshot": {"key": SECRET, "set": {1}}}]),
        lambda: EventDecoder().feed(f'data: {{"type":"RAW","event":"{SECRET}"\n\n'.encode()),
    ],
)
def test_no_text_of_an_error_shows_contents(fail: Any) -> None:
    with pytest.raises(Exception) as caught:
        fail()
    assert SECRET not in str(caught.value) and SECRET not in repr(caught.value)


def test_an_error_of_pydantics_has_the_input_where_the_official_one_has() -> None:
    for module in (core, official):
        with pytest.raises(ValidationError) as caught:
            module.TextMessageContentEvent(message_id="m", delta=[SECRET])
        assert caught.value.errors()[0]["input"] == [SECRET]

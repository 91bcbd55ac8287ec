"""The classes in frameworks: FastAPI bodies, unions of their own, subclasses and diamonds."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, Literal

import ag_ui.core as official
import pytest
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, TypeAdapter, field_validator

from ag_ui_native import core
from conftest import outcome

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from fastapi import FastAPI
    from fastapi.testclient import TestClient

BODIES: list[Any] = [
    {"threadId": "t", "runId": "r", "messages": []},
    {
        "threadId": "t",
        "runId": "r",
        "messages": [{"id": "m", "role": "user", "content": "x"}],
        "state": {"a": 1},
        "new": 1,
    },
    {"thread_id": "t", "run_id": "r", "messages": [{"id": "m", "role": "assistant", "toolCalls": []}], "tools": None},
    {"threadId": 5, "messages": [{"role": "nobody"}, {}, 7]},
    {},
    [],
    None,
]


def answer(package: Any, body: Any) -> Any:
    app = FastAPI()

    def endpoint(run):  # type: ignore[no-untyped-def]
        return run

    endpoint.__annotations__ = {"run": package.RunAgentInput}
    app.post("/")(endpoint)
    with TestClient(app) as client:
        response = client.post("/", json=body)
        schema = client.get("/openapi.json").json()["paths"]
    return response.status_code, response.json(), schema


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_fastapi_body(body: Any) -> None:
    assert answer(core, body) == answer(official, body)


def test_unions_and_adapters() -> None:
    messages = [{"role": "user", "id": "m", "content": "x"}, {"role": "none"}]
    for kind in ("Message", "Event", "ContentPart", "PartSource"):
        for value in [*messages, {"type": "RAW", "event": None}, {"type": "text", "text": "x"}, 5]:
            results = [
                outcome(lambda p=p, k=kind, v=value: TypeAdapter(getattr(p, k)).validate_python(v))
                for p in (core, official)
            ]
            assert results[0] == results[1]
    message = core.UserMessage(id="m", content="x")
    assert TypeAdapter(list[core.Message]).validate_python([message])[0] is message
    assert TypeAdapter(core.Event).validate_python(event := core.RawEvent(event=1)) is event


def test_fields_of_other_models() -> None:
    class Own(BaseModel):
        kind: Literal["own"] = "own"

    class Holder(BaseModel):
        event: Annotated[core.RawEvent | core.CustomEvent, Field(discriminator="type")]
        anything: Any = None
        either: core.TextPart | Own | None = None

    event = core.CustomEvent(name="n", value=None)
    holder = Holder(event=event, anything=[core.TextPart(text="x")], either=Own())
    assert holder.event is event
    assert holder.model_dump_json(by_alias=True) == (
        '{"event":{"type":"CUSTOM","name":"n","value":null},"anything":[{"type":"text","text":"x"}],"either":{"kind":"own"}}'
    )


def subclasses(package: Any) -> list[Any]:
    class Narrow(package.CustomEvent):  # type: ignore[name-defined, misc]
        name: Literal["mine"] = "mine"
        value: dict[str, int]
        added_field: int = 5

        @field_validator("value")
        @classmethod
        def positive(cls, value: dict[str, int]) -> dict[str, int]:
            if any(number < 0 for number in value.values()):
                raise ValueError("negative")
            return value

    class Checked(package.StepStartedEvent):  # type: ignore[name-defined, misc]
        model_config = ConfigDict(validate_assignment=True, extra="forbid")
        _secret: list[int] = PrivateAttr(default_factory=list)

        def model_post_init(self, context: Any) -> None:
            self._secret.append(1)

    class Other(BaseModel):
        node_id: str = "n"

        def __init__(self, **values: Any) -> None:
            values.setdefault("node_id", "from init")
            super().__init__(**values)

    class Left(Other, package.StepStartedEvent):  # type: ignore[name-defined, misc]
        pass

    class Right(package.StepStartedEvent, Other):  # type: ignore[name-defined, misc]
        pass

    return [Narrow, Checked, Left, Right]


ARGUMENTS: list[dict[str, Any]] = [
    {"value": {"a": 1}},
    {"value": {"a": -1}},
    {"value": "x", "added_field": "7"},
    {"step_name": "s"},
    {"stepName": "s", "unknown": 1},
    {"step_name": "s", "nodeId": "given"},
    {},
]


def test_subclasses_and_diamonds() -> None:
    for mine, theirs in zip(subclasses(core), subclasses(official), strict=True):
        for arguments in ARGUMENTS:
            for action in (
                lambda cls, a: cls(**a),
                lambda cls, a: cls.model_validate(a),
                lambda cls, a: cls(**a).model_dump(by_alias=True),
                lambda cls, a: cls(**a).model_dump_json(by_alias=True),
                lambda cls, a: cls.model_validate_json(cls(**a).model_dump_json(by_alias=True)),
                lambda cls, a: cls(**a).model_copy(update={"timestamp": 3}),
                lambda cls, a: setattr(cls(**a), "step_name", 5),
            ):
                assert outcome(lambda: action(mine, arguments)) == outcome(lambda: action(theirs, arguments))
    checked = subclasses(core)[1](step_name="s")
    assert checked._secret == [1]
    with pytest.raises(ValueError):
        checked.step_name = 5

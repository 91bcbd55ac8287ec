"""Models from dictionaries, to dictionaries, and copies: the spelling that most programs use."""

import copy
from typing import Annotated, Any

import ag_ui.core
from measure import Operation
from pydantic import BaseModel, Field, TypeAdapter

import ag_ui_native.core

PREFIXES = {"ours": "n", "official": "o"}


def dictionary_names() -> dict[str, Any]:
    """The names that the statements below use, besides those of `bench_python.py`."""
    names: dict[str, Any] = {"deepcopy": copy.deepcopy}
    for prefix, core in (("o", ag_ui.core), ("n", ag_ui_native.core)):

        class Envelope(BaseModel):
            """A model of a program's own with a protocol class in it."""

            input: core.RunAgentInput  # type: ignore[name-defined]  # The module is a variable.

        names[f"{prefix}_Envelope"] = Envelope
        names[f"{prefix}_event_adapter"] = TypeAdapter(core.Event)
        names[f"{prefix}_messages_adapter"] = TypeAdapter(list[core.Message])
        # As FastAPI adapts the type of a body parameter.
        names[f"{prefix}_body_adapter"] = TypeAdapter(Annotated[core.RunAgentInput, Field()])
    return names


def _both(name: str, statement: str, result: str | None = None) -> Operation:
    """`{}` stands for the prefix of the package."""
    results = {who: result.replace("{}", prefix) for who, prefix in PREFIXES.items()} if result else None
    return Operation(name, {who: statement.replace("{}", prefix) for who, prefix in PREFIXES.items()}, results=results)


def dictionary_operations() -> list[Operation]:
    return [
        _both("construct a state delta of 5 dictionaries", "{}_models_state_delta(delta=dicts_state_delta['delta'])"),
        _both(
            "construct a snapshot of 100 message dictionaries",
            "{}_models_messages(messages=dicts_messages['messages'])",
        ),
        _both("model_validate, RunAgentInput", "{}_models_input.model_validate(dicts_input)"),
        _both(
            "model_validate, RunAgentInput in a program's model",
            "{}_Envelope.model_validate({'input': dicts_input})",
            "{}_Envelope.model_validate({'input': dicts_input}).input",
        ),
        _both("validate a body, RunAgentInput", "{}_body_adapter.validate_python(dicts_input)"),
        _both("validate a body of JSON, RunAgentInput", "{}_body_adapter.validate_json(json_input)"),
        _both("TypeAdapter(Event).validate_python, text", "{}_event_adapter.validate_python(dicts_text)"),
        _both("TypeAdapter(Event).validate_json, text", "{}_event_adapter.validate_json(json_text)"),
        _both(
            "TypeAdapter(list[Message]), 100 messages",
            "{}_messages_adapter.validate_python(dicts_messages['messages'])",
        ),
        _both("model_dump", "{}_text.model_dump()"),
        _both("model_dump(by_alias, exclude_none), text", "{}_text.model_dump(by_alias=True, exclude_none=True)"),
        _both("model_dump(exclude_unset), text", "{}_text.model_dump(exclude_unset=True)"),
        _both("model_dump(mode=json), messages", "{}_messages.model_dump(mode='json')"),
        _both(
            "model_dump(by_alias, exclude_none), RunAgentInput", "{}_input.model_dump(by_alias=True, exclude_none=True)"
        ),
        _both("model_copy", "{}_text.model_copy()"),
        _both("==", "{}_text == {}_text_copy"),
        _both("== of two inputs", "{}_input == {}_input_copy"),
        _both("deepcopy, text", "deepcopy({}_text)"),
        _both("deepcopy, messages", "deepcopy({}_messages)"),
        # A statement instead of an expression, so what it has done is compared.
        _both("set an attribute", "{}_text.delta = DELTA", "(setattr({}_text, 'delta', DELTA), {}_text)[1]"),
    ]

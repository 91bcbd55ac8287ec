"""The engine of the protocol classes. It starts when they all exist; if it does not run, native code asks for
pydantic's instances here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from ag_ui_native import _native
from ag_ui_native.core import capabilities, deprecated, events, types, unknown
from ag_ui_native.core.base import GeneratedBaseModel

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@cache
def _adapter(type_name: str) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(getattr(events, type_name, None) or getattr(types, type_name))


def from_wire(type_name: str, value: Any) -> Any:
    """Lets pydantic make an instance of a protocol type or union, for decoders if the engine does not run."""
    try:
        return _adapter(type_name).validate_python(value)
    except ValidationError:
        if type_name != "Event":
            raise
        return _as_it_came(value)


def _as_it_came(members: dict[str, Any]) -> BaseModel:
    """An event with undeclared content, for a client's middleware."""
    named = {event.model_fields["type"].default: event for event in get_args(get_args(events.Event)[0])}
    event: type[BaseModel] = named.get(members["type"], unknown.UnknownEvent)
    if any(field.is_required() and field.alias not in members for field in event.model_fields.values()):
        event = unknown.UnknownEvent
    names = {field.alias: name for name, field in event.model_fields.items()}
    made = event.__new__(event)
    fields = {name: field.get_default() for name, field in event.model_fields.items()}
    given = {names[key]: value for key, value in members.items() if key in names}
    extra = {key: value for key, value in members.items() if key not in names}
    object.__setattr__(made, "__dict__", fields | given)
    object.__setattr__(made, "__pydantic_fields_set__", given.keys() | extra.keys())
    object.__setattr__(made, "__pydantic_extra__", extra)
    object.__setattr__(made, "__pydantic_private__", None)
    return made


@cache
def _official_adapter(type_name: str) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    core = import_module("ag_ui.core")
    return TypeAdapter(getattr(core, type_name))


def official_from_json(type_name: str, json: str) -> Any:
    """Makes the official package's object of a protocol type or union, for programs that use its objects."""
    return _official_adapter(type_name).validate_json(json)


def start_engine() -> None:
    """Attaches the native engine to the protocol classes, once they all exist."""
    classes: dict[str, Any] = {}
    for module in (types, events, capabilities, deprecated, unknown):
        found = vars(module).values()
        classes |= {c.__name__: c for c in found if isinstance(c, type) and issubclass(c, GeneratedBaseModel)}
    _native.start_engine(GeneratedBaseModel, classes, events.EventType)

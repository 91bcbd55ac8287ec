"""The engine of the protocol classes. It starts when they all exist; if it does not run, native code asks for
pydantic's instances here.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import SchemaValidator, core_schema

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


def hands_on_arguments() -> bool:
    """True if pydantic hands arguments like `by_alias` on to what a function wraps. Some older versions do not."""
    member = core_schema.typed_dict_field(core_schema.int_schema(), validation_alias="alias")
    members = core_schema.typed_dict_schema({"name": member})
    wrapped = core_schema.no_info_wrap_validator_function(lambda value, handler: handler(value), members)
    try:
        given = {"name": 1}
        return bool(SchemaValidator(wrapped).validate_python(given, by_alias=False, by_name=True) == given)
    except (TypeError, ValidationError):
        return False


def _validator(cls: type[BaseModel]) -> SchemaValidator | None:
    """A validator of the class that builds from plain dictionaries natively; None if the class has another validator of its
    own.

    pydantic takes it for the class wherever it validates one: in other models, in lists and unions, in a TypeAdapter. The
    schema of the class stays as it is.
    """
    schema: Any = cls.__pydantic_core_schema__
    model = schema["schema"] if schema["type"] == "definitions" else schema
    is_plain = model["type"] == "model" and model["schema"]["type"] == "model-fields"
    if not is_plain or type(cls.__pydantic_validator__) is not SchemaValidator:
        return None
    members = model["schema"]
    native = core_schema.no_info_wrap_validator_function(_native.members_validator(cls), members)
    # In strict mode, and where a union compares how well its classes fit, pydantic takes its own. It reads JSON itself.
    either = core_schema.json_or_python_schema(members, core_schema.lax_or_strict_schema(native, members))
    model = {**model, "schema": either}
    # pydantic would take the validator that a complete class has.
    cls.__pydantic_complete__ = False
    try:
        whole = {**schema, "schema": model} if schema["type"] == "definitions" else model
        return SchemaValidator(whole, model["config"])
    finally:
        cls.__pydantic_complete__ = True


def start_engine() -> None:
    """Attaches the native engine to the protocol classes, once they all exist."""
    classes: dict[str, Any] = {}
    for module in (types, events, capabilities, deprecated, unknown):
        found = vars(module).values()
        classes |= {c.__name__: c for c in found if isinstance(c, type) and issubclass(c, GeneratedBaseModel)}
    for cls in classes.values() if hands_on_arguments() else ():
        # Where the schemas of another pydantic differ, its own validators stay.
        with suppress(Exception):
            cls.__pydantic_validator__ = _validator(cls) or cls.__pydantic_validator__
    _native.start_engine(GeneratedBaseModel, classes, events.EventType)

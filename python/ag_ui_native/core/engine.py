"""The engine of the protocol classes. It starts when they all exist; if it does not run, native code asks for
pydantic's instances here.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import SchemaValidator, core_schema

from ag_ui_native import _native
from ag_ui_native.core import capabilities, deprecated, events, types, unknown
from ag_ui_native.core.base import GeneratedBaseModel
from ag_ui_native.core.postponed import complete, postpone

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


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "by_alias": (None, True, False),
    "by_name": (None, True, False),
    "from_attributes": (None, True, False),
    "extra": (None, "allow", "ignore", "forbid"),
}
"""The arguments of a validation that change what a class takes, and their values. The first two change nothing."""


@cache
def shows_arguments() -> bool:
    """True if the native step sees the arguments of a validation, so that it can leave those with unusual ones to pydantic.
    The handlers of versions before 2.14 do not hold them.
    """
    handlers = core_schema.no_info_wrap_validator_function(lambda _, handler: handler, core_schema.any_schema())
    validate = SchemaValidator(handlers).validate_python

    def handler(numbers: tuple[int, ...]) -> object:
        chosen = zip(ARGUMENTS.items(), numbers, strict=True)
        return validate(None, **{name: values[number] for (name, values), number in chosen})

    try:
        numbers = product(*(range(len(values)) for values in ARGUMENTS.values()))
        samples = [(chosen, handler(chosen)) for chosen in numbers]
    except TypeError:
        return False
    return _native.learn_arguments(samples)


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
    whole = {**schema, "schema": model} if schema["type"] == "definitions" else model
    # pydantic would take the validator of the class if that were complete.
    return SchemaValidator(whole, model["config"])


def _give_validator(cls: type[BaseModel]) -> None:
    # Where the schemas of another pydantic differ, its own validators stay.
    with suppress(Exception):
        if shows_arguments():
            cls.__pydantic_validator__ = _validator(cls) or cls.__pydantic_validator__


UNIONS = ("Event", "Message")
"""The unions that programs make adapters of."""


class UnionAttributes(dict[str, Any]):
    """The attributes of a union. A `TypeAdapter` looks there for a schema, a validator and a serializer before it makes them."""

    def __init__(self, name: str, union: Any) -> None:
        super().__init__(vars(union))
        self._name = name
        self._union = union
        self._found: dict[str, Any] = {}

    def __missing__(self, key: str) -> Any:
        """Lets pydantic make what it looks for, and puts the native step before its validator."""
        from pydantic import TypeAdapter

        # It looks from a method of the adapter. What it makes depends on a configuration, if there is one.
        adapter = sys._getframe(2).f_locals.get("self")
        if not isinstance(adapter, TypeAdapter) or adapter._config is not None:
            raise KeyError(key)
        return (self._found or self._make(TypeAdapter(self._plain())))[key]

    def _plain(self) -> Any:
        """The same union without these attributes."""
        return type(self._union)(self._union.__origin__, self._union.__metadata__)

    def _make(self, adapter: TypeAdapter[Any]) -> dict[str, Any]:
        validator: Any = adapter.validator
        # A plugin's validator stays.
        if type(validator) is SchemaValidator:
            validator = _native.UnionValidator(self._name, validator)
        self._found = {
            "__pydantic_core_schema__": adapter.core_schema,
            "__pydantic_validator__": validator,
            "__pydantic_serializer__": adapter.serializer,
        }
        return self._found


@cache
def start_engine() -> None:
    """Attaches the native engine to the protocol classes, once they all exist. A module that is loaded again changes nothing."""
    classes: dict[str, Any] = {}
    for module in (types, events, capabilities, deprecated, unknown):
        found = vars(module).values()
        classes |= {c.__name__: c for c in found if isinstance(c, type) and issubclass(c, GeneratedBaseModel)}
    for cls in classes.values():
        # Subclasses of programs are completed when they are defined, and see pydantic's own function.
        cls.model_config.pop("defer_build", None)
        cls.model_config["alias_generator"] = to_camel
    # The engine compares one of its instances with pydantic's.
    sample = events.TextMessageContentEvent
    sample.model_rebuild()
    # Plugins see every class that is completed. Older versions of pydantic name the fields of a class only then.
    has_plugins = type(sample.__pydantic_validator__) is not SchemaValidator
    is_named = events.BaseEvent.__pydantic_fields__["raw_event"].alias is not None
    if at_once := has_plugins or not is_named:
        postpone(classes.values(), _give_validator)
        for cls in classes.values():
            complete(cls)
    for name in UNIONS:
        union = getattr(events, name)
        object.__setattr__(union, "__dict__", UnionAttributes(name, union))
    _native.start_engine(GeneratedBaseModel, classes, events.EventType)
    if not at_once:
        postpone(classes.values(), _give_validator)

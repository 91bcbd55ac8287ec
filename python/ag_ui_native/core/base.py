"""The base of every protocol class: pydantic's behaviour with the native engine."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer
from pydantic.alias_generators import to_camel

from ag_ui_native import _native
from ag_ui_native.core.newer import NEWER

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = _native.model_metaclass()


def stands_in() -> bool:
    """True if these classes are imported as the official package's. It imports nothing, since installing them has."""
    is_installed = getattr(sys.modules.get("ag_ui_native.drop_in.install"), "is_installed", None)
    return is_installed is not None and is_installed()


# As a drop-in for the official package, the classes have the members of its version; newer members are undeclared and
# kept.
LACKED: frozenset[str] = NEWER if stands_in() else frozenset()


def without_example(schema: dict[str, Any]) -> None:
    """Takes the example of a docstring out of the description: a JSON Schema is for other languages and for models."""
    if "description" in schema:
        schema["description"] = schema["description"].partition("\n\nExamples:")[0]


class GeneratedBaseModel(BaseModel, metaclass=ModelMetaclass):
    """The base of all protocol classes.

    Members are spelled in snake_case here and in camelCase on the wire; constructors take both. Members that the
    protocol does not declare are kept and written again. Optional members without a value are left out of every
    dump.

    Examples:
        >>> from ag_ui_native.core import Context
        >>> from ag_ui_native.core.types import GeneratedBaseModel
        >>> issubclass(Context, GeneratedBaseModel)
        True
    """

    # An error's text is logged, so it does not show the input. `errors()` has it. Classes are completed when they are
    # first used; the engine takes that part away when they all exist.
    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="allow",
        alias_generator=cache(to_camel),
        populate_by_name=True,
        hide_input_in_errors=True,
        defer_build=True,
        json_schema_extra=without_example,
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **arguments: Any) -> None:
        super().__pydantic_init_subclass__(**arguments)
        lacked = LACKED & cls.__pydantic_fields__.keys()
        if lacked and cls.__module__.startswith("ag_ui_native."):
            for name in lacked:
                del cls.__pydantic_fields__[name]
                cls.__annotations__.pop(name, None)

    @classmethod
    def _omittable_keys(cls) -> frozenset[str]:
        """The keys, in both spellings, that are left out if their value is None."""
        keys = cls.__dict__.get("_agui_omittable_keys")
        if keys is None:
            fields = cls.model_fields.items()
            optional = [(name, field) for name, field in fields if not field.is_required() and field.default is None]
            spellings = [(name, field.alias, field.serialization_alias) for name, field in optional]
            keys = frozenset(key for keys in spellings for key in keys if key is not None)
            cls._agui_omittable_keys = keys  # type: ignore[attr-defined]
        return keys

    # There is no return annotation, since pydantic would use it as the schema of the serialized
    # value.
    @model_serializer(mode="wrap")
    def _omit_fields_without_value(self, handler: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        # pydantic's own handler comes first: if a value of a wrong type was assigned, `self` is that value and the
        # handler reports it.
        dumped = handler(self)
        omittable = type(self)._omittable_keys()
        return {key: value for key, value in dumped.items() if value is not None or key not in omittable}

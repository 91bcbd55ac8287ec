"""The native engine for the official package, in place: its classes stay the same objects.

The classes get a metaclass whose calls make instances natively, and the encoder's one method writes natively. Classes
that differ from the known version are left alone; values that the engine does not handle take the official way.
pydantic still reads documents, since our reader would make instances of our classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

# The package comes before its modules. Otherwise threads that import at once would wait for each
# other.
from ag_ui_native import _native, core  # noqa: F401
from ag_ui_native.core.base import GeneratedBaseModel
from ag_ui_native.core.newer import NEWER

PYDANTICS = type(BaseModel)


@dataclass(frozen=True)
class Acceleration:
    """The changes that were made."""

    base: type[BaseModel]
    encoder: Any
    method: Any
    """The encoder's own method."""
    native: Any
    """The method that replaces it."""


_current: Acceleration | None = None


def accelerate() -> None:
    """Attaches the engine to the official package, which it imports if necessary."""
    global _current
    metaclass: Any = _native.accelerated_metaclass()
    if _current is not None or metaclass is None:
        return
    theirs: Any = import_module("ag_ui.core")
    if getattr(theirs, "PROTOCOL_VERSION", None) != "1.0":
        raise RuntimeError(
            "ag_ui_native.accelerate() needs ag-ui-protocol 1.0, and the imported ag_ui is of another version: install 1.0, or use ag_ui_native.install()"
        )
    bases = theirs.RunAgentInput.__mro__
    base: Any = bases[bases.index(BaseModel) - 1]
    ours = {cls.__name__: cls for cls in subclasses(GeneratedBaseModel)}
    for cls in subclasses(base):
        if type(cls) is PYDANTICS and is_like(cls, ours.get(cls.__name__)) and _native.accelerate_class(cls, True):
            cls.__class__ = metaclass  # type: ignore[method-assign]
    if type(base) is PYDANTICS:
        base.__class__ = metaclass  # type: ignore[method-assign]
    encoder: Any = import_module("ag_ui.encoder.encoder").EventEncoder
    method = vars(encoder).get("_encode_sse")
    native = native_method(method)
    sample = theirs.CustomEvent(name="n", value=None)
    if method is not None and method(encoder(), sample) == native(encoder(), sample):
        encoder._encode_sse = native
    _current = Acceleration(base, encoder, method, native)


def decelerate() -> None:
    """Detaches the engine."""
    global _current
    if _current is None:
        return
    metaclass = _native.accelerated_metaclass()
    base: Any = _current.base
    for cls in (base, *subclasses(base)):
        # Subclasses that were created meanwhile have inherited it.
        if type(cls) is metaclass:
            _native.accelerate_class(cls, False)
            cls.__class__ = PYDANTICS
    if vars(_current.encoder).get("_encode_sse") is _current.native:
        _current.encoder._encode_sse = _current.method
    _current = None


def native_method(method: Any) -> Any:
    """The encoder's method, which writes natively where possible."""
    to_json = _native.to_json

    def _encode_sse(self: Any, event: Any) -> Any:
        json = to_json(event)
        return method(self, event) if json is None else f"data: {json}\n\n"

    return _encode_sse


def subclasses(cls: Any) -> Iterator[Any]:
    """All classes under a class."""
    for subclass in type.__subclasses__(cls):
        yield subclass
        yield from subclasses(subclass)


def is_like(theirs: Any, mine: Any) -> bool:
    """True if an official class accepts and refuses the same values as ours of the same name, and is unchanged."""
    if mine is None or not theirs.__module__.startswith("ag_ui.") or not theirs.__pydantic_complete__:
        return False
    decorators = theirs.__pydantic_decorators__
    validators = ("validators", "field_validators", "root_validators", "model_validators")
    own = ("hide_input_in_errors", "json_schema_extra")
    config = {key: value for key, value in mine.model_config.items() if key not in own}
    methods = ("__init__", "__new__", "__setattr__", "model_post_init")
    return (
        [(name, describe(field)) for name, field in theirs.model_fields.items()]
        == [(name, describe(field)) for name, field in mine.model_fields.items() if name not in NEWER]
        and not any(getattr(decorators, kind) for kind in validators)
        and dict(theirs.model_config) == config
        and all(getattr(theirs, name) is getattr(BaseModel, name) for name in methods)
        and not theirs.__private_attributes__
    )


def describe(field: FieldInfo) -> tuple[str, ...]:
    """The values that a field accepts, described without the modules of the classes in it."""
    parts = (field.annotation, field.metadata, field.default, field.default_factory, field.discriminator)
    names = (field.alias, field.validation_alias, field.serialization_alias)
    return tuple(re.sub(r"\bag_ui(_native)?(\.\w+)*\.", "", repr(part)) for part in (*parts, *names))

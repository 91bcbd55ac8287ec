"""Classes that pydantic completes when they are first used. Their schemas, validators and serializers take most of the time of
their definition, and native code does without them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from threading import RLock
from typing import Any

from pydantic import BaseModel

from ag_ui_native import _native

try:
    from pydantic._internal._config import ConfigWrapper
    from pydantic._internal._mock_val_ser import MockCoreSchema
    from pydantic._internal._model_construction import complete_model_class
    from pydantic._internal._namespace_utils import NsResolver
except ImportError:  # Another pydantic.
    CAN_POSTPONE = False
    MockCoreSchema = object  # type: ignore[assignment,misc]
else:
    CAN_POSTPONE = True

# pydantic reads one of them before it uses a class.
_ATTRIBUTES = (
    "__pydantic_core_schema__",
    "__pydantic_validator__",
    "__pydantic_serializer__",
    "__pydantic_complete__",
    "__signature__",
    "__get_pydantic_core_schema__",
    "model_config",
)

_lock = RLock()
if hasattr(os, "register_at_fork"):
    # A child has no thread that could go on.
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
# The attributes that the postponed classes had, and the functions to call.
_postponed: dict[type[BaseModel], tuple[dict[str, Any], Callable[[type[BaseModel]], None]]] = {}
_begun: set[type[BaseModel]] = set()


class _Placeholder(MockCoreSchema):
    """An attribute of postponed classes. Reading it completes the class.

    pydantic reads some attributes from the dictionary of a class, and takes this for a placeholder of its own.
    """

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        super().__init__("the class is not complete", code="class-not-fully-defined")
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        cls = next((base for base in owner.__mro__ if base in _postponed), None)
        if cls is None or complete(cls):
            return getattr(owner if instance is None else instance, self._name)
        value = _postponed[cls][0].get(self._name, vars(BaseModel).get(self._name))
        bind = getattr(type(value), "__get__", None)
        return value if bind is None else bind(value, instance, owner)


_PLACEHOLDERS = {name: _Placeholder(name) for name in _ATTRIBUTES} if CAN_POSTPONE else {}


def postpone(classes: Iterable[type[BaseModel]], then: Callable[[type[BaseModel]], None]) -> None:
    """Lets classes be completed at their first use. It ends with ``then``, for which a class is not complete yet. Where that cannot
    be, pydantic completes them by itself.
    """
    if not CAN_POSTPONE:
        return

    def lay() -> None:
        for cls in classes:
            own = vars(cls)
            before = {name: own[name] for name in _ATTRIBUTES if name in own}
            _postponed[cls] = before | {"__pydantic_complete__": False}, then
            for name, placeholder in _PLACEHOLDERS.items():
                setattr(cls, name, placeholder)

    _native.unwatched(lay)


def complete(cls: type[BaseModel]) -> bool:
    """Completes a class that is postponed. Returns False while this thread is about it."""
    with _lock:
        if cls in _begun:
            return False
        if cls in _postponed:
            _begun.add(cls)
            try:
                _native.unwatched(lambda: _complete(cls))
                del _postponed[cls]
            finally:
                _begun.discard(cls)
        return True


def _complete(cls: type[BaseModel]) -> None:
    own, (before, then) = vars(cls), _postponed[cls]
    given = {name: own[name] for name in _ATTRIBUTES if name in own and type(own[name]) is not _Placeholder}
    complete_model_class(cls, ConfigWrapper(before["model_config"], check=False), ns_resolver=NsResolver())
    # Other threads wait for the rest.
    setattr(cls, "__pydantic_complete__", _PLACEHOLDERS["__pydantic_complete__"])  # noqa: B010 Not of its type.
    then(cls)
    cls.__pydantic_complete__ = True
    for name in _ATTRIBUTES:
        if name in given:
            # A program has set it in the meantime.
            setattr(cls, name, given[name])
        elif type(own.get(name)) is _Placeholder:
            if name in before:
                setattr(cls, name, before[name])
            else:
                delattr(cls, name)

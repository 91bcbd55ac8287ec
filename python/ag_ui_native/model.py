"""Functions for protocol objects of any class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ag_ui_native import _native

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["to_json", "validate"]


def to_json(model: BaseModel) -> str:
    """The model as compact JSON for the wire. Raises the exceptions of ``model.model_dump_json(by_alias=True)``.

    Examples:
        >>> from ag_ui_native import to_json
        >>> from ag_ui_native.core import TextMessageEndEvent
        >>> to_json(TextMessageEndEvent(message_id="m1"))
        '{"type":"TEXT_MESSAGE_END","messageId":"m1"}'
    """
    json = _native.to_json(model)
    return model.model_dump_json(by_alias=True) if json is None else json


def validate(model: BaseModel, *, non_empty: bool = False) -> None:
    """Validates an event, a message or any other protocol object by the strict profile.

    With ``non_empty``, ids, names, texts, patches and states must not be empty. Subclasses are validated as the
    protocol class that they derive from. The official package's objects are accepted, too. Raises AGUIValidationError,
    and TypeError for other objects.

    Examples:
        >>> from ag_ui_native import AGUIValidationError, validate
        >>> from ag_ui_native.core import TextMessageEndEvent
        >>> validate(TextMessageEndEvent(message_id="m1"))
        >>> try:
        ...     validate(TextMessageEndEvent(message_id=""), non_empty=True)
        ... except AGUIValidationError as error:
        ...     print(error.code, error.path)
        empty_value /messageId
    """
    from pydantic import BaseModel

    json = to_json(model) if isinstance(model, BaseModel) else ""
    for cls in type(model).__mro__:
        if _native.check(cls, json, non_empty):
            return
    raise TypeError(
        f"model: expected an event, a message or another object of the protocol, got {type(model).__name__}"
    )

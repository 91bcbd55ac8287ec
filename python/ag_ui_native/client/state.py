"""The state of a conversation: plain values, as the agent has it, or a model, as the application may have it."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ag_ui_native import _native
from ag_ui_native._option_reader import refused
from ag_ui_native.errors import AGUIValidationError, Issue
from ag_ui_native.pipeline.reducer import Reducer

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = ["StateModel", "is_model", "plain_of"]


class StateModel:
    """A class whose instances are states: a pydantic model or a dataclass."""

    def __init__(self, cls: type[Any]) -> None:
        self.cls = cls

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        from pydantic import TypeAdapter

        return TypeAdapter(self.cls)

    def read(self, plain: Any) -> Any:
        """Makes an instance of the class. Raises AGUIValidationError `wrong_type` if the state does not fit."""
        from pydantic import ValidationError

        try:
            return self._adapter.validate_json(_native.json_text(plain))
        except ValidationError as error:
            raise self._unfit(error) from None

    def _unfit(self, error: ValidationError) -> AGUIValidationError:
        # Only the kinds of errors are shown, because pydantic's texts may contain parts of the state.
        found = error.errors(include_url=False, include_context=False, include_input=False)
        issues = [Issue("wrong_type", "".join(map(_token, ("state", *fault["loc"]))), fault["type"]) for fault in found]
        first = issues[0]
        message = f"the state is not a valid {self.cls.__name__}: pydantic reports {first.message} at {first.path}"
        return AGUIValidationError(message, code=first.code, path=first.path, issues=issues)


def is_model(state: object) -> bool:
    """True if a state is an instance of a model; all other states are plain values."""
    from pydantic import BaseModel

    return isinstance(state, BaseModel) or (dataclasses.is_dataclass(state) and not isinstance(state, type))


def plain_of(state: Any) -> Any:
    """Copies a state to plain values. Raises AGUIValidationError for values without a JSON form."""
    if is_model(state):
        try:
            # The server converts states in the same way.
            snapshot: Any = _native.StateTracker(state).flush()
        except AGUIValidationError as error:
            raise refused(f"/state{error.path}", error.message, error.code) from error
        return snapshot.snapshot
    # The native function reads an ellipsis as "no state".
    copied: Any = Reducer()
    copied.replace_state(state)
    made = copied.state
    # An integer with more digits than a reader accepts is not sent.
    _native.json_text(made, "/state")
    return made


def _token(name: str | int) -> str:
    return "/" + str(name).replace("~", "~0").replace("/", "~1")

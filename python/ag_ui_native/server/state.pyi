"""State that follows the agent's."""

from types import GenericAlias
from typing import Any, Generic, final

from typing_extensions import TypeVar

from ag_ui_native.core.events import StateDeltaEvent, StateSnapshotEvent
from ag_ui_native.limits import Limits

__all__ = ["StateTracker"]

_StateT = TypeVar("_StateT", default=Any)

@final
class StateTracker(Generic[_StateT]):
    """Follows an agent's state, and makes the events that bring its client to it.

    `state` is any JSON value, to be changed at will between flushes, or what has a JSON form: a pydantic model
    (`model_dump(mode="json", by_alias=True)`), a dataclass, a date and so on, within dicts and lists too. `base` is what
    the client has already; without one the first event is a snapshot. Of `limits`, an `ag_ui_native.limits.Limits`,
    `depth` and `event_bytes` bound the state, `patch_operations` a delta.

    Raises AGUIValidationError with the `path` of what is no JSON value, and AGUILimitError.
    """

    def __new__(cls, state: _StateT, *, base: object = ..., limits: Limits | None = None) -> StateTracker[_StateT]: ...
    @property
    def state(self) -> _StateT:
        """The agent's state. Another may be put in its place."""

    @state.setter
    def state(self, state: _StateT) -> None: ...
    def flush(self) -> StateDeltaEvent | StateSnapshotEvent | None:
        """The event that brings the client to the state as it is now: of STATE_DELTA and STATE_SNAPSHOT the one that is
        shorter as JSON. None if the client has it.

        Raises AGUIValidationError with the `path` of what is no JSON value, AGUILimitError for a state that is too deep
        (the event takes three levels) or too large, and what a model raises. Then nothing has changed.
        """

    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

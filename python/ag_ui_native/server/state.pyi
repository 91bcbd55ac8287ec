"""``StateTracker``: sends the changes of an agent's state."""

from types import GenericAlias
from typing import Any, Generic, final

from typing_extensions import TypeVar

from ag_ui_native.core.events import StateDeltaEvent, StateSnapshotEvent
from ag_ui_native.limits import Limits

__all__ = ["StateTracker"]

_StateT = TypeVar("_StateT", default=Any)

@final
class StateTracker(Generic[_StateT]):
    """Tracks an agent's state, and makes the events that bring its client to it.

    `state` is any JSON value, which may change between flushes, or an object with a JSON form: a pydantic model
    (`model_dump(mode="json", by_alias=True)`), a dataclass, a date and so on, also inside dicts and lists. `base`
    is the state that the client has already; without it the first event is a snapshot. Of `limits`, an
    `ag_ui_native.limits.Limits`, `depth` and `event_bytes` limit the state, `patch_operations` limits a delta.

    Raises AGUIValidationError with the `path` of a value without a JSON form, and AGUILimitError.

    Examples:
        >>> from ag_ui_native.server import StateTracker
        >>> tracker = StateTracker({"tasks": ["Buy milk", "Write to Bob"], "done": ["Sleep"]})
        >>> event = tracker.flush()
        >>> event and event.type.value
        'STATE_SNAPSHOT'
        >>> tracker.state["tasks"].append("Call Ada")
        >>> delta = tracker.flush()
        >>> delta and delta.type.value, tracker.flush()
        ('STATE_DELTA', None)
    """

    def __new__(cls, state: _StateT, *, base: object = ..., limits: Limits | None = None) -> StateTracker[_StateT]: ...
    @property
    def state(self) -> _StateT:
        """The agent's state. It can be replaced."""

    @state.setter
    def state(self, state: _StateT) -> None: ...
    def flush(self) -> StateDeltaEvent | StateSnapshotEvent | None:
        """Returns the event that brings the client to the current state: STATE_DELTA or STATE_SNAPSHOT, whichever is
        shorter as JSON. None if the client has this state.

        Raises AGUIValidationError with the `path` of a value without a JSON form, AGUILimitError for a state that
        is too deep (the event takes three levels) or too large, and the errors of models. Then nothing has changed.
        """

    @classmethod
    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

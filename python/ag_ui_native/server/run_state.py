"""Keeps the state of a run; a tracker knows the state that the client has."""

from __future__ import annotations

import copy
import threading
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from ag_ui_native import _native
from ag_ui_native._native import decode_event
from ag_ui_native.server.state import StateTracker

if TYPE_CHECKING:
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.typing import EventLike

__all__ = ["RunState"]

StateT = TypeVar("StateT", default=Any)


class RunState(Generic[StateT]):
    """The agent's state. It is copied only when the agent accesses it."""

    def __init__(self, outlet: Outlet, given: Any, settings: ServerSettings) -> None:
        self._outlet = outlet
        self._given: Any = {} if given is None else given
        self._settings = settings
        self._tracker: StateTracker[StateT] | None = None
        self._relayed: StateTracker[StateT] | None = None
        """The state after the agent's own deltas, until the agent accesses it."""
        self._following = threading.Lock()

    @property
    def tracker(self) -> StateTracker[StateT] | None:
        """The tracker of the state; None until the agent accesses the state."""
        return self._tracker

    def follow(self) -> StateTracker[StateT]:
        """Returns the tracker of the state, which is made at the first access."""
        if self._tracker is None:
            with self._following:
                # Several threads may come first: all get the same tracker.
                if self._tracker is None:
                    self._tracker = self._known(self._given)
                    if self._outlet.wants_state_at_awaits:
                        self._outlet.before_await = self._flush_at_await
                        self._outlet.precede_awaits(True)
        return self._tracker

    def flush(self) -> Awaitable[None]:
        """Sends the changes of the state to the client."""
        return self._outlet if self._tracker is None else self._outlet.send_state(self._tracker)

    def snapshot(self) -> Awaitable[None]:
        """Sends the whole state."""
        return self._outlet.send_state(self.follow(), True)

    def send(self, event: EventLike | Mapping[str, Any], tag: str | None) -> Awaitable[None]:
        """Writes a STATE_SNAPSHOT or STATE_DELTA that the agent has made. It also changes the agent's state."""
        kind = event.get("type") if isinstance(event, Mapping) else event.type
        if kind == "STATE_DELTA":
            return self._send_delta(event, tag)
        made: Any = decode_event(
            _native.json_text(event), profile="strict", as_dicts=True, limits=self._settings.limits
        )
        sent = self._outlet.send(event, tag)
        self._given, self._relayed = made["snapshot"], None
        if self._tracker is not None:
            self._tracker = self._known(self._given)
        return sent

    def _send_delta(self, event: EventLike | Mapping[str, Any], tag: str | None) -> Awaitable[None]:
        """Writes a STATE_DELTA that the agent has made. The time depends on the delta, not on the state."""
        if self._tracker is None:
            if self._relayed is None:
                # A copy: the run's input must not change.
                self._relayed = StateTracker(copy.deepcopy(self._given), limits=self._settings.limits)
            sent = self._outlet.send_delta(event, self._relayed, tag)
            self._given = self._relayed.state
            return sent
        return self._outlet.send_delta(event, self._tracker, tag, flush=True)

    def _known(self, state: Any) -> StateTracker[StateT]:
        """Makes a tracker of a state that the client has."""
        return StateTracker(copy.deepcopy(state), base=state, limits=self._settings.limits)

    def _flush_at_await(self) -> None:
        if self._tracker is not None and self._outlet.is_running:
            self._outlet.send_state(self._tracker, at_await=True)

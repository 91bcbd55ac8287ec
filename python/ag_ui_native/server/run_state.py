"""The state of a run: the agent's, of which a tracker knows what the client has."""

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
    from ag_ui_native.server.options import Settings
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.typing import EventLike

__all__ = ["RunState"]

StateT = TypeVar("StateT", default=Any)


class RunState(Generic[StateT]):
    """The agent's state. One that no agent looks at costs nothing."""

    def __init__(self, outlet: Outlet, given: Any, settings: Settings) -> None:
        self._outlet = outlet
        self._given: Any = {} if given is None else given
        self._settings = settings
        self._tracker: StateTracker[StateT] | None = None
        self._relayed: StateTracker[StateT] | None = None
        """The state after deltas of the agent's own, before the agent has accessed it."""
        self._following = threading.Lock()

    @property
    def tracker(self) -> StateTracker[StateT] | None:
        """The tracker of the state, once the agent has accessed it."""
        return self._tracker

    def follow(self) -> StateTracker[StateT]:
        """The tracker of the state, which is made at the first access."""
        if self._tracker is None:
            with self._following:
                # Of several threads that look first, all get the same.
                if self._tracker is None:
                    self._tracker = self._known(self._given)
                    if self._outlet.wants_state_at_awaits:
                        self._outlet.before_await = self._flush_at_await
                        self._outlet.precede_awaits(True)
        return self._tracker

    def flush(self) -> Awaitable[None]:
        """Brings the client to the state."""
        return self._outlet if self._tracker is None else self._outlet.send_state(self._tracker)

    def snapshot(self) -> Awaitable[None]:
        """Sends the whole state."""
        return self._outlet.send_state(self.follow(), True)

    def send(self, event: EventLike | Mapping[str, Any], tag: str | None) -> Awaitable[None]:
        """Writes STATE_SNAPSHOT or STATE_DELTA, an event that the agent makes itself. The state becomes what the client's does."""
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
        """Writes a STATE_DELTA of the agent's own. The time depends on the delta, not on the state."""
        if self._tracker is None:
            if self._relayed is None:
                # The input stays as it was sent.
                self._relayed = StateTracker(copy.deepcopy(self._given), limits=self._settings.limits)
            sent = self._outlet.send_delta(event, self._relayed, tag)
            self._given = self._relayed.state
            return sent
        return self._outlet.send_delta(event, self._tracker, tag, flush=True)

    def _known(self, state: Any) -> StateTracker[StateT]:
        """A tracker of a state that the client has."""
        return StateTracker(copy.deepcopy(state), base=state, limits=self._settings.limits)

    def _flush_at_await(self) -> None:
        if self._tracker is not None and self._outlet.is_running:
            self._outlet.send_state(self._tracker, at_await=True)

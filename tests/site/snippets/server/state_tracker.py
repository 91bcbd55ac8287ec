"""A snippet of docs/server/: the events that a tracker of states sends."""

# --8<-- [start:tracker]
from typing import Any

from ag_ui_native.server import StateTracker

state: dict[str, Any] = {"title": "look, then leap", "steps": []}
tracker = StateTracker(state)
first = tracker.flush()  # STATE_SNAPSHOT: nothing is known of the client
tracker.state["steps"].append("look")
second = tracker.flush()  # STATE_DELTA, or a STATE_SNAPSHOT if that is shorter
third = tracker.flush()  # None
# --8<-- [end:tracker]
print(first, second, third)
assert first and first.type.value == "STATE_SNAPSHOT"
assert second and second.type.value in ("STATE_DELTA", "STATE_SNAPSHOT")
assert third is None

"""``StateTracker``: sends the changes of an agent's state."""

from ag_ui_native._native import StateTracker

__all__ = ["StateTracker"]

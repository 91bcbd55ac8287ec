"""State that follows the agent's."""

from ag_ui_native._native import StateTracker

__all__ = ["StateTracker"]

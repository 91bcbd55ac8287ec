"""Events in, changes of a conversation out."""

from ag_ui_native._native import Reducer

__all__ = ["Reducer"]

"""The reducer: turns events into changes of a conversation."""

from ag_ui_native._native import Reducer

__all__ = ["Reducer"]

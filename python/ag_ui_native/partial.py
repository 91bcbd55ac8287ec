"""Arguments of a tool call, read while they arrive."""

from ag_ui_native._native import PartialArguments

__all__ = ["PartialArguments"]

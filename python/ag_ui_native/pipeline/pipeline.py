"""The event pipeline: turns the bytes of a stream into changes of a conversation."""

from ag_ui_native._native import EventPipeline

__all__ = ["EventPipeline"]

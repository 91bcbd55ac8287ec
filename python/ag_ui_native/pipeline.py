"""Bytes of a stream in, changes of a conversation out."""

from ag_ui_native._native import EventPipeline

__all__ = ["EventPipeline"]

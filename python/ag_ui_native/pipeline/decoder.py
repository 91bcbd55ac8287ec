"""The event decoder: decodes events from the bytes of a stream."""

from ag_ui_native._native import EventDecoder

__all__ = ["EventDecoder"]

"""Bytes of a stream in, events out."""

from ag_ui_native._native import EventDecoder

__all__ = ["EventDecoder"]

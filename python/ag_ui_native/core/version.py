"""The protocol version."""

from ag_ui_native._native import PROTOCOL_VERSION

__all__ = ["PROTOCOL_VERSION"]

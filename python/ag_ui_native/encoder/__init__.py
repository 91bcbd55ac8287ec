"""Encoding events for the wire."""

from ag_ui_native.encoder.encoder import AGUI_MEDIA_TYPE, EventEncoder

__all__ = ["EventEncoder", "AGUI_MEDIA_TYPE"]

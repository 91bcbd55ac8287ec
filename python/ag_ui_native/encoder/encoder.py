"""The encoder."""

from ag_ui_native._native import EventEncoder
from ag_ui_native.core.events import BaseEvent

AGUI_MEDIA_TYPE = "application/vnd.ag-ui.event+proto"
"""Media type of the protobuf form."""

__all__ = ["AGUI_MEDIA_TYPE", "BaseEvent", "EventEncoder"]

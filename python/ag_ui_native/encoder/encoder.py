"""The encoder of events."""

from ag_ui_native._native import EventEncoder

# The import is of the package: threads that begin with a module of it and with the package itself would
# wait for each other.
from ag_ui_native.core import BaseEvent

AGUI_MEDIA_TYPE = "application/vnd.ag-ui.event+proto"
"""Media type of the protobuf form.

Examples:
    >>> from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
    >>> EventEncoder(AGUI_MEDIA_TYPE, protobuf=True).get_content_type() == AGUI_MEDIA_TYPE
    True
"""

__all__ = ["AGUI_MEDIA_TYPE", "BaseEvent", "EventEncoder"]


def encode_by_sse(self: EventEncoder, event: BaseEvent) -> str | bytes:
    """Replaces ``encode`` in subclasses with their own ``_encode_sse``."""
    if self.get_content_type() == AGUI_MEDIA_TYPE:
        return EventEncoder.encode(self, event)
    return self._encode_sse(event)

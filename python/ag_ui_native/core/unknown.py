"""Events that this version does not declare."""

from __future__ import annotations

from typing import Any, Optional

from pydantic import Field

from ag_ui_native.core.events import BaseEvent

__all__ = ["UnknownEvent"]


class UnknownEvent(BaseEvent):
    """An event of an undeclared type, or about an undeclared thing, with all its original members.

    Only a client's middleware sees it: behind the middleware, the profile drops it with a warning, or refuses it.

    Examples:
        >>> from ag_ui_native.client import UnknownEvent
        >>> UnknownEvent.model_validate({"type": "WEATHER_CHANGED", "sky": "clear"}).type
        'WEATHER_CHANGED'
    """

    type: str  # type: ignore[assignment]
    """The type in the sender's spelling."""
    timestamp: Optional[Any] = Field(default=None)
    """The timestamp, not validated."""
    metadata: Optional[Any] = Field(default=None)
    """The metadata, not validated."""

"""Events that this version does not know."""

from __future__ import annotations

from typing import Any, Optional

from pydantic import Field

from ag_ui_native.core.events import BaseEvent

__all__ = ["UnknownEvent"]


class UnknownEvent(BaseEvent):
    """An event of a type that this version does not know, or about what it does not know, with all its members as they came.

    Only a client's middleware sees it: behind that, the profile leaves it out with a warning, or refuses it.
    """

    type: str  # type: ignore[assignment]
    """What its sender calls it."""
    timestamp: Optional[Any] = Field(default=None)
    """Nobody has looked at it."""
    metadata: Optional[Any] = Field(default=None)
    """Nor at this."""

"""Metadata: free key-value data about an event, a message, a tool call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["merge_metadata"]


def merge_metadata(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Merges metadata: the new value of a key counts, without merging deeper. If one side is None, the other is the
    result.

    Examples:
        >>> from ag_ui_native.metadata import merge_metadata
        >>> merge_metadata({"lang": "en", "model": "small"}, {"model": "large"})
        {'lang': 'en', 'model': 'large'}
    """
    if old is None and new is None:
        return None
    return {**(old or {}), **(new or {})}

"""Token usage: what vendors report, and entries summed up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ag_ui_native import _native
from ag_ui_native.core.events import TokenUsage

__all__ = [
    "token_usage_from_langchain_metadata",
    "aggregate_token_usage",
]


def token_usage_from_langchain_metadata(
    usage_metadata: Any, *, provider: str | None = None, model: str | None = None
) -> TokenUsage | None:
    """An entry from the ``usage_metadata`` of LangChain and LangGraph; None if no count in it is usable."""
    raise NotImplementedError


def aggregate_token_usage(entries: Sequence[TokenUsage]) -> list[TokenUsage]:
    """One entry per pair of provider and model, in order of first appearance, with summed counts."""
    raise NotImplementedError

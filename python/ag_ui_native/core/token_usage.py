"""Token usage: converts reports of vendors, and sums entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ag_ui_native import _native
from ag_ui_native.core.events import TokenUsage

__all__ = [
    "token_usage_from_langchain_metadata",
    "aggregate_token_usage",
]


def token_usage_from_langchain_metadata(
    usage_metadata: object, *, provider: str | None = None, model: str | None = None
) -> TokenUsage | None:
    """An entry from the ``usage_metadata`` of LangChain and LangGraph; None if it holds no usable count.

    Takes a mapping or an object with the same names as attributes. Counts that are not whole numbers from 0 to
    2^53-1 are left out.

    Examples:
        >>> from ag_ui_native.core import token_usage_from_langchain_metadata
        >>> usage = token_usage_from_langchain_metadata({"input_tokens": 120, "output_tokens": 30}, model="large")
        >>> usage and (usage.model, usage.input_tokens)
        ('large', 120)
    """
    return _from_vendor(usage_metadata, "langchain", provider, model)


def token_usage_from_ai_sdk_usage(
    usage: object, *, provider: str | None = None, model: str | None = None
) -> TokenUsage | None:
    """An entry from the ``usage`` of the Vercel AI SDK; None if it holds no usable count."""
    return _from_vendor(usage, "ai-sdk", provider, model)


def aggregate_token_usage(entries: Iterable[TokenUsage]) -> list[TokenUsage]:
    """One entry for each pair of provider and model, in order of first appearance, with summed counts.

    A count that no entry reports stays None. Raises AGUIValidationError for a sum beyond 2^53-1 and for an invalid
    entry.

    Examples:
        >>> from ag_ui_native.core import TokenUsage, aggregate_token_usage
        >>> first = TokenUsage(model="large", input_tokens=120)
        >>> second = TokenUsage(model="large", input_tokens=80, output_tokens=30)
        >>> [sums.input_tokens for sums in aggregate_token_usage([first, second])]
        [200]
    """
    names = [(name, field.alias or name) for name, field in TokenUsage.model_fields.items()]

    def row(entry: TokenUsage) -> dict[str, Any] | None:
        if not all(hasattr(entry, name) for name, _ in names):
            return None
        members = {alias: getattr(entry, name) for name, alias in names}
        return {alias: value for alias, value in members.items() if value is not None}

    given = [row(entry) for entry in entries]
    return [TokenUsage.model_validate(sums) for sums in _native.aggregate_usage(given)]


def _from_vendor(report: object, vendor: str, provider: str | None, model: str | None) -> TokenUsage | None:
    entry = _native.usage_from_vendor(report, vendor, provider, model)
    return None if entry is None else TokenUsage.model_validate(entry)

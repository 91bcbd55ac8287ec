"""tests/fixtures/stream/compacted.json: a compacted stream results in the same messages, in the same order, with any
messages before it.
"""

from __future__ import annotations

from typing import Any

import pytest

from ag_ui_native.stream import apply_events, compact_events
from conftest import fixture_cases


@pytest.mark.parametrize("case", fixture_cases("compacted"), ids=lambda case: case["name"])
def test_what_is_compacted_comes_to_the_same(case: dict[str, Any]) -> None:
    warnings: list[Any] = []
    for events in (case["events"], compact_events(case["events"])):
        applied = apply_events(events, case["start"], on_warning=warnings.append, as_dicts=True)
        assert list(applied.messages) == case["messages"]

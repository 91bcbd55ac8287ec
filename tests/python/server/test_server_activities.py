"""The events that an activity sends: one table for both languages."""

from __future__ import annotations

from typing import Any

import pytest

from ag_ui_native.server import Run
from ag_ui_native.testing import run_agent
from conftest import fixture_cases


def shown(event: Any) -> list[Any]:
    made = event.model_dump(by_alias=True, exclude_none=True, mode="json")
    if made["type"] == "ACTIVITY_DELTA":
        return ["delta", made["patch"]]
    replace = event.replace if "replace" in event.model_fields_set else None
    return ["whole", made["content"], *([] if replace is None else [replace])]


@pytest.mark.parametrize("case", fixture_cases("activities"), ids=lambda case: case["name"])
def test_script(case: dict[str, Any]) -> None:
    def agent(run: Run) -> None:
        (_, *begun), *steps = case["steps"]
        activity = run.activity("PLAN", begun[0], replace=begun[1] if len(begun) > 1 else None)
        for step, given, *replace in steps:
            if step == "snapshot":
                activity.snapshot(given, replace=replace[0] if replace else None)
            else:
                getattr(activity, step)(given)

    events = [event for event in run_agent(agent).events if event.type.startswith("ACTIVITY")]
    assert [shown(event) for event in events] == case["events"]

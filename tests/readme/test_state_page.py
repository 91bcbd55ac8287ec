"""The guide about the state shows an event that its agents send, and the state before and behind it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from example_files import ROOT
from test_server_examples import INPUT, ask, running

from ag_ui_native.patch import apply_patch

PAGE = (ROOT / "docs" / "guides" / "state.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["state_model.py", "state_server.mjs"])
def test_the_delta_of_the_page_is_sent(name: str) -> None:
    before, shown, after = (
        json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    )
    state: Any = {"title": "A swim in the sea", "steps": []}
    with running(name) as url:
        deltas = [event for event in ask(url, {**INPUT, "state": state}) if event["type"] == "STATE_DELTA"]
    assert len(deltas) == 4 and deltas[2] == shown
    states = [state := apply_patch(state, event["delta"]) for event in deltas]
    assert states[1:3] == [before, after]

"""An adapter of @ag-ui/client is served by this package. `make test-frameworks` runs the one of LangGraph."""

from __future__ import annotations

from recipes import serving
from test_server_examples import INPUT, ask, text_of


def test_an_adapter_for_node() -> None:
    with serving("adapter_server.mjs") as url:
        events = ask(url, INPUT)
    assert [event["type"] for event in events] == ["RUN_STARTED", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"]
    assert text_of(events) == "" and events[1]["delta"] == "Hello from an adapter."

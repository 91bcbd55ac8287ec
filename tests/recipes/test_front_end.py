"""The chat for React shows an answer as it arrives, failures of the agent, and a server that is not there."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from example_files import ROOT, example
from test_server_examples import running

RENDER = Path(__file__).with_name("render_chat.mjs")


# The official client of today, and the one that CopilotKit and assistant-ui bring.
CLIENTS = ["@ag-ui/client", str(ROOT / "node/node_modules/ag-ui-client-0.0.59/dist/index.mjs")]


def rendered(url: str, client: str) -> list[str]:
    """What the page of `chat.jsx` on `chat_store.mjs` shows, one after the other, without tags."""
    for name in ("chat.jsx", "chat_store.mjs"):
        assert len(example(f"examples/recipes/{name}").read_text("utf-8").splitlines()) <= 60
    done = subprocess.run(["node", str(RENDER), url, client], capture_output=True, text=True, timeout=60, check=True)
    return [re.sub(r"(<[^>]*>)+", "|", page).strip("|") for page in json.loads(done.stdout)]


@pytest.mark.parametrize("client", CLIENTS, ids=["current", "0.0.59"])
def test_an_answer_is_shown_as_it_arrives(client: str) -> None:
    with running("node_server.mjs") as url:
        seen = rendered(url, client)
    assert seen[:2] == ["Send", "Hello?|Stop"] and seen[-1] == "Hello?|Hello from Node.|Send"
    assert "Hello?|Hello from |Stop" in seen


def test_failures_are_shown() -> None:
    with running("examples/recipes/debug_server.py") as url:
        assert rendered(url, CLIENTS[0])[-1] == "Hello?|Let me see.|the agent failed; see the server&#x27;s log|Send"
    assert "fetch failed" in rendered("http://127.0.0.1:9/", CLIENTS[0])[-1]

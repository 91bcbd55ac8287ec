"""The chat for React shows an answer as it arrives, failures of the agent, and a server that is not there."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from example_files import example
from test_server_examples import running

RENDER = Path(__file__).with_name("render_chat.mjs")


def rendered(url: str) -> list[str]:
    """What the page of `chat.jsx` on `chat_store.mjs` shows, one after the other, without tags."""
    for name in ("chat.jsx", "chat_store.mjs"):
        assert len(example(f"examples/recipes/{name}").read_text("utf-8").splitlines()) <= 60
    done = subprocess.run(["node", str(RENDER), url], capture_output=True, text=True, timeout=60, check=True)
    return [re.sub(r"(<[^>]*>)+", "|", page).strip("|") for page in json.loads(done.stdout)]


def test_an_answer_is_shown_as_it_arrives() -> None:
    with running("node_server.mjs") as url:
        seen = rendered(url)
    assert seen[:2] == ["Send", "Hello?|Stop"] and seen[-1] == "Hello?|Hello from Node.|Send"
    assert "Hello?|Hello from |Stop" in seen


def test_failures_are_shown() -> None:
    with running("examples/recipes/debug_server.py") as url:
        assert rendered(url)[-1] == "Hello?|Let me see.|the agent failed; see the server&#x27;s log|Send"
    assert "fetch failed" in rendered("http://127.0.0.1:9/")[-1]

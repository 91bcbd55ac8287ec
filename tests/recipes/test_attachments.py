"""Files that clients send reach the agent, in both languages."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from recipes import pairs, printed, serving
from test_server_examples import running

from ag_ui_native import AGUILimitError, Limits
from ag_ui_native.client import SyncHttpAgent


@pairs
def test_files_reach_the_agent(server: str, client: str, tmp_path: Path) -> None:
    photo, notes, large = tmp_path / "photo.png", tmp_path / "notes.txt", tmp_path / "large.png"
    photo.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(20)))
    notes.write_text("Swim.", "utf-8")
    large.write_bytes(bytes(13_000_000))
    name = f"attachments_client.{client}"
    with serving(f"attachments_server.{server}") as url:
        places = [str(photo), "https://example.org/a.pdf"]
        answer = "[image: image/png, 28 bytes][document at https://example.org/a.pdf]\n"
        assert printed(name, url, "What is this?", *places) == answer
        refused = "Send one of image/png, image/jpeg, application/pdf.\n"
        assert printed(name, url, "And this?", str(notes)) == refused
        # The client refuses what is longer than an event; what the server refuses is seen without a client, which may be cut off.
        printed(name, url, "And this?", str(large), status=1)
        headers = {"content-type": "application/json"}
        long = httpx.post(url, headers=headers, content=bytes((8 << 20) + 1), timeout=60)
        assert (long.status_code, long.json()["code"], long.json()["limit"]) == (413, "limit_exceeded", "input_bytes")


def test_a_message_is_as_long_as_the_client_allows() -> None:
    question = "A" * (17 << 20)
    with running("asgi_server.py") as url:
        with SyncHttpAgent(url) as agent, pytest.raises(AGUILimitError) as refused:
            agent.ask(question)
        assert (refused.value.code, refused.value.limit) == ("limit_exceeded", "event_bytes")
        with SyncHttpAgent(url, limits=Limits(event_bytes=32 << 20)) as agent:
            assert str(agent.ask(question)) == "Hello from Python."

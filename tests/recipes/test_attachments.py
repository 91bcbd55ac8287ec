"""Files that clients send reach the agent, in both languages."""

from __future__ import annotations

from pathlib import Path

import httpx
from recipes import pairs, printed, serving


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
        assert (
            httpx.post(
                url, headers={"content-type": "application/json"}, content=bytes((8 << 20) + 1), timeout=60
            ).status_code
            == 413
        )

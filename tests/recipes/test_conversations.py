"""Conversations are listed, opened, continued and deleted, and belong to their users."""

from __future__ import annotations

from pathlib import Path

import httpx
from recipes import pairs, printed, serving


@pairs
def test_conversations_stay(server: str, client: str, tmp_path: Path) -> None:
    name, file = f"conversations_client.{client}", str(tmp_path / "runs.db")
    hello = "user: Hello\nassistant: You have said: Hello.\n"
    with serving(f"conversations_server.{server}", RUNS=file) as url:
        assert printed(name, url, "first", "Hello") == f"{hello}- Hello (first)\n"
        again = f"{hello}user: Bye\nassistant: You have said: Hello, Bye.\n- Hello (first)\n"
        assert printed(name, url, "first", "Bye") == again
        assert printed(name, url, "second", "Hi").endswith("- Hello (first)\n- Hi (second)\n")
        # The same id is another conversation of another user.
        assert printed(name, url, "first", "I am Bob", WHO="bob").startswith("user: I am Bob\nassistant:")
        assert httpx.get(f"{url}/threads", timeout=60).status_code in (401, 422)
        ada = {"x-user": "ada"}
        assert httpx.delete(f"{url}/threads/first", headers=ada, timeout=60).status_code == 204
        assert httpx.get(f"{url}/threads", headers=ada, timeout=60).json() == [{"id": "second", "title": "Hi"}]
        assert httpx.get(f"{url}/agent?thread=first", headers=ada, timeout=60).json()["version"] == 0
    with serving(f"conversations_server.{server}", RUNS=file) as url:  # the file has what was said
        assert printed(name, url, "second", "Again").startswith(
            "user: Hi\nassistant: You have said: Hi.\nuser: Again\n"
        )

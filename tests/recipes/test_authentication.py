"""A user with a token is known to the agent, and owns threads; others are refused."""

from __future__ import annotations

import httpx
from recipes import pairs, printed, serving


@pairs
def test_bearer_tokens(server: str, client: str) -> None:
    name = f"auth_client.{client}"
    with serving(f"auth_server.{server}") as url:
        assert printed(name, url, "Hi") == "Hello, ada.\n"
        assert printed(name, url, "Hi", TOKEN="hidden") == "Hello, bob.\n"
        refused = printed(name, url, "Hi", TOKEN="guessed")
        assert refused.startswith("[http_error: ") and "status 401" in refused
        preflight = {"origin": "https://app.example.org", "access-control-request-method": "POST"}
        allowed = httpx.options(url, headers={**preflight, "access-control-request-headers": "authorization"})
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, preflight["origin"])
        asked = {"threadId": "t", "runId": "r", "messages": []}
        ada, bob = ({"authorization": f"Bearer {token}"} for token in ("secret", "hidden"))
        assert httpx.post(url, json=asked, headers=ada).status_code == 200
        assert httpx.get(f"{url}?thread=t&run=r", headers=bob).status_code == 404
        assert httpx.get(f"{url}?thread=t", headers=ada).json()["lastRunId"] == "r"
        assert httpx.get(f"{url}?thread=t", headers=bob).json() == {"threadId": "t", "version": 0}

"""A user with a token is known to the agent, and owns threads; others are refused."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from recipes import RUNNERS, pairs, printed, serving

ASKED = {"threadId": "t", "runId": "r", "messages": []}
ADA, BOB = ({"authorization": f"Bearer {token}"} for token in ("secret", "hidden"))


def users_are_known(client: str, url: str) -> None:
    name = f"auth_client.{client}"
    assert printed(name, url, "Hi") == "Hello, ada.\n"
    assert printed(name, url, "Hi", TOKEN="hidden") == "Hello, bob.\n"
    refused = printed(name, url, "Hi", TOKEN="guessed")
    assert refused.startswith("[http_error: ") and "status 401" in refused


def users_own_threads(url: str) -> None:
    assert httpx.post(url, json=ASKED, headers=ADA, timeout=60).status_code == 200
    assert httpx.get(f"{url}?thread=t&run=r", headers=BOB, timeout=60).status_code == 404
    assert httpx.get(f"{url}?thread=t", headers=ADA, timeout=60).json()["lastRunId"] == "r"
    assert httpx.get(f"{url}?thread=t", headers=BOB, timeout=60).json() == {"threadId": "t", "version": 0}


@pairs
def test_bearer_tokens(server: str, client: str) -> None:
    with serving(f"auth_server.{server}") as url:
        users_are_known(client, url)
        preflight = {"origin": "https://app.example.org", "access-control-request-method": "POST"}
        allowed = httpx.options(
            url, headers={**preflight, "access-control-request-headers": "authorization"}, timeout=60
        )
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, preflight["origin"])
        users_own_threads(url)


@pytest.mark.parametrize("client", RUNNERS)
def test_fastapi(client: str, tmp_path: Path) -> None:
    with serving("auth_fastapi.py", WORK="0", RUNS=str(tmp_path / "runs.db")) as url:
        users_are_known(client, url)
        users_own_threads(url)


def test_fastapi_limits_the_runs_of_a_user(tmp_path: Path) -> None:
    with serving("auth_fastapi.py", WORK="50", RUNS=str(tmp_path / "runs.db")) as url, ExitStack() as going_on:
        for thread in ("1", "2"):
            asked = httpx.stream("POST", url, json={**ASKED, "threadId": thread}, headers=ADA, timeout=60)
            assert going_on.enter_context(asked).status_code == 200
        refused = httpx.post(url, json={**ASKED, "threadId": "3"}, headers=ADA, timeout=60)
        assert (refused.status_code, refused.json()["limit"]) == (429, "max_active_runs")
        assert going_on.enter_context(httpx.stream("POST", url, json=ASKED, headers=BOB, timeout=60)).status_code == 200

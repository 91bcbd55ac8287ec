"""Too many runs are refused with 429 and `Retry-After`, and clients wait as long as they are told to."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from recipes import EACH, printed, serving
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

ASKED = {"threadId": "t", "runId": "r", "messages": []}


@contextmanager
def held(url: str, thread: str, who: str) -> Iterator[None]:
    """A run of a user that goes on."""
    with httpx.stream("POST", url, json={**ASKED, "threadId": thread}, headers={"x-user": who}, timeout=60) as answer:
        assert answer.status_code == 200
        pieces = answer.iter_raw()  # an iterator that is dropped closes the connection
        next(pieces)
        yield


@EACH
def test_limits_of_a_user(language: str) -> None:
    with serving(f"limits_server.{language}", WORK="50") as url, held(url, "1", "ada"), held(url, "2", "ada"):
        refused = httpx.post(url, json={**ASKED, "threadId": "3"}, headers={"x-user": "ada"}, timeout=60)
        assert (refused.status_code, refused.json()["limit"]) == (429, "max_active_runs")
        assert int(refused.headers["retry-after"]) >= 1
        with held(url, "1", "bob"):
            pass


@EACH
def test_requests_a_minute(language: str) -> None:
    with serving(f"limits_server.{language}", WORK="0") as url:
        answers = [
            httpx.post(f"{url}?nocancel=1", json={**ASKED, "threadId": str(n)}, headers={"x-user": "ada"}, timeout=60)
            for n in range(21)
        ]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60


@EACH
@pytest.mark.parametrize("program", ["limits_server", "users_server"])
def test_an_address_that_is_no_url_does_not_end_the_server(program: str, language: str) -> None:
    headers = {"authorization": "Bearer secret", "x-user": "ada"}
    with serving(f"{program}.{language}", WORK="0") as url:
        for _ in range(2):
            httpx.post(f"{url}//", json=ASKED, headers=headers, timeout=60)
        assert httpx.post(url, json=ASKED, headers=headers, timeout=60).status_code == 200


@EACH
def test_clients_wait(language: str) -> None:
    with serving(f"limits_server.{language}", ALL="1", WORK="6") as url, held(url, "1", "bob"):
        began = time.monotonic()
        # The run of Bob goes on, so this one is refused at first.
        assert printed(f"limits_client.{language}", url, "Hi") == "Done.\n"
        assert time.monotonic() - began >= 6 + 2, "it has not waited as long as the server said"


@EACH
def test_clients_do_not_wait_for_ever(language: str) -> None:
    with serving(f"limits_server.{language}", ALL="0") as url:
        said = printed(f"limits_client.{language}", url, "Hi", SECONDS="1")
    assert said.startswith("Please try again later. [")


def refused_websocket(url: str, **headers: str) -> int:
    """The status with which a server refuses a WebSocket."""
    with pytest.raises(InvalidStatus) as refused:
        connect(url.replace("http:", "ws:"), additional_headers=headers, open_timeout=60)
    return refused.value.response.status_code


@pytest.mark.parametrize("query", ["", "?cancel="])
def test_a_websocket_counts_as_a_request(query: str) -> None:
    """It has no method, and starts a run whatever its address asks for."""
    with serving("limits_server.py", ALL="0") as url:
        assert refused_websocket(url + query) == 429


@EACH
def test_tokens_come_before_limits(language: str) -> None:
    ada, bob = ({"authorization": f"Bearer {token}"} for token in ("secret", "hidden"))
    with serving(f"users_server.{language}", WORK="0") as url:
        # Who has no token is not counted.
        unknown = [httpx.post(url, json=ASKED, timeout=60).status_code for _ in range(25)]
        answers = [httpx.post(url, json={**ASKED, "threadId": str(n)}, headers=ada, timeout=60) for n in range(21)]
        other = httpx.post(url, json=ASKED, headers=bob, timeout=60)
        # A user who may start no run may still read.
        read = httpx.get(f"{url}?thread=0", headers=ada, timeout=60)
        if language == "py":
            assert refused_websocket(url) == 401
            assert {refused_websocket(url + query, **ada) for query in ("", "?cancel=")} == {429}
    assert unknown == [401] * 25
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert "Hello, ada." in answers[0].text and "Hello, bob." in other.text and read.json()["lastRunId"] == "r"


@EACH
def test_runs_of_a_user_with_a_token(language: str) -> None:
    ada, bob = ({"authorization": f"Bearer {token}"} for token in ("secret", "hidden"))
    with serving(f"users_server.{language}", WORK="50") as url, ExitStack() as going_on:

        def status(thread: str, headers: dict[str, str]) -> int:
            asked = httpx.stream("POST", url, json={**ASKED, "threadId": thread}, headers=headers, timeout=60)
            return going_on.enter_context(asked).status_code

        assert [status(thread, ada) for thread in "123"] == [200, 200, 429]
        assert status("1", bob) == 200

"""Addresses with credentials or a fragment: the `authorization` that arrives, and that nothing shows the
credentials."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import traceback
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from ag_ui_native import AGUIError
from ag_ui_native.client import HttpAgent, SyncHttpAgent, SyncWebSocketAgent, Timeouts, WebSocketAgent
from raw_peer import CLOSE, HANG, WHOLE, Peer, peer, silent_port
from test_client_connections import moved
from test_client_websocket import TEXTS, finished, leads, says, server

HTTP = pytest.mark.parametrize("face", [HttpAgent, SyncHttpAgent], ids=["async", "sync"])
SOCKET = pytest.mark.parametrize("face", [WebSocketAgent, SyncWebSocketAgent], ids=["async", "sync"])
GIVEN = pytest.mark.parametrize("given", [None, "Bearer token"])
"""The header that the application sets itself."""


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


def run(agent: Any) -> Any:
    made = agent.run_agent()
    return asyncio.run(made) if asyncio.iscoroutine(made) else made


def by(url: str, credentials: str) -> str:
    """Returns the address with credentials."""
    return url.replace("://", f"://{credentials}@")


def arrived(server: Peer) -> list[tuple[str, list[str]]]:
    """The targets of the requests, each with all its headers `authorization`."""
    told = []
    for request in server.requests:
        first, *lines = request.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        pairs = [line.split(": ", 1) for line in lines]
        told.append((first.split(" ")[1], [value for name, value in pairs if name.lower() == "authorization"]))
    return told


@HTTP
@pytest.mark.parametrize(
    ("address", "headers", "expected"),
    [
        ("user:pw@{}run", {}, ("/run", [basic("user:pw")])),
        ("user@{}run?x=%23#part", {}, ("/run?x=%23", [basic("user:")])),
        ("us%3Aer:p%40%C3%BC@{}", {}, ("/", [basic("us:er:p@ü")])),
        ("{}run#part", {}, ("/run", [])),
        ("user:pw@{}", {"Authorization": "Bearer token"}, ("/", ["Bearer token"])),
        ("user:pw@{}", lambda: {"AUTHORIZATION": "Bearer token"}, ("/", ["Bearer token"])),
    ],
)
def test_credentials_are_a_header(face: Any, address: str, headers: Any, expected: Any) -> None:
    with peer(WHOLE) as server:
        url = "http://" + address.format(server.url.removeprefix("http://"))
        agent = face(url, headers=headers)
        assert run(agent).outcome == "success" and agent.url == url
    assert arrived(server) == [expected]


@HTTP
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, basic("user:pw")),
        ({"auth": ("own", "auth")}, basic("own:auth")),
        ({"headers": {"authorization": "Bearer x"}}, "Bearer x"),
    ],
)
def test_a_client_of_the_application_says_more(face: Any, options: dict[str, Any], expected: str) -> None:
    """Also if it is asked by an address that is relative to its own."""
    kind: Any = httpx.AsyncClient if face is HttpAgent else httpx.Client
    with peer(WHOLE, WHOLE) as server:
        base = by(server.url, "user:pw")
        for url in (base + "run#part", "/run#part"):
            assert run(face(url, client=kind(base_url=base, **options))).outcome == "success"
    assert arrived(server) == [("/run", [expected])] * 2


@HTTP
@GIVEN
def test_redirects(face: Any, given: str | None) -> None:
    """Credentials of a new address count, but those of the application come first."""
    there: list[Any] = []
    with peer([moved("/next"), CLOSE], there, WHOLE) as server:
        there += [moved(by(server.url, "new:p%40") + "last#part"), CLOSE]
        headers = {} if given is None else {"authorization": given}
        assert run(face(by(server.url, "user:pw"), headers=headers)).outcome == "success"
    old, new = given or basic("user:pw"), given or basic("new:p@")
    assert arrived(server) == [("/", [old]), ("/next", [old]), ("/last", [new])]


@HTTP
@GIVEN
def test_redirects_to_another_origin(face: Any, given: str | None) -> None:
    """Credentials are not sent to another origin, and not again after a second redirect. Those of a redirect are sent
    to its target.
    """
    there: list[Any] = []
    back: list[Any] = []
    with peer(there, [moved("/c"), CLOSE], WHOLE) as first, peer([moved("/b"), CLOSE], back) as second:
        there += [moved(second.url + "a#part"), CLOSE]
        back += [moved(by(first.url, "new:pw") + "back#part"), CLOSE]
        headers = {} if given is None else {"authorization": given}
        assert run(face(by(first.url, "user:pw"), headers=headers, redirects="any")).outcome == "success"
    new = [basic("new:pw")] if given is None else []
    assert arrived(first) == [("/", [given or basic("user:pw")]), ("/back", new), ("/c", new)]
    assert arrived(second) == [("/a", []), ("/b", [])]


@SOCKET
@pytest.mark.parametrize(
    ("address", "headers", "expected"),
    [
        ("us%3Aer:p%40@{}#part", {}, [basic("us:er:p@")]),
        ("user@{}", {}, [basic("user:")]),
        ("{}#part", {}, []),
        ("user:pw@{}", {"AUTHORIZATION": "Bearer token"}, ["Bearer token"]),
    ],
)
@pytest.mark.parametrize("with_new", [False, True])
def test_sockets(face: Any, address: str, headers: Any, expected: list[str], with_new: bool) -> None:
    async def work() -> None:
        seen: list[list[str]] = []

        def note(connection: ServerConnection, request: Request) -> Response | None:
            seen.append(request.headers.get_all("authorization"))
            to = f"ws://new:p%40@{request.headers['host']}/there#part" if with_new else "/there#part"
            return leads(to, [])(connection, request) if request.path == "/" else None

        async with server(says(TEXTS), process_request=note) as url:
            agent = face("ws://" + address.format(url.removeprefix("ws://")), headers=headers)
            assert (await finished(agent.run_agent)).text == "Hello"
        assert seen == [expected, [basic("new:p@")] if with_new and not headers else expected]

    asyncio.run(work())


FAILURES: dict[str, list[Any]] = {
    "http_error": [{"send": "HTTP/1.1 401 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"}, CLOSE],
    "timed_out": [HANG],
    "redirect_refused": [moved("http://new:hidden@b.example/"), CLOSE],
    "connection_lost": [{"reset": True}],
}


@contextlib.contextmanager
def failing(how: str) -> Iterator[str]:
    """Yields an address without a scheme whose server fails in this way."""
    if how in FAILURES:
        with peer(FAILURES[how]) as made:
            yield made.url.removeprefix("http://")
    else:
        with silent_port() as port:
            yield f"127.0.0.1:{port}/"


@pytest.mark.parametrize("face", [HttpAgent, SyncHttpAgent, WebSocketAgent, SyncWebSocketAgent])
@pytest.mark.parametrize("how", ["connection_failed", *FAILURES])
def test_nothing_tells_of_them(face: Any, how: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    # Its own log has all headers, those of the application, too.
    caplog.set_level(logging.INFO, "websockets.client")
    is_socket = face in (WebSocketAgent, SyncWebSocketAgent)
    warned: list[Any] = []
    with failing(how) as address:
        url = f"{'ws' if is_socket else 'http'}://user:hidden@{address}#hidden"
        timeouts = Timeouts(connect=0.2, first_byte=0.2) if how == "timed_out" else Timeouts()
        # The server does not know a run that is looked for.
        more: dict[str, Any] = {} if is_socket else {"reconnect": None}
        agent = face(url, timeouts=timeouts, debug=True, on_warning=warned.append, **more)
        with pytest.raises(AGUIError) as caught:
            run(agent)
    # A socket is not open yet.
    assert caught.value.code == ("connection_failed" if is_socket and how == "connection_lost" else how)
    told = [*map(repr, (agent, *vars(agent).values(), caught.value, warned)), caplog.text]
    told += traceback.format_exception(caught.value)
    assert not any(secret in text for text in told for secret in ("hidden", basic("user:hidden")[6:])), told


@pytest.mark.parametrize("face", [HttpAgent, SyncHttpAgent, WebSocketAgent, SyncWebSocketAgent])
@pytest.mark.parametrize("url", ["ftp://user:hid@a", "http://user:hid@", "ws://user:hid@", "ws://user:hid@a:x/"])
def test_what_is_no_address_is_not_shown(face: Any, url: str) -> None:
    with pytest.raises(AGUIError) as caught:
        face(url)
    told = traceback.format_exception_only(caught.value)
    assert "hid" not in f"{told} {caught.value!r}" and caught.value.__cause__ is None

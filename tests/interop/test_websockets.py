"""Every client of ours reads every server of ours over WebSockets, by text and by protobuf, and over TLS."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from peer import rust_example
from test_clients import CLIENTS, SERVERS, ask, served
from websockets.asyncio.client import connect

from ag_ui_native.encoder import AGUI_MEDIA_TYPE

OURS = [name for name in SERVERS if name.startswith("our")]
ASKING = [name for name in CLIENTS if name.startswith("our")]
# The certificate of a server at 127.0.0.1, valid for a hundred years, and that of its authority, whose key was not
# kept.
CERTIFICATES = Path(__file__).parent / "certificates"


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """The programs in Rust."""
    rust_example("conversations")


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """The results of our client with our server over HTTP."""
    with served(SERVERS["our Python"]) as url:
        return ask("our Python", url)


@pytest.mark.parametrize("server", OURS)
def test_every_client_reads_every_server(server: str, expected: dict[str, Any]) -> None:
    with served(SERVERS[server]) as url:
        for client in ASKING:
            assert ask(client, url.replace("http:", "ws:")) == expected, client


@pytest.mark.parametrize("server", OURS)
def test_messages_are_of_the_kind_that_is_asked_for(server: str) -> None:
    """So the clients that accept protobuf got it in the tests above."""
    asked = {"threadId": "t", "runId": "r", "messages": [{"id": "u", "role": "user", "content": "text"}]}
    asked |= {"state": {}, "tools": [], "context": [], "forwardedProps": {}}

    async def kinds(url: str, headers: dict[str, str]) -> set[type]:
        async with connect(url, additional_headers=headers) as socket:
            await socket.send(json.dumps(asked))
            return {type(message) async for message in socket}

    with served(SERVERS[server]) as url:
        url = url.replace("http:", "ws:")
        assert asyncio.run(kinds(url, {})) == {str}
        assert asyncio.run(kinds(url, {"Accept": AGUI_MEDIA_TYPE})) == {bytes}


@pytest.mark.parametrize("client", ASKING)
def test_over_tls(client: str, expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if "Rust" in client and sys.platform != "linux":
        pytest.skip("outside Linux Rust's client trusts what the system trusts, and SSL_CERT_FILE is not read")
    with served([*SERVERS["our Python"], CERTIFICATES / "server.pem", CERTIFICATES / "server.key"]) as url:
        # The authority is unknown.
        with pytest.raises(AssertionError, match=r"(?i)connection_?failed"):
            ask(client, url.replace("http:", "wss:"), ["text"])
        for name in ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"):
            monkeypatch.setenv(name, str(CERTIFICATES / "authority.pem"))
        assert ask(client, url.replace("http:", "wss:"), ["text"]) == {"text": expected["text"]}

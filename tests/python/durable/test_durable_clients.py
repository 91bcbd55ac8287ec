"""Runs whose connection is lost: the client reads on, over a proxy that cuts connections."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from ag_ui_native.client import HttpAgent, Reconnect, SyncHttpAgent
from ag_ui_native.durable import MemoryLog
from ag_ui_native.errors import AGUIError
from ag_ui_native.server import Run, asgi_app
from raw_peer import silent_port
from servers import asgi_server, until

WORDS = "0 1 2 3 4 5 "
QUICK = Reconnect(first=0.005)


class Counting:
    """An agent that writes numbers. It waits behind the second one until it is opened."""

    def __init__(self, is_open: bool = True) -> None:
        self.opened = threading.Event()
        if is_open:
            self.opened.set()
        self.begun = 0
        self.cancelled = 0

    async def __call__(self, run: Run[Any]) -> None:
        self.begun += 1
        try:
            async with run.text_message() as message:
                for number in range(6):
                    await message.write(f"{number} ")
                    while number > 1 and not self.opened.is_set():
                        await asyncio.sleep(0.002)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


@contextmanager
def served(agent: Counting) -> Iterator[int]:
    """Serves the agent with a log whose runs go on for an hour without their clients."""
    app = asgi_app(agent, log=MemoryLog(), authorize="public", grace=3600, heartbeat=0.2)
    with asgi_server(app) as port:
        try:
            yield port
        finally:
            agent.opened.set()  # The server would wait for its runs.


@contextmanager
def proxied(port: int, lengths: list[int], *, hangs: bool = False) -> Iterator[str]:
    """A proxy whose next connections pass on this number of bytes of the answer each, and are then cut, or hang. It has the
    server's `/agent` also as `/public/agent`.
    """
    left = iter(lengths)
    listener = socket.create_server(("127.0.0.1", 0))
    hanging: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=pass_on, args=(client, next(left, None)), daemon=True).start()

    def pass_on(client: socket.socket, length: int | None) -> None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as upstream:
            threading.Thread(target=copy, args=(client, upstream), daemon=True).start()
            passed = 0
            while length is None or passed < length:
                piece = upstream.recv(64 if length is None else min(64, length - passed))
                if not piece:
                    break
                client.sendall(piece)
                passed += len(piece)
        if hangs and length is not None:
            hanging.append(client)
            return
        with suppress(OSError):
            # Bytes of the client that are not read would make a plain close a reset.
            client.shutdown(socket.SHUT_WR)
        client.close()

    def copy(client: socket.socket, upstream: socket.socket) -> None:
        with suppress(OSError):
            while piece := client.recv(65536):
                upstream.sendall(piece.replace(b" /public/agent", b" /agent"))

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/agent"
    finally:
        listener.close()
        for client in hanging:
            client.close()


def ask(address: str, is_blocking: bool, **options: Any) -> str:
    options = {"reconnect": QUICK, **options}
    if is_blocking:
        with SyncHttpAgent(address, **options) as agent:
            return agent.ask("count").text

    async def asking() -> str:
        async with HttpAgent(address, **options) as agent:
            return (await agent.ask("count")).text

    return asyncio.run(asking())


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
@pytest.mark.parametrize("protobuf", [False, True], ids=["text", "protobuf"])
@pytest.mark.parametrize("lengths", [[600], [450, 600], [700, 901, 433, 555], [1200, 1, 1, 800]], ids=str)
def test_a_run_that_is_cut_several_times_comes_whole(lengths: list[int], protobuf: bool, is_blocking: bool) -> None:
    agent = Counting()
    with served(agent) as port, proxied(port, lengths) as address:
        assert ask(address, is_blocking, protobuf=protobuf) == WORDS
    assert agent.begun == 1


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_a_run_that_is_cut_behind_any_length_comes_whole(is_blocking: bool) -> None:
    for length in [1, 150, *range(300, 1900, 97)]:
        agent = Counting()
        with served(agent) as port, proxied(port, [length]) as address:
            assert ask(address, is_blocking) == WORDS, length
        assert agent.begun == 1, length


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_a_run_comes_whole_through_a_proxy_that_has_the_agent_under_another_path(is_blocking: bool) -> None:
    agent = Counting()
    with served(agent) as port, proxied(port, [600, 600]) as address:
        assert ask(address.replace("/agent", "/public/agent"), is_blocking) == WORDS
    assert agent.begun == 1


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_a_silent_connection_is_given_up(is_blocking: bool) -> None:
    agent = Counting()
    with served(agent) as port, proxied(port, [900], hangs=True) as address:
        assert ask(address, is_blocking) == WORDS


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_a_server_that_is_gone_ends_the_run(is_blocking: bool) -> None:
    agent = Counting(is_open=False)
    with served(agent) as port, proxied(port, [1000, *[0] * 20]) as address:
        with pytest.raises(AGUIError) as caught:
            ask(address, is_blocking, reconnect=Reconnect(first=0.005, longest=0.01))
        assert caught.value.code == "connection_lost"


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_a_run_that_is_left_is_cancelled(is_blocking: bool) -> None:
    agent = Counting(is_open=False)

    async def leave(address: str) -> None:
        async with HttpAgent(address) as client:
            async with client.ask_stream("count") as stream:
                async for _ in stream:
                    break
            await asyncio.to_thread(until, lambda: agent.cancelled == 1)

    with served(agent) as port:
        address = f"http://127.0.0.1:{port}/agent"
        if is_blocking:
            with SyncHttpAgent(address) as client, client.ask_stream("count") as stream:
                for _ in stream:
                    break
        else:
            asyncio.run(leave(address))
        until(lambda: agent.cancelled == 1)


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_a_run_that_is_aborted_is_cancelled(is_blocking: bool) -> None:
    agent = Counting(is_open=False)

    async def abort(address: str) -> None:
        async with HttpAgent(address) as client, client.run() as stream:
            async for _ in stream:
                client.abort_run()
            assert stream.result.outcome == "aborted"

    with served(agent) as port:
        address = f"http://127.0.0.1:{port}/agent"
        if is_blocking:
            with SyncHttpAgent(address) as client, client.run() as stream:
                for _ in stream:
                    client.abort_run()
                assert stream.result.outcome == "aborted"
        else:
            asyncio.run(abort(address))
        until(lambda: agent.cancelled == 1)


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_a_server_that_is_not_there_fails_the_run_at_once(is_blocking: bool) -> None:
    """Nothing was sent, so nothing has begun: there is no run to look for."""
    begun_at = time.monotonic()
    with silent_port() as port, pytest.raises(AGUIError) as caught:
        ask(f"http://127.0.0.1:{port}/", is_blocking, reconnect=Reconnect())
    assert caught.value.code == "connection_failed"
    assert time.monotonic() - begun_at < 10, "the attempts to look for a run take 13 seconds and more"


def test_without_reconnecting_a_run_ends_with_its_connection() -> None:
    agent = Counting()
    with served(agent) as port, proxied(port, [1000]) as address:
        with pytest.raises(AGUIError) as caught:
            ask(address, False, reconnect=None)
        assert caught.value.code in ("connection_lost", "stream_truncated")


def test_the_option_is_checked() -> None:
    with pytest.raises(AGUIError) as caught:
        HttpAgent("http://127.0.0.1:1/", reconnect=True)  # type: ignore[arg-type]
    assert caught.value.path == "/reconnect"


@pytest.mark.parametrize("is_blocking", [False, True], ids=["async", "blocking"])
def test_secrets_are_not_sent_to_another_origin(is_blocking: bool) -> None:
    """Behind a redirect to another origin, the rest of the run is asked for without the headers that were left behind."""
    cursor = "BwcHBwcHBwcHBwcHBwcHBw-0"
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nag-ui-cursor: {cursor}\r\ncontent-location: /run\r\n\r\n"
    started = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}'
    error = '{"type":"RUN_ERROR","message":"no"}'
    answers = [
        f"{head}id: {cursor[:-1]}1\ndata: {started}\n\n",
        f"{head.replace(cursor, cursor[:-1] + '1')}id: {cursor[:-1]}2\ndata: {error}\n\n",
    ]
    with answering(answers) as (there, asked):
        redirect = f"HTTP/1.1 307 Away\r\nlocation: http://localhost:{there}/agent\r\ncontent-length: 0\r\n\r\n"
        with answering([redirect]) as (here, _):
            ask(
                f"http://127.0.0.1:{here}/agent",
                is_blocking,
                redirects="any",
                headers=lambda: {"Authorization": "secret", "Cookie": "secret", "x-other": "told"},
            )
    assert [request.split(" ")[0] for request in asked] == ["POST", "GET"]
    assert "last-event-id: BwcHBwcHBwcHBwcHBwcHBw-1" in asked[1].lower().replace(
        "bwchbwchbwchbwchbwchbw", "BwcHBwcHBwcHBwcHBwcHBw"
    )
    for request in asked:
        assert "secret" not in request and "x-other: told" in request.lower()


@contextmanager
def answering(answers: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Answers each connection with the next text, and closes it. Yields the port, and the requests that have come."""
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for answer in answers:
                with suppress(OSError):
                    client, _ = listener.accept()
                    with client:
                        request = b""
                        while b"\r\n\r\n" not in request:
                            request += client.recv(65536)
                        length = request.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or b"0"
                        body = request.partition(b"\r\n\r\n")[2]
                        while len(body) < int(length):
                            body += client.recv(65536)
                        asked.append(request.decode("latin-1"))
                        client.sendall(answer.encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1], asked

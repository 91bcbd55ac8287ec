"""The body of a request in pieces of every kind, and what arrives at the wrong time."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from ag_ui_native.limits import Limits
from ag_ui_native.server import Run, asgi_app, rules
from ag_ui_native.server.request import Refused

TEXT = r'{"threadId":"é€😀","runId":"\ud83d\ude00","messages":[],"state":{"a":[1,2.5,null]}}'.encode()
"""Characters of two, three and four bytes, and a surrogate pair as escapes."""

HEADERS = [(b"content-type", b"application/json")]


def run_id(run: Run) -> str:
    return f"{run.thread_id} {run.run_id}"


def asked(receive: Callable[[], Any], **options: Any) -> tuple[int, Any]:
    """Returns the status of the answer, and its contents: the result of the run, or the refusal's code and limit."""
    sent: list[Any] = []

    async def work() -> None:
        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "headers": HEADERS}
        await asgi_app(run_id, **options)(scope, receive, send)

    asyncio.run(work())
    body = b"".join(message.get("body", b"") for message in sent[1:])
    assert [message["type"] for message in sent].count("http.response.start") == 1
    if sent[0]["status"] == 200:
        return 200, json.loads(body.decode().strip().split("\n\n")[-1].removeprefix("data: "))["result"]
    refusal = json.loads(body)
    return sent[0]["status"], (refusal["code"], refusal.get("limit"))


def pieces(of: Iterable[Any]) -> Callable[[], Any]:
    """A function `receive` that hands over these, and then nothing any more."""
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in of]
    messages.append({"type": "http.request", "more_body": False})

    async def receive() -> Any:
        if messages:
            return messages.pop(0)
        await asyncio.Event().wait()

    return receive


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_pieces_of_every_size_make_the_same_input(kind: Callable[[bytes], Any]) -> None:
    for size in (1, 2, 3, 5, 17, len(TEXT) - 1, len(TEXT)):
        cut = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
        with_empty = [piece for each in cut for piece in (b"", each, b"")]
        assert asked(pieces(map(kind, with_empty))) == (200, "é€😀 😀")


def test_the_limit_counts_all_pieces() -> None:
    for size in (1, 7, len(TEXT)):
        for most, is_taken in [(len(TEXT) - 1, False), (len(TEXT), True), (len(TEXT) + 1, True)]:
            cut = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
            answer = asked(pieces(cut), limits=Limits(input_bytes=most))
            assert answer == ((200, "é€😀 😀") if is_taken else (413, ("limit_exceeded", "input_bytes")))


def test_what_is_no_body_is_refused() -> None:
    assert asked(pieces([]))[0] == 400
    assert asked(pieces([TEXT[:-1]]))[0] == 400
    assert asked(pieces([TEXT, b"{}"]))[0] == 400
    assert asked(pieces([TEXT[:14], TEXT[16:]]))[0] == 400  # A byte of a character is left out.


def test_a_piece_is_copied_in_one_moment() -> None:
    """Another thread changes the bytes, and their number, while they are taken."""
    piece = bytearray(TEXT)
    is_over = threading.Event()

    def change() -> None:
        while not is_over.is_set():
            for changed in (b"[" * 10_000, TEXT):
                try:
                    piece[:] = changed
                except BufferError:
                    continue  # It is being read.

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(2_000):
            body = rules.RequestBody(Limits(input_bytes=9_999))
            try:
                body.receive(piece)
                body.read()
            except Refused as refused:
                assert json.loads(refused.body)["limit"] == "input_bytes"
    finally:
        is_over.set()
        thread.join()


def test_a_message_with_half_of_a_surrogate_pair() -> None:
    body = rules.RequestBody(None)
    body.receive_message('{"threadId":"\ud83d"}')
    with pytest.raises(Refused) as refused:
        body.read()
    assert refused.value.close_code == 1007


def test_a_body_at_the_moment_of_its_timeout_is_answered_once() -> None:
    for first in ("body", "timeout"):

        async def receive(first: str = first, begun: list[bool] = []) -> Any:  # noqa: B006 One list for each.
            loop = asyncio.get_running_loop()
            arrived = loop.create_future()
            at = loop.time() + (0.05 if first == "timeout" else 0.049_999)
            loop.call_at(at, lambda: None if arrived.done() else arrived.set_result(None))
            await arrived
            return {"type": "http.request", "body": TEXT, "more_body": False}

        assert asked(receive, body_timeout=0.05) in [(200, "é€😀 😀"), (408, ("request_timeout", "body_timeout"))]


def test_a_timeout_of_the_server_itself_is_no_refusal() -> None:
    """TimeoutError is what sockets raise, too."""

    async def receive() -> Any:
        raise TimeoutError("the socket's own")

    with pytest.raises(TimeoutError, match="the socket's own"):
        asked(receive, body_timeout=30)


def test_a_body_that_comes_behind_its_timeout_is_not_read() -> None:
    calls = 0

    async def receive() -> Any:
        nonlocal calls
        calls += 1
        await asyncio.sleep(30 if calls > 1 else 0)
        return {"type": "http.request", "body": TEXT[:9], "more_body": True}

    assert asked(receive, body_timeout=0.02) == (408, ("request_timeout", "body_timeout"))
    assert calls == 2

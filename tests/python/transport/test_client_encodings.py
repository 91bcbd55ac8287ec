"""Encodings of answers, gzip cut in every way, and answers that become gigabytes."""

from __future__ import annotations

import array
import asyncio
import gzip
import json
import subprocess
import sys
import threading
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ag_ui_native import AGUIConnectionError, AGUIStreamError
from ag_ui_native.client import HttpAgent, SyncHttpAgent, rules
from conftest import fixture_cases
from raw_peer import peer

EVENTS = (
    b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'
    b'data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"' + b"Hello, " * 20_000 + b'"}\n\n'
    b'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n'
)
STEP = 32 * 1024
"""The most that a step makes."""


@pytest.mark.parametrize("case", fixture_cases("content_encodings"), ids=lambda case: " + ".join(case["lines"]))
def test_headers(case: dict[str, Any]) -> None:
    # As httpx joins the lines of a header.
    header = httpx.Headers([("content-encoding", line) for line in case["lines"]]).get("content-encoding", "")
    if case["encoding"] is None:
        with pytest.raises(AGUIStreamError) as caught:
            rules.body_decoder(header)
        assert caught.value.code == "unsupported_content_encoding"
    else:
        assert (rules.body_decoder(header) is not None) is (case["encoding"] == "gzip")


def decoded(*pieces: bytes) -> tuple[bytes, str | None]:
    """Returns the decoded bytes of pieces of gzip, and the code of the failure at its end."""
    decoder = rules.body_decoder("gzip")
    assert decoder is not None
    out = bytearray()
    for piece in pieces:
        decoder.feed(piece)
        try:
            while (made := decoder.step()) is not None:
                assert 0 < len(made) <= STEP
                out += made
        except AGUIConnectionError as error:
            with pytest.raises(AGUIConnectionError):
                decoder.step()
            return bytes(out), error.code
    return bytes(out), None


def raw(data: bytes, level: int = 9, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    """One member."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    return compressor.compress(data) + compressor.flush()


DATA = EVENTS[:3_000] + bytes(range(256)) + b"x" * 70_000
MEMBERS = {
    "stored": raw(DATA, 0),
    "fast": raw(DATA, 1),
    "best": raw(DATA),
    "fixed codes": raw(DATA, 9, zlib.Z_FIXED),
    "two": raw(DATA[:5_000]) + raw(DATA[5_000:]),
    "an empty one between": raw(DATA[:9]) + raw(b"") + raw(DATA[9:]),
    "with zeros behind": raw(DATA) + bytes(9),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_gzip_is_the_same_however_it_is_cut(name: str) -> None:
    body = MEMBERS[name]
    assert decoded(body) == (DATA, None)
    assert decoded(*(body[at : at + 1] for at in range(len(body)))) == (DATA, None)
    for at in (*range(1, min(40, len(body))), *range(max(len(body) - 40, 1), len(body))):
        assert decoded(body[:at], body[at:]) == (DATA, None)


def test_an_end_within_a_member_is_for_the_events_to_judge() -> None:
    body = MEMBERS["best"]
    for at in range(0, len(body), 7):
        out, code = decoded(body[:at])
        assert code is None and DATA.startswith(out)


def test_what_is_no_gzip_fails_behind_what_came_before_it() -> None:
    whole = raw(DATA)
    flushing = zlib.compressobj(9, zlib.DEFLATED, 31)
    before = flushing.compress(DATA) + flushing.flush(zlib.Z_SYNC_FLUSH)
    for cut in ([0], [0, len(before)]):
        pieces = [(before + b"\xff" * 50)[begin:end] for begin, end in zip(cut, [*cut[1:], None], strict=True)]
        assert decoded(*pieces) == (DATA, "connection_lost")
    for wrong in (whole + b"!", whole + bytes(3) + b"!", whole[:-8] + b"!" + whole[-7:], whole[:-1] + b"!"):
        assert decoded(wrong) == (DATA, "connection_lost")
    for wrong in (b"!", b"\x1f!", b"\x1f\x8b!", whole[:3] + b"\x20" + whole[4:], zlib.compress(DATA)):
        assert decoded(wrong) == (b"", "connection_lost")


class View(bytearray):
    """A buffer of a class of one's own."""


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, View, lambda piece: array.array("B", piece)])
def test_pieces_of_any_kind_of_bytes(kind: Any) -> None:
    body = MEMBERS["best"]
    assert decoded(kind(body[:99]), kind(body[99:])) == (DATA, None)
    spread = memoryview(bytes(byte for one in body for byte in (one, 0)))[::2]
    assert decoded(spread) == (DATA, None)  # type: ignore[arg-type]  # A buffer with gaps is one all the same.


def test_pieces_that_are_no_bytes() -> None:
    decoder = rules.body_decoder("gzip")
    assert decoder is not None
    released = memoryview(b"x")
    released.release()
    wrong: Any
    for wrong in ("text", None, 5, [1, 2], object()):
        with pytest.raises(TypeError):
            decoder.feed(wrong)
    with pytest.raises(ValueError, match="released"):
        decoder.feed(released)
    # Nothing of it counts.
    decoder.feed(raw(b"whole"))
    assert decoder.step() == b"whole" and decoder.step() is None


def test_pieces_behind_the_end_and_behind_a_failure() -> None:
    decoder = rules.body_decoder("gzip")
    assert decoder is not None
    decoder.feed(raw(b"whole"))
    assert [decoder.step(), decoder.step()] == [b"whole", None]
    decoder.feed(b"")
    assert decoder.step() is None
    for piece in (b"!", raw(b"late")):
        decoder.feed(piece)
        with pytest.raises(AGUIConnectionError):
            decoder.step()


def test_what_threads_take_of_one_decoder_is_all_of_it() -> None:
    decoder = rules.body_decoder("gzip")
    assert decoder is not None
    decoder.feed(raw(DATA * 20))
    taken: list[bytes] = []
    together = threading.Barrier(4)

    def take() -> None:
        together.wait()
        while (piece := decoder.step()) is not None:
            taken.append(piece)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(map(len, taken)) == 20 * len(DATA)


def test_threads_with_one_decoder() -> None:
    """Programs must not do this: with any result it ends, and no invalid memory is read."""
    body, done = raw(DATA * 5), threading.Barrier(4)

    def work() -> None:
        done.wait()
        for at in range(0, len(body), 50):
            decoder.feed(body[at : at + 50])
            for _ in range(3):
                try:
                    decoder.step()
                except AGUIConnectionError:
                    failed.append(at)

    for _ in range(5):
        made, failed = rules.body_decoder("gzip"), list[int]()
        assert made is not None
        decoder = made
        threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()


def test_only_what_is_understood_is_asked_for() -> None:
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["accept-encoding"])
        return httpx.Response(
            200,
            headers={"content-type": "text/event-stream", "content-encoding": "gzip"},
            content=gzip.compress(EVENTS),
        )

    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        for headers in ({}, {"Accept-Encoding": "identity"}):
            agent = SyncHttpAgent("http://localhost/", client=client, headers=headers)
            assert agent.run_agent().text.startswith("Hello")
    assert sent == ["gzip, identity", "identity"]


def test_other_tasks_have_their_turn_while_a_body_is_decoded() -> None:
    """All of it is there at once, and nothing has to be waited for."""
    block = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = block.compress(b"\n" * (64 << 20)) + block.compress(EVENTS) + block.flush()

    asked = turns = 0

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal asked
        asked = turns
        yield body

    async def run() -> str:
        headers = {"content-type": "text/event-stream", "content-encoding": "gzip"}
        answer = httpx.MockTransport(lambda _: httpx.Response(200, headers=headers, content=pieces()))

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async with httpx.AsyncClient(transport=answer) as client:
            task = asyncio.create_task(others())
            result = await HttpAgent("http://localhost/", client=client).run_agent()
            task.cancel()
            return result.text

    text = asyncio.run(run())
    assert text.startswith("Hello")
    # Decoding 64 MiB takes several turns on the fastest machine; a request alone takes none of them.
    assert turns > asked + 2


PROGRAM = """
import asyncio, json, sys
import httpx
from ag_ui_native import AGUIError
from ag_ui_native.client import HttpAgent, SyncHttpAgent

url, face, client = sys.argv[1:]
try:
    if face == "async":
        asyncio.run(HttpAgent(url, client=httpx.AsyncClient() if client == "given" else None).run_agent())
    else:
        SyncHttpAgent(url, client=httpx.Client() if client == "given" else None).run_agent()
except AGUIError as error:
    said = {"code": error.code, "limit": error.limit, "status": getattr(error, "status", None)}
try:
    # The peak memory of this process; rusage would include that of its parent.
    lines = open("/proc/self/status").read().splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) << 10
except OSError:
    peak = None
print(json.dumps(said | {"peak": peak}))
"""


@pytest.mark.parametrize(("face", "client"), [("async", "own"), ("async", "given"), ("sync", "given")])
@pytest.mark.parametrize("case", fixture_cases("client_bombs"), ids=lambda case: case["name"])
def test_bombs(case: dict[str, Any], face: str, client: str) -> None:
    with peer(case["script"]) as server:
        asked = [sys.executable, "-c", PROGRAM, server.url, face, client]
        found = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
    assert {name: found[name] for name in case["expect"]} == case["expect"]
    if found["peak"] is not None:
        assert found["peak"] < case["most_bytes"]


def test_bombs_are_some_kilobytes() -> None:
    assert Path(__file__).parents[2].joinpath("fixtures/client/client_bombs.json").stat().st_size < 20_000

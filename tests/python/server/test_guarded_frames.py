"""tests/fixtures/server/guarded_frames.json: the frames that leave `guard` do not depend on the cuts of the stream, and
what comes before a failure is sent.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, ClassVar

import pytest

from ag_ui_native import AGUIError, Limits
from ag_ui_native.server import guard
from ag_ui_native.stream import EventDecoder
from conftest import fixture_cases

FIXTURE: Any = fixture_cases("guarded_frames")
FRAMES = FIXTURE["frames"]
INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
CONTENT_TYPES = {"text": "text/event-stream", "protobuf": "application/vnd.ag-ui.event+proto"}


def frames(names: list[str], key: str = "text") -> list[bytes] | None:
    """The frames of these names; None if one has no form of this transport."""
    found = [FRAMES[name].get(key) for name in names]
    if None in found:
        return None
    return [body.encode() if isinstance(body, str) else base64.b64decode(body["base64"]) for body in found]


def outcome(stream: Iterator[Any]) -> tuple[list[Any], Exception | None]:
    """Returns the frames that are sent, and the error after them."""
    sent: list[Any] = []
    try:
        sent.extend(stream)
    except (AGUIError, RuntimeError) as error:
        return sent, error
    return sent, None


def code_of(error: Any) -> str | None:
    """The rule or code of an error."""
    return None if error is None else error.rule or error.code


def changing(pieces: list[bytes]) -> Iterator[bytearray]:
    """One buffer for all pieces, as a reader that saves memory hands it over."""
    buffer = bytearray()
    for piece in pieces:
        buffer[:] = piece
        yield buffer
        buffer[:] = b"\0" * len(buffer)


def cuts(given: list[bytes]) -> dict[str, list[Any]]:
    whole = b"".join(given)
    sized = {f"pieces of {size}": [whole[at : at + size] for at in range(0, len(whole), size)] for size in (1, 7, 64)}
    views = [memoryview(whole + b"...")[at : at + 5][: len(whole) - at] for at in range(0, len(whole), 5)]
    return {"frames": given, "one piece": [b"", whole, b""], "views": views, **sized}


@pytest.mark.parametrize("mode", ["fix", "report", "error"])
@pytest.mark.parametrize("key", CONTENT_TYPES)
@pytest.mark.parametrize("case", FIXTURE["cases"], ids=lambda case: case["name"])
def test_frames(case: dict[str, Any], key: str, mode: Any, caplog: pytest.LogCaptureFixture) -> None:
    given, sent = frames(case["given"], key), frames(case[mode]["sent"], key)
    if given is None or sent is None:
        return
    failure = case.get("protobufFailure") if key == "protobuf" else None
    failure = failure or case[mode].get("failure")
    limits = Limits(**case["limits"]) if "limits" in case else None
    options: dict[str, Any] = {"input": INPUT if case.get("input") else None, "limits": limits}
    told = [tuple(warning) for warning in case[mode].get("warnings", [])]
    for name, pieces in cuts(given).items():
        for form in (list, changing):
            caplog.clear()
            warnings: list[Any] = []
            taken = guard(form(pieces), mode, content_type=CONTENT_TYPES[key], on_warning=warnings.append, **options)
            frames_sent, error = outcome(taken)
            # In the mode `fix` the end of the run tells of the failure, and the log.
            logged = [record.exc_info[1] for record in caplog.records if record.exc_info]
            assert error is None or mode != "fix", name
            assert (frames_sent, code_of(logged[0] if logged else error)) == (sent, failure), name
            assert [(w.event_index, w.rule or w.code) for w in warnings] == told, name


def test_text_is_answered_with_text() -> None:
    started, opened, closed, failed = (FRAMES[name]["text"] for name in ("started", "open", "close", "failed"))
    piece = started + opened + FRAMES["no_json"]["text"]
    assert list(guard([piece])) == [started, opened, closed, failed]
    assert list(guard(piece)) == [started, opened, closed, failed]
    # Half of a surrogate pair has no UTF-8; what stands before it is sent.
    assert list(guard([started + opened + 'data: {"type":"\ud83d"}\n\n'])) == [started, opened, closed, failed]
    shown = list(guard([started, FRAMES["no_event"]["text"]], show_errors=True))
    assert "missing_field" in shown[-1] and "RUN_ERROR" in shown[-1]


def test_an_iterator_that_fails_is_sent_what_came_before() -> None:
    def agent() -> Iterator[str]:
        yield FRAMES["started"]["text"] + FRAMES["open"]["text"][:9]
        raise RuntimeError

    assert outcome(guard(agent())) == ([FRAMES["started"]["text"], FRAMES["failed"]["text"]], None)
    sent, error = outcome(guard(agent(), "report"))
    assert sent == [FRAMES["started"]["text"]] and isinstance(error, RuntimeError)


class OwnError(AGUIError):
    """An error of the application that has a `partial` of its own."""

    partial: ClassVar[Any] = ["not ours"]


def raising(warning: object) -> None:
    raise OwnError("mine")


@pytest.mark.parametrize("form", [lambda names: ["".join(FRAMES[name]["text"] for name in names)], None])
def test_a_callback_that_raises_loses_nothing(form: Callable[[list[str]], Any] | None) -> None:
    names = ["started", "open", "stray", "content"]

    def given() -> Any:
        return form(names) if form else EventDecoder(as_dicts=True).feed(b"".join(frames(names) or []))

    def types(items: list[Any]) -> list[str]:
        if form is None:
            return [item["type"] for item in items]
        return [event["type"] for event in EventDecoder(as_dicts=True).feed("".join(items).encode())]

    before = ["RUN_STARTED", "TEXT_MESSAGE_START"] + (["TEXT_MESSAGE_CONTENT"] if form else [])
    assert types(list(guard(given(), on_warning=raising))) == [*before, "TEXT_MESSAGE_END", "RUN_ERROR"]
    sent, raised = outcome(guard(given(), "report", on_warning=raising))
    assert isinstance(raised, OwnError)
    stray = ["TEXT_MESSAGE_CONTENT"]
    assert types(sent) == before[:2] + stray + (stray if form else [])


class Odd(Exception):
    def __str__(self) -> str:
        return self.args[0]()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (lambda: 1 / 0, "the agent failed; see the server's log"),
        (lambda: "", "the agent failed; see the server's log"),
        (lambda: "a\ud800b", "a\ufffdb"),
    ],
)
def test_an_error_without_a_text_ends_the_run(text: Any, shown: str) -> None:
    def agent() -> Iterator[Any]:
        yield FRAMES["started"]["text"]
        raise Odd(text)

    *_, last = guard(agent(), show_errors=True)
    (event,) = EventDecoder(as_dicts=True).feed(last.encode())
    assert (event["type"], event["message"]) == ("RUN_ERROR", shown)


def test_async() -> None:
    async def agent() -> AsyncIterator[bytes]:
        yield b"".join(frames(["started", "open", "no_json"]) or [])
        raise AssertionError("nothing is read behind a failure")

    async def main() -> None:
        expected = frames(["started", "open", "close", "failed"])
        assert [frame async for frame in guard(agent())] == expected
        sent = []
        with pytest.raises(AGUIError, match="invalid_json"):
            async for frame in guard(agent(), "error"):
                sent.append(frame)
        assert sent == frames(["started", "open"])

    asyncio.run(main())


def test_other_types_are_refused_at_once() -> None:
    with pytest.raises(AGUIError, match="wrong_content_type"):
        guard([], content_type="text/html")

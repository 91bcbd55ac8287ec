"""Streams of models that fail, lie or never end, in several threads; and what is left of them."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.adapters import openai
from ag_ui_native.server import Run
from ag_ui_native.testing import arun_agent
from conftest import fixture_cases
from test_model_streams import ran

NON_CHUNKS: Any = fixture_cases("model_non_chunks")
STOPPED: Any = {"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}]}
CALL: Any = {"index": 0, "id": "c", "function": {"name": "look", "arguments": '{"x'}}


class Iterated:
    """A stream that gives these chunks, and then does what `last` does. Closing it fails."""

    def __init__(self, chunks: list[Any], last: Callable[[], Any]) -> None:
        self._chunks, self._last = chunks, last
        self.is_closed = False

    def __aiter__(self) -> Iterated:
        return self

    async def __anext__(self) -> Any:
        return self._chunks.pop(0) if self._chunks else await self._last()

    async def close(self) -> None:
        self.is_closed = True
        raise ConnectionError("cannot close")


async def ended() -> None:
    raise StopAsyncIteration


async def failing() -> None:
    raise RuntimeError("boom")


async def silent() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("value", [*NON_CHUNKS["chunks"], float("nan"), ()])
def test_what_is_no_chunk_is_refused_and_what_is_open_ends(value: Any) -> None:
    stream = Iterated([NON_CHUNKS["before"], value], ended)
    result = ran("openai_chat", stream, [])
    assert isinstance(result.error, AGUIError) and stream.is_closed
    assert {"code": result.error.code, "message": str(result.error)} == NON_CHUNKS["error"]
    assert [event.type for event in result.events[1:-1]] == NON_CHUNKS["events"]


class RaisesWhenDumped:
    def model_dump_json(self, **options: Any) -> str:
        raise RuntimeError("boom")


@pytest.mark.parametrize(("more", "last"), [([], failing), ([RaisesWhenDumped()], silent)])
def test_the_error_of_a_hostile_stream_is_passed_on_and_what_is_open_ends(more: list[Any], last: Any) -> None:
    stream = Iterated([NON_CHUNKS["before"], *more], last)
    result = ran("openai_chat", stream, [])
    assert isinstance(result.error, RuntimeError) and str(result.error) == "boom" and stream.is_closed
    assert [event.type for event in result.events[1:-1]] == NON_CHUNKS["events"]


def test_a_stream_that_cannot_be_closed_has_a_reply() -> None:
    stream, replies = Iterated([STOPPED], ended), []
    assert ran("openai_chat", stream, replies).error is None
    assert stream.is_closed and replies[0].text == "Hi."


def test_a_stream_that_cannot_be_closed_is_cancelled_in_the_middle_of_a_call() -> None:
    stream, seen = Iterated([{"choices": [{"delta": {"tool_calls": [CALL]}}]}], silent), []

    async def agent(run: Run) -> None:
        try:
            await openai.stream_chat(run, stream)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    result = asyncio.run(arun_agent(agent, time_limit=0.2))
    assert (seen, stream.is_closed, result.outcome) == (["cancelled"], True, "error")
    assert [event.type for event in result.events[1:-1]] == [f"TOOL_CALL_{part}" for part in ("START", "ARGS", "END")]


def test_runs_of_several_threads_and_loops_do_not_mix() -> None:
    texts: list[str] = []

    async def main(name: str) -> None:
        async def agent(run: Run) -> None:
            pieces = [{"choices": [{"delta": {"content": name}}]} for _ in range(30)]
            reply = await openai.stream_chat(run, Iterated([*pieces, {"choices": [{"finish_reason": "stop"}]}], ended))
            texts.append(reply.text)

        results = await asyncio.gather(*(arun_agent(agent) for _ in range(5)))
        texts.extend(result.text for result in results)

    threads = [threading.Thread(target=asyncio.run, args=[main(name)]) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts) == sorted(name * 30 for name in "abcdef" for _ in range(10))


@pytest.mark.parametrize("last", [ended, failing, silent])
def test_nothing_keeps_a_stream_or_a_run_behind_its_end(last: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL + 1)  # A record of a failure keeps its traceback.
    kept: list[weakref.ref[Any]] = []

    async def agent(run: Run) -> None:
        stream = Iterated([STOPPED], last)
        kept.extend([weakref.ref(stream), weakref.ref(run)])
        await openai.stream_chat(run, stream)

    asyncio.run(arun_agent(agent, time_limit=0.2))
    gc.collect()
    assert [reference() for reference in kept] == [None, None]

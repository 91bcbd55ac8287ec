"""Events that arrive at once: the reader does not wait for them, and receives them one by one all the same."""

import asyncio
import json
from typing import Any

import pytest

from ag_ui_native.client import Agent, SyncAgent
from ag_ui_native.errors import AGUISequenceError
from ag_ui_native.pipeline.pipeline import EventPipeline

IDS = {"threadId": "t", "runId": "r"}


def piece(*events: dict[str, Any]) -> bytes:
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def text(delta: str) -> dict[str, Any]:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": delta}


START = ({"type": "RUN_STARTED", **IDS}, {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"})
END = ({"type": "TEXT_MESSAGE_END", "messageId": "m"}, {"type": "RUN_FINISHED", **IDS})
BAD_PATCH = {"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/missing"}]}


class Answer:
    """An answer whose pieces are all there at once; a piece that is an exception is raised."""

    content_type = None

    def __init__(self, pieces: list[bytes | BaseException]) -> None:
        self.pieces = iter(pieces)

    async def open(self, request: object, waiting: object) -> "Answer":
        return self

    async def read(self) -> bytes | None:
        piece = next(self.pieces, None)
        if isinstance(piece, BaseException):
            raise piece
        return piece

    async def close(self) -> None:
        pass

    def abort(self) -> None:
        pass


def test_each_event_of_a_piece_comes_when_the_conversation_has_it_and_no_more():
    agent = SyncAgent(Answer([piece(*START, text("a"), text("b"), text("c"), *END)]))
    seen = [agent.messages[-1].content for event in agent.run() if event.type == "TEXT_MESSAGE_CONTENT"]
    assert seen == ["a", "ab", "abc"]


async def events_until_failure(agent: Agent) -> tuple[list[str], BaseException]:
    seen: list[str] = []
    stream = agent.run()
    with pytest.raises(Exception) as failed:
        async for event in stream:
            seen.append(event.type)
    assert not agent.is_running
    return seen, failed.value


def test_what_an_event_in_the_midst_of_a_piece_fails_with_is_raised_behind_those_before_it():
    def refuse(warning: object) -> None:
        raise KeyError("no warnings here")

    agent = Agent(Answer([piece(*START, text("a"), BAD_PATCH, text("b"), *END)]), on_warning=refuse)
    seen, error = asyncio.run(events_until_failure(agent))
    assert seen == ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]
    assert isinstance(error, KeyError)
    assert agent.messages[-1].content == "a"


def test_a_run_that_is_aborted_brings_nothing_more_of_what_has_come():
    async def main() -> list[str]:
        agent = Agent(Answer([piece(*START, text("a"), text("b"), *END)]))
        seen = []
        async for event in agent.run():
            seen.append(event.type)
            if event.type == "TEXT_MESSAGE_CONTENT":
                agent.abort_run()
        assert agent.messages[-1].content == "a"
        return seen

    assert asyncio.run(main()) == ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]


def test_a_cancellation_at_once_from_within_is_a_failure():
    agent = Agent(Answer([piece(*START, text("a")), asyncio.CancelledError()]))
    seen, error = asyncio.run(events_until_failure(agent))
    assert seen[-1] == "TEXT_MESSAGE_CONTENT"
    assert isinstance(error, RuntimeError)
    assert "cancelled" in str(error)


class Cancelling(Answer):
    async def read(self) -> bytes | None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        return await super().read()


def test_a_cancellation_that_was_asked_for_is_none():
    async def main() -> None:
        task = asyncio.create_task(Agent(Cancelling([asyncio.CancelledError()])).run_agent())
        await asyncio.wait({task})
        assert task.cancelled()

    asyncio.run(main())


def other(delta: str) -> dict[str, Any]:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": "n", "delta": delta}


def arguments(delta: str) -> dict[str, Any]:
    return {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": delta}


INTERLEAVED = piece(
    *START,
    {"type": "TEXT_MESSAGE_START", "messageId": "n", "role": "user"},
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f", "parentMessageId": "m"},
    *(text("a"), text('"\n'), other("x"), arguments('{"a":'), arguments("1}"), text("é"), other("y"), other("z")),
    *({"type": "TEXT_MESSAGE_END", "messageId": "n"}, {"type": "TOOL_CALL_END", "toolCallId": "c"}, *END),
)


def texts(agent: SyncAgent) -> list[Any]:
    return [message.content for message in agent.messages] + [agent.messages[0].tool_calls[0].function.arguments]


EXPECTED = ['a"\né', "xyz", '{"a":1}']


def test_text_of_a_piece_comes_to_the_same_however_a_run_is_followed():
    def fresh() -> SyncAgent:
        return SyncAgent(Answer([INTERLEAVED]))

    agent = fresh()
    assert agent.run_agent().outcome == "success"
    assert texts(agent) == EXPECTED
    agent = fresh()
    changes = [change for change in agent.stream() if change.kind == "text_appended"]
    assert texts(agent) == EXPECTED
    # Each event is notified by itself.
    assert [change.value for change in changes] == ["a", '"\n', "x", '{"a":', "1}", "é", "y", "z"]
    assert [change.event_index for change in changes] == list(range(4, 12))
    assert changes[0].target is agent.messages[0]
    assert changes[3].target is agent.messages[0].tool_calls[0]
    agent = fresh()
    assert list(agent.ask_stream("Hello?")) == ['a"\né']
    agent = fresh()
    assert [event.type for event in agent.run()].count("TEXT_MESSAGE_CONTENT") == 6
    assert texts(agent) == EXPECTED


def test_text_before_a_failure_of_the_same_piece_is_there():
    failing = piece(
        *START, text("a"), text("b"), {"type": "TEXT_MESSAGE_CONTENT", "messageId": "unknown", "delta": "c"}
    )
    for end in (lambda agent: agent.run_agent(), lambda agent: list(agent.stream()), lambda agent: list(agent.run())):
        agent = SyncAgent(Answer([failing]))
        with pytest.raises(AGUISequenceError):
            end(agent)
        assert agent.messages[-1].content == "ab"


def test_arguments_are_read_as_they_arrive():
    pipeline = EventPipeline()
    pipeline.feed(piece(*START, {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"}))
    partial = pipeline.partial_arguments("c")
    assert partial is not None
    changes = pipeline.feed(piece(arguments('{"a": [1'), arguments(", 2"), arguments("]")))
    assert len(changes) == 3
    assert partial.value == {"a": [1, 2]}

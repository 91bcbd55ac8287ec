"""Streams of models as events of a run, and conversations as requests. tests/fixtures/adapters/ has what the providers
send and take; every language reads it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ag_ui_native import AGUIError, AGUIStreamError
from ag_ui_native.adapters import anthropic, openai
from ag_ui_native.core import Message, ReasoningMessage, Tool, ToolMessage, UserMessage
from ag_ui_native.server import Run
from ag_ui_native.testing import AgentRun, arun_agent, run_agent
from conftest import fixture_cases

STREAMS: Any = fixture_cases("model_streams")
CHUNKS: Any = fixture_cases("model_chunks")
REQUESTS: Any = fixture_cases("model_requests")
TOOLS: Any = fixture_cases("model_tools")

STREAM: Any = {
    "openai_chat": openai.stream_chat,
    "openai_responses": openai.stream_response,
    "anthropic": anthropic.stream_message,
}
REQUEST: Any = {
    "openai_chat": (openai.chat_messages, openai.chat_tools),
    "openai_responses": (openai.response_input, openai.response_tools),
    "anthropic": (anthropic.message_params, anthropic.message_tools),
}


class Ids:
    """Ids that the fixtures know."""

    def _next(self) -> str:
        return "m"

    thread_id = run_id = message_id = tool_call_id = step_id = _next


class Chunks:
    """A stream of an SDK: the chunks of a body."""

    def __init__(self, body: str) -> None:
        lines = body.replace("\r\n", "\n").split("\n")
        data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
        self._chunks = [json.loads(text) for text in data if text != "[DONE]"]
        self.is_closed = False

    async def __aiter__(self) -> AsyncIterator[Any]:
        for chunk in self._chunks:
            yield chunk

    async def close(self) -> None:
        self.is_closed = True


def dumped(events: list[Any]) -> list[Any]:
    return [json.loads(event.model_dump_json(by_alias=True, exclude_none=True)) for event in events]


def plain(reply: openai.Reply) -> dict[str, Any]:
    """The reply as fixtures have it."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments_text}}
        for call in reply.tool_calls
    ]
    return {
        "text": reply.text,
        "isRefusal": reply.is_refusal,
        "toolCalls": calls,
        "finishReason": reply.finish_reason,
        "messages": dumped(reply.messages),
        "usage": None if reply.usage is None else dumped([reply.usage])[0],
    }


def ran(api: str, stream: Any, replies: list[Any], **options: Any) -> AgentRun:
    async def agent(run: Run) -> None:
        replies.append(await STREAM[api](run, stream, **options))

    return run_agent(agent, ids=Ids())


@pytest.mark.parametrize("case", STREAMS, ids=lambda case: f"{case['api']}: {case['name']}")
def test_streams_of_models_are_events_and_replies(case: Any) -> None:
    stream, replies = Chunks(case["body"]), []
    result = ran(case["api"], stream, replies)
    assert dumped(result.events[1:-1]) == case["events"]
    assert stream.is_closed
    usage = dumped(result.events[-1].usage or [])
    assert usage == ([case["usage"]] if case["usage"] else [])
    if "reply" in case:
        assert result.outcome == "success" and plain(replies[0]) == case["reply"]
    else:
        error = result.error
        assert isinstance(error, AGUIError) and (error.code, str(error)) == tuple(case["error"].values())
        assert result.outcome == "error" and replies == []


def instance(api: str, chunk: dict[str, Any]) -> object:
    """The chunk as the SDK makes it: without validation."""
    from anthropic.types import RawContentBlockDeltaEvent
    from openai.types.chat import ChatCompletionChunk
    from openai.types.responses import ResponseTextDeltaEvent

    kinds = {
        "openai_chat": ChatCompletionChunk,
        "openai_responses": ResponseTextDeltaEvent,
        "anthropic": RawContentBlockDeltaEvent,
    }
    return kinds[api].construct(**chunk)


@pytest.mark.filterwarnings("ignore::UserWarning")  # pydantic warns of instances that were not validated
@pytest.mark.parametrize("as_instance", [False, True])
@pytest.mark.parametrize("case", CHUNKS, ids=lambda case: case["api"])
def test_numbers_that_json_does_not_have_are_null(case: Any, as_instance: bool) -> None:
    stream, replies, api = Chunks(""), [], case["api"]
    chunks = [json.loads(text.replace('"$NaN"', "NaN")) for text in case["chunks"]]
    stream._chunks = [instance(api, chunk) if as_instance else chunk for chunk in chunks]
    result = ran(api, stream, replies)
    assert result.error is None and replies[0].text == case["text"]


@pytest.mark.parametrize("case", REQUESTS, ids=lambda case: case["name"])
@pytest.mark.parametrize("api", REQUEST)
def test_conversations_are_requests(case: Any, api: str) -> None:
    messages, expected = REQUEST[api][0], case[api]
    if isinstance(expected, dict) and "error" in expected:
        with pytest.raises(AGUIError) as caught:
            messages(case["messages"])
        assert {"code": caught.value.code, "path": caught.value.path} == expected["error"]
    else:
        assert messages(case["messages"]) == expected


@pytest.mark.parametrize("api", REQUEST)
def test_tools_are_those_of_the_request(api: str) -> None:
    tools = REQUEST[api][1]
    assert tools(TOOLS["tools"]) == TOOLS[api]
    assert tools(Tool.model_validate(tool) for tool in TOOLS["tools"]) == TOOLS[api]
    assert tools(None) == []


def test_integers_of_any_size_are_kept() -> None:
    tool: Any = {"name": "n", "description": "", "parameters": {"maximum": 10**30, "multipleOf": 0.1}}
    assert anthropic.message_tools([tool])[0]["input_schema"] == tool["parameters"]
    call = {"id": "c", "type": "function", "function": {"name": "n", "arguments": json.dumps({"x": 10**30})}}
    given: Any = [
        {"id": "a", "role": "assistant", "toolCalls": [call]},
        {"id": "t", "role": "tool", "toolCallId": "c", "content": ""},
    ]
    (block,) = anthropic.message_params(given)["messages"][0]["content"]
    assert block["input"] == {"x": 10**30}  # type: ignore[index, typeddict-item]


def test_messages_of_every_form_are_taken() -> None:
    plain = {"id": "v", "role": "user", "content": "And?"}
    given: list[Any] = [UserMessage(id="u", content="Hello?"), plain]
    assert openai.chat_messages(given) == [{"role": "user", "content": text} for text in ("Hello?", "And?")]


def test_what_is_no_message_is_refused_with_its_place() -> None:
    given: list[Any] = [UserMessage(id="u", content="Hello?"), {"role": "user", "content": "And?"}]
    with pytest.raises(AGUIError) as caught:
        anthropic.message_params(given)
    assert (caught.value.code, caught.value.path) == ("missing_field", "/1/id")


def body(name: str, api: str = "openai_chat") -> str:
    return next(case["body"] for case in STREAMS if case["name"] == name and case["api"] == api)


def test_the_answer_of_a_call_is_a_result_and_the_message_for_the_next_request() -> None:
    answers: list[ToolMessage] = []

    async def agent(run: Run) -> None:
        reply = await openai.stream_chat(run, Chunks(body("two parallel calls in pieces")))
        assert [call.arguments for call in reply.tool_calls] == [{"city": "Bern"}, {"city": "Rome"}]
        answers.append(await reply.tool_calls[0].answer({"degrees": 7}))
        answers.append(await reply.tool_calls[1].answer([{"type": "text", "text": "sun"}]))
        made: list[Message] = [*run.messages, *reply.messages, *answers]
        assert [message["role"] for message in openai.chat_messages(made)] == ["user", "assistant", "tool", "tool"]

    result = run_agent(agent, "Weather?")
    assert result.error is None
    assert [answer.content for answer in answers[:1]] == ['{"degrees":7}']
    assert [answer.id for answer in answers] == [
        event.message_id for event in result.events if event.type == "TOOL_CALL_RESULT"
    ]


def test_a_repr_shows_nothing_of_what_was_said() -> None:
    replies: list[Any] = []
    ran("openai_chat", Chunks(body("text before a call")), replies)
    call = "ModelCall(id='call_a', name='look')"
    assert repr(replies[0]) == f"Reply(is_refusal=False, tool_calls=[{call}], finish_reason='tool_calls', usage=None)"


def test_arguments_that_are_no_object_are_a_text_for_the_model() -> None:
    replies: list[Any] = []
    ran("openai_chat", Chunks(body("calls without index and id").replace('{\\"x\\":1}', '{\\"x')), replies)
    (call,) = replies[0].tool_calls
    with pytest.raises(ValueError, match="The arguments are not valid JSON"):
        _ = call.arguments


def test_the_usage_names_the_provider_that_is_given() -> None:
    replies: list[Any] = []
    result = ran("openai_chat", Chunks(body("text and usage")), replies, provider="ollama")
    (usage,) = result.events[-1].usage
    assert (usage.provider, usage.model, usage.input_tokens) == ("ollama", "gpt-5-mini-2026-03-01", 19)


def test_what_is_no_stream_is_refused() -> None:
    for api, client in (("openai_chat", "AsyncOpenAI"), ("anthropic", "AsyncAnthropic")):
        error = ran(api, [], []).error
        assert isinstance(error, TypeError)
        assert str(error) == (
            "stream: expected an asynchronous stream, got list; "
            f"use the client {client}, pass stream=True, and await the request"
        )


def test_a_subagent_has_the_reply() -> None:
    async def agent(run: Run) -> None:
        async with run.subagent("helper", id="sub") as helper:
            await openai.stream_chat(helper, Chunks(body("text before a call")))

    result = run_agent(agent)
    written = [event for event in result.events if event.type.startswith(("TEXT", "TOOL"))]
    assert len(written) == 6 and {event.subagent_run_id for event in written} == {"sub"}


def test_reasoning_is_kept_by_the_client_and_goes_back() -> None:
    stream = Chunks(body("thinking with a signature, then a call", "anthropic"))

    async def agent(run: Run) -> None:
        reply = await anthropic.stream_message(run, stream)
        await reply.tool_calls[0].answer("rain")

    messages = run_agent(agent, "Rain?").messages
    thought = messages[1]
    assert isinstance(thought, ReasoningMessage) and thought.encrypted_value == "EqQB/Cg=="
    made = anthropic.message_params(messages)["messages"]
    assert [block["type"] for block in made[1]["content"]] == ["thinking", "tool_use"]  # type: ignore[index, union-attr]


@pytest.mark.parametrize(
    ("api", "kinds"),
    [
        ("anthropic", ["thinking", "text", "server_tool_use", "web_search_tool_result", "text"]),
        ("openai_responses", ["reasoning", "web_search_call", "file_search_call", "code_interpreter_call"]),
    ],
)
def test_tools_of_the_provider_are_kept_by_the_client_and_go_back_as_they_came(api: str, kinds: list[str]) -> None:
    async def agent(run: Run) -> None:
        assert (await STREAM[api](run, Chunks(body("tools of the provider", api)))).tool_calls == []

    made = REQUEST[api][0](run_agent(agent, "Rain?").messages)
    parts = made["messages"][1]["content"] if api == "anthropic" else made
    assert [part["type"] for part in parts if "type" in part] == kinds


def test_a_generator_is_closed_and_open_messages_are_ended_when_the_agent_is_cancelled() -> None:
    seen: list[str] = []

    async def chunks() -> AsyncIterator[Any]:
        try:
            yield {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}
            await asyncio.Event().wait()
        finally:
            seen.append("closed")

    async def agent(run: Run) -> None:
        try:
            await openai.stream_chat(run, chunks())
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    result = asyncio.run(arun_agent(agent, time_limit=0.2))
    assert seen == ["closed", "cancelled"]
    assert [event.type for event in result.events[1:-1]] == [
        f"TEXT_MESSAGE_{part}" for part in ("START", "CONTENT", "END")
    ]
    assert result.outcome == "error"


def test_an_agent_may_go_on_behind_a_failure_of_the_provider() -> None:
    async def agent(run: Run) -> None:
        with pytest.raises(AGUIStreamError, match="model_failed"):
            await openai.stream_chat(run, Chunks(body("an error in the middle")))
        await openai.stream_chat(run, Chunks(body("text and usage")))

    result = run_agent(agent)
    assert (result.outcome, [message.content for message in result.messages]) == (
        "success",
        ["Hel", "Hello there, 世界 🌍."],
    )

"""The official SDKs of the providers, against a server that answers with recorded bodies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anthropic
import openai
import pytest

from ag_ui_native import AGUIError
from ag_ui_native.adapters.anthropic import message_params, message_tools, stream_message
from ag_ui_native.adapters.openai import (
    Reply,
    chat_messages,
    chat_tools,
    response_input,
    response_tools,
    stream_chat,
    stream_response,
)
from ag_ui_native.core import Message, Tool
from ag_ui_native.server import Run
from ag_ui_native.testing import AgentRun, arun_agent
from provider import Provider, provider
from test_model_streams import STREAMS, Ids, body, dumped, plain

Ask = Callable[[Run, str, list[Message]], Awaitable[Reply]]
LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})


async def ask_chat(run: Run, url: str, messages: list[Message]) -> Reply:
    async with openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0) as client:
        stream = await client.chat.completions.create(
            model="m",
            messages=chat_messages(messages),
            tools=chat_tools([LOOK]),
            stream=True,
            stream_options={"include_usage": True},
        )
        return await stream_chat(run, stream)


async def ask_response(run: Run, url: str, messages: list[Message]) -> Reply:
    async with openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0) as client:
        stream = await client.responses.create(
            model="m",
            input=response_input(messages),
            tools=response_tools([LOOK]),
            include=["reasoning.encrypted_content"],
            store=False,
            stream=True,
        )
        return await stream_response(run, stream)


async def ask_message(run: Run, url: str, messages: list[Message]) -> Reply:
    async with anthropic.AsyncAnthropic(api_key="k", base_url=url, max_retries=0) as client:
        stream = await client.messages.create(
            model="m", max_tokens=1024, tools=message_tools([LOOK]), stream=True, **message_params(messages)
        )
        return await stream_message(run, stream)


ASK: dict[str, Ask] = {"openai_chat": ask_chat, "openai_responses": ask_response, "anthropic": ask_message}


async def ran(api: str, text: str, replies: list[Reply]) -> AgentRun:
    async with provider([text]) as served:

        async def agent(run: Run) -> None:
            replies.append(await ASK[api](run, served.url, run.messages))

        return await arun_agent(agent, "Hello?", ids=Ids())


def raises_itself(case: Any) -> bool:
    """True if the SDK raises the provider's error, before an adapter sees it."""
    return "error" in case and case["error"]["code"] == "model_failed" and case["api"] != "openai_responses"


def inner(value: Any) -> Any:
    """The value with what its texts hold as JSON: the classes of SDKs have an order of their own."""
    if isinstance(value, dict):
        return {name: inner(member) for name, member in value.items()}
    if isinstance(value, list):
        return [inner(item) for item in value]
    with suppress(ValueError, TypeError):
        return inner(json.loads(value)) if value[:1] in ("{", "[") else value
    return value


@pytest.mark.parametrize("case", STREAMS, ids=lambda case: f"{case['api']}: {case['name']}")
def test_objects_of_the_sdks_are_events_and_replies(case: Any) -> None:
    replies: list[Reply] = []
    result = asyncio.run(ran(case["api"], case["body"], replies))
    assert inner(dumped(result.events[1:-1])) == inner(case["events"])
    if "reply" in case:
        assert result.error is None and inner(plain(replies[0])) == inner(case["reply"])
    elif raises_itself(case):
        assert isinstance(result.error, (openai.APIError, anthropic.APIStatusError))
    else:
        assert isinstance(result.error, AGUIError) and result.error.code == case["error"]["code"]


def thinking(api: str) -> str:
    named = {
        "openai_responses": "a summary of the reasoning in two parts, encrypted, then a call",
        "anthropic": "thinking with a signature, then a call",
    }
    return body(named.get(api, "text before a call"), api)


@pytest.mark.parametrize("api", ASK)
def test_a_loop_of_tools(api: str) -> None:
    """The model calls a tool, gets the result and answers. The client's next run has all of it."""

    async def agent(run: Run, served: Provider) -> None:
        messages = list(run.messages)
        while True:
            reply = await ASK[api](run, served.url, messages)
            messages += reply.messages
            if not reply.tool_calls:
                return
            messages += [await call.answer("rain") for call in reply.tool_calls]

    async def both() -> list[Any]:
        async with provider([thinking(api), body("text and usage", api), body("text and usage", api)]) as served:
            first = await arun_agent(lambda run: agent(run, served), "Weather?")
            assert (first.error, first.messages[-1].content) == (None, "Hello there, 世界 🌍.")
            second = await arun_agent(
                lambda run: agent(run, served),
                {"messages": [*dumped(first.messages), {"id": "v", "role": "user", "content": "And?"}]},
            )
            assert second.error is None
            return served.requests

    requests = asyncio.run(both())
    said = [request["input" if api == "openai_responses" else "messages"] for request in requests]
    assert len(said[0]) == 1 and said[1][:1] == said[0]
    assert said[2][: len(said[1])] == said[1] and len(said[2]) == len(said[1]) + 2
    assert "rain" in str(said[1])
    assert ("EqQB/Cg==" in str(said[1])) == (api == "anthropic")
    assert ("gAAAAA==" in str(said[1])) == (api == "openai_responses")


@pytest.mark.parametrize("api", ASK)
def test_the_request_ends_when_the_run_is_cancelled(api: str) -> None:
    async def main() -> AgentRun:
        async with provider([body("cut in the text", api)], stays=True) as served:

            async def agent(run: Run) -> None:
                await ASK[api](run, served.url, run.messages)

            result = await arun_agent(agent, "Hello?", time_limit=5)
            await asyncio.wait_for(served.gone.wait(), 30)
            return result

    result = asyncio.run(main())
    assert result.outcome == "error" and result.messages[-1].content == "Hel"


def test_a_client_that_is_slow_slows_the_provider() -> None:
    """Each chunk waits until the client has taken the events before it."""
    taken: list[int] = []

    async def agent(run: Run, url: str) -> None:
        class Slow:
            def __init__(self, stream: Any) -> None:
                self.stream = stream

            async def __aiter__(self) -> Any:
                async for chunk in self.stream:
                    taken.append(run._outlet.waiting)
                    yield chunk

            async def close(self) -> None:
                await self.stream.close()

        async with openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0) as client:
            stream = await client.chat.completions.create(model="m", messages=chat_messages(run.messages), stream=True)
            await stream_chat(run, Slow(stream))

    async def main() -> None:
        async with provider([body("text and usage")]) as served:
            result = await arun_agent(lambda run: agent(run, served.url), "Hello?")
            assert result.error is None

    asyncio.run(main())
    assert len(taken) > 3 and set(taken) == {0}


@pytest.mark.parametrize(("api", "client"), [("openai_chat", "AsyncOpenAI"), ("anthropic", "AsyncAnthropic")])
def test_a_client_that_is_not_asynchronous_is_refused_by_the_name_of_the_other(api: str, client: str) -> None:
    async def main() -> AgentRun:
        async with provider([body("text and usage", api)]) as served:

            def stream() -> Any:
                said: Any = {"model": "m", "messages": [{"role": "user", "content": "Hello?"}], "stream": True}
                if api == "anthropic":
                    client = anthropic.Anthropic(api_key="k", base_url=served.url, max_retries=0)
                    return client.messages.create(max_tokens=10, **said)
                return openai.OpenAI(api_key="k", base_url=served.url, max_retries=0).chat.completions.create(**said)

            async def agent(run: Run) -> None:
                given = await asyncio.to_thread(stream)
                try:
                    await (stream_message if api == "anthropic" else stream_chat)(run, given)
                finally:
                    given.close()

            return await arun_agent(agent, "Hello?")

    error = asyncio.run(main()).error
    assert isinstance(error, TypeError) and f"got Stream; use the client {client}, pass stream=True" in str(error)

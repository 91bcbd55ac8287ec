"""Models behind Ollama, LiteLLM and the AI SDK of Vercel: their own SDKs against a server on loopback that answers in their wire formats."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from example_files import example
from recipes import EACH, serving
from recorded_provider import body, provider
from test_server_examples import INPUT, ask, text_of

from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.core import DataSource, ImagePart, TextPart, ToolCallArgsEvent, UserMessage

IMAGE = ImagePart(source=DataSource(value="iVBORw0KGgo=", mime_type="image/png"))


def test_the_ai_sdk() -> None:
    assert len(example("examples/recipes/ai_sdk.mjs").read_text("utf-8").splitlines()) <= 60
    calls, text = body("openai_chat", "two parallel calls in pieces"), body("openai_chat", "text and usage")
    pieces: list[str] = []
    with (
        provider(calls, text, text) as (url, requests),
        serving("ai_sdk_server.mjs", BASE_URL=f"{url}/v1") as address,
        SyncHttpAgent(address) as agent,
    ):
        agent.add_message(UserMessage(id="u", content=[TextPart(text="Weather in Bern and Rome?"), IMAGE]))
        stream = agent.run()
        for event in stream:
            if isinstance(event, ToolCallArgsEvent):
                pieces.append(event.delta)
        assert (stream.result.text, stream.result.outcome) == ("Hello there, 世界 🌍.", "success")
        assert [(usage.input_tokens, usage.output_tokens) for usage in stream.result.usage] == [(38, 24)]
        results = [json.loads(str(message.content)) for message in agent.messages if message.role == "tool"]
        agent.ask("Thanks.").raise_for_outcome()  # the conversation goes on, with the calls and their results
    assert "".join(pieces) == '{"city":"Bern"}{"city":"Rome"}' and len(pieces) > 2
    assert results == [{"city": city, "sky": "clear", "degrees": 21} for city in ("Bern", "Rome")]
    assert "iVBORw0KGgo=" in json.dumps(requests[0])
    roles = [message["role"] for message in requests[2]["messages"]]
    assert roles == ["user", "assistant", "tool", "tool", "assistant", "user"], roles
    assert [call["id"] for call in requests[2]["messages"][1]["tool_calls"]] == ["call_a", "call_b"]


def test_an_error_of_the_ai_sdk() -> None:
    with provider("data: {\n\n") as (url, _), serving("ai_sdk_server.mjs", BASE_URL=f"{url}/v1") as agent:
        events = ask(agent, {**INPUT, "messages": [{"id": "u", "role": "user", "content": "Hi"}]})
    assert (events[-1]["type"], events[-1]["code"]) == ("RUN_ERROR", "agent_failed")


WEATHER = {"name": "weather", "description": "The weather.", "parameters": {"type": "object", "properties": {}}}
ASKED = {**INPUT, "messages": [{"id": "u", "role": "user", "content": "Weather in Hilo?"}], "tools": [WEATHER]}


@EACH
def test_ollama(language: str) -> None:
    """Its answers have the text of the reasoning beside empty contents, and whole calls."""
    answer = Path(__file__).with_name("ollama.txt").read_text("utf-8")
    with (
        provider(answer) as (url, requests),
        serving(f"ollama_server.{language}", OLLAMA_URL=f"{url}/v1", MODEL="qwen3") as agent,
    ):
        events = ask(agent, ASKED)
    assert text_of(events) == "Let me see."
    thoughts = [event["delta"] for event in events if event["type"] == "REASONING_MESSAGE_CONTENT"]
    assert "".join(thoughts) == "Okay, Hilo."
    (call,) = (event for event in events if event["type"] == "TOOL_CALL_START")
    assert (call["toolCallName"], call["toolCallId"]) == ("weather", "call_mmmf8pcj")
    assert events[-1]["outcome"]["pendingToolCallIds"] == ["call_mmmf8pcj"], "the client answers it"
    assert events[-1]["usage"][0]["inputTokens"] == 15 and events[-1]["usage"][0]["provider"] == "ollama"
    assert requests[0]["model"] == "qwen3" and requests[0]["tools"][0]["function"]["name"] == "weather"


@pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed; it brings some thirty packages")
@pytest.mark.parametrize("model", ["openai/m", "anthropic/claude-m"])
def test_litellm(model: str) -> None:
    apis = {"openai/m": "openai_chat", "anthropic/claude-m": "anthropic"}
    api = apis[model]
    keys = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k", "MODEL": model, "LITELLM_LOCAL_MODEL_COST_MAP": "true"}
    with provider(body(api, "text and usage")) as (url, requests):
        addresses = {"OPENAI_BASE_URL": f"{url}/v1", "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_BASE": url}
        with serving("litellm_server.py", **keys, **addresses) as agent:
            events = ask(agent, ASKED)
    assert text_of(events) == "Hello there, 世界 🌍."
    assert events[-1]["type"] == "RUN_FINISHED" and events[-1]["usage"][0]["provider"] == model.partition("/")[0]
    assert len(requests) == 1 and requests[0]["stream"] and "weather" in json.dumps(requests[0]["tools"])

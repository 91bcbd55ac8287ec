"""The agents of docs/guides/models.md run as they stand, with the SDKs of the providers, against recorded answers."""

from __future__ import annotations

import json

import pytest
from recorded_provider import body, provider
from test_server_examples import INPUT, ask, running, text_of

CALLS = {
    "openai_chat": "two parallel calls in pieces",
    "openai_responses": "two parallel calls in pieces",
    "anthropic": "two calls behind text",
}
PROGRAMS = {
    "openai_chat": "openai_chat.{language}",
    "openai_responses": "openai_responses.{language}",
    "anthropic": "anthropic_messages.{language}",
}


@pytest.mark.parametrize("language", ["py", "mjs"])
@pytest.mark.parametrize("api", PROGRAMS)
def test_the_model_calls_a_tool_gets_the_result_and_answers(
    api: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "k")
    with provider(body(api, CALLS[api]), body(api, "text and usage")) as (url, requests):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        with running(PROGRAMS[api].format(language=language)) as agent:
            asked = {"id": "u", "role": "user", "content": "Weather in Bern and Rome?"}
            events = ask(agent, {**INPUT, "messages": [asked]})
    assert text_of(events).endswith("Hello there, 世界 🌍.")
    results = [json.loads(event["content"]) for event in events if event["type"] == "TOOL_CALL_RESULT"]
    assert results == [{"city": city, "sky": "clear", "degrees": 21} for city in ("Bern", "Rome")]
    assert events[-1]["type"] == "RUN_FINISHED" and len(events[-1]["usage"]) == 1
    assert len(requests) == 2 and "Rome" in json.dumps(requests[1]) and all(request["stream"] for request in requests)

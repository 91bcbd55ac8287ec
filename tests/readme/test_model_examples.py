"""The agents of docs/guides/models.md run as they stand, with the SDKs of the providers, against recorded answers."""

from __future__ import annotations

import json
from typing import Any

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


def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'id': 'c', 'object': 'chat.completion.chunk', 'model': 'm', 'choices': [choice]})}\n\n"


def calls(*named: tuple[str, str]) -> str:
    """The body of a reply that calls tools with these arguments."""
    each = [
        {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": text}}
        for index, (name, text) in enumerate(named)
    ]
    return chunk({"role": "assistant", "tool_calls": each}) + chunk({}, "tool_calls") + "data: [DONE]\n\n"


@pytest.mark.parametrize("language", ["py", "mjs"])
def test_a_model_that_is_wrong_hears_of_it(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    wrong = calls(
        ("get_hotels", '{"city": "Bern"}'),
        ("get_weather", '{"city": '),
        ("get_weather", '{"town": "Bern"}'),
        ("fly", '{"city": "Bern"}'),
    )
    image = {"type": "image", "source": {"type": "url", "value": "https://example.org/a.png"}}
    video = {"type": "video", "source": {"type": "url", "value": "https://example.org/a.mp4"}}
    with provider(wrong, body("openai_chat", "text and usage")) as (url, requests):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        with running(f"openai_tools.{language}") as agent:
            asked = {"id": "u", "role": "user", "content": [{"type": "text", "text": "Where?"}, image]}
            events = ask(agent, {**INPUT, "messages": [asked]})
            refused = ask(agent, {**INPUT, "messages": [{"id": "u", "role": "user", "content": [video]}]})
    assert text_of(events).endswith("Hello there, 世界 🌍.") and events[-1]["type"] == "RUN_FINISHED"
    hotels, *failures = [event["content"] for event in events if event["type"] == "TOOL_CALL_RESULT"]
    assert json.loads(hotels) == ["Grand Hotel Bern"]
    assert len(failures) == 3 and all(text.startswith("The call failed: ") for text in failures)
    instructions, user = requests[0]["messages"]
    assert instructions == {"role": "system", "content": "You plan trips. Be brief."}
    assert user["content"][1] == {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    assert [message["content"] for message in requests[1]["messages"][-4:]] == [hotels, *failures]
    assert (refused[-1]["type"], refused[-1]["code"]) == ("RUN_ERROR", "unsupported_part")
    assert len(requests) == 2, "a part that the model does not take is asked for"

"""The requests to every framework, and the answers of the scripted model behind it."""

from __future__ import annotations

from typing import Any

WEATHER = {"name": "get_weather", "arguments": {"city": "Zürich"}}
CONFIRM = {
    "name": "confirm",
    "description": "Asks the user.",
    "parameters": {"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]},
}


class ModelFailed(Exception):
    """The error that the model raises."""


def answer(text: str, *, has_result: bool = False) -> list[str] | dict[str, Any]:
    """Returns the model's answer to a user's text: pieces of text, or one call of a tool."""
    if "fail" in text:
        raise ModelFailed("the model has failed: “no” 💥")
    if has_result:
        return ["It is ", "sunny ☀ in ", "Zürich.\n"]
    if "weather" in text:
        return WEATHER
    if "confirm" in text:
        return {"name": "confirm", "arguments": {"question": "Really?"}}
    if "delete" in text:
        return {"name": "delete_all", "arguments": {}}
    if "remember" in text:
        return {"name": "remember", "arguments": {"fact": "the sky is blue"}}
    return ["Hel", "lo, ", "“wörld” \t ", "\u2028 </script> ", "👋"]


def request(text: str | list[Any], **changes: Any) -> dict[str, Any]:
    """The body of a request."""
    body = {"threadId": "thread-1", "runId": "run-1", "state": {}, "tools": [], "context": [], "forwardedProps": {}}
    return {**body, "messages": [{"id": "m1", "role": "user", "content": text}], **changes}


HISTORY = [
    {"id": "h1", "role": "system", "content": "Be kind."},
    {"id": "h2", "role": "user", "content": "weather?"},
    {
        "id": "h3",
        "role": "assistant",
        "content": "I look.",
        "toolCalls": [
            {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Bern"}'}}
        ],
    },
    {"id": "h4", "role": "tool", "toolCallId": "c1", "content": "rain"},
    {"id": "h5", "role": "assistant", "content": "It rains."},
    {"id": "h6", "role": "user", "content": "Thanks, hello."},
]
IMAGE = {"type": "image", "source": {"type": "data", "value": "iVBORw0KGgo=", "mimeType": "image/png"}}
PROTOBUF = {"accept": "application/vnd.ag-ui.event+proto, text/event-stream;q=0.5"}

DELETE = request("please delete everything")
"""For tools that ask first."""


def resumed(interrupt: str, status: str, **payload: Any) -> dict[str, Any]:
    """The request that answers the interrupt of such a tool."""
    call = {"id": "call-1", "type": "function", "function": {"name": "delete_all", "arguments": "{}"}}
    messages = [*DELETE["messages"], {"id": "m2", "role": "assistant", "toolCalls": [call]}]
    entry = {"interruptId": interrupt, "status": status, **payload}
    return {**DELETE, "runId": "run-2", "messages": messages, "resume": [entry]}


SCENARIOS: dict[str, list[Any]] = {
    "text": [request("hello")],
    "history": [request("", messages=HISTORY)],
    "parts": [request([{"type": "text", "text": "hello"}, IMAGE])],
    "tool": [request("What is the weather?")],
    "frontend tool": [
        request("please confirm", tools=[CONFIRM]),
        request(
            "",
            runId="run-2",
            tools=[CONFIRM],
            messages=[
                {"id": "m1", "role": "user", "content": "please confirm"},
                {
                    "id": "m2",
                    "role": "assistant",
                    "toolCalls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {"name": "confirm", "arguments": '{"question":"Really?"}'},
                        }
                    ],
                },
                {"id": "m3", "role": "tool", "toolCallId": "c1", "content": "yes"},
            ],
        ),
    ],
    "error": [request("fail")],
    "state": [request("remember this", state={"facts": ["grass is green"], "n": 1.5, "big": 2**60, "nothing": None})],
    "context": [request("hello", context=[{"description": "place", "value": "Bern"}], forwardedProps={"a": [None, 1]})],
    "members that are not declared": [
        request("hello", surplus={"a": None}, parentRunId="run-0", protocolVersion="1.0")
    ],
    "protobuf in Accept": [(request("hello"), PROTOBUF)],
    "no input": [{"threadId": 5, "messages": [{"role": "nobody"}, {}]}, [], None, {}],
}
"""The requests of each scenario by its name, one after the other, some with headers."""

"""Writes the documents that all three languages measure; they are always the same. `scenarios.py DIRECTORY`

documents.json maps a name to JSON text in its wire format; stream.sse is a run of 10,000 events. Ids are UUIDs
because the crate ag-ui-core accepts no others.
"""

import json
import random
import sys
from pathlib import Path
from uuid import UUID

EVENTS = 10_000

chance = random.Random(1)

WORDS = [
    "the",
    "quick",
    "brown",
    "fox",
    "jumps",
    "over",
    "a",
    "lazy",
    "dog",
    "while",
    "seven",
    "wizards",
    "quietly",
    "mix",
    "strong",
    "black",
    "coffee",
]


def text(length: int) -> str:
    """English-looking text of exactly that many characters."""
    words = ""
    while len(words) < length:
        words += chance.choice(WORDS) + " "
    return words[: length - 1] + "."


def new_id() -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))


def text_delta(message_id: str, delta: str) -> dict:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": delta}


def tool_args(call_id: str) -> dict:
    """Makes tool arguments, which arrive as JSON inside a string: full of escapes."""
    return {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": '{"city": "Paris", "days": 2, "units": "metric"}'}


def state(items: int) -> dict:
    return {
        "items": [
            {
                "id": i,
                "name": f"item {i}",
                "price": i * 1.25 + 0.25,
                "tags": ["a", "b"],
                "done": i % 2 == 0,
                "next": None,
            }
            for i in range(items)
        ]
    }


def operations() -> list[dict]:
    return [
        {"op": "replace", "path": "/items/0/done", "value": True},
        {"op": "add", "path": "/items/-", "value": {"id": 99, "name": "another item"}},
        {"op": "remove", "path": "/items/1/tags/0"},
        {"op": "test", "path": "/items/2/id", "value": 2},
        {"op": "replace", "path": "/items/3/price", "value": 17.5},
    ]


def messages(count: int, length: int) -> list[dict]:
    """Makes a conversation with a tool call in every fourth message."""
    result = []
    for index in range(count):
        message = {"id": new_id()}
        if index % 4 == 0:
            message |= {"role": "user", "content": text(length)}
        elif index % 4 == 1:
            function = {"name": "get_weather", "arguments": '{"city":"Paris","days":2}'}
            call = {"id": new_id(), "type": "function", "function": function}
            message |= {"role": "assistant", "content": text(length), "toolCalls": [call]}
        elif index % 4 == 2:
            message |= {"role": "tool", "content": '{"temperature": 21, "sky": "clear"}', "toolCallId": call["id"]}
        else:
            message |= {"role": "assistant", "content": text(2 * length)}
        result.append(message)
    return result


def tool(index: int) -> dict:
    properties = {"city": {"type": "string", "description": text(40)}, "days": {"type": "integer", "minimum": 0}}
    return {
        "name": f"tool_{index}",
        "description": text(80),
        "parameters": {"type": "object", "properties": properties, "required": ["city"]},
    }


def documents() -> dict[str, dict]:
    one = new_id()
    return {
        "text": text_delta(one, text(40)),
        "text 1 KB": text_delta(one, text(1000)),
        "CJK": text_delta(one, "你好，世界！今天天气很好😀我们出去走走吧，路上再说。"),
        "tool args": tool_args(one),
        "state snapshot": {"type": "STATE_SNAPSHOT", "snapshot": state(25)},
        "state delta": {"type": "STATE_DELTA", "delta": operations()},
        "messages": {"type": "MESSAGES_SNAPSHOT", "messages": messages(100, 50)},
        "input": {
            "threadId": new_id(),
            "runId": new_id(),
            "state": state(25),
            "messages": messages(200, 120),
            "tools": [tool(index) for index in range(10)],
            "context": [{"description": text(30), "value": text(200)}],
            "forwardedProps": {"model": "large"},
        },
    }


def turn() -> list[dict]:
    """Makes one step of an agent: it calls a tool, changes the state, and writes a message."""
    message, call, result = new_id(), new_id(), new_id()
    return [
        {"type": "STEP_STARTED", "stepName": "plan"},
        {"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": "get_weather"},
        *[tool_args(call) for _ in range(6)],
        {"type": "TOOL_CALL_END", "toolCallId": call},
        {"type": "TOOL_CALL_RESULT", "messageId": result, "toolCallId": call, "content": text(60), "role": "tool"},
        {"type": "STATE_DELTA", "delta": operations()[:1]},
        {"type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant"},
        *[text_delta(message, text(chance.randint(4, 40))) for _ in range(36)],
        {"type": "TEXT_MESSAGE_END", "messageId": message},
        {"type": "STEP_FINISHED", "stepName": "plan"},
    ]


def stream() -> list[dict]:
    run = {"threadId": new_id(), "runId": new_id()}
    events = [{"type": "RUN_STARTED", **run}]
    while len(events) + len(turn()) < EVENTS - 3:
        events += turn()
    message = new_id()
    rest = [text_delta(message, text(40)) for _ in range(EVENTS - 3 - len(events))]
    opened = {"type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant"}
    return [*events, opened, *rest, {"type": "TEXT_MESSAGE_END", "messageId": message}, {"type": "RUN_FINISHED", **run}]


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    texts = {name: compact(document) for name, document in documents().items()}
    (directory / "documents.json").write_text(json.dumps(texts), encoding="utf-8")
    frames = "".join(f"data: {compact(event)}\n\n" for event in stream())
    (directory / "stream.sse").write_text(frames, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

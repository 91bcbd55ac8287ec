"""Scripts of events during a client's call, each made from a seed: `scripts.py FROM COUNT` prints one a line, as JSON.

The agent's answer is cut into pieces anywhere, and written as Latin-1: a character is a byte. `@RUN@` stands for
the id of the requested run, and is never cut.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

RUN = "@RUN@"
EVENT = dict[str, Any]

ASKED = (
    "on_run_initialized",
    "on_event",
    "on_run_started_event",
    "on_run_finished_event",
    "on_run_error_event",
    "on_step_started_event",
    "on_text_message_start_event",
    "on_text_message_content_event",
    "on_text_message_end_event",
    "on_tool_call_start_event",
    "on_tool_call_args_event",
    "on_tool_call_end_event",
    "on_tool_call_result_event",
    "on_state_snapshot_event",
    "on_state_delta_event",
    "on_messages_snapshot_event",
    "on_activity_snapshot_event",
    "on_activity_delta_event",
    "on_custom_event",
    "on_reasoning_message_start_event",
    "on_reasoning_message_content_event",
    "on_reasoning_message_end_event",
    "on_run_failed",
    "on_run_finalized",
)
"""Callbacks that may change something."""
TOLD = ("on_new_message", "on_new_tool_call", "on_messages_changed", "on_state_changed")
TOOLS = ("look", "write", "fail", "stop", "unknown")


class Maker:
    """Makes one script."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.count = 0
        self.raises = False

    def chance(self, part: float) -> bool:
        return self.dice.random() < part

    def id(self, kind: str) -> str:
        """Returns a new id, or sometimes one that was used before."""
        if self.count == 0 or not self.chance(0.06):
            self.count += 1
        return f"{kind}{self.count}"

    def text(self) -> str:
        return "".join(
            self.dice.choice(["a", "Hello ", "é", "𝒳", '"', "\\", "\n", "1"]) for _ in range(self.dice.randint(1, 4))
        )

    def value(self) -> Any:
        return self.dice.choice([None, True, 0, 7, -3, "x", "é", [], [1, {"a": 2}], {"k": [1]}, {}])

    def usage(self) -> list[EVENT]:
        return [
            {"model": self.dice.choice("ab"), "inputTokens": self.dice.randint(0, 9)}
            for _ in range(self.dice.randint(1, 2))
        ]

    def message(self) -> EVENT:
        message_id = self.id("h")
        return self.dice.choice(
            [
                {"id": message_id, "role": "user", "content": self.text()},
                {"id": message_id, "role": "assistant", "content": self.text()},
                {"id": message_id, "role": "system", "content": "Be kind."},
            ]
        )

    def messages(self) -> list[EVENT]:
        return [self.message() for _ in range(self.dice.randint(0, 3))]

    # The events of an agent.

    def said(self) -> list[EVENT]:
        message_id = self.id("m")
        deltas = [
            {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": self.text()}
            for _ in range(self.dice.randint(0, 3))
        ]
        start = {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"}
        return [start, *deltas, {"type": "TEXT_MESSAGE_END", "messageId": message_id}]

    def chunks(self) -> list[EVENT]:
        message_id = self.id("m")
        first = {"type": "TEXT_MESSAGE_CHUNK", "messageId": message_id, "role": "assistant", "delta": self.text()}
        return [first, *({"type": "TEXT_MESSAGE_CHUNK", "delta": self.text()} for _ in range(self.dice.randint(0, 2)))]

    def thought(self) -> list[EVENT]:
        message_id = self.id("q")
        content = [
            {"type": "REASONING_MESSAGE_CONTENT", "messageId": message_id, "delta": self.text()}
            for _ in range(self.dice.randint(1, 2))
        ]
        start = {"type": "REASONING_MESSAGE_START", "messageId": message_id, "role": "reasoning"}
        return [start, *content, {"type": "REASONING_MESSAGE_END", "messageId": message_id}]

    def call(self) -> list[EVENT]:
        call_id, name = self.id("c"), self.dice.choice(TOOLS)
        arguments = self.dice.choice(
            ['{"x": 1}', '{"x": "é"}', "{}", "", "[1]", '{"x": NaN}', '{"x": ', '{"y": {"z": [1, 2]}}']
        )
        at = self.dice.randint(0, len(arguments))
        deltas = [part for part in (arguments[:at], arguments[at:]) if part]
        pieces = [{"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": delta} for delta in deltas]
        start = {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name}
        events = [start, *pieces, {"type": "TOOL_CALL_END", "toolCallId": call_id}]
        if self.chance(0.15):
            events.append(
                {"type": "TOOL_CALL_RESULT", "messageId": self.id("n"), "toolCallId": call_id, "content": self.text()}
            )
        return events

    def state(self) -> list[EVENT]:
        if self.chance(0.5):
            return [
                {
                    "type": "STATE_SNAPSHOT",
                    "snapshot": self.dice.choice([{"k": self.value()}, {"k": 1, "l": [1]}, self.value()]),
                }
            ]
        operation = self.dice.choice(
            [
                {"op": "add", "path": "/k", "value": self.value()},
                {"op": "replace", "path": "/k", "value": self.value()},
                {"op": "remove", "path": "/l"},
                {"op": "add", "path": "/l/-", "value": 2},
                {"op": "test", "path": "/k", "value": 1},
            ]
        )
        return [{"type": "STATE_DELTA", "delta": [operation]}]

    def unknown_operation(self) -> list[EVENT]:
        return [
            {"type": "STATE_DELTA", "delta": [{"op": "jump", "path": "/k"}, {"op": "add", "path": "/k", "value": 5}]}
        ]

    def activity(self) -> list[EVENT]:
        message_id = self.id("p")
        snapshot = {
            "type": "ACTIVITY_SNAPSHOT",
            "messageId": message_id,
            "activityType": "plan",
            "content": {"steps": 1},
        }
        patch = [{"op": "replace", "path": self.dice.choice(["/steps", "/none"]), "value": self.dice.randint(2, 9)}]
        return [snapshot, {"type": "ACTIVITY_DELTA", "messageId": message_id, "activityType": "plan", "patch": patch}]

    def step(self) -> list[EVENT]:
        name = self.id("s")
        return [{"type": "STEP_STARTED", "stepName": name}, {"type": "STEP_FINISHED", "stepName": name}]

    def other(self) -> list[EVENT]:
        return [
            self.dice.choice(
                [
                    {"type": "CUSTOM", "name": "c", "value": self.value()},
                    {"type": "RAW", "event": self.value()},
                    {"type": "MESSAGES_SNAPSHOT", "messages": self.messages()},
                ]
            )
        ]

    def unknown(self) -> list[EVENT]:
        return [
            self.dice.choice(
                [{"type": "LATER", "more": 1}, {"type": "CUSTOM", "name": "c", "value": 1, "colour": "red"}]
            )
        ]

    def wrong(self) -> list[EVENT]:
        return [
            self.dice.choice(
                [
                    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "nobody", "delta": "x"},
                    {"type": "TEXT_MESSAGE_END", "messageId": "nobody"},
                    {"type": "TOOL_CALL_ARGS", "toolCallId": "nobody", "delta": "x"},
                    {"type": "RUN_STARTED", "threadId": "t", "runId": RUN},
                    {"type": "CUSTOM", "value": 1},
                    {"type": "TEXT_MESSAGE_START", "messageId": 7, "role": "assistant"},
                ]
            )
        ]

    def end(self, *, is_valid: bool = False) -> list[EVENT]:
        ids = {"threadId": "t", "runId": RUN}
        finished: EVENT = {"type": "RUN_FINISHED"} | ids
        if self.chance(0.3):
            finished["usage"] = self.usage()
        match self.dice.randrange(12):
            case 0:
                interrupts = [{"id": self.id("i"), "reason": "confirmation"} for _ in range(self.dice.randint(1, 2))]
                return [finished | {"outcome": {"type": "interrupt", "interrupts": interrupts}}]
            case 1:
                return [{"type": "RUN_ERROR", "message": "no", "code": "broken"}]
            case 2:
                return []
            case 3:
                result = self.value()
                return [finished if is_valid and result is None else finished | {"result": result}]
            case 4:
                return [finished | {"outcome": {"type": "cancelled"}}]
            case _:
                return [finished]

    def run(self, *, is_valid: bool = False) -> list[EVENT]:
        """Returns the events of a run. With `is_valid` each event by itself is valid."""
        makes: list[Callable[[], list[EVENT]]] = [
            self.said,
            self.said,
            self.chunks,
            self.thought,
            self.call,
            self.call,
            self.state,
        ]
        makes += [self.activity, self.step, self.other]
        parts = [self.dice.choice(makes)() for _ in range(self.dice.randint(0, 4))]
        if not is_valid:
            parts += [make() for make in (self.wrong, self.unknown, self.unknown_operation) if self.chance(0.06)]
        if self.chance(0.3):
            parts = [list(self.mixed(parts))]
        started: EVENT = {"type": "RUN_STARTED", "threadId": "t", "runId": RUN}
        if self.chance(0.05):
            started["input"] = {
                "threadId": "t",
                "runId": RUN,
                "state": {"given": 1},
                "messages": self.messages(),
                "tools": [],
                "context": [],
                "forwardedProps": {},
            }
        events = [started, *(event for part in parts for event in part), *self.end(is_valid=is_valid)]
        return events if self.chance(0.97) else events[1:]

    def mixed(self, parts: list[list[EVENT]]) -> Iterator[EVENT]:
        left = [list(part) for part in parts if part]
        while left:
            part = self.dice.choice(left)
            yield part.pop(0)
            left = [part for part in left if part]

    def answer(self) -> EVENT:
        if self.chance(0.03):
            return {"refused": True}
        events = self.run()
        if self.chance(0.1):
            later = json.loads(json.dumps(self.run()).replace(RUN, "later"))
            events += later
        text = "".join(f"data: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events)
        if self.chance(0.03):
            text += self.dice.choice(["data: {\n\n", "data: [DONE]\n\n", ": quiet\n\n", "id: 7\n\n", "data: 1\n\n"])
        if self.chance(0.05):
            # It breaks off in the middle.
            text = text[: self.dice.randint(0, len(text))]
        answer: EVENT = {"pieces": list(self.pieces(text.encode().decode("latin-1")))}
        if self.chance(0.06):
            answer["lost"] = True
        if self.chance(0.01):
            answer["contentType"] = "text/html"
        return answer

    def pieces(self, text: str) -> Iterator[str]:
        size = self.dice.choice([1, 3, 40, 400, 10**9])
        while text:
            length = self.dice.randint(1, size)
            at = text.rfind(RUN, 0, length + len(RUN))
            if 0 <= at < length < at + len(RUN):
                length = at + len(RUN)
            yield text[:length]
            text = text[length:]

    # The actions of an application.

    def reaction(self, name: str) -> EVENT:
        reaction: EVENT = {"at": self.dice.randint(0, 4)}
        for member, part, make in (
            ("stop", 0.4, lambda: True),
            ("messages", 0.25, self.messages),
            ("state", 0.25, lambda: {"set": self.value()}),
        ):
            if self.chance(part):
                reaction[member] = make()
        if self.chance(0.05):
            reaction["aborts"] = True
        if self.chance(0.08) and name not in ("on_run_failed", "on_run_finalized"):
            reaction["raises"], self.raises = "heard", True
        return reaction

    def subscriber(self) -> EVENT:
        names = [*ASKED, *TOLD] if self.chance(0.5) else self.dice.sample([*ASKED, *TOLD], self.dice.randint(1, 6))
        reactions: dict[str, EVENT] = {name: {} for name in names}
        for name in self.dice.sample(names, min(len(names), self.dice.randint(0, 3))):
            if name in ASKED:
                reactions[name] = self.reaction(name)
            elif self.chance(0.1):
                reactions[name] = {"at": self.dice.randint(0, 2), "raises": "told"}
                self.raises = True
        return reactions

    def middleware(self) -> EVENT:
        kind = self.dice.choice(["pass", "pass", "twice", "both", "drop", "early", "cut", "raises", "input"])
        made: EVENT = {"kind": kind}
        if kind in ("cut", "raises"):
            made["at"] = self.dice.randint(0, 4)
            self.raises |= kind == "raises"
        if kind == "early":
            made["events"] = self.run(is_valid=True)
        return made

    def tools(self) -> list[EVENT]:
        has_schema = self.chance(0.3)
        parameters = {"type": "object", "properties": {"x": {"type": "integer"}}} if has_schema else {}
        made = [
            {"name": "look", "gives": "arguments"},
            {"name": "write", "returns": self.dice.choice(["done", None, 1, {"a": [1]}, "é"])},
            {"name": "fail", "raises": "boom"},
            {"name": "stop", "gives": "abort"},
        ]
        return [tool | {"parameters": parameters} for tool in self.dice.sample(made, self.dice.randint(1, 4))]

    def script(self) -> EVENT:
        script: EVENT = {
            "way": self.dice.choice(["run_agent", "run", "stream"]),
            "messages": self.messages(),
            "state": self.dice.choice([{}, {"k": 1, "l": []}]),
            "tools": self.tools() if self.chance(0.6) else [],
            "maxRuns": self.dice.choice([2, 10]),
            "subscribers": [self.subscriber() for _ in range(self.dice.choice([0, 0, 1, 1, 2]))],
            "middleware": [self.middleware() for _ in range(self.dice.choice([0, 0, 0, 1, 1, 2]))],
            "answers": [self.answer() for _ in range(self.dice.randint(1, 4))],
        }
        if self.chance(0.1):
            request = self.dice.randrange(len(script["answers"]))
            pieces = script["answers"][request].get("pieces", [])
            script["abort"] = [request, self.dice.randint(0, len(pieces))]
        if script["way"] == "run" and self.chance(0.15):
            script["leave"] = self.dice.randint(0, 8)
        # In Rust neither callbacks nor middleware raise an application's own error.
        script["hosts"] = ["Python", "Node"] if self.raises else ["Rust", "Python", "Node"]
        return script


def script_of(seed: int) -> EVENT:
    """The script of a seed."""
    return {"seed": seed, **Maker(seed).script()}


def main(first: str, count: str) -> None:
    for seed in range(int(first), int(first) + int(count)):
        print(json.dumps(script_of(seed)))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The number of calls of core about subscribers in a run: an event without a callback for it costs less."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from ag_ui_native.client import Agent, rules

TOKENS = 100
EVENTS: list[dict[str, Any]] = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
    *[{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"}] * TOKENS,
    {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
]
ANSWER = [b"data: " + json.dumps(event).encode() + b"\n\n" for event in EVENTS]


def crossings(monkeypatch: pytest.MonkeyPatch, subscriber: dict[str, Any], *, by_event: bool = False) -> Counter[str]:
    """Runs an agent whose subscriber has these callbacks. The calls of the delivery's methods, by name."""
    said: Counter[str] = Counter()

    made = rules.Delivery

    class Counting:
        def __init__(self, callbacks: list[list[str]]) -> None:
            self._delivery = made(callbacks)

        def __getattr__(self, name: str) -> Any:
            said[name] += 1
            return getattr(self._delivery, name)

    async def work() -> None:
        one = type("One", (), {name: staticmethod(callback) for name, callback in subscriber.items()})()
        agent = Agent(lambda _: ANSWER, thread_id="t", subscribers=[one])
        if by_event:
            async for _ in agent.run(run_id="r"):
                pass
        else:
            await agent.run_agent(run_id="r")

    monkeypatch.setattr(rules, "Delivery", Counting)
    asyncio.run(work())
    return said


@pytest.mark.parametrize("by_event", [True, False])
def test_without_callbacks_about_events_core_is_told_of_none(monkeypatch: pytest.MonkeyPatch, by_event: bool) -> None:
    said = crossings(monkeypatch, {"on_run_finalized": lambda params: None}, by_event=by_event)
    assert (said["event"], said["reduced"]) == (0, 0) and said["finalized"] == 1


def test_changes_that_no_subscriber_hears_of_are_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = crossings(monkeypatch, {"on_event": lambda params: None})
    assert (said["event"], said["reduced"]) == (len(EVENTS), 0)


def test_changes_that_a_subscriber_hears_of_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = crossings(monkeypatch, {"on_messages_changed": lambda params: None})
    assert (said["event"], said["reduced"]) == (len(EVENTS), len(EVENTS))

"""tests/fixtures/client/subscriber_cases.json: our client makes the same callbacks as the official one."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.client import Agent, AgentStateMutation, RunRequest, SyncAgent
from conftest import fixture_cases
from servers import eventually

CASES = fixture_cases("subscriber_cases")


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda found: "_" + found[0].lower(), name)


def members(value: Any) -> Any:
    """A message or the like as JSON."""
    return json.loads(value.model_dump_json(by_alias=True, exclude_none=True))


def seen_message(message: Any) -> Any:
    if message is None:
        return None
    message = members(message)
    seen = [message["id"], message.get("content")]
    calls = message.get("toolCalls")
    return seen if calls is None else [*seen, [call["function"]["arguments"] for call in calls]]


def seen_call(call: Any) -> Any:
    return [call.id, call.function.name, call.function.arguments]


SEEN = {
    "messages": lambda messages: [seen_message(message) for message in messages],
    "state": lambda state: json.loads(json.dumps(state)),
    "event": lambda event: event.type.value,
    "input": lambda given: None if given is None else [seen_message(message) for message in given.messages],
    "message": seen_message,
    "toolCall": seen_call,
    "activityMessage": seen_message,
    "existingMessage": seen_message,
    "interrupts": lambda interrupts: [interrupt.id for interrupt in interrupts],
}


class Recorder:
    """The subscribers of a case, with their recorded and their expected callbacks."""

    def __init__(self, case: dict[str, Any], is_async: bool) -> None:
        self.calls: list[Any] = []
        self.expected = case["expected"]["calls"]
        self.subscribers = [self._subscriber(index, given, is_async) for index, given in enumerate(case["subscribers"])]

    def _subscriber(self, index: int, given: dict[str, Any], is_async: bool) -> SimpleNamespace:
        subscriber = SimpleNamespace()
        for name in CALLBACKS:
            setattr(subscriber, snake(name), self._callback(index, name, given, is_async))
        return subscriber

    def _callback(self, index: int, name: str, given: dict[str, Any], is_async: bool) -> Any:
        counted = iter(range(1 << 30))

        def heard(params: Any) -> Any:
            number = next(counted)
            self.note(index, name, params)
            for answer in given.get("answers", {}).get(name, []):
                if answer.get("at", number) == number:
                    return self.answer(answer)
            return None

        async def slow(params: Any) -> Any:
            await asyncio.sleep(0)
            return heard(params)

        return slow if is_async and given.get("slow") else heard

    def answer(self, answer: dict[str, Any]) -> Any:
        if "throw" in answer:
            raise RuntimeError(answer["throw"])
        if "null" in answer:
            return None
        wanted = {snake(name): answer[name] for name in ("messages", "state", "stopPropagation") if name in answer}
        return AgentStateMutation(**wanted) if len(wanted) == 1 else wanted

    def note(self, index: int, name: str, params: Any) -> None:
        """Records the members that the official client gave to its callback at this point."""
        place = len(self.calls)
        told = self.expected[place][2] if place < len(self.expected) else {"messages": []}
        seen = {}
        for member in told:
            # Ours has what its subscribers are shown.
            if member not in ("agentMessages", "agentState"):
                value = getattr(params, snake(member), None)
                seen[member] = SEEN.get(member, lambda value: value)(value)
        self.calls.append([index, name, seen])


def comparable(calls: list[Any]) -> list[Any]:
    """Removes the state from callbacks for messages where both changed: a callback's messages and state are both set
    before the notifications.
    """
    made: list[Any] = []
    for index, name, seen in reversed(calls):
        after = made[-1][1:] if made else ("", {})
        is_both = after[0] == "onStateChanged" or (after[0] == name and "state" not in after[1])
        if name == "onMessagesChanged" and is_both:
            seen = {member: value for member, value in seen.items() if member != "state"}
        made.append((index, name, seen))
    return made


CALLBACKS = sorted({call[1] for case in CASES for call in case["expected"]["calls"]})


def pieces(case: dict[str, Any], sent: list[Any], request: RunRequest) -> Iterator[bytes]:
    asked = json.loads(request.input_json)
    sent.append({"messages": [[m["id"], m.get("content")] for m in asked["messages"]], "state": asked.get("state")})
    for event in case["events"]:
        yield b"data: " + json.dumps(event).encode() + b"\n\n"
    if "fails" in case:
        raise ConnectionError(case["fails"])


async def later(items: Iterator[bytes]) -> AsyncIterator[bytes]:
    for item in items:
        await asyncio.sleep(0)
        yield item


def options(case: dict[str, Any], recorder: Recorder) -> dict[str, Any]:
    given = {"messages": case.get("messages", []), "pending_interrupts": case.get("pendingInterrupts", [])}
    # The official client accepts null as a state; here it is no state.
    return given | {"state": case.get("state", {}), "subscribers": recorder.subscribers, "thread_id": "t"}


def parameters(case: dict[str, Any]) -> dict[str, Any]:
    return {"run_id": "r"} | ({"resume": case["resume"]} if "resume" in case else {})


def calls_after_actions(case: dict[str, Any]) -> Iterator[int]:
    """The number of callbacks after each action of the application. A sync agent returns when all of them are called."""
    recorder = Recorder(case, False)
    agent = SyncAgent(lambda request: pieces(case, [], request), **options(case, recorder))
    for action in case.get("actions", []):
        for name, argument in action.items():
            getattr(agent, snake(name))(argument)
            yield len(recorder.calls)


async def run_async(case: dict[str, Any], recorder: Recorder, sent: list[Any]) -> tuple[Any, Any]:
    agent = Agent(lambda request: later(pieces(case, sent, request)), **options(case, recorder))
    counts = calls_after_actions(case)
    for action in case.get("actions", []):
        for name, argument in action.items():
            getattr(agent, snake(name))(argument)
            count = next(counts)
            await eventually(lambda count=count: len(recorder.calls) >= count)
    try:
        return agent, await agent.run_agent(**parameters(case)) if "events" in case else None
    except Exception as error:
        return agent, error


def run_sync(case: dict[str, Any], recorder: Recorder, sent: list[Any]) -> tuple[Any, Any]:
    agent = SyncAgent(lambda request: pieces(case, sent, request), **options(case, recorder))
    for action in case.get("actions", []):
        for name, argument in action.items():
            getattr(agent, snake(name))(argument)
    try:
        return agent, agent.run_agent(**parameters(case)) if "events" in case else None
    except Exception as error:
        return agent, error


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_subscribers(case: dict[str, Any], face: str) -> None:
    expected, sent = case["expected"], []
    recorder = Recorder(case, face == "async")
    if face == "async":
        agent, result = asyncio.run(run_async(case, recorder, sent))
    else:
        agent, result = run_sync(case, recorder, sent)
    found: dict[str, Any] = {"messages": [members(message) for message in agent.messages], "state": agent.state}
    found["pendingInterrupts"] = [interrupt.id for interrupt in agent.pending_interrupts]
    if isinstance(result, Exception):
        found["rejects"] = True
    elif result is not None:
        found |= {"newMessages": [message.id for message in result.new_messages], "result": result.result}
    if sent:
        found["sent"] = sent[0]
    wanted = {name: value for name, value in expected.items() if name != "calls"}
    if "rejects" in wanted:
        wanted["rejects"] = True
    told = [
        [index, name, {key: value for key, value in told.items() if not key.startswith("agent")}]
        for index, name, told in expected["calls"]
    ]
    if isinstance(result, AGUIError) and "rejects" not in wanted:
        raise result
    found = {name: value for name, value in found.items() if name in wanted or name == "rejects"}
    if "quirk" in case:
        # Ours looks for the target again, and the callback after the run is waited for.
        assert found["messages"] and recorder.calls[0] == told[0]
        return
    assert [call[:2] for call in recorder.calls] == [call[:2] for call in told]
    assert comparable(recorder.calls) == comparable(told)
    assert found == wanted

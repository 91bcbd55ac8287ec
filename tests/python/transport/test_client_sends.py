"""Values that an application gives a client to send are checked strictly before they are sent:
tests/fixtures/client/client_sends.json.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from ag_ui_native import AGUIValidationError
from ag_ui_native.client import Agent, AgentStateMutation, AgentSubscriber, AgentSubscriberParams, SyncAgent
from ag_ui_native.core import TextPart, UserMessage
from client_scripts import Script, run_of, says

TABLE = json.loads((Path(__file__).parents[2] / "fixtures/client/client_sends.json").read_text())
SPECIAL = {"<nan>": nan, "<infinity>": inf, "<half>": "\ud800"}
PENDING = [{"id": "i", "reason": "ask"}]


def made(value: Any) -> Any:
    """Returns a value of the table with the values that JSON does not have."""
    if isinstance(value, str):
        return SPECIAL.get(value, value)
    if isinstance(value, list):
        return [made(item) for item in value]
    return {name: made(inner) for name, inner in value.items()} if isinstance(value, dict) else value


def send(case: dict[str, Any], agents: list[Any], script: Script, face: type[Any]) -> Any:
    """Gives a new agent of `agents` the values of a case, and runs it."""
    way, given = case["way"], made(case["given"])
    agent = face(script, pending_interrupts=PENDING if "resume" in way else ())
    agents.append(agent)
    parameters: dict[str, Any] = {}
    match way:
        case "ask":
            return agent.ask(given)
        case "messages" | "state":
            agents.append(face(script, **{way: given}))
        case "tools" | "context" | "forwarded_props" | "resume":
            parameters[way] = given
        case _:
            getattr(agent, way)(given)
    return agents[-1].ask("Hi", **parameters)


FACES: dict[str, tuple[type[Any], Callable[[Any], Any]]] = {
    "async": (Agent, lambda reply: asyncio.run(_awaited(reply))),
    "sync": (SyncAgent, lambda reply: reply()),
}


async def _awaited(reply: Callable[[], Any]) -> Any:
    return await reply()


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("case", TABLE["refused"], ids=lambda case: f"{case['way']}: {case['name']}")
def test_what_is_refused(case: dict[str, Any], face: str) -> None:
    kind, finish = FACES[face]
    script, agents = Script(run_of(*says("Hello"))), list[Any]()
    with pytest.raises(AGUIValidationError) as caught:
        finish(lambda: send(case, agents, script, kind))
    assert (caught.value.code, caught.value.path) == (case["code"], case["path"])
    assert caught.value.issues[0].path == case["path"]
    assert script.asked == [] and [agent.messages for agent in agents] == [[]]
    assert not agents[0].is_running


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("case", TABLE["taken"], ids=lambda case: f"{case['way']}: {case['name']}")
def test_what_is_sent(case: dict[str, Any], face: str) -> None:
    kind, finish = FACES[face]
    script = Script(run_of(*says("Hello")))
    assert finish(lambda: send(case, [], script, kind)).text == "Hello"
    assert len(script.asked) == 1
    if "absent" in case:
        *way, last = case["absent"].split("/")[1:]
        holder: Any = script.asked[0]
        for key in way:
            holder = holder[int(key)] if isinstance(holder, list) else holder[key]
        assert last not in holder and holder != {}


def test_a_later_question_is_sent_without_the_refused_one() -> None:
    script = Script(run_of(*says("Hello")), run_of(*says("Again", "n")))
    agent = SyncAgent(script)
    agent.ask("Hi")
    for ask in (agent.ask, agent.ask_stream):
        with pytest.raises(AGUIValidationError) as caught:
            ask([{"type": "hologram"}])
        assert caught.value.path == "/messages/2/content/0/type"
    assert agent.ask("And?").text == "Again"
    assert [message["content"] for message in script.asked[1]["messages"]] == ["Hi", "Hello", "And?"]


def test_instances_are_looked_at_too() -> None:
    script = Script(run_of(*says("Hello")))
    agent = SyncAgent(script)
    with pytest.raises(AGUIValidationError) as caught:
        agent.add_message(UserMessage(id="u", content="Hi", likes=3))  # type: ignore[call-arg]
    assert caught.value.path == "/messages/0/likes"
    with pytest.raises(AGUIValidationError) as caught:
        agent.ask([TextPart(text="Hi", cache_control={})])  # type: ignore[call-arg]
    assert (caught.value.code, caught.value.path) == ("unknown_field", "/messages/0/content/0/cache_control")
    # A later change is checked when it is sent.
    agent.add_message(UserMessage(id="u", content="Hi"))
    agent.messages[0].likes = 3  # type: ignore[union-attr]
    with pytest.raises(AGUIValidationError) as caught:
        agent.ask("Hi")
    assert caught.value.path == "/messages/0/likes"
    assert script.asked == [] and len(agent.messages) == 1


def test_what_subscribers_and_middleware_want_to_send_is_looked_at(caplog: pytest.LogCaptureFixture) -> None:
    class Adds(AgentSubscriber):
        def on_run_initialized(self, params: AgentSubscriberParams[Any]) -> AgentStateMutation:
            return AgentStateMutation(messages=[{"id": "u", "role": "user", "content": [{"type": "hologram"}]}])

    script = Script(run_of(*says("Hello")))
    assert SyncAgent(script, subscribers=[Adds()]).ask("Hi").text == "Hello"
    assert [message["content"] for message in script.asked[0]["messages"]] == ["Hi"]
    assert "/messages/0/content/0/type" in caplog.text

    def adds(input: Any, next: Any) -> Iterator[Any]:
        input.messages[0].likes = 3
        yield from next(input)

    script = Script(run_of(*says("Hello")))
    agent = SyncAgent(script, middleware=[adds])
    with pytest.raises(AGUIValidationError) as caught:
        agent.ask("Hi")
    assert caught.value.path == "/messages/0/likes" and script.asked == []


def test_a_generator_of_messages_is_read_once() -> None:
    def messages() -> Iterator[dict[str, Any]]:
        yield {"id": "u", "role": "user", "content": "Hi"}
        yield {"id": "v", "role": "user", "content": "Hi", "likes": 3}

    agent = SyncAgent(Script())
    for give in (agent.add_messages, agent.set_messages):
        with pytest.raises(AGUIValidationError) as caught:
            give(messages())
        assert caught.value.path == "/messages/1/likes" and agent.messages == []

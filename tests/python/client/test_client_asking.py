"""Requests of agents of the client, and the state that a refused one leaves: none."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError, AGUISequenceError, AGUIValidationError
from ag_ui_native.client import Agent, AgentSubscriber, SyncAgent
from ag_ui_native.core import ToolMessage
from ag_ui_native.limits import Limits
from client_scripts import Script, calls, run_of, says
from servers import PATIENCE


def test_of_two_threads_that_ask_one_is_refused_and_leaves_nothing() -> None:
    release = threading.Event()

    def transport(request: Any) -> list[bytes]:
        assert release.wait(PATIENCE)
        return run_of(*says("Hi", str(next(numbers))))

    def ask(text: str) -> None:
        barrier.wait()
        try:
            agent.ask(text)
        except AGUIConnectionError as error:
            refused.append((text, error.code))
            release.set()

    numbers = iter(range(9))
    for _ in range(20):
        agent, refused = SyncAgent(transport), list[tuple[str, str]]()
        barrier = threading.Barrier(2)
        release.clear()
        threads = [threading.Thread(target=ask, args=(text,)) for text in ("a", "b")]
        numbers = iter(range(9))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        [(text, code)] = refused
        assert code == "agent_busy"
        assert [message.content for message in agent.messages] == ["b" if text == "a" else "a", "Hi"]


@pytest.mark.parametrize("way", ["ask", "ask_stream"])
@pytest.mark.parametrize("face", ["async", "sync"])
def test_what_is_refused_was_not_said(face: str, way: str) -> None:
    interrupts = [{"id": "a", "reason": "tool_call"}]
    heard: list[Any] = []

    class Listens(AgentSubscriber[Any]):
        def on_new_message(self, params: Any) -> None:
            heard.append(params.message.content)

    async def ask(**parameters: Any) -> str:
        if way == "ask":
            asked = agent.ask("Hi", **parameters)
            return (await asked if face == "async" else asked).text  # type: ignore[no-any-return]
        stream = agent.ask_stream("Hi", **parameters)
        return "".join([text async for text in stream] if face == "async" else list(stream))

    async def work() -> None:
        with pytest.raises(AGUISequenceError) as caught:
            await ask()
        assert caught.value.rule == "L01" and (agent.messages, heard) == ([], [])
        resume = agent.build_resume({"a": 1})
        assert await ask(resume=resume, subscriber=Listens()) == "Ho"
        assert [message.content for message in agent.messages] == ["Hi", "Ho"]
        assert heard == ["Hi", "Hi", "Ho", "Ho"]

    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(Script(run_of(*says("Ho"))), pending_interrupts=interrupts, subscribers=[Listens()])
    asyncio.run(work())


class Async(AgentSubscriber[Any]):
    async def on_event(self, params: Any) -> None:
        """No sync agent can wait for it."""


def test_what_cannot_be_begun_was_not_said() -> None:
    agent = SyncAgent(Script(run_of(*says("Ho"))))
    with pytest.raises(TypeError, match="is async"):
        agent.ask("Hi", subscriber=Async())
    assert agent.messages == [] and not agent.is_running
    assert agent.ask("Hi").text == "Ho"


FAILS: dict[str, list[Any]] = {
    "no connection": [AGUIConnectionError("no", code="connection_failed")],
    "no answer": [[]],
    "no event stream": [[b"<html>"]],
    "half an event": [[b'data: {"type":"RUN_']],
    "no more than a start": [[b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n']],
    "an event that is refused": [[b'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n']],
}


@pytest.mark.parametrize("fails", FAILS)
@pytest.mark.parametrize("heard", [True, False], ids=["subscriber", "alone"])
@pytest.mark.parametrize("face", ["async", "sync"])
def test_a_message_without_an_answer_is_removed(face: str, heard: bool, fails: str) -> None:
    """Other messages with the same text, and messages that were added meanwhile, stay."""
    answers = iter([FAILS[fails][0], run_of(*says("Ho"))])

    def transport(request: Any) -> Any:
        answer = next(answers)
        if answer is FAILS[fails][0]:
            agent.add_message({"id": "meanwhile", "role": "user", "content": "Hi"})
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def ask() -> Any:
        asked = agent.ask("Hi")
        return (await asked if face == "async" else asked).text

    async def work() -> None:
        with pytest.raises(AGUIError):
            await ask()
        assert [message.id for message in agent.messages] == ["before", "meanwhile"]
        assert await ask() == "Ho"
        assert [message.content for message in agent.messages] == ["Hi", "Hi", "Hi", "Ho"]

    class Listens(AgentSubscriber[Any]):
        def on_event(self, params: Any) -> None:
            """Has events come one by one."""

    before = [{"id": "before", "role": "user", "content": "Hi"}]
    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(transport, messages=before, subscribers=[Listens()] if heard else [])
    asyncio.run(work())


@pytest.mark.parametrize("face", ["async", "sync"])
def test_what_was_heard_stays(face: str) -> None:
    started = run_of(*says("Ho"))[:2]

    async def work() -> None:
        with pytest.raises(AGUIError):
            asked = agent.ask("Hi")
            await asked if face == "async" else asked
        assert [message.content for message in agent.messages] == ["Hi", ""]

    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(lambda request: started)
    asyncio.run(work())


@pytest.mark.parametrize("face", ["async", "sync"])
@pytest.mark.parametrize("by_event", [False, True], ids=["changes", "events"])
@pytest.mark.parametrize(
    ("make", "length"),
    [(lambda n: "x" * n, 20_000), (lambda n: "\n" * n, 10_000), (lambda n: {"a": "x" * n}, 20_000)],
    ids=["text", "escaped", "value"],
)
def test_an_answer_of_a_tool_has_a_limit_and_all_of_them_have_none(
    make: Any, length: int, by_event: bool, face: str
) -> None:
    """Each answer has the maximum length, or is too long, which is an error; the conversation goes on."""
    answers = iter([make(length * 3 // 4), make(length * 3 // 4), make(length)])

    class Listens(AgentSubscriber[Any]):
        def on_event(self, params: Any) -> None:
            """Has events come one by one."""

    def look() -> Any:
        return next(answers)

    async def ask() -> Any:
        asked = agent.ask("Look.")
        return (await asked if face == "async" else asked).text

    runs = [run_of(*calls("look", "", f"c{index}")) for index in range(3)]
    script = Script(*runs, run_of(*says("Ho", "m1")), run_of(*says("Hey", "m2")))
    made: Any = Agent if face == "async" else SyncAgent
    agent: Any = made(
        script, tools=[look], limits=Limits(event_bytes=20_000), subscribers=[Listens()] if by_event else []
    )
    assert (asyncio.run(ask()), asyncio.run(ask())) == ("Ho", "Hey")
    errors = [message.error for message in agent.messages if isinstance(message, ToolMessage)]
    assert errors == [None, None, "The result is too long for a message (event_bytes is 20000)."]
    assert agent.messages[-1].content == "Hey" and len(script.asked[-1]["messages"]) == len(agent.messages) - 1


def test_a_state_is_longer_than_an_event_may_be() -> None:
    """Middleware receives the whole input."""
    seen: list[int] = []

    def through(input: Any, next: Any) -> Any:
        seen.append(len(input.state["text"]))
        return next(input)

    class Listens(AgentSubscriber[Any]):
        def on_run_initialized(self, params: Any) -> None:
            seen.append(len(params.input.state["text"]))

    script = Script(run_of(*says("Ho")))
    state, limits = {"text": "x" * 30_000}, Limits(event_bytes=20_000)
    agent = SyncAgent(script, state=state, limits=limits, middleware=[through], subscribers=[Listens()])
    assert agent.ask("Hi").text == "Ho"
    assert [len(script.asked[0]["state"]["text"]), *seen] == [30_000] * 3


@pytest.mark.parametrize("face", [Agent, SyncAgent])
def test_what_is_put_into_the_list_by_hand_is_read(face: type[Any]) -> None:
    script = Script(run_of(*says("Hi")), run_of(*says("Ho", "2")))

    def ask(text: str) -> Any:
        asked = agent.ask(text)
        return asyncio.run(asked) if asyncio.iscoroutine(asked) else asked

    agent = face(script)
    agent.messages.append({"id": "s", "role": "system", "content": "Be brief."})
    assert ask("Hello?").text == "Hi"
    assert [(message.role, message.content) for message in agent.messages] == [
        ("system", "Be brief."),
        ("user", "Hello?"),
        ("assistant", "Hi"),
    ]
    assert script.asked[0]["messages"][0]["id"] == "s"
    for wrong, path in [
        ({"role": "user", "content": "x"}, "/messages/3/id"),
        ({"id": "x", "role": "user", "content": "x", "odd": 1}, "/messages/3/odd"),
        ("x", "/messages/3"),
    ]:
        agent.messages.append(wrong)
        with pytest.raises(AGUIValidationError) as caught:
            ask("And?")
        assert caught.value.path == path
        assert agent.messages[3:] == [wrong] and not agent.is_running
        agent.messages.pop()
    assert ask("And?").text == "Ho"


def test_what_is_put_into_the_list_during_a_run_is_read_by_the_next() -> None:
    script = Script(run_of(*says("Hi")), run_of(*says("Ho", "2")))
    agent = SyncAgent(script)
    for _ in agent.run():
        if len(agent.messages) == 1:
            agent.messages.append({"id": "u", "role": "user", "content": "Wait."})
    assert [message.role for message in agent.run_agent().new_messages] == ["assistant"]
    assert "u" in [message["id"] for message in script.asked[1]["messages"]]

"""Agents of the client: cases of the reference, the conversation, middleware, other transports, agents in the same
program.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError, AGUISequenceError, AGUIStreamError
from ag_ui_native.client import (
    Agent,
    AgentSubscriber,
    LocalAgent,
    Response,
    RunRequest,
    SyncAgent,
    Timeouts,
    ToolCallFilter,
)
from ag_ui_native.core import AssistantMessage, TextMessageChunkEvent, UserMessage
from ag_ui_native.server import Run
from client_scripts import Script, calls, frame, later, run_of, says
from servers import PATIENCE, eventually
from test_stream_cases import judge, judged, with_numbered_ids

# The reference's cases.


@judged("pipeline")
@pytest.mark.parametrize("way", ["run_agent", "run"])
def test_the_cases_of_the_reference(case: dict[str, Any], way: str) -> None:
    start = case["input"]
    agent = SyncAgent[Any](
        lambda request: [frame(event) for event in start["events"]],
        messages=start.get("messages", []),
        state=start.get("state", {}),
        pending_interrupts=start.get("pendingInterrupts", []),
    )
    parameters: dict[str, Any] = {"resume": start["resume"]} if "resume" in start else {}
    failed, result = None, None
    try:
        if way == "run_agent":
            result = agent.run_agent(**parameters)
        else:
            stream = agent.run(**parameters)
            list(stream)
            result = stream.result
    except AGUIError as error:
        failed = error
    outcome: dict[str, Any] = {"messages": plain(agent.messages), "state": agent.state}
    if agent.pending_interrupts or "pendingInterrupts" in start:
        outcome["pendingInterrupts"] = plain(agent.pending_interrupts)
    if failed is not None and failed.code == "stream_truncated":
        # The reference takes a stream that is cut for a success.
        assert "error" not in case["expected"]
        result, failed = failed.run, None
    if failed is None:
        assert result is not None
        if result.result is not None:
            outcome["result"] = result.result
        outcome["newMessages"] = [message.id for message in result.new_messages]
    else:
        index = -1 if failed.rule in ("L01", "L02") else failed.event_index
        outcome |= {"error": True, "atIndex": index, "rule": failed.rule or "E01"}
        if failed.rule is None:
            outcome["paths"] = [issue.path for issue in failed.issues]
    judge(case, with_numbered_ids(outcome))


def plain(models: list[Any]) -> list[Any]:
    return [json.loads(model.model_dump_json(by_alias=True, exclude_unset=True)) for model in models]


# The conversation.


def test_a_conversation() -> None:
    given = UserMessage(id="u", content="Hi")
    state = {"n": [1]}
    agent = SyncAgent(Script(run_of(*says("Ho"))), messages=[given], state=state, description="d", agent_id="a")
    agent.messages[0].content = "changed"
    agent.state["n"].append(2)
    assert (given.content, state) == ("Hi", {"n": [1]})
    twin = agent.clone()
    agent.run_agent(context=[{"description": "d", "value": "v"}], forwarded_props={"x": 1})
    assert [len(agent.messages), len(twin.messages)] == [2, 1]
    assert (twin.thread_id, twin.description, twin.agent_id) == (agent.thread_id, "d", "a")
    agent.set_messages([])
    agent.set_state({"m": 1})
    agent.add_messages([{"id": "x", "role": "user", "content": "Y"}])
    assert (agent.messages, agent.state) == ([UserMessage(id="x", content="Y")], {"m": 1})
    with pytest.raises(AGUIError):
        agent.add_message({"id": "x", "role": "user"})
    with pytest.raises(TypeError):
        SyncAgent(3)  # type: ignore[arg-type]
    for wrong in ({"profile": "relay"}, {"max_runs": -1}, {"oh": 1}):
        with pytest.raises((TypeError, ValueError)):
            SyncAgent(Script(), **wrong)  # type: ignore[arg-type]


def test_a_second_run_is_refused_and_nothing_is_set_meanwhile() -> None:
    async def work() -> None:
        agent = Agent(lambda request: later(run_of(*says("Hello"))))
        async for event in agent.run():
            for attempt in (agent.run, agent.stream, lambda: agent.set_state({}), lambda: agent.set_messages([])):
                with pytest.raises(AGUIConnectionError) as caught:
                    attempt()
                assert caught.value.code == "agent_busy"
            with pytest.raises(AGUIConnectionError):
                await agent.ask("More?")
            if event.type == "TEXT_MESSAGE_CONTENT":
                # The conversation has every event that the loop has received.
                assert [message.content for message in agent.messages] == ["Hello"]
        assert (await agent.run_agent()).outcome == "success"

    asyncio.run(work())


class SlowToRead(SyncAgent[Any]):
    @property
    def messages(self) -> list[Any]:
        time.sleep(0.02)
        return super().messages


def test_one_of_two_threads_is_refused() -> None:
    refused = threading.Event()

    def answer(request: RunRequest) -> list[bytes]:
        refused.wait(PATIENCE)
        return run_of(*says("Hi"))

    def run() -> None:
        both.wait()
        try:
            outcomes.append(agent.run_agent().outcome)
        except AGUIConnectionError as error:
            outcomes.append(error.code)
            refused.set()

    both, outcomes, agent = threading.Barrier(2), list[str | None](), SlowToRead(answer)
    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == ["agent_busy", "success"] and not agent.is_running


# Middleware.


def filtered(**names: list[str]) -> list[str]:
    events = run_of(
        *calls("a", "{}", "c1"),
        *calls("b", "{}", "c2"),
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c3", "toolCallName": "b", "delta": "{"},
        {"type": "TOOL_CALL_CHUNK", "delta": "}"},
    )
    agent = SyncAgent(Script(events), middleware=[ToolCallFilter(**names)])
    agent.run_agent()
    return [
        call.function.name for m in agent.messages if isinstance(m, AssistantMessage) for call in m.tool_calls or []
    ]


def test_calls_are_filtered() -> None:
    assert (filtered(allow=["a"]), filtered(deny=["a"]), filtered(deny=[])) == (["a"], ["b", "b"], ["a", "b", "b"])
    for wrong in ({}, {"allow": ["a"], "deny": ["b"]}):
        with pytest.raises(ValueError):
            ToolCallFilter(**wrong)


def test_a_call_that_was_refused_stays_refused() -> None:
    events = run_of(*calls("bad", "{}", "c"), *calls("good", "{}", "c"), *calls("good", "{}", "d"))
    agent = SyncAgent(Script(events), middleware=[ToolCallFilter(allow=["good"])])
    agent.run_agent()
    kept = [call.id for m in agent.messages if isinstance(m, AssistantMessage) for call in m.tool_calls or []]
    assert kept == ["d"]


def test_middleware_stands_in_order() -> None:
    noted: list[str] = []

    def named(name: str) -> Any:
        def middleware(input: Any, next: Any) -> Iterator[Any]:
            noted.append(f"{name} asks")
            said = UserMessage(id=name, content=name)
            for event in next(input.model_copy(update={"messages": [*input.messages, said]})):
                noted.append(f"{name} {event.type.value}")
                yield event
                if event.type == "RUN_STARTED":
                    yield TextMessageChunkEvent(message_id=name, delta="by ")
                    yield TextMessageChunkEvent(delta=name)

        return middleware

    script = Script(run_of(*says("Hello")))
    agent = SyncAgent(script, middleware=[named("outer")])
    agent.use(named("inner"))
    result = agent.run_agent()
    assert noted[:4] == ["outer asks", "inner asks", "inner RUN_STARTED", "outer RUN_STARTED"]
    assert [message["content"] for message in script.asked[0]["messages"]] == ["outer", "inner"]
    assert {message.id: message.content for message in result.new_messages} == {
        "outer": "by outer",
        "inner": "by inner",
        "m": "Hello",
    }


def test_middleware_may_ask_again_and_what_it_makes_is_verified() -> None:
    async def again(input: Any, next: Any) -> AsyncIterator[Any]:
        try:
            async for event in next(input):
                yield event
        except ConnectionError:
            async for event in next(input):
                if event.type != "RUN_STARTED":
                    yield event

    async def wrong(input: Any, next: Any) -> AsyncIterator[Any]:
        async for event in next(input):
            yield event
            if event.type == "RUN_STARTED":
                yield {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Hel"}
                yield {"type": "TEXT_MESSAGE_END", "messageId": "n"}

    async def work() -> None:
        async def breaks() -> AsyncIterator[bytes]:
            yield run_of()[0]
            raise ConnectionError

        script = Script(breaks(), later(run_of(*says("Hello"))))
        agent = Agent(script, middleware=[again])
        assert (await agent.run_agent()).text == "Hello"
        assert len(script.asked) == 2
        agent = Agent(Script(later(run_of())), middleware=[wrong])
        with pytest.raises(AGUISequenceError) as caught:
            await agent.run_agent()
        assert caught.value.rule == "V13"
        assert [message.content for message in agent.messages] == ["Hel"]
        agent = Agent(Script(later(run_of()[:1])), middleware=[lambda input, next: next(input)])
        with pytest.raises(AGUIStreamError) as cut:
            await agent.run_agent()
        assert cut.value.code == "stream_truncated"

    asyncio.run(work())


# Transports of one's own.


def test_any_function_is_a_transport() -> None:
    whole = b"".join(run_of(*says("Hello")))

    async def asked(request: RunRequest) -> Response:
        assert json.loads(request.input_json)["runId"] == request.run_id
        return Response([whole[:10], whole[10:]], "text/event-stream; charset=utf-8")

    async def work() -> None:
        for transport in (
            asked,
            lambda request: [whole],
            lambda request: later([whole]),
            lambda request: Response(later([whole])),
        ):
            assert (await Agent(transport).run_agent()).text == "Hello"

    asyncio.run(work())
    assert SyncAgent(lambda request: iter([whole])).run_agent().text == "Hello"
    for transport in (asked, lambda request: later([whole])):
        agent = SyncAgent(transport)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a sync agent"):
            agent.run_agent()
        assert not agent.is_running
    with pytest.raises(TypeError, match="a sync agent"):
        SyncAgent(lambda request: [whole], subscribers=[Hears()]).run_agent()


class Hears(AgentSubscriber[Any]):
    async def on_event(self, params: Any) -> None:
        """Nothing."""


def test_failures_of_a_transport_go_through() -> None:
    def breaks(request: RunRequest) -> Iterator[bytes]:
        yield run_of()[0]
        yield frame(says("Hel")[0]) + frame(says("Hel")[1])
        raise ZeroDivisionError

    agent = SyncAgent(breaks)
    with pytest.raises(ZeroDivisionError):
        agent.run_agent()
    assert [message.content for message in agent.messages] == ["Hel"] and not agent.is_running


# Agents in the same program.


async def greet(run: Run) -> str:
    async with run.text_message() as message:
        for word in ("Hel", "lo"):
            await message.write(word)
    run.state["seen"] = len(run.messages)
    return "done"


def test_a_function_is_an_agent() -> None:
    async def work() -> None:
        agent = LocalAgent[dict[str, int]](greet, server={"echo_input": True})
        reply = await agent.ask("Hi")
        assert (reply.text, reply.result.result, agent.state) == ("Hello", "done", {"seen": 1})
        assert [event.type.value async for event in agent.run()][-1] == "RUN_FINISHED"

        def plain(run: Run) -> None:
            run.write("from a thread")

        assert (await LocalAgent(plain).ask("Hi")).text == "from a thread"
        failed = await LocalAgent(Raises(), server={"show_errors": True}).run_agent()
        assert failed.outcome == "error" and failed.error is not None
        assert (failed.error.code, "on purpose" in failed.error.message) == ("agent_failed", True)
        with pytest.raises(TypeError):
            LocalAgent(3)  # type: ignore[arg-type]

    asyncio.run(work())


class Raises:
    async def __call__(self, run: Run) -> None:
        raise RuntimeError("on purpose")


def test_an_agent_in_the_same_program_may_be_quiet() -> None:
    async def quiet(run: Run) -> None:
        await asyncio.sleep(1.5)
        await run.write("at last")

    agent = LocalAgent(quiet, server={"heartbeat": 0.04}, timeouts=Timeouts(idle=1))
    assert asyncio.run(agent.run_agent()).text == "at last"


def test_reading_slowly_slows_the_agent_and_leaving_cancels_it() -> None:
    written, ended = [0], []

    async def endless(run: Run) -> None:
        try:
            async with run.text_message() as message:
                while True:
                    await message.write("x" * 1000)
                    written[0] += 1
        finally:
            ended.append(True)

    async def work() -> None:
        agent = LocalAgent(endless)
        seen = 0
        async for change in agent.stream():
            await asyncio.sleep(0)
            if change.kind == "text_appended":
                seen += 1
                assert written[0] <= seen + 8
            if seen == 200:
                break
        await eventually(lambda: ended == [True] and not agent.is_running)
        async with agent.run() as events:
            for _ in range(5):
                await anext(events)
        assert events.result.outcome == "aborted"
        await eventually(lambda: ended == [True, True])

    asyncio.run(work())


def test_each_row_of_the_documents_names_tests_that_there_are() -> None:
    page = (Path(__file__).parents[3] / "docs" / "client" / "dotnet.md").read_text("utf-8")
    table = page.partition("# What the .NET chat client does")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][2:]
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parents[1].glob("*/test_client_*.py"))
    assert len(rows) >= 13
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named and all(f"def {name}(" in tests for name in named), row

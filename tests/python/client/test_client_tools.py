"""Agents of the client side: functions that the agent calls, questions to people, chat."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from ag_ui_native import AGUIError, AGUILimitError, AGUISequenceError
from ag_ui_native.client import (
    Agent,
    AgentSubscriber,
    FrontendTool,
    SyncAgent,
    SyncHttpAgent,
    SyncLocalAgent,
    approve,
    cancel,
    edit,
    reject,
    respond,
)
from ag_ui_native.core import ToolMessage
from client_scripts import Script, calls, frame, later, run_of, says

# Functions that the agent may call.


def weather(city: str, unit: Annotated[Literal["C", "F"], Field(description="of the scale")] = "C") -> dict[str, Any]:
    """Says the weather."""
    if city == "Atlantis":
        raise LookupError("no such city")
    return {"city": city, "unit": unit}


async def look(what: list[int]) -> str:
    """Looks."""
    await asyncio.sleep(0)
    return f"{sum(what)} seen"


def test_what_the_agent_is_told_of_a_tool() -> None:
    declared = FrontendTool(weather).declaration
    assert (declared.name, declared.description) == ("weather", "Says the weather.")
    assert declared.parameters == {
        "additionalProperties": False,
        "properties": {
            "city": {"title": "City", "type": "string"},
            "unit": {"description": "of the scale", "enum": ["C", "F"], "title": "Unit", "type": "string"},
        },
        "required": ["city"],
        "title": "weather",
        "type": "object",
    }
    own = FrontendTool(weather, name="w", description="d", parameters={"type": "object"}).declaration
    assert (own.name, own.description, own.parameters) == ("w", "d", {"type": "object"})
    with pytest.raises(TypeError, match="by its name"):
        FrontendTool(lambda *cities: None)
    with pytest.raises(TypeError):
        FrontendTool(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("way", ["run_agent", "run", "stream", "sync"])
def test_tools_run_until_the_agent_is_content(way: str) -> None:
    both = [*calls("weather", '{"city": "Rome"}', "c1"), *calls("weather", '{"city": "Atlantis"}', "c2")]
    script = Script(
        run_of(*says("Let me see.", "m1"), *both),
        run_of(*calls("weather", '{"town": 1}', "c3"), *calls("weather", "{oh", "c4"), *calls("weather", "", "c5")),
        run_of(*says("Fine.", "m2")),
    )
    tool = {"name": "other", "description": "", "parameters": {}}
    given: dict[str, Any] = {"run_id": "first", "tools": iter([tool]), "context": iter([])}
    options: dict[str, Any] = {"messages": [{"id": "u", "role": "user", "content": "Hi"}], "tools": [weather]}

    async def work() -> tuple[Any, Any]:
        agent = Agent(script, **options)
        if way == "run_agent":
            return agent, await agent.run_agent(**given)
        stream = agent.run(**given) if way == "run" else agent.stream(**given)
        async for _ in stream:
            assert agent.is_running
        return agent, stream.result

    if way == "sync":
        agent: Any = SyncAgent(script, **options)
        result = agent.run_agent(**given)
    else:
        agent, result = asyncio.run(work())
    answers = [(m.tool_call_id, m.content, m.error) for m in agent.messages if isinstance(m, ToolMessage)]
    assert answers[:2] == [("c1", '{"city":"Rome","unit":"C"}', None), ("c2", "no such city", "no such city")]
    assert [call_id for call_id, *_ in answers] == ["c1", "c2", "c3", "c4", "c5"]
    assert [error.split(":")[0] for _, _, error in answers[2:]] == [
        "The arguments do not match the schema of the tool. city",
        "The arguments are not valid JSON.",
        "The arguments do not match the schema of the tool. city",
    ]
    assert "Rome" not in answers[3][1]
    assert (result.outcome, result.text, result.pending_tool_call_ids) == ("success", "Let me see.Fine.", [])
    assert [run.pending_tool_call_ids for run in result.runs] == [[], [], []]
    assert [message.id for message in result.new_messages] == [message.id for message in agent.messages[1:]]
    assert script.asked[0]["runId"] == "first"
    assert len({asked["runId"] for asked in script.asked}) == 3
    assert [[tool["name"] for tool in asked["tools"]] for asked in script.asked] == [["weather", "other"]] * 3
    assert [message["role"] for message in script.asked[1]["messages"]] == [
        "user",
        "assistant",
        "assistant",
        "assistant",
        "tool",
        "tool",
    ]


def test_what_comes_later_is_not_in_the_result() -> None:
    asked = run_of(*says("One", "m1"), *calls("weather", '{"city": "Rome"}'))
    agent = SyncAgent(Script(asked, run_of(*says("Two", "m2")), run_of(*says("Three", "m3"))), tools=[weather])
    stream = agent.stream()
    with pytest.raises(RuntimeError):
        _ = stream.result
    assert [change.kind for change in stream].count("run_finished") == 2
    agent.run_agent()
    agent.add_message({"id": "x", "role": "user", "content": "Hi"})
    assert stream.result.text == "OneTwo"
    assert [run.text for run in stream.result.runs] == ["One", "Two"] and len(stream.result.new_messages) == 4


class Speechless(Exception):
    def __str__(self) -> str:
        raise ValueError


def fails(how: str) -> Any:
    if how == "result":
        return "half: \ud800"
    if how == "inside":
        return {"half": ["\ud800"]}
    raise Speechless if how == "speechless" else ValueError("half: \ud800")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("result", "lone_surrogate: the text has half of a surrogate pair (the tool's result)"),
        ("inside", "lone_surrogate: the text has half of a surrogate pair"),
        ("speechless", "Speechless"),
        ("raised", "half: ?"),
    ],
)
def test_whatever_a_tool_does_the_agent_is_told(how: str, told: str) -> None:
    script = Script(run_of(*calls("fails", f'{{"how": "{how}"}}')), run_of(*says("So.")))
    agent = SyncAgent(script, tools=[fails])
    assert agent.run_agent().text == "So."
    [answer] = [message for message in agent.messages if isinstance(message, ToolMessage)]
    assert answer.error is not None and answer.error.startswith(told)


def test_a_tool_may_take_tools_away() -> None:
    def once() -> str:
        return str(agent.tools.pop("once", None) is not None)

    script = Script(run_of(*calls("once", "{}", "c1"), *calls("once", "{}", "c2")), run_of(*says("So.")))
    agent = SyncAgent(script, tools=[once])
    assert agent.run_agent().text == "So."
    assert [m.content for m in agent.messages if isinstance(m, ToolMessage)] == ["True", "False"]


def test_calls_without_a_tool_are_left_to_the_application() -> None:
    mixed = run_of(*calls("weather", '{"city": "Rome"}', "c1"), *calls("other", "{}", "c2"))
    agent = SyncAgent(Script(mixed), tools=[weather])
    result = agent.run_agent()
    assert (result.outcome, result.pending_tool_call_ids, len(result.runs)) == ("success", ["c2"], 1)
    assert [m.tool_call_id for m in agent.messages if isinstance(m, ToolMessage)] == ["c1"]
    assert [message.id for message in result.new_messages] == [message.id for message in agent.messages]


def test_runs_have_a_limit() -> None:
    script = Script(*(run_of(*calls("weather", '{"city": "Rome"}', f"c{number}")) for number in range(9)))
    agent = SyncAgent(script, tools=[weather], max_runs=3)
    with pytest.raises(AGUILimitError) as caught:
        agent.run_agent()
    assert (caught.value.code, caught.value.limit, len(script.asked)) == ("too_many_runs", "max_runs", 3)
    assert caught.value.run is not None and caught.value.run.outcome == "failed" and not agent.is_running
    assert len(caught.value.run.runs) == 3


def test_a_decorated_function_is_a_tool_and_may_be_async() -> None:
    async def work() -> None:
        agent = Agent(Script(run_of(*calls("look", '{"what": [1, 2]}')), run_of(*says("So."))))
        agent.tool(look)
        reply = await agent.ask("Look!")
        assert reply.text == "So."
        assert [m.content for m in agent.messages if isinstance(m, ToolMessage)] == ["3 seen"]

    asyncio.run(work())


@pytest.mark.parametrize(("ends", "told"), [("returns", ["gone"]), ("raises", []), ("waits", [])])
def test_what_an_async_tool_returns_that_aborts_its_run(ends: str, told: list[str]) -> None:
    async def work() -> None:
        agent = Agent(Script(run_of(*calls("leaves", "{}"))))

        @agent.tool
        async def leaves() -> str:
            await asyncio.sleep(0)
            agent.abort_run()
            if ends == "waits":
                await asyncio.sleep(0.01)
            if ends == "raises":
                raise ValueError("gone")
            return "gone"

        result = await agent.run_agent()
        assert result.outcome == "aborted"
        assert [m.content for m in agent.messages if isinstance(m, ToolMessage)] == told

    asyncio.run(work())


class Late:
    """A class whose `__call__` is async."""

    async def __call__(self, at: str = "") -> str:
        return at


@pytest.mark.parametrize("tool", [look, Late()])
def test_sync_agents_refuse_async_tools_when_they_are_declared(tool: Any) -> None:
    for declare in (
        lambda: SyncAgent(Script(), tools=[tool]),
        lambda: SyncAgent(Script(), tools=[FrontendTool(tool)]),
        lambda: SyncAgent(Script()).tool(tool),
        lambda: SyncHttpAgent("http://localhost/", tools=[tool]),
        lambda: SyncLocalAgent(lambda run: None, tools=[tool]),
    ):
        with pytest.raises(TypeError, match=r"(look|Late) is async: give a sync agent plain functions"):
            declare()


# Interrupts.


def asks(*ids: str, **members: Any) -> bytes:
    interrupts = [{"id": name, "reason": "tool_call"} | members for name in ids]
    outcome = {"type": "interrupt", "interrupts": interrupts}
    return frame({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome})


def test_interrupts_wait_for_all_answers() -> None:
    script = Script([run_of()[0], asks("a", "b", "c", "d", "e")], run_of(*says("Done.")))
    agent = SyncAgent(script)
    result = agent.run_agent()
    assert result.outcome == "interrupt"
    assert [interrupt.id for interrupt in result.interrupts] == ["a", "b", "c", "d", "e"]
    assert agent.pending_interrupts == result.interrupts
    with pytest.raises(AGUISequenceError) as caught:
        agent.run_agent()
    assert caught.value.rule == "L01" and len(script.asked) == 1 and not agent.is_running
    answers: dict[str, Any] = {"b": reject("no"), "a": approve(note="ok"), "c": edit({"x": 1}), "e": cancel(), "d": 7}
    with pytest.raises(AGUIError) as refused:
        agent.build_resume(answers | {"f": respond()})
    assert refused.value.code == "unknown_interrupt"
    resume = agent.build_resume(answers)
    assert agent.build_resume(resume) == resume
    assert agent.run_agent(resume=resume).text == "Done." and agent.pending_interrupts == []
    assert script.asked[1]["resume"] == [
        {"interruptId": "a", "status": "resolved", "payload": {"note": "ok", "approved": True}},
        {"interruptId": "b", "status": "resolved", "payload": {"approved": False, "reason": "no"}},
        {"interruptId": "c", "status": "resolved", "payload": {"approved": True, "editedArgs": {"x": 1}}},
        {"interruptId": "d", "status": "resolved", "payload": 7},
        {"interruptId": "e", "status": "cancelled"},
    ]


def test_what_has_expired_can_only_be_cancelled() -> None:
    agent = SyncAgent(Script([run_of()[0], asks("a", expiresAt="2020-01-01T00:00:00Z")], run_of()))
    agent.run_agent()
    with pytest.raises(AGUISequenceError) as caught:
        agent.build_resume({"a": approve()})
    assert caught.value.rule == "L02"
    assert agent.run_agent(resume=agent.build_resume({"a": cancel()})).outcome == "success"


# Chat.


def test_asking() -> None:
    script = Script(*(run_of(*says(text, text)) for text in ("One", "Two", "Three")))
    agent = SyncAgent(script, thread_id="mine")
    first = agent.ask("Hi")
    assert (str(first), first.thread_id, [m.id for m in first.messages]) == ("One", "mine", ["One"])
    assert first.response_id == script.asked[0]["runId"]
    stream = agent.ask_stream([{"type": "text", "text": "And?"}], parent_run_id=first.response_id)
    with pytest.raises(RuntimeError):
        _ = stream.reply
    assert list(stream) == ["Two"]
    assert stream.reply.text == "Two"
    assert (script.asked[1]["parentRunId"], script.asked[1]["threadId"]) == (first.response_id, "mine")
    assert [message["role"] for message in script.asked[1]["messages"]] == ["user", "assistant", "user"]
    # Without memory: the whole history each turn, and nothing else.
    stateless = SyncAgent(script, messages=agent.messages)
    assert stateless.ask("Finally?").text == "Three"
    assert "parentRunId" not in script.asked[2] and len(script.asked[2]["messages"]) == 5


def test_asking_in_a_loop() -> None:
    async def work() -> None:
        ids = iter("abcd")
        agent = Agent(lambda request: later(run_of(*says("Hel", next(ids)), *says("lo", next(ids)))))
        stream = agent.ask_stream("Hi")
        assert [piece async for piece in stream] == ["Hel", "lo"]
        assert stream.reply.text == "Hello" == (await agent.ask("Again")).text

    asyncio.run(work())


@pytest.mark.parametrize("way", ["parameter", "attribute"])
def test_only_the_first_run_goes_on_from_another_run(way: str) -> None:
    script = Script(run_of(*calls("look", "{}")), run_of(*says("So.")))
    agent = SyncAgent(script, tools=[FrontendTool(lambda: "seen", name="look")])
    if way == "parameter":
        agent.run_agent(parent_run_id="before")
    else:
        agent.parent_run_id = "before"
        agent.run_agent()
    assert [asked.get("parentRunId") for asked in script.asked] == ["before", None]


def test_a_run_has_the_answer_of_a_tool_that_a_subscriber_fails_at() -> None:
    class Fails(AgentSubscriber):
        def on_new_message(self, params: Any) -> None:
            if params.message.content == "gone":
                raise LookupError

    def stop() -> str:
        agent.abort_run()
        return "gone"

    tools = [FrontendTool(lambda: "seen", name="look"), FrontendTool(stop)]
    agent = SyncAgent(Script(run_of(*calls("look", "{}")), run_of(*calls("stop", "{}", "d"))), tools=tools)
    result = agent.run_agent(subscriber=Fails())
    assert result.outcome == "aborted"
    assert [[message.content for message in run.new_messages] for run in result.runs] == [
        [None, "seen"],
        [None, "gone"],
    ]

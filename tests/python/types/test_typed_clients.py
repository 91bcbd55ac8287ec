"""The types of agents of the client, as type checkers see them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypedDict, assert_type

from pydantic import BaseModel

from ag_ui_native.changes import Change
from ag_ui_native.client import (
    ActivityParams,
    Agent,
    AgentStateMutation,
    AgentSubscriber,
    AgentSubscriberParams,
    CallbackResult,
    EventParams,
    HttpAgent,
    LocalAgent,
    ReasoningParams,
    Reply,
    Response,
    RunRequest,
    RunResult,
    SyncHttpAgent,
    SyncLocalAgent,
    SyncWebSocketAgent,
    TextParams,
    ToolCallFilter,
    WebSocketAgent,
    approve,
)
from ag_ui_native.core import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    Event,
    EventType,
    Interrupt,
    Message,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ResumeEntry,
    RunAgentInput,
    TextMessageContentEvent,
    TextMessageEndEvent,
    ToolCallArgsEvent,
    UserMessage,
)
from ag_ui_native.server import Run


class Plan(TypedDict):
    steps: list[str]


class Hears(AgentSubscriber[Plan]):
    async def on_event(self, params: EventParams[Event, Plan]) -> AgentStateMutation | None:
        assert_type(params.state, Plan)
        assert_type(params.messages, list[Message])
        return AgentStateMutation(state={"steps": []}) if params.event.type == EventType.CUSTOM else None

    def on_text_message_content_event(self, params: TextParams[TextMessageContentEvent, Plan]) -> CallbackResult:
        assert_type(params.event.delta, str)
        assert_type(params.text_message_buffer, str)
        return {"stop_propagation": True}


class Brief(AgentSubscriber):
    """Names of parameters may say less than the callback's own do, and then have all that it may be."""

    def on_text_message_content_event(self, params: TextParams) -> None:
        assert_type(params.event, TextMessageContentEvent | TextMessageEndEvent)
        assert_type(params.event.message_id + params.text_message_buffer, str)

    async def on_text_message_end_event(self, params: TextParams) -> None:
        assert_type(params.state, Any)

    def on_reasoning_message_content_event(self, params: ReasoningParams) -> None:
        assert_type(params.event, ReasoningMessageContentEvent | ReasoningMessageEndEvent)

    def on_activity_snapshot_event(self, params: ActivityParams) -> CallbackResult:
        assert_type(params.event, ActivitySnapshotEvent | ActivityDeltaEvent)
        return AgentStateMutation(messages=[]) if params.activity_message is None else None

    def on_custom_event(self, params: EventParams) -> None:
        assert_type(params.event, Event)

    def on_raw_event(self, params: AgentSubscriberParams) -> None:
        assert_type(params.messages, list[Message])

    def on_run_finished_event(self, params: EventParams) -> None:
        assert_type(params.event, Event)

    def on_tool_call_args_event(self, params: EventParams[ToolCallArgsEvent]) -> None:
        assert_type(params.event, ToolCallArgsEvent)


class BriefOfPlans(AgentSubscriber[Plan]):
    def on_text_message_content_event(self, params: TextParams) -> None:
        assert_type(params.state, Any)

    async def on_state_changed(self, params: AgentSubscriberParams[Plan]) -> None:
        assert_type(params.state, Plan)


async def quiet(input: RunAgentInput, next: Callable[[RunAgentInput], AsyncIterator[Event]]) -> AsyncIterator[Event]:
    async for event in next(input):
        if event.type != EventType.RAW:
            yield event


def quiet_too(input: RunAgentInput, next: Callable[[RunAgentInput], Iterable[Event]]) -> Iterator[Event]:
    yield from next(input)


async def asynchronous() -> None:
    begin: Plan = {"steps": []}
    async with HttpAgent("http://x", state=begin, subscribers=[Hears()], headers=lambda: {"a": "b"}) as agent:
        assert_type(agent.state, Plan)
        assert_type(agent.messages, list[Message])
        assert_type(agent.pending_interrupts, list[Interrupt])

        @agent.tool
        def look(what: str) -> int:
            return len(what)

        assert_type(look("x"), int)
        async for event in agent.run(run_id="r"):
            assert_type(event, Event)
        async for change in agent.stream():
            assert_type(change, Change)
            if change.kind == "text_appended":
                assert_type(change.value, str)
        assert_type(await agent.run_agent(tools=[], subscriber=Hears()), RunResult)
        reply = agent.ask_stream("Hi")
        async for text in reply:
            assert_type(text, str)
        assert_type(reply.reply, Reply)
        assert_type(agent.build_resume({"i": approve(), "j": 1}), list[ResumeEntry])
        assert_type(agent.clone().state, Plan)
        agent.use(quiet, ToolCallFilter(allow=["look"]))
        agent.set_state({"steps": ["a"]})
        agent.set_state({"oh": 1})  # type: ignore[typeddict-item, typeddict-unknown-key]  # pyright: ignore[reportArgumentType]
        agent.add_message(UserMessage(id="u", content="Hi"))
        await agent.run_agent(oh=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def synchronous() -> None:
    with SyncHttpAgent[Plan]("http://x", middleware=[quiet_too]) as agent:
        assert_type(agent.state, Plan)
        assert_type(agent.run_agent().outcome == "success", bool)
        for event in agent.run():
            assert_type(event, Event)
        assert_type(agent.ask("Hi").text, str)


async def others() -> None:
    async def pieces(request: RunRequest) -> AsyncIterator[bytes]:
        yield request.input_json.encode()

    async def answers(request: RunRequest) -> Response:
        return Response([b""], "text/event-stream")

    def plain(request: RunRequest) -> list[bytes]:
        return [b""]

    async def agent(run: Run[Plan]) -> None:
        await run.write("Hi")

    for made in (Agent(pieces), Agent(answers), Agent(plain), LocalAgent(agent, server={"time_limit": 1})):
        await made.run_agent()
    state: Plan = {"steps": []}
    assert_type(SyncLocalAgent(agent, state=state, agent_id="a").state, Plan)
    assert_type(SyncWebSocketAgent[Plan]("ws://x", headers={"a": "b"}).url, str)
    WebSocketAgent("ws://x", connection={"origin": "x"}, protobuf=True)
    WebSocketAgent("ws://x", redirects="any")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    HttpAgent("http://x", retries=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


class Trip(BaseModel):
    steps: list[str] = []


@dataclass
class Listed:
    steps: list[str]


def test_models_are_states() -> None:
    def agent(run: Run) -> None:
        run.state["steps"].append("look")

    trip = SyncLocalAgent(agent, state=Trip())
    assert_type(trip, SyncLocalAgent[Trip])
    trip.run_agent()
    assert assert_type(trip.state, Trip).steps == ["look"]
    trip.set_state(Trip(steps=["pack"]))
    trip.set_state({"steps": []})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    listed = SyncLocalAgent(agent, state=Listed([]))
    listed.run_agent()
    assert assert_type(listed.clone().state, Listed) == Listed(["look"])
    assert_type(SyncHttpAgent("http://x", state=Trip()).state.steps, list[str])

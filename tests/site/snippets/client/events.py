"""Snippets of docs/client/: events and changes, subscribers, middleware."""

import asyncio

# --8<-- [start:middleware_import]
from collections.abc import AsyncIterator, Callable

# --8<-- [end:middleware_import]
# --8<-- [start:typed_import]
from typing import TypedDict

# --8<-- [end:typed_import]
from ag_ui_native.client import HttpAgent, LocalAgent
from ag_ui_native.server import Run


async def cook(run: Run) -> None:
    run.state["steps"] = ["cut"]
    run.raw({"internal": True})
    call = run.tool_call("find_recipe", {"dish": "soup"})
    call.result("Boil it.")
    async with run.text_message() as message:
        for word in ("Good ", "day"):
            await message.write(word)


agent = LocalAgent(cook)


async def iterated() -> None:
    # --8<-- [start:run]
    from ag_ui_native.core import EventType

    async with agent.run() as events:
        async for event in events:
            if event.type == EventType.TEXT_MESSAGE_CONTENT:
                print(event.delta)  # type checkers know that it has one
    print(events.result.outcome)
    # --8<-- [end:run]
    assert events.result.outcome == "success"

    # --8<-- [start:stream]
    async for change in agent.stream():
        match change.kind:
            case "text_appended":
                print(change.value)
            case "state_set" | "state_patched":
                print(agent.state)
            case _:
                pass
    # --8<-- [end:stream]

    # --8<-- [start:unknown]
    from ag_ui_native.client import UnknownEvent

    def is_new(event: object) -> bool:
        return isinstance(event, UnknownEvent)

    # --8<-- [end:unknown]
    assert not is_new(None)


async def subscribed() -> None:
    # --8<-- [start:subscriber]
    from ag_ui_native.client import AgentSubscriber, CallEndParams, TextParams
    from ag_ui_native.core import TextMessageContentEvent

    class Screen(AgentSubscriber):
        def on_text_message_content_event(self, params: TextParams[TextMessageContentEvent]) -> None:
            print(params.text_message_buffer, "+", params.event.delta)

        async def on_tool_call_end_event(self, params: CallEndParams) -> None:
            print(params.tool_call_name, params.tool_call_args)

    subscription = agent.subscribe(Screen())
    await agent.run_agent()
    subscription.unsubscribe()
    # --8<-- [end:subscriber]

    # --8<-- [start:once]
    await agent.run_agent(subscriber=Screen())
    # --8<-- [end:once]


# --8<-- [start:typed]
from ag_ui_native.client import AgentStateMutation, AgentSubscriber, AgentSubscriberParams, EventParams
from ag_ui_native.core import CustomEvent


class Kitchen(TypedDict):
    steps: list[str]


class Cook(AgentSubscriber[Kitchen]):
    def on_state_changed(self, params: AgentSubscriberParams[Kitchen]) -> None:
        print(params.state["steps"])  # list[str]

    def on_custom_event(self, params: EventParams[CustomEvent, Kitchen]) -> AgentStateMutation | None:
        if params.event.name == "reset":
            return AgentStateMutation(state={"steps": []}, stop_propagation=True)
        return None


# --8<-- [end:typed]


async def wrapped() -> None:
    # --8<-- [start:middleware]
    from ag_ui_native.core import Event, EventType, RunAgentInput

    async def quiet(
        input: RunAgentInput, next: Callable[[RunAgentInput], AsyncIterator[Event]]
    ) -> AsyncIterator[Event]:
        async for event in next(input):
            if event.type != EventType.RAW:
                yield event

    agent.use(quiet)
    # --8<-- [end:middleware]
    assert "RAW" not in [event.type async for event in agent.run()]

    # --8<-- [start:input]
    async def english(
        input: RunAgentInput, next: Callable[[RunAgentInput], AsyncIterator[Event]]
    ) -> AsyncIterator[Event]:
        asked = input.model_copy(update={"forwarded_props": {"language": "en"}})
        async for event in next(asked):
            yield event

    # --8<-- [end:input]
    agent.use(english)
    await agent.run_agent()

    # --8<-- [start:filter]
    from ag_ui_native.client import ToolCallFilter

    agent.use(ToolCallFilter(allow=["find_recipe"]))  # or deny=[...]
    # --8<-- [end:filter]
    assert "TOOL_CALL_START" in [event.type async for event in agent.run()]


async def main() -> None:
    await iterated()
    await subscribed()
    await wrapped()
    typed = HttpAgent("http://127.0.0.1/", state=Kitchen(steps=[]), subscribers=[Cook()])
    assert typed.state == {"steps": []}
    run = LocalAgent(cook, state=Kitchen(steps=[]), subscribers=[Cook()])
    await run.run_agent()
    assert run.state == {"steps": ["cut"]}


asyncio.run(main())

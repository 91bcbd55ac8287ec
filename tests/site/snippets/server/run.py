"""Snippets of docs/server/: agents, what they open, how they end, and their tests."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic import BaseModel

from ag_ui_native.testing import arun_agent


class model:
    @staticmethod
    async def stream(messages: Sequence[Any]) -> AsyncIterator[str]:
        for delta in ("Hel", "lo!") if messages else ():
            yield delta


# --8<-- [start:agent]
from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    async with run.text_message() as message:
        async for delta in model.stream(run.messages):
            await message.write(delta)  # waits while the client is slow


app = asgi_app(agent)
# --8<-- [end:agent]


# --8<-- [start:open]
async def cook(run: Run) -> None:
    with run.step("plan"):
        async with run.reasoning() as thought:
            await thought.write("Soup takes an hour.")
        async with run.tool_call("find_recipe") as call:
            await call.write('{"dish":"soup"}')
        await call.result({"time": 60})
    with run.subagent("taster") as taster:
        await taster.write("More salt.")
    activity = run.activity("progress", {"percent": 0})
    await activity.update({"percent": 100})


# --8<-- [end:open]


# --8<-- [start:end]
async def careful(run: Run) -> None:
    if not run.messages:
        run.fail("There is no question.", "no_question")
        return
    if not run.resume:
        run.interrupt({"id": "ask", "reason": "input", "message": "Which city?"})
        return
    run.finish({"city": run.resume[0].payload})  # or return the result


# --8<-- [end:end]


# --8<-- [start:state]
class Plan(BaseModel):
    steps: list[str] = []


async def planner(run: Run[Any]) -> None:
    plan = run.state = Plan.model_validate(run.state)
    plan.steps.append("look")
    await run.write("I looked.")  # sends the state, then the text
    plan.steps.append("leap")  # sent at the end of the run


# --8<-- [end:state]


async def agent_of_one_piece(run: Run) -> None:
    run.write("Hello!")


def test(agent: Any) -> None:
    # --8<-- [start:testing]
    from ag_ui_native.testing import assert_events, run_agent

    run = run_agent(agent, "Hello?")  # or a RunAgentInput, or some of its members; in a loop: await arun_agent(agent)
    assert (run.text, run.outcome, run.state) == ("Hello!", "success", {})
    assert_events(
        run,
        [
            "RUN_STARTED",
            "TEXT_MESSAGE_START",
            {"type": "TEXT_MESSAGE_CONTENT", "delta": "Hello!"},
            "TEXT_MESSAGE_END",
            "RUN_FINISHED",
        ],
    )
    # --8<-- [end:testing]
    assert run_agent(agent_of_words, "Hello?").text == "Hello!"

    # --8<-- [start:scripted]
    from ag_ui_native.client import SyncLocalAgent
    from ag_ui_native.testing import scripted_agent

    client = SyncLocalAgent(scripted_agent(["Hello", ValueError("no more")]))
    assert client.ask("Hello?").result.outcome == "error"
    # --8<-- [end:scripted]


agent_of_words = agent
test(agent_of_one_piece)


async def main() -> None:
    cooked = await arun_agent(cook)
    assert (cooked.outcome, cooked.text) == ("success", "More salt."), cooked
    assert (await arun_agent(careful)).outcome == "error"
    assert (await arun_agent(careful, "Hello?")).outcome == "interrupt"
    assert (await arun_agent(planner, "Hello?")).state == {"steps": ["look", "leap"]}


asyncio.run(main())

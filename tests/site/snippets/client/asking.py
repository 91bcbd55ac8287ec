"""Snippets of docs/client/: questions, results, and the end of a run before its end."""

import asyncio
import os

from ag_ui_native.client import Agent, LocalAgent
from ag_ui_native.server import Run

URL = os.environ["URL"]


def asked_without_asyncio() -> None:
    # --8<-- [start:sync]
    from ag_ui_native.client import SyncHttpAgent

    with SyncHttpAgent(URL) as agent:
        print(agent.ask("What is to be done?"))
    # --8<-- [end:sync]
    assert [message.role for message in agent.messages] == ["user", "assistant"]


async def story(run: Run) -> None:
    async with run.text_message() as message:
        while True:
            await message.write("And then? ")
            await asyncio.sleep(0)


def http_agent() -> Agent:
    from ag_ui_native.client import HttpAgent

    return HttpAgent(URL)


async def main() -> None:
    # --8<-- [start:ask]
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(URL) as agent:
        print(await agent.ask("What is to be done?"))
        async with agent.ask_stream("And then?") as stream:
            async for text in stream:
                print(text, end="", flush=True)
    # --8<-- [end:ask]
    assert [message.role for message in agent.messages] == ["user", "assistant"] * 2

    agent = HttpAgent(URL)
    # --8<-- [start:parameters]
    reply = await agent.ask(
        "What is to be done?",
        context=[{"description": "The user's language", "value": "English"}],
        forwarded_props={"model": "small"},
    )
    # --8<-- [end:parameters]
    # --8<-- [start:result]
    reply.raise_for_outcome()  # RUN_ERROR is a result: this makes an error of it
    print(reply.text, reply.result.outcome, reply.result.result)
    # --8<-- [end:result]
    assert (reply.result.outcome, reply.result.result) == ("success", {"words": 3})

    # --8<-- [start:branch]
    first = await agent.ask("Name a city.")
    second = await agent.ask("Another one.", parent_run_id=first.response_id)
    # --8<-- [end:branch]
    assert second.thread_id == first.thread_id


async def stopped(agent: Agent) -> None:
    # --8<-- [start:leave]
    async with agent.ask_stream("Tell me a long story.") as stream:
        async for _ in stream:
            break  # the end of the block closes the connection
    print(stream.reply.result.outcome)  # aborted
    # --8<-- [end:leave]
    assert stream.reply.result.outcome == "aborted"

    # --8<-- [start:abort]
    asking = asyncio.create_task(agent.ask("Tell me a long story."))
    await asyncio.sleep(0)
    agent.abort_run()  # from a button, another task or another thread
    print((await asking).result.outcome)  # aborted
    # --8<-- [end:abort]
    assert asking.result().result.outcome == "aborted"


async def cloned(agent: Agent) -> None:
    # --8<-- [start:clone]
    twin = agent.clone()
    both = await asyncio.gather(agent.ask("One?"), twin.ask("Two?"))
    # --8<-- [end:clone]
    assert [str(reply) for reply in both] == ["Hello from Python."] * 2


asked_without_asyncio()
asyncio.run(main())
asyncio.run(stopped(LocalAgent(story)))
asyncio.run(cloned(http_agent()))

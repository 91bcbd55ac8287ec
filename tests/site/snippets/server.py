"""Snippets of docs/server.md: an agent, and its test."""

from collections.abc import AsyncIterator, Sequence
from typing import Any


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
            await message.write(delta)


app = asgi_app(agent)
# --8<-- [end:agent]


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


agent_of_words = agent
test(agent_of_one_piece)

"""An agent with its tests, which need no model and no server: `python -m pytest test_greeting.py`"""

from collections.abc import AsyncIterator, Callable

from ag_ui_native.server import AgentFunction, Run
from ag_ui_native.testing import run_agent


def greeting(model: Callable[[str], AsyncIterator[str]]) -> AgentFunction:
    """Makes the agent; the application gives it a real model."""

    async def agent(run: Run) -> None:
        async with run.text_message() as message:
            async for piece in model("Greet the user."):
                await message.write(piece)

    return agent


async def scripted(prompt: str) -> AsyncIterator[str]:
    assert prompt == "Greet the user."
    for piece in ("Good ", "day."):
        yield piece


async def broken(prompt: str) -> AsyncIterator[str]:
    yield "Good "
    raise ConnectionError("the model is down")


def test_a_greeting() -> None:
    run = run_agent(greeting(scripted), "Hi")
    assert run.outcome == "success", run.error
    assert run.text == "Good day."


def test_a_model_that_fails() -> None:
    run = run_agent(greeting(broken), "Hi")
    assert (run.text, run.outcome) == ("Good ", "error")
    assert isinstance(run.error, ConnectionError)

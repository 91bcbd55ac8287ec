"""Snippets of docs/client/: functions that the agent may call, and questions to a person."""

import asyncio

from ag_ui_native.client import LocalAgent
from ag_ui_native.core import Interrupt, ToolMessage
from ag_ui_native.server import Run

NOTES = {"shopping": "Milk."}
answered: list[object] = []


async def reader(run: Run) -> None:
    last = run.messages[-1]
    if isinstance(last, ToolMessage):
        run.write(f"It says: {last.content}")
    else:
        run.tool_call(run.input.tools[0].name if run.input.tools else "", {"name": "shopping"})


async def called() -> None:
    agent = LocalAgent(reader)
    # --8<-- [start:tool]
    from typing import Annotated

    from pydantic import Field

    @agent.tool
    def read_note(name: Annotated[str, Field(description="without its ending")]) -> str:
        """Reads one of the user's notes."""
        return NOTES[name]

    print(await agent.ask("What is in my notes?"))
    # --8<-- [end:tool]
    assert agent.messages[-1].content == "It says: Milk."

    # --8<-- [start:schema]
    from ag_ui_native.client import FrontendTool

    async def find(name: str) -> dict[str, str]:
        return {"text": NOTES[name]}

    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    tool = FrontendTool(find, name="find_note", description="Finds a note.", parameters=schema)
    agent = LocalAgent(reader, tools=[tool])
    # --8<-- [end:schema]
    assert (await agent.ask("What is in my notes?")).text == 'It says: {"text":"Milk."}'

    agent = LocalAgent(reader)
    # --8<-- [start:declared]
    declared = {"name": "find_note", "description": "Finds a note.", "parameters": schema}
    reply = await agent.ask("What is in my notes?", tools=[declared])
    [waiting] = reply.result.pending_tool_call_ids
    agent.add_message({"id": "answer", "role": "tool", "toolCallId": waiting, "content": "Milk."})
    await agent.run_agent()
    # --8<-- [end:declared]
    assert agent.messages[-1].content == "It says: Milk."


async def cleaner(run: Run) -> None:
    if not run.resume:
        run.interrupt(Interrupt(id="delete", reason="tool_call", message="Delete the old files?"))
        return
    answered.append(run.resume[0].payload)
    run.write("Done.")


async def asked() -> None:
    agent = LocalAgent(cleaner)
    # --8<-- [start:interrupt]
    from ag_ui_native.client import approve, reject

    result = (await agent.ask("Clean up.")).result
    while result.outcome == "interrupt":
        answers = {open.id: approve() if open.reason == "tool_call" else reject() for open in result.interrupts}
        result = await agent.run_agent(resume=agent.build_resume(answers))
    print(result.text)
    # --8<-- [end:interrupt]
    assert (result.text, answered) == ("Done.", [{"approved": True}])


asyncio.run(called())
asyncio.run(asked())

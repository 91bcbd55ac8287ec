import asyncio
from typing import TypedDict

from ag_ui_native.core import Interrupt  # New
from ag_ui_native.durable import MemoryLog  # New
from ag_ui_native.server import Run, asgi_app

RECIPES = {"pancakes": ["flour", "milk", "eggs"], "salad": ["tomatoes", "oil"]}


class Kitchen(TypedDict):
    shopping: list[str]


def look_in_pantry() -> list[str]:
    return ["flour", "milk", "oil"]


# New: a tool that spends money, so a person has to agree.
def order(items: list[str]) -> str:
    return f"ordered: {', '.join(items)}"


async def agent(run: Run[Kitchen]) -> None:
    shopping = run.state.setdefault("shopping", [])

    # New: this run brings the answer to the question that ended the run before.
    if run.resume:
        answer = run.resume[0]
        if answer.payload == {"approved": True}:
            await run.tool_result(answer.interrupt_id, order(shopping))
            shopping.clear()
            await run.write("It comes at six.")
        else:
            await run.tool_result(answer.interrupt_id, "the user said no")
            await run.write("Then I order nothing.")
        return

    dish = str(run.messages[-1].content)
    needed = RECIPES.get(dish, ["a recipe"])

    call = run.tool_call("look_in_pantry", {})
    pantry = look_in_pantry()
    await call.result(pantry)
    missing = [item for item in needed if item not in pantry]

    for item in missing:
        if item not in shopping:
            shopping.append(item)

    async with run.text_message() as message:
        for word in f"For {dish} you need {', '.join(missing)}.".split():
            await asyncio.sleep(0.3)  # about as slow as a model
            await message.write(word + " ")

    # New: the agent says that it calls the tool. A question ends the run, and nothing is ordered yet.
    call = run.tool_call("order", {"items": shopping})
    run.interrupt(Interrupt(id=call.id, reason="tool_call", message="Order it?", tool_call_id=call.id))


# New: the log keeps the question until it is answered.
# "public" lets everybody answer, which is fine on your own machine.
app = asgi_app(agent, log=MemoryLog(), authorize="public")

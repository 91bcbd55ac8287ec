import asyncio
from typing import TypedDict  # New

from ag_ui_native.server import Run, asgi_app

RECIPES = {"pancakes": ["flour", "milk", "eggs"], "salad": ["tomatoes", "oil"]}


# New: what agent and client share.
class Kitchen(TypedDict):
    shopping: list[str]


def look_in_pantry() -> list[str]:
    return ["flour", "milk", "oil"]


async def agent(run: Run[Kitchen]) -> None:  # New: the type of the state
    shopping = run.state.setdefault("shopping", [])  # New: the list that the client has sent

    dish = str(run.messages[-1].content)
    needed = RECIPES.get(dish, ["a recipe"])

    call = run.tool_call("look_in_pantry", {})
    pantry = look_in_pantry()
    await call.result(pantry)
    missing = [item for item in needed if item not in pantry]

    # New: change the state like any other list.
    for item in missing:
        if item not in shopping:
            shopping.append(item)

    async with run.text_message() as message:
        for word in f"For {dish} you need {', '.join(missing)}.".split():
            await asyncio.sleep(0.3)  # about as slow as a model
            await message.write(word + " ")


app = asgi_app(agent)

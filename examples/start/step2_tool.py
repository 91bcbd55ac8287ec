import asyncio

from ag_ui_native.server import Run, asgi_app

RECIPES = {"pancakes": ["flour", "milk", "eggs"], "salad": ["tomatoes", "oil"]}


# New: a tool is a function of yours.
def look_in_pantry() -> list[str]:
    return ["flour", "milk", "oil"]


async def agent(run: Run) -> None:
    dish = str(run.messages[-1].content)
    needed = RECIPES.get(dish, ["a recipe"])

    # New: the agent says that it calls the tool, calls it, and says what came back.
    call = run.tool_call("look_in_pantry", {})
    pantry = look_in_pantry()
    await call.result(pantry)
    missing = [item for item in needed if item not in pantry]

    async with run.text_message() as message:
        for word in f"For {dish} you need {', '.join(missing)}.".split():  # New: only what is missing
            await asyncio.sleep(0.3)  # about as slow as a model
            await message.write(word + " ")


app = asgi_app(agent)

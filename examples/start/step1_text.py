import asyncio

from ag_ui_native.server import Run, asgi_app

RECIPES = {"pancakes": ["flour", "milk", "eggs"], "salad": ["tomatoes", "oil"]}


async def agent(run: Run) -> None:
    dish = str(run.messages[-1].content)
    needed = RECIPES.get(dish, ["a recipe"])

    async with run.text_message() as message:
        for word in f"For {dish} you need {', '.join(needed)}.".split():
            await asyncio.sleep(0.3)  # about as slow as a model
            await message.write(word + " ")


app = asgi_app(agent)

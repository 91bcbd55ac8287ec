"""A state in a pydantic model: changes are sent as a patch or as a whole, whichever is shorter.

PORT=8000 python state_model.py
"""

import os

import uvicorn
from pydantic import BaseModel

from ag_ui_native.server import Run, asgi_app


class Step(BaseModel):
    name: str
    done: bool = False


class Plan(BaseModel):
    title: str = "A trip"
    steps: list[Step] = []


async def agent(run: Run[Plan]) -> None:
    plan = run.state = Plan.model_validate(run.state)
    for name in ("pack", "drive", "swim"):
        step = Step(name=name)
        plan.steps.append(step)
        await run.flush_state()
        step.done = True
    await run.write(f"{plan.title} of {len(plan.steps)} steps.")  # sends the state, too


app = asgi_app(agent)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

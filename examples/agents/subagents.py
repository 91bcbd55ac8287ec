"""An agent that runs two subagents at the same time: `PORT=8000 python subagents.py`"""

import asyncio
import os

import uvicorn

from ag_ui_native.server import Run, Subagent, asgi_app


# --8<-- [start:subagent]
async def look_up(subagent: Subagent, topic: str) -> str:
    if topic == "nothing":
        raise LookupError("there is nothing about it")
    call = subagent.tool_call("search", {"for": topic})
    await call.result(f"three pages about {topic}")
    await subagent.write(f"I have read about {topic}.")
    return f"{topic}: well known"
    # --8<-- [end:subagent]


# --8<-- [start:agent]
async def research(run: Run, topic: str) -> str:
    try:
        async with run.subagent("researcher", description=f"Reads about {topic}.") as subagent:
            found = await look_up(subagent, topic)
            await subagent.finish(found)
            return found
    except LookupError:  # the client has been told: SUBAGENT_ERROR
        return f"{topic}: unknown"


async def agent(run: Run) -> None:
    found = await asyncio.gather(*(research(run, topic) for topic in ("cats", "nothing")))
    await run.write("\n".join(found))
    # --8<-- [end:agent]


app = asgi_app(agent, show_errors=True)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

"""A tool that needs approval: the run ends with an interrupt, and the next run brings the answer.

PORT=8000 python approval.py
"""

import os

import uvicorn

from ag_ui_native.core import Interrupt, RunAgentInput
from ag_ui_native.server import Run, asgi_app

pending: dict[str, Interrupt] = {}  # by thread; a database in real life


async def agent(run: Run) -> None:
    asked = pending.pop(run.thread_id, None)
    answer = run.answer(asked.id) if asked else None
    if asked is None or asked.tool_call_id is None:
        call = run.tool_call("delete_files", {"folder": "/tmp"})
        asked = Interrupt(id=f"approve-{call.id}", reason="tool_call", message="Delete?", tool_call_id=call.id)
        pending[run.thread_id] = asked
        run.interrupt(asked)
    elif answer is not None and answer.status == "resolved" and answer.payload == {"approved": True}:
        await run.tool_result(asked.tool_call_id, "deleted")
        await run.write("They are gone.")
    else:
        await run.tool_result(asked.tool_call_id, "refused")
        await run.write("They stay.")


def pending_interrupts(input: RunAgentInput) -> list[Interrupt]:
    return [pending[input.thread_id]] if input.thread_id in pending else []


app = asgi_app(agent, pending_interrupts=pending_interrupts)

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

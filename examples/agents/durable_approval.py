"""A tool that needs approval, with a log: the thread keeps the question, and the answer may reach any process.

PORT=8000 python durable_approval.py
"""

import os

import uvicorn

from ag_ui_native.core import Interrupt
from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app


# --8<-- [start:app]
async def agent(run: Run) -> None:
    if not run.resume:
        call = run.tool_call("delete_files", {"folder": "/tmp"})
        run.interrupt(Interrupt(id=call.id, reason="tool_call", message="Delete?", tool_call_id=call.id))
    for answer in run.resume:  # to the questions that wait in this thread, and to no others
        is_approved = answer.status == "resolved" and answer.payload == {"approved": True}
        await run.tool_result(answer.interrupt_id, "deleted" if is_approved else "refused")
        await run.write("They are gone." if is_approved else "They stay.")


# With RedisLog or SQLiteLog the next request may reach another process.
app = asgi_app(agent, log=MemoryLog(), authorize="public")
# --8<-- [end:app]

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

"""Asks an agent to count, and prints what it says. Started again, it reads the same run from its beginning.

URL=http://127.0.0.1:8000/ python client.py THREAD
"""

import asyncio
import os
import sys

from ag_ui_native.client import HttpAgent
from ag_ui_native.core import EventType, UserMessage

URL = os.environ.get("URL", "http://127.0.0.1:8000/")


# --8<-- [start:read]
async def read(thread: str) -> None:
    question = UserMessage(id="question", content="Count to 20.")
    async with HttpAgent(URL, thread_id=thread, messages=[question]) as agent:
        # The same request again joins the run, wherever it is executed. A connection that is cut is made again.
        async with agent.run(run_id="answer") as events:
            async for event in events:
                if event.type == EventType.TEXT_MESSAGE_CONTENT:
                    print(event.delta, end="", flush=True)
        failed = events.result.error
        print(f" [{failed.code}]" if failed else "")


# --8<-- [end:read]

if __name__ == "__main__":
    asyncio.run(read(sys.argv[1]))

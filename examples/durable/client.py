"""Opens a thread, and prints what is said there. If the thread has no answer, it asks the agent to count.

URL=http://127.0.0.1:8000/ python client.py THREAD
"""

import asyncio
import os
import sys

from ag_ui_native.client import HttpAgent
from ag_ui_native.core import EventType

URL = os.environ.get("URL", "http://127.0.0.1:8000/")


# --8<-- [start:read]
async def read(thread: str) -> None:
    async with HttpAgent(URL, thread_id=thread) as agent:
        # The messages, and the run that is active, from its beginning: in whatever process it is executed.
        is_active = False
        async with agent.connect() as opened:
            async for event in opened:
                is_active = True
                if event.type == EventType.TEXT_MESSAGE_CONTENT:
                    print(event.delta, end="", flush=True)
        failed = opened.result.error

        last = agent.messages[-1] if agent.messages else None
        if not is_active and (last is None or last.role == "user"):
            async with agent.ask_stream("Count to 20.") as answer:
                async for text in answer:
                    print(text, end="", flush=True)
            failed = answer.result.error
        elif not is_active and last is not None:
            print(last.content, end="")
        print(f" [{failed.code}]" if failed else "")


# --8<-- [end:read]

if __name__ == "__main__":
    asyncio.run(read(sys.argv[1]))

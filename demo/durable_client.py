"""A Python client of runs that survive: it reads on by itself when its connection is cut. `python durable_client.py URL`

The last line has what was read as JSON, for run.py.
"""

import asyncio
import json
import sys

from ag_ui_native import validate
from ag_ui_native.client import HttpAgent
from ag_ui_native.encoder import EventEncoder
from describe import describe


async def main() -> None:
    text = ""
    async with HttpAgent(sys.argv[1]) as agent:
        async for event in agent.run():
            validate(event)
            print(describe(event), end="", flush=True)
            text += EventEncoder().encode(event)
    print()
    print(json.dumps({"thread": agent.thread_id, "text": text}))


asyncio.run(main())

"""A client: reads lines of JSON, each a run to begin, and prints the events that it gets. `reader.mjs` is the same in Node."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from ag_ui_native.client import HttpAgent, Reconnect
from ag_ui_native.errors import AGUIError


async def read(asked: dict[str, Any]) -> dict[str, Any]:
    events: list[list[Any]] = []
    retry = Reconnect(first=0.005, longest=0.2, attempts=50)
    async with HttpAgent(asked["url"], thread_id=asked["thread"], reconnect=retry, protobuf=asked["protobuf"]) as agent:
        try:
            async for event in agent.run(run_id=asked["run"], forwarded_props=asked["props"]):
                events.append([event.type.value, getattr(event, "delta", None), getattr(event, "code", None)])
        except AGUIError as error:
            return {"events": events, "error": error.code}
    return {"events": events, "error": None}


async def main() -> None:
    for line in sys.stdin:
        print(json.dumps(await read(json.loads(line))), flush=True)


asyncio.run(main())

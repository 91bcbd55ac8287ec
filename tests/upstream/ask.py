"""Answers run.py in Python: each line of the input is a request, each line of the output an answer."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

from ag_ui_native import AGUIError, read_run_input, to_json
from ag_ui_native.client import HttpAgent
from ag_ui_native.compat import upgrade_input
from ag_ui_native.stream import decode_event


def plain(value: Any) -> Any:
    return json.loads(to_json(value))


def read(request: dict[str, Any]) -> str | None:
    """Returns the code with which the strict profile refuses a document; None if it accepts it."""
    try:
        if "event" in request:
            decode_event(json.dumps(request["event"]), profile="strict")
        else:
            read_run_input(json.dumps(request["input"]), profile="strict")
    except AGUIError as error:
        return error.code
    return None


async def run(request: dict[str, Any]) -> dict[str, Any]:
    # Stored messages may have parts of older versions.
    messages = upgrade_input({"messages": request["messages"]})[0]["messages"]
    events: list[Any] = []
    warnings: list[Any] = []
    failed = None
    options = {"thread_id": request["threadId"], "peer": request["peer"], "on_warning": warnings.append}
    async with HttpAgent(request["url"], messages=messages, **options) as agent:
        try:
            async for event in agent.run(run_id=request["runId"]):
                events.append(plain(event))
        except AGUIError as error:
            failed = error.code
        before = len(request["messages"])
        return {
            "failed": failed,
            "events": events,
            "warnings": [[told.event_index, f"{told.code} {told.path} {told.message}"] for told in warnings],
            "messages": [plain(message) for message in agent.messages[before:]],
            "state": agent.state,
        }


async def main() -> None:
    logging.disable()
    for line in sys.stdin:
        request = json.loads(line)
        told = await run(request) if "url" in request else {"failed": read(request)}
        print(json.dumps(told), flush=True)


asyncio.run(main())

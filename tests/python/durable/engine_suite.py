"""What the tests ask of every engine: operations with defaults, steps, and hints."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from ag_ui_native.durable import Log
from ag_ui_native.durable.rules import LogKey
from servers import eventually

CASES = Path(__file__).parents[3] / "core" / "src" / "durable" / "suite" / "cases.json"
DEFAULTS = json.loads(CASES.read_text("utf-8"))["defaults"]


def operation(case: str, name: str, given: dict[str, Any]) -> dict[str, Any]:
    """The operation of a step; the case is the scope of its keys. Members that are not given are those of the suite."""
    members = {"operation": name, **DEFAULTS[name], **given}
    for member in ("key", "parent"):
        if member in members:
            members[member] = LogKey(case, *members[member].split("/")).to_json()
    if "thread" in members:
        members["thread"] = LogKey(case, members["thread"], "").to_json()["thread"]
    return members


async def play(log: Log, case: dict[str, Any]) -> None:
    """Executes the steps of a case."""
    for number, step in enumerate(case["steps"]):
        if step[0] == "wait":
            await asyncio.sleep(step[1] / 1000)
            continue
        reply = await log.execute(operation(case["name"], step[0], step[1]))
        found = {member: reply.get(member) for member in step[2]}
        assert found == step[2], (case["name"], number, step)


async def check_hints(log: Log, *, waits_for_subscription: bool) -> None:
    """Frames and cancels are told until the watch ends. The log is closed."""
    hints: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    key = LogKey("hints", "t", "r").to_json()
    unwatch = log.watch(key, lambda hint: loop.call_soon_threadsafe(hints.append, hint))
    try:
        await log.execute(operation("hints", "create", {}))
        if waits_for_subscription:
            # The subscription tells that there may be frames.
            await eventually(lambda: hints)
            hints.clear()
        await log.execute(operation("hints", "append", {"first": 1, "frames": ["a"]}))
        await eventually(lambda: {"hint": "appended", "next": 2} in hints)
        await log.execute(operation("hints", "cancel", {}))
        await eventually(lambda: {"hint": "cancelled"} in hints)
        unwatch()
        told = len(hints)
        await log.execute(operation("hints", "append", {"first": 2, "frames": ["b"]}))
        await asyncio.sleep(0)
        assert len(hints) == told
    finally:
        await log.aclose()

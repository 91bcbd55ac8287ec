"""A client in Python: requests each conversation of a server, and prints one JSON line for each: the result of the
run, and that of the next run if it had interrupts, which are answered with an approval.

python ask.py (async | sync | async-protobuf) URL NAME...

At an address of ws or wss it uses WebSockets.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import ag_ui_native
from ag_ui_native.client import HttpAgent, RunResult, SyncHttpAgent, SyncWebSocketAgent, WebSocketAgent, approve
from ag_ui_native.core import ResumeEntry


def options(name: str, who: str) -> dict[str, Any]:
    message = {"id": "u", "role": "user", "content": name}
    thread = f"{name} {os.getpid()}"
    return {"thread_id": thread, "messages": [message], "state": {}, "protobuf": who.endswith("protobuf")}


def answers(agent: Any) -> list[ResumeEntry]:
    return agent.build_resume({interrupt.id: approve() for interrupt in agent.pending_interrupts})


def seen(agent: Any, run: RunResult) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        return json.loads(ag_ui_native.to_json(value))

    def given(**members: Any) -> dict[str, Any]:
        return {name: value for name, value in members.items() if value is not None}

    error = None if run.error is None else given(message=run.error.message, code=run.error.code)
    return given(
        outcome=run.outcome,
        result=run.result,
        error=error,
        messages=[plain(message) for message in agent.messages],
        state=agent.state,
        interrupts=[plain(interrupt) for interrupt in agent.pending_interrupts],
    )


async def ask(who: str, url: str, names: list[str]) -> None:
    agent_class: Any = WebSocketAgent if url.startswith("ws") else HttpAgent
    for name in names:
        async with agent_class(url, **options(name, who)) as agent:
            told = [seen(agent, await agent.run_agent())]
            if agent.pending_interrupts:
                told.append(seen(agent, await agent.run_agent(resume=answers(agent))))
            print(json.dumps(told), flush=True)


def ask_sync(who: str, url: str, names: list[str]) -> None:
    agent_class: Any = SyncWebSocketAgent if url.startswith("ws") else SyncHttpAgent
    for name in names:
        with agent_class(url, **options(name, who)) as agent:
            told = [seen(agent, agent.run_agent())]
            if agent.pending_interrupts:
                told.append(seen(agent, agent.run_agent(resume=answers(agent))))
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    who, url, *names = sys.argv[1:]
    if who == "sync":
        ask_sync(who, url, names)
    else:
        asyncio.run(ask(who, url, names))

"""Snippets of docs/durable/: clients of runs with a log, notices, and an engine."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import uvicorn

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app


async def agent(run: Run) -> None:
    async with run.text_message() as message:
        for number in range(3):
            await message.write(f"{number} ")
        if run.messages and run.messages[0].id == "endless":
            while not run.cancelled:
                await message.write("more ")
                await asyncio.sleep(0.01)


log = MemoryLog()

# --8<-- [start:notices]
counts: Counter[str] = Counter()


def count(name: str, fields: dict[str, Any]) -> None:
    counts[f"{name} {fields.get('code', '')}".strip()] += 1  # to your metrics


app = asgi_app(agent, log=log, authorize="public", on_log=count)
# --8<-- [end:notices]


@contextmanager
def serving() -> Generator[str]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    thread.join()


async def read(url: str) -> None:
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(url, thread_id="thread-1") as agent:
        await agent.ask("Count.")
    # --8<-- [start:connect]
    async with HttpAgent(url, thread_id="thread-1") as agent:
        async with agent.connect() as events:  # what the thread has, then its active run, if there is one
            async for event in events:
                print(event.type)
        print(agent.messages, events.result.outcome)
        await agent.ask("Go on.")  # the conversation continues
    # --8<-- [end:connect]
    assert [message.role for message in agent.messages] == ["user", "assistant"] * 2


async def leave(url: str) -> None:
    from ag_ui_native.client import HttpAgent

    message = {"id": "endless", "role": "user", "content": "Count."}
    agent = HttpAgent(url, thread_id="thread-2", messages=[message])
    # --8<-- [start:leave]
    stream = agent.run(run_id="run-1")
    async for _ in stream:
        break
    await stream.detach()  # the run goes on

    other = HttpAgent(url, thread_id="thread-2", messages=[message])
    async with other.join("run-1") as events:  # in another tab: from the beginning
        async for _ in events:
            await other.cancel("run-1")  # wherever it is executed
    print(events.result.outcome)  # cancelled
    # --8<-- [end:leave]
    assert events.result.outcome == "cancelled"
    await agent.close()
    await other.close()


async def delete() -> None:
    # --8<-- [start:delete]
    from ag_ui_native.durable import delete_thread

    await delete_thread(log, "", "thread-1")  # the scope is that of `authorize`
    # --8<-- [end:delete]


async def own_engine() -> None:
    # --8<-- [start:engine]
    from ag_ui_native.durable import Log
    from ag_ui_native.testing import check_log

    class Timed(Log):
        """Hands operations on, and measures them."""

        def __init__(self, log: Log) -> None:
            self.log = log
            self.seconds = 0.0

        async def execute(self, operation: dict[str, Any]) -> dict[str, Any]:
            begun = time.monotonic()
            try:
                return await self.log.execute(operation)
            finally:
                self.seconds += time.monotonic() - begun

        def watch(self, key: dict[str, Any], callback: Callable[[dict[str, Any]], object]) -> Callable[[], object]:
            return self.log.watch(key, callback)

    await check_log(Timed(MemoryLog()))
    # --8<-- [end:engine]


with serving() as url:
    asyncio.run(read(url))
    asyncio.run(leave(url))
asyncio.run(delete())
asyncio.run(own_engine())
assert counts["opened"] == 3 and counts["joined"] >= 1, counts

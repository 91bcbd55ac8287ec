"""Snippet of docs/durable/clients.md: a client reads a run whose process is killed, and starts again."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from ag_ui_native.client import HttpAgent
from ag_ui_native.core import EventType
from ag_ui_native.durable import SQLiteLog
from ag_ui_native.server import Run, asgi_app


async def count(run: Run) -> None:
    async with run.text_message() as message:
        await message.write("0")
        if is_first:
            await asyncio.sleep(60)  # the first process is killed here
        await message.write(" 1")


async def serve(folder: str) -> uvicorn.Server:
    log = SQLiteLog(Path(folder) / "runs.db")
    app = asgi_app(count, log=log, authorize="public", lease=2)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    tasks.append(asyncio.create_task(server.serve()))
    while not server.started:
        await asyncio.sleep(0.01)
    return server


def address(server: uvicorn.Server) -> str:
    return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"


async def first() -> None:
    print(address(await serve(sys.argv[1])), flush=True)
    await tasks[0]


async def second(folder: str) -> None:
    server = await serve(folder)
    other = await asyncio.create_subprocess_exec(sys.executable, __file__, folder, stdout=PIPE)
    assert other.stdout
    starter = HttpAgent((await other.stdout.readline()).decode().strip(), thread_id="thread-1")
    starter.add_message({"id": "m1", "role": "user", "content": "Count."})
    begun = starter.run()
    async for event in begun:
        if event.type == EventType.TEXT_MESSAGE_CONTENT:
            break
    await begun.detach()

    async with HttpAgent(address(server), thread_id="thread-1") as agent:
        types: list[str] = []
        async with agent.connect() as events:
            async for event in events:
                types.append(event.type.value)
                if event.type == EventType.TEXT_MESSAGE_CONTENT:
                    other.kill()
        assert types == ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "RUN_ERROR"], types
        assert [message.role for message in agent.messages] == ["user", "assistant"]
        result = events.result
        assert result.outcome == "error" and result.error
        assert result.error.message == "the process that ran the agent is lost"

        # --8<-- [start:again]
        if result.error and result.error.code == "producer_lost":
            async with agent.connect() as events:  # the messages as they were when the lost run began
                async for _ in events:
                    pass  # only another client's new run has events here
            await agent.run_agent()  # the same question, in a new run
        # --8<-- [end:again]
        assert events.result.outcome == "success"
        assert [message.content for message in agent.messages] == ["Count.", "0 1"]
    await starter.close()
    await other.wait()
    server.should_exit = True
    await tasks[0]


tasks: list[asyncio.Task[None]] = []
is_first = len(sys.argv) > 1
if is_first:
    asyncio.run(first())
else:
    with TemporaryDirectory() as folder:
        asyncio.run(second(folder))

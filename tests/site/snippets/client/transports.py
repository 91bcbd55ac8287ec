"""Snippets of docs/client/: agents over WebSockets, in the same process, and over any function."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager

import uvicorn

from ag_ui_native.server import Run, asgi_app


async def greeter(run: Run) -> None:
    run.write("Good day")


@contextmanager
def serving() -> Generator[str]:
    server = uvicorn.Server(uvicorn.Config(asgi_app(greeter), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    thread.join()


async def over_websockets(url: str) -> None:
    # --8<-- [start:websocket]
    from ag_ui_native.client import Timeouts, WebSocketAgent

    async with WebSocketAgent(url, protobuf=True, timeouts=Timeouts(idle=60)) as agent:
        print(await agent.ask("Hello!"))
    # --8<-- [end:websocket]
    assert agent.messages[-1].content == "Good day"


async def in_process() -> None:
    # --8<-- [start:local]
    from ag_ui_native.client import LocalAgent

    async def echo(run: Run) -> None:
        async with run.text_message() as message:
            for word in ("Good ", "day"):
                await message.write(word)

    agent = LocalAgent(echo, server={"time_limit": 5})
    print(await agent.ask("Hello!"))  # Good day
    # --8<-- [end:local]
    assert agent.messages[-1].content == "Good day"


async def over_a_function() -> None:
    # --8<-- [start:function]
    from ag_ui_native.client import Agent, Response, RunRequest

    async def recorded(request: RunRequest) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            ids = f'"threadId":"{request.thread_id}","runId":"{request.run_id}"'
            yield b'data: {"type":"RUN_STARTED",%s}\n\n' % ids.encode()
            yield b'data: {"type":"RUN_FINISHED",%s}\n\n' % ids.encode()

        return Response(pieces(), "text/event-stream")

    agent = Agent(recorded)
    print((await agent.run_agent()).outcome)  # success
    # --8<-- [end:function]
    assert (await agent.run_agent()).outcome == "success"


with serving() as url:
    asyncio.run(over_websockets(url))
asyncio.run(in_process())
asyncio.run(over_a_function())

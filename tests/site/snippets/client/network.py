"""Snippets of docs/client/: timeouts, retries, headers and errors."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable

import httpx

from ag_ui_native.core import Event, RunAgentInput

URL = os.environ["URL"]


async def new_token() -> str:
    return "secret"


async def patient() -> None:
    # --8<-- [start:timeouts]
    from ag_ui_native.client import HttpAgent, Reconnect, Retry, Timeouts

    agent = HttpAgent(
        URL,
        timeouts=Timeouts(connect=5, idle=30, total=300),
        retry=Retry(attempts=3),  # of requests that have begun no run
        reconnect=Reconnect(attempts=8),  # of runs that a server keeps in a log
    )
    # --8<-- [end:timeouts]
    await agent.ask("Hello?")


async def authenticated() -> None:
    # --8<-- [start:headers]
    from ag_ui_native.client import HttpAgent

    async def headers() -> dict[str, str]:
        return {"Authorization": f"Bearer {await new_token()}"}

    agent = HttpAgent(URL, headers=headers)  # called before each request
    # --8<-- [end:headers]
    await agent.ask("Hello?")

    # --8<-- [start:client]
    async with httpx.AsyncClient(verify=True, proxy=None) as client:  # proxies, certificates, authentication
        agent = HttpAgent(URL, client=client)
        print(await agent.ask("Hello?"))
    # --8<-- [end:client]


async def marked() -> None:
    from ag_ui_native.client import HttpAgent

    sent: list[str] = []

    async def look(request: httpx.Request) -> None:
        sent.append(request.headers["x-run"])

    agent = HttpAgent(URL, client=httpx.AsyncClient(event_hooks={"request": [look]}))

    # --8<-- [start:middleware]
    async def marked(
        input: RunAgentInput, next: Callable[[RunAgentInput], AsyncIterator[Event]]
    ) -> AsyncIterator[Event]:
        agent.headers = {"x-run": input.run_id}  # this replaces the headers that the agent had
        async for event in next(input):
            yield event

    agent.use(marked)
    # --8<-- [end:middleware]
    run_id = (await agent.run_agent(run_id="first")).run_id
    assert sent == [run_id] == ["first"]


async def failed() -> None:
    # --8<-- [start:errors]
    from ag_ui_native import AGUIConnectionError, AGUIError
    from ag_ui_native.client import HttpAgent

    agent = HttpAgent("http://127.0.0.1:9/")  # nothing listens there
    try:
        reply = await agent.ask("Hello?")
        reply.raise_for_outcome()
    except AGUIConnectionError as error:
        print(error.code, error.status, error.payload)  # connection_failed None None
        print(error.run.text if error.run else "")  # what came before
    except AGUIError as error:
        print(error.code, error.path)
    # --8<-- [end:errors]
    else:
        raise AssertionError("something listens there")


async def main() -> None:
    await patient()
    await authenticated()
    await marked()
    await failed()


asyncio.run(main())

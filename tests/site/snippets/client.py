"""Snippets of docs/client.md: an agent that is asked twice."""

import asyncio
import os

URL, token = os.environ["URL"], "secret"


async def main() -> None:
    # --8<-- [start:ask]
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(URL, headers={"Authorization": token}) as agent:
        print(await agent.ask("What is to be done?"))
        async for text in agent.ask_stream("And then?"):
            print(text, end="")
    # --8<-- [end:ask]
    assert [message.role for message in agent.messages] == ["user", "assistant"] * 2


asyncio.run(main())

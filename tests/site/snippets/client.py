"""Snippets of docs/client.md: an agent that is asked twice."""

import asyncio
import os

URL, token = os.environ["URL"], "secret"


async def main() -> None:
    # --8<-- [start:ask]
    from ag_ui_native.client import HttpAgent

    async with HttpAgent(URL, headers={"Authorization": token}) as agent:
        print(await agent.ask("What is to be done?"))
        async with agent.ask_stream("And then?") as reply:
            async for text in reply:
                print(text, end="")
    # --8<-- [end:ask]
    assert [message.role for message in agent.messages] == ["user", "assistant"] * 2

    # --8<-- [start:local]
    from ag_ui_native.client import AgentSubscriber, LocalAgent, TextParams
    from ag_ui_native.core import TextMessageContentEvent
    from ag_ui_native.server import Run

    class Typing(AgentSubscriber):
        def on_text_message_content_event(self, params: TextParams[TextMessageContentEvent]) -> None:
            print(params.text_message_buffer, "+", params.event.delta)

    async def echo(run: Run) -> None:
        async with run.text_message() as message:
            for word in ("Good ", "day"):
                await message.write(word)

    local = LocalAgent(echo, server={"time_limit": 5}, subscribers=[Typing()])
    print(await local.ask("Hello!"))  # after " + Good " and "Good  + day"
    # --8<-- [end:local]
    assert [message.content for message in local.messages] == ["Hello!", "Good day"]


asyncio.run(main())

"""A view that follows the agent's state: the client of `state_model.py`.

URL=http://127.0.0.1:8000/ python state_client.py
"""

import asyncio
import os
from typing import Any

from ag_ui_native.client import AgentSubscriber, AgentSubscriberParams, HttpAgent

State = dict[str, Any]


class View(AgentSubscriber[State]):
    """Shows the state whenever it has changed."""

    def on_state_changed(self, params: AgentSubscriberParams[State]) -> None:
        print(f"{params.state['title']}: {len(params.state['steps'])} steps")


async def main() -> None:
    begin: State = {"title": "A swim in the sea", "steps": []}
    async with HttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/"), state=begin, subscribers=[View()]) as agent:
        print((await agent.run_agent()).text)


if __name__ == "__main__":
    asyncio.run(main())

"""Snippets of docs/client/: messages, state and files of a conversation."""

import asyncio
import base64
import os
import tempfile
from pathlib import Path

from pydantic import BaseModel

from ag_ui_native.client import HttpAgent, LocalAgent
from ag_ui_native.core import UserMessage
from ag_ui_native.server import Run

URL = os.environ["URL"]


class Plan(BaseModel):
    steps: list[str] = []


async def talked() -> None:
    # --8<-- [start:conversation]
    agent: HttpAgent[dict[str, list[str]]] = HttpAgent(
        URL,
        thread_id="thread-1",
        messages=[{"id": "m1", "role": "user", "content": "My name is Ann."}],
        state={"steps": []},
    )
    agent.add_message({"id": "m2", "role": "user", "content": "What is my name?"})
    result = await agent.run_agent()
    print(agent.messages[-1].content, agent.state)
    # --8<-- [end:conversation]
    assert (result.outcome, len(agent.messages), agent.state) == ("success", 3, {"steps": []})


async def planned() -> None:
    async def planner(run: Run) -> None:
        run.state["steps"].append("swim")

    # --8<-- [start:model]
    planning = LocalAgent(planner, state=Plan())  # the same with HttpAgent(url, state=Plan())
    await planning.run_agent()
    print(planning.state.steps)  # ['swim']: a Plan, for type checkers too
    # --8<-- [end:model]
    assert planning.state == Plan(steps=["swim"])


async def seen_by_the_agent() -> None:
    folder = tempfile.TemporaryDirectory()
    picture = Path(folder.name) / "photo.png"
    picture.write_bytes(b"\x89PNG")
    seen: list[str] = []

    async def looking(run: Run) -> None:
        # --8<-- [start:receive]
        from ag_ui_native.content import content_parts, content_to_text
        from ag_ui_native.core import ImagePart

        question = run.messages[-1]
        assert isinstance(question, UserMessage)
        for part in content_parts(question.content):
            if isinstance(part, ImagePart) and part.source.type == "data":
                image = base64.b64decode(part.source.value)
                seen.append(f"{content_to_text(question.content)} {part.source.mime_type} {len(image)}")
        # --8<-- [end:receive]
        run.write("A cat.")

    agent = LocalAgent(looking)
    # --8<-- [start:send]
    image = base64.b64encode(picture.read_bytes()).decode()
    reply = await agent.ask(
        [
            {"type": "text", "text": "What is in this picture?"},
            {"type": "image", "source": {"type": "data", "value": image, "mimeType": "image/png"}},
        ]
    )
    # --8<-- [end:send]
    assert (reply.text, seen) == ("A cat.", ["What is in this picture? image/png 4"])
    folder.cleanup()

    # --8<-- [start:url]
    await agent.ask([{"type": "document", "source": {"type": "url", "value": "https://example.org/report.pdf"}}])
    await agent.ask([{"type": "document", "source": {"type": "file", "value": "file-123", "provider": "openai"}}])
    # --8<-- [end:url]
    assert len(agent.messages) == 6


asyncio.run(talked())
asyncio.run(planned())
asyncio.run(seen_by_the_agent())

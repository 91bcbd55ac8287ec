"""Snippets of docs/server/: what stands between the events of other agents and their clients."""

import asyncio
from collections.abc import AsyncIterator, Callable

from ag_ui_native.core import Event, RunAgentInput, TextMessageContentEvent, TextMessageStartEvent
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import decode_events

# An agent that begins no run, and closes nothing.
EVENTS: list[Event] = [
    TextMessageStartEvent(message_id="m"),
    *(TextMessageContentEvent(message_id="m", delta=delta) for delta in ("Hel", "lo", "!")),
]


class framework:
    @staticmethod
    def run(input: RunAgentInput) -> list[str]:
        return [EventEncoder().encode(event) for event in EVENTS]


def guarded(input: RunAgentInput, send: Callable[[str], None]) -> None:
    # --8<-- [start:guard]
    from ag_ui_native.server import guard

    for frame in guard(framework.run(input), input=input):  # `async for` with an asynchronous agent
        send(frame)
    # --8<-- [end:guard]


async def joined(agent_events: AsyncIterator[Event], send: Callable[[Event], None]) -> None:
    # --8<-- [start:coalesce]
    from ag_ui_native.server import coalesce_events

    async for event in coalesce_events(agent_events, max_bytes=4096, max_delay=0.05):  # seconds
        send(event)
    # --8<-- [end:coalesce]


async def events() -> AsyncIterator[Event]:
    for event in EVENTS:
        yield event


frames: list[str] = []
guarded(RunAgentInput(thread_id="t", run_id="r", messages=[]), frames.append)
kinds = [event.type.value for event in decode_events([frame.encode() for frame in frames], profile="strict")]
assert kinds[0] == "RUN_STARTED" and kinds[-2:] == ["TEXT_MESSAGE_END", "RUN_FINISHED"], kinds

together: list[Event] = []
asyncio.run(joined(events(), together.append))
assert [event.type for event in together] == ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT"]

"""Asks a server that breaks rules of event streams: `URL=http://127.0.0.1:8000/ python guarded_client.py`"""

import os
from collections.abc import Callable, Iterator

from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.core import Event, RunAgentInput
from ag_ui_native.server import guard


def repaired(input: RunAgentInput, next: Callable[[RunAgentInput], Iterator[Event]]) -> Iterator[Event]:
    yield from guard(next(input), input=input, on_warning=lambda warning: print("!", warning))


with SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/"), middleware=[repaired]) as agent:
    reply = agent.ask("Hello?")
    print(reply.result.outcome, reply.text)

"""A Python client: runs an agent and prints the conversation as it arrives. `python client.py URL MEDIA_TYPE`

The last line has the results of the checks as JSON, for run.py.
"""

import json
import sys
from urllib.request import Request, urlopen

from ag_ui_native import validate
from ag_ui_native.core import BaseEvent, RunAgentInput, UserMessage
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.stream import EventDecoder
from describe import describe

run = RunAgentInput(
    thread_id="thread-1",
    run_id="run-1",
    messages=[UserMessage(id="question-1", content="Plan a trip to Paris.")],
)
request = Request(
    sys.argv[1],
    data=run.model_dump_json(by_alias=True).encode(),
    headers={"content-type": "application/json", "accept": sys.argv[2]},
)
events: list[BaseEvent] = []
received = b""


def take(batch: list[BaseEvent]) -> None:
    for event in batch:
        validate(event)
        print(describe(event), end="", flush=True)
        events.append(event)


with urlopen(request) as response:
    content_type = response.headers["content-type"]
    decoder = EventDecoder(content_type=content_type)
    while chunk := response.read1():
        received += chunk
        take(decoder.feed(chunk))
    take(decoder.close())

encoder = EventEncoder(accept=content_type, protobuf=True)
again = b"".join(encoder.encode_binary(event) for event in events)
print()
print(
    json.dumps(
        {
            "content_type": content_type,
            "events": [json.loads(event.model_dump_json(by_alias=True)) for event in events],
            "warnings": len(decoder.warnings),
            "same_bytes": again == received,
        }
    )
)

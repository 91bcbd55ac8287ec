"""Prints the conversation of a recorded response: `python read_record.py records/*.jsonl`"""

import json
import sys
from pathlib import Path
from typing import Any

from ag_ui_native import AGUIError
from ag_ui_native.stream import apply_events, compact_events, enforce_events, expand_chunks, verify_events

for name in sys.argv[1:]:
    events: list[dict[str, Any]] = [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]
    try:
        # A record has the events as they were sent; they are read as a client reads them.
        read = verify_events(expand_chunks(enforce_events(events)))
    except AGUIError as error:
        print(f"{name}: {error}")
        continue
    conversation = apply_events(read, as_dicts=True)
    print(f"{name}: {len(events)} events, {len(compact_events(read))} compacted, state {conversation.state}")
    for message in conversation.messages:
        print(f"  {message['role']}: {message.get('content')}")

"""Shows a tool call while its arguments are written: the client of `weather.py`.

URL=http://127.0.0.1:8000/ python calls_client.py Rome
"""

import os
import sys

from ag_ui_native import core
from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.ids import new_message_id
from ag_ui_native.stream import PartialArguments

with SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/")) as agent:
    agent.add_message(core.UserMessage(id=new_message_id(), content=sys.argv[1]))
    forms: dict[str, PartialArguments] = {}
    for event in agent.run():
        if isinstance(event, core.ToolCallStartEvent):
            forms[event.tool_call_id] = PartialArguments()
            print(event.tool_call_name)
        elif isinstance(event, core.ToolCallArgsEvent):
            form = forms[event.tool_call_id]
            form.feed(event.delta)
            print(form.value)  # a dictionary at any time, however the text is cut
        elif isinstance(event, core.ToolCallResultEvent):
            print("->", event.content)
        elif isinstance(event, core.TextMessageContentEvent):
            print(event.delta, end="", flush=True)
    print()

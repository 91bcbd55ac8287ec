"""Opens a conversation, says something, and lists what there is: `python conversations_client.py ID "Hello?"`"""

import os
import sys

import httpx

from ag_ui_native.client import SyncHttpAgent

URL = os.environ.get("URL", "http://127.0.0.1:8000")
USER = {"x-user": os.environ.get("WHO", "ada")}
thread, text = sys.argv[1:]

with SyncHttpAgent(f"{URL}/agent", headers=USER, thread_id=thread) as agent:
    with agent.connect() as opened:  # what was said, from the server
        for _ in opened:  # the events of the run that goes on, if there is one
            pass
    agent.ask(text)
    for message in agent.messages:
        if message.role in ("user", "assistant"):
            print(f"{message.role}: {message.content}")

for each in httpx.get(f"{URL}/threads", headers=USER).json():
    print(f"- {each['title']} ({each['id']})")

"""A client that waits when it is told to: `python limits_client.py "Hello?"`"""

import os
import sys

from ag_ui_native import AGUIConnectionError
from ag_ui_native.client import Retry, SyncHttpAgent, Timeouts

agent = SyncHttpAgent(
    os.environ.get("URL", "http://127.0.0.1:8000/"),
    headers={"x-user": os.environ.get("WHO", "ada")},
    retry=Retry(attempts=5),  # waits as long as `Retry-After` says, before each further attempt
    timeouts=Timeouts(total=float(os.environ.get("SECONDS", "30"))),  # but not longer than this altogether
)
with agent:
    try:
        print(agent.ask(sys.argv[1]))
    except AGUIConnectionError as error:
        print(f"Please try again later. [{error.code} {error.status or ''}]")

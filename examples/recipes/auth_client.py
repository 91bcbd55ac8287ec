"""A client that gets a new token when the old one ends: `python auth_client.py "Hello?"`"""

import os
import sys
import time

from ag_ui_native import AGUIError
from ag_ui_native.client import SyncHttpAgent


class Login:
    token, ends = "", 0.0

    def headers(self) -> dict[str, str]:
        """Is called before every request, also when a run that was cut is read on."""
        if time.monotonic() >= self.ends:
            self.token = os.environ.get("TOKEN", "secret")  # in real life: ask your identity provider
            self.ends = time.monotonic() + 300
        return {"authorization": f"Bearer {self.token}"}


with SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/"), headers=Login().headers) as agent:
    try:
        print(agent.ask(sys.argv[1]))
    except AGUIError as error:
        print(f"[{error}]")

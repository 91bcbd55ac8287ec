"""A chat in the terminal, with any agent that speaks AG-UI. Ctrl-C or Ctrl-D ends it.

URL=http://127.0.0.1:8000/ python chat_client.py
"""

import os
from contextlib import suppress

from ag_ui_native import AGUIError
from ag_ui_native.client import SyncHttpAgent

URL = os.environ.get("URL", "http://127.0.0.1:8000/")

with suppress(KeyboardInterrupt, EOFError), SyncHttpAgent(URL) as agent:
    while True:
        said = input("> ")
        try:
            with agent.ask_stream(said) as answer:
                for text in answer:
                    print(text, end="", flush=True)
            failed = answer.result.error
            print(f"[{failed.message}]" if failed else "")
        except AGUIError as error:
            print(f"[{error}]")  # what came before it is in the conversation

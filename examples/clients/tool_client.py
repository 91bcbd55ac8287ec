"""A function of this program that the agent may call.

URL=http://127.0.0.1:8000/ python tool_client.py "What is in my notes?"
"""

import os
import sys
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ag_ui_native.client import SyncHttpAgent

agent = SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/"))


@agent.tool
def read_note(name: Annotated[str, Field(pattern="^[a-z]+$", description="without its ending")]) -> str:
    """Reads one of the user's notes."""
    # The agent gets an exception as the error of the call.
    return (Path(os.environ.get("NOTES", ".")) / f"{name}.txt").read_text("utf-8")


if __name__ == "__main__":
    with agent:
        print(agent.ask(sys.argv[1]))

"""Sends a picture to a server that knows only text: `URL=http://127.0.0.1:8000/ python older_server_client.py`"""

import os

from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.core import ImagePart, TextPart, UrlSource

picture = ImagePart(source=UrlSource(value="https://example.org/sea.png"))

with SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/"), peer="0.0.39") as agent:
    reply = agent.ask([TextPart(text="What is this?"), picture])
    print(reply.text)
    for warning in reply.result.warnings:
        print(f"{warning.code} at {warning.path}")

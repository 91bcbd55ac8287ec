"""Sends files with a question: `python attachments_client.py "What is this?" photo.png https://example.org/a.pdf`"""

import base64
import mimetypes
import os
import sys
from pathlib import Path

from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.core import DataSource, DocumentPart, ImagePart, TextPart, UrlSource


def attachment(place: str) -> ImagePart | DocumentPart:
    """Makes a part of a file's bytes, or of an address."""
    kind = mimetypes.guess_type(place)[0] or "application/octet-stream"
    source: DataSource | UrlSource
    if place.startswith("https://"):
        source = UrlSource(value=place, mime_type=kind)
    else:
        source = DataSource(value=base64.b64encode(Path(place).read_bytes()).decode(), mime_type=kind)
    return ImagePart(source=source) if kind.startswith("image/") else DocumentPart(source=source)


with SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/")) as agent:
    question, *places = sys.argv[1:]
    reply = agent.ask([TextPart(text=question), *map(attachment, places)])
    print(reply.result.error.message if reply.result.error else reply)

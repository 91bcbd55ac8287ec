"""Requests the same run as text and as protobuf: `URL=http://127.0.0.1:8000/ python compare_transports.py`"""

import os

import httpx

from ag_ui_native.encoder import AGUI_MEDIA_TYPE
from ag_ui_native.stream import decode_events

URL = os.environ.get("URL", "http://127.0.0.1:8000/")
RUN = {"threadId": "t", "runId": "r", "messages": [{"id": "u", "role": "user", "content": "Hello?"}]}

for accept in ("text/event-stream", AGUI_MEDIA_TYPE):
    answer = httpx.post(URL, json=RUN, headers={"accept": accept})
    content_type = answer.headers["content-type"]
    # The response's content type decides how it is read, not the request.
    events = list(decode_events([answer.content], content_type))
    print(f"{content_type.partition(';')[0]}: {len(events)} events in {len(answer.content)} bytes")

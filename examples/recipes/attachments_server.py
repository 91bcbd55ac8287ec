"""An agent that reads images and files: `PORT=8000 python attachments_server.py`"""

import base64
import os

import uvicorn

from ag_ui_native import Limits
from ag_ui_native.content import content_parts
from ag_ui_native.core import DataSource
from ag_ui_native.server import Run, asgi_app

KINDS = ("image/png", "image/jpeg", "application/pdf")


async def agent(run: Run) -> None:
    asked = run.messages[-1]
    for part in content_parts(asked.content) if asked.role == "user" else []:
        if part.type == "text":
            continue
        source = part.source
        if not isinstance(source, DataSource):
            await run.write(f"[{part.type} at {source.value}]")  # the model's provider can fetch it
        elif source.mime_type in KINDS:
            content = base64.b64decode(source.value, validate=True)  # give these bytes to the model
            await run.write(f"[{part.type}: {source.mime_type}, {len(content)} bytes]")
        else:
            run.fail(f"Send one of {', '.join(KINDS)}.", "unknown_kind")
            return


app = asgi_app(agent, limits=Limits(input_bytes=8 << 20))  # bytes of a request: base64 takes a third more than a file

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

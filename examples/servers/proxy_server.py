"""Passes another agent's responses on byte for byte, and records each.

TARGET=http://127.0.0.1:8001/ python proxy_server.py
"""

import contextlib
import json
import os
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

from ag_ui_native import AGUIError
from ag_ui_native.stream import EventDecoder

RECORDS = Path(os.environ.get("RECORDS", "."))
app, client = FastAPI(), httpx.AsyncClient(timeout=None)


async def recorded(answer: httpx.Response, content_type: str) -> AsyncIterator[bytes]:
    decoder = None
    async with contextlib.aclosing(answer):
        with (RECORDS / f"{uuid.uuid4()}.jsonl").open("w", encoding="utf-8") as record:
            async for piece in answer.aiter_bytes():
                yield piece
                try:
                    decoder = decoder or EventDecoder(content_type, profile="relay")
                    record.writelines(json.dumps(event) + "\n" for event in decoder.feed(piece))
                except AGUIError as error:  # no events, or broken ones: the client gets them all the same
                    record.writelines(json.dumps(event) + "\n" for event in error.partial)


@app.post("/")
async def relay(request: Request) -> StreamingResponse:
    headers = {key: text for key, text in request.headers.items() if key in ("accept", "authorization", "content-type")}
    asked = client.build_request("POST", os.environ["TARGET"], content=await request.body(), headers=headers)
    answer = await client.send(asked, stream=True)
    content_type = answer.headers.get("content-type", "")
    return StreamingResponse(recorded(answer, content_type), answer.status_code, headers={"content-type": content_type})


uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

"""Serves AG-UI 1.0 in front of a server that speaks AG-UI 0.x.

TARGET=http://127.0.0.1:8001/ PEER=0.0.39 python gateway.py
"""

import contextlib
import os
from collections.abc import AsyncIterator

import httpx
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from ag_ui_native import AGUIError, read_run_input, to_json
from ag_ui_native.compat import downgrade_input
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.server import guard
from ag_ui_native.stream import adecode_events

app, client, encoder = FastAPI(), httpx.AsyncClient(timeout=None), EventEncoder()


@app.post("/")
async def relay(request: Request) -> Response:
    try:
        input, _ = read_run_input(await request.body())
    except AGUIError as error:
        return JSONResponse({"code": error.code, "message": str(error)}, 400)
    older, _lost = downgrade_input(input, os.environ.get("PEER", "0.0.39"))  # what it loses goes to the log
    headers = {"content-type": "application/json"}
    asked = client.build_request("POST", os.environ["TARGET"], content=to_json(older), headers=headers)
    answer = await client.send(asked, stream=True)
    if not answer.is_success:
        return Response(await answer.aread(), answer.status_code)

    async def body() -> AsyncIterator[str]:
        async with contextlib.aclosing(answer):
            events = adecode_events(answer.aiter_bytes(), answer.headers["content-type"])
            async for event in guard(events, input=input):
                yield encoder.encode(event)

    return StreamingResponse(body(), media_type=encoder.get_content_type())


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

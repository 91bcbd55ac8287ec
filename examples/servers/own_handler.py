"""An agent that yields events, in a handler of your own: each part by itself. `PORT=8000 python own_handler.py`"""

import os
from collections.abc import AsyncIterator
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from fastapi.responses import StreamingResponse

from ag_ui_native import AGUISequenceError
from ag_ui_native.core import BaseEvent, Interrupt, RunAgentInput, TextMessageChunkEvent
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.server import guard
from ag_ui_native.stream import check_resume

app = FastAPI()
pending: dict[str, list[Interrupt]] = {}  # by thread: what your agent waits for


async def agent(input: RunAgentInput) -> AsyncIterator[BaseEvent]:
    for delta in ("Hello ", "there."):
        yield TextMessageChunkEvent(message_id="m", delta=delta)


# --8<-- [start:handler]
@app.post("/")
async def answer(input: RunAgentInput, accept: Annotated[str, Header()] = "") -> StreamingResponse:
    try:
        check_resume(pending.get(input.thread_id, []), input.resume or [])
    except AGUISequenceError as error:  # rule L01: an answer is missing; L02: it comes too late
        raise HTTPException(422, str(error)) from error
    encoder = EventEncoder(accept)
    frames = (encoder.encode(event) async for event in guard(agent(input), input=input))
    return StreamingResponse(frames, media_type=encoder.get_content_type())
    # --8<-- [end:handler]


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

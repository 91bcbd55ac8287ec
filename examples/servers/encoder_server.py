"""An endpoint that makes and encodes its events itself, as programs on the official package do: `PORT=8000 python encoder_server.py`"""

import os
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

from ag_ui_native.core import (
    RunAgentInput,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from ag_ui_native.encoder import EventEncoder

app = FastAPI()


@app.post("/")
async def answer(input: RunAgentInput, request: Request) -> StreamingResponse:
    encoder = EventEncoder(accept=request.headers.get("accept"))

    def events() -> Iterator[str]:
        yield encoder.encode(RunStartedEvent(thread_id=input.thread_id, run_id=input.run_id))
        yield encoder.encode(TextMessageStartEvent(message_id=f"{input.run_id}-1", role="assistant"))
        for word in ("Hello ", "from ", "events."):
            yield encoder.encode(TextMessageContentEvent(message_id=f"{input.run_id}-1", delta=word))
        yield encoder.encode(TextMessageEndEvent(message_id=f"{input.run_id}-1"))
        yield encoder.encode(RunFinishedEvent(thread_id=input.thread_id, run_id=input.run_id))

    return StreamingResponse(events(), media_type=encoder.get_content_type())


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")

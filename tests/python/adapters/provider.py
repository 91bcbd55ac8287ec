"""A provider on loopback: it answers with recorded bodies, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


@dataclass
class Provider:
    """What the provider has seen."""

    url: str = ""
    requests: list[Any] = field(default_factory=list)
    """The JSON bodies of the requests."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has closed its connection before the end of the answer."""


@asynccontextmanager
async def provider(bodies: Sequence[str], *, stays: bool = False) -> AsyncIterator[Provider]:
    """Answers each request with the next body. With `stays`, the answer never ends by itself."""
    seen = Provider()
    answers = iter(bodies)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length:"))
        seen.requests.append(json.loads(await reader.readexactly(length)))
        writer.write(HEAD + next(answers).encode())
        with suppress(OSError):
            await writer.drain()
            if stays:
                await reader.read()
                seen.gone.set()
            writer.close()
            await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        seen.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield seen

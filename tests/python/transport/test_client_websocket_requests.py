"""Requests over a WebSocket and their results: one table of scripts for the clients of all languages, over real
connections.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import json
import re
from typing import Any

import pytest

from ag_ui_native import AGUIError
from ag_ui_native.client import Retry, SyncWebSocketAgent, Timeouts, WebSocketAgent
from conftest import fixture_cases
from servers import PATIENCE

RUN: list[dict[str, Any]] = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hello"},
    {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
]


def frame_of(opcode: int, content: bytes) -> bytes:
    """A frame of a server (RFC 6455, 5.2), which is short."""
    return bytes([0x80 | opcode, len(content)]) + content


async def answer(script: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: list[str]) -> None:
    """Answers one connection."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    asked.append(head.split(" ")[1])
    if script == "nothing":
        return
    if "status" in script:
        headers = {**script.get("headers", {}), "content-length": len(script["body"])}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {script['status']} x\r\n{lines}\r\n{script['body']}".encode())
        writer.close()
        return
    key = re.search(r"(?i)sec-websocket-key: *(\S+)", head)
    assert key is not None
    accept = hashlib.sha1(f"{key[1]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
    upgraded = "HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    writer.write(f"{upgraded}sec-websocket-accept: {base64.b64encode(accept).decode()}\r\n\r\n".encode())
    await reader.read(1 << 16)
    if script == "cut":
        writer.transport.abort()
    elif script == "run":
        for event in RUN:
            writer.write(frame_of(1, json.dumps(event).encode()))
    elif "close" in script:
        code, reason = script["close"]
        writer.write(frame_of(8, code.to_bytes(2, "big") + reason.encode()))
    # The client closes it.
    await reader.read(1 << 16)
    writer.close()


async def outcome(face: Any, case: dict[str, Any]) -> dict[str, Any]:
    asked: list[str] = []
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await answer(case["answers"][len(asked)], reader, writer, asked)

    async with asyncio.timeout(PATIENCE):
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        retry = Retry(attempts=case["retry"], first=0.001) if "retry" in case else None
        times: dict[str, Any] = {"idle": None, "first_byte": case.get("firstByte")}
        if "connect" in case:
            times["connect"] = case["connect"]
        agent = face(f"ws://127.0.0.1:{port}/", thread_id="t", timeouts=Timeouts(**times), retry=retry)
        try:
            if face is SyncWebSocketAgent:
                result = await asyncio.to_thread(agent.run_agent, run_id="r")
            else:
                result = await agent.run_agent(run_id="r")
            found = {"text": result.text}
        except AGUIError as error:
            found = {name: getattr(error, name, None) for name in ("code", "status", "payload", "limit")}
        finally:
            server.close()
            for writer in writers:
                writer.transport.abort()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    return {**found, "asked": asked}


@pytest.mark.parametrize("face", [WebSocketAgent, SyncWebSocketAgent], ids=["async", "sync"])
@pytest.mark.parametrize("case", fixture_cases("websocket_requests"), ids=lambda case: case["name"])
def test_script(case: dict[str, Any], face: Any) -> None:
    found = asyncio.run(outcome(face, case))
    assert {name: found.get(name) for name in case["expect"]} == case["expect"]

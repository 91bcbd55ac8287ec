"""Heartbeats over sockets: one table of scripts for all servers. The pauses are short, because they are tested
themselves.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from typing import Any

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Opcode
from websockets.uri import parse_uri

from ag_ui_native.server import Run, asgi_app, wsgi_app
from conftest import fixture_cases
from servers import PATIENCE, asgi_server, connect, eventually, wsgi_server

HEARTBEAT = 0.04
SCRIPTS = {script["name"]: script for script in fixture_cases("server_heartbeats")}
HTTP = [name for name, script in SCRIPTS.items() if script["over"] == "http"]
SILENCE = next(script for script in SCRIPTS.values() if script["over"] == "websocket")
INPUT = json.dumps({"threadId": "t", "runId": "r", "messages": []})


class Seen:
    """The types of the events that a client has received; heartbeats in a row count as one."""

    def __init__(self) -> None:
        self.signs: list[str] = []
        self.beats = 0

    def see(self, sign: str) -> None:
        self.beats += sign == "beats"
        if not self.signs or self.signs[-1] != sign:
            self.signs.append(sign)


def scripted(steps: list[str], seen: Seen) -> Any:
    """An agent that carries out a script; a step waits until its client has received the heartbeat before."""

    async def agent(run: Run) -> None:
        for step in steps:
            before = seen.beats
            if step == "beats":
                await eventually(lambda before=before: seen.beats > before)
            elif step == "write":
                await run.custom("c", 1)
            elif step == "finish":
                run.finish()
            elif step == "go on":
                await asyncio.sleep(3 * HEARTBEAT)
            elif step == "flow":
                begun = time.monotonic()
                while time.monotonic() - begun < 5 * HEARTBEAT:
                    await run.custom("c", 1)
                    await asyncio.sleep(0.001)

    return agent


def ask(port: int, seen: Seen) -> None:
    """Reads an answer to its end."""
    request = {"method": "POST", "headers": {"content-type": "application/json"}, "body": INPUT}
    received = b""
    with connect(port, request) as client:
        while piece := client.recv(1 << 16):
            received += piece
            *frames, received = received.split(b"\n\n")
            for frame in frames:
                # The last line: those before it belong to the chunk of HTTP.
                line = frame.splitlines()[-1]
                seen.see("beats" if line.startswith(b":") else json.loads(line.removeprefix(b"data: "))["type"])


@pytest.mark.parametrize("name", HTTP)
@pytest.mark.parametrize(("app", "server"), [(asgi_app, asgi_server), (wsgi_app, wsgi_server)], ids=["asgi", "wsgi"])
def test_script(name: str, app: Any, server: Any) -> None:
    script, seen = SCRIPTS[name], Seen()
    with server(app(scripted(script["agent"], seen), heartbeat=HEARTBEAT)) as port:
        ask(port, seen)
    assert seen.signs == script["expect"]


def test_under_asgi_pings_are_the_servers() -> None:
    """Comments would be no messages."""
    seen = Seen()
    app = asgi_app(scripted(SILENCE["agent"], seen), heartbeat=HEARTBEAT)
    with asgi_server(app, ws_ping_interval=HEARTBEAT) as port:
        protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}/"))
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            protocol.send_request(protocol.connect())
            client.sendall(b"".join(protocol.data_to_send()))
            while protocol.state.name == "CONNECTING":
                protocol.receive_data(client.recv(1 << 16))
            protocol.events_received()
            protocol.send_text(INPUT.encode())
            while protocol.state.name != "CLOSED":
                for piece in protocol.data_to_send():
                    client.sendall(piece) if piece else client.shutdown(socket.SHUT_WR)
                piece = client.recv(1 << 16)
                protocol.receive_data(piece) if piece else protocol.receive_eof()
                for frame in protocol.events_received():
                    if frame.opcode is Opcode.PING:
                        seen.see("beats")
                    elif frame.opcode is Opcode.TEXT:
                        seen.see(json.loads(frame.data)["type"])
    assert seen.signs == SILENCE["expect"]

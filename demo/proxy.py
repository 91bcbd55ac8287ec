"""A proxy that cuts connections in the middle of an event, as a bad network does."""

import socket
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Self
from urllib.parse import urlsplit

EVENTS = 5
"""The number of events that a connection passes on before it is cut."""
PART = 60
"""The bytes of the next event that still come: its id, and the beginning of its data."""


class CuttingProxy(ThreadingTCPServer):
    """Stands before a server until the block ends. It cuts the first connections, and passes on the others whole."""

    daemon_threads = True

    def __init__(self, server: str, cuts: int) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.behind = ("127.0.0.1", urlsplit(server).port)
        self.cuts = cuts
        self.connections = 0

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        super().__exit__()


class Connection(BaseRequestHandler):
    server: CuttingProxy
    request: socket.socket

    def handle(self) -> None:
        self.server.connections += 1
        is_cut = self.server.connections <= self.server.cuts
        with suppress(OSError), socket.create_connection(self.server.behind) as behind:
            Thread(target=pass_on, args=(self.request, behind), daemon=True).start()
            if is_cut:
                pass_on_part(behind, self.request)
            else:
                pass_on(behind, self.request)


def pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)


def pass_on_part(source: socket.socket, target: socket.socket) -> None:
    """Passes on some events, and the beginning of the next one."""
    received = b""
    sent = 0
    while piece := source.recv(65536):
        received += piece
        *events, _ = received.split(b"\n\n")
        end = sum(len(event) + 2 for event in events[:EVENTS]) + PART if len(events) >= EVENTS else len(received)
        target.sendall(received[sent:end])
        sent = min(end, len(received))
        if end == sent and len(events) >= EVENTS:
            return

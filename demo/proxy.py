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
    """Stands before a server until the block ends. It cuts the first connections, and passes on the others whole.

    `cut` counts the connections that were cut within an event.
    """

    daemon_threads = True

    def __init__(self, server: str, cuts: int) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.behind = ("127.0.0.1", urlsplit(server).port)
        self.cuts = cuts
        self.cut = 0

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
        with suppress(OSError), socket.create_connection(self.server.behind) as behind:
            Thread(target=pass_on, args=(self.request, behind), daemon=True).start()
            self.answer(behind)

    def answer(self, behind: socket.socket) -> None:
        """Passes on what the server sends. If a cut is left, it ends within the event that follows the first ones."""
        received = b""
        while piece := behind.recv(65536):
            end = end_of_part(received + piece)
            if end is not None and self.server.cut < self.server.cuts:
                self.request.sendall(piece[: end - len(received)])
                self.server.cut += 1
                return
            self.request.sendall(piece)
            received += piece


def end_of_part(received: bytes) -> int | None:
    """The number of bytes to a place within the next event, or None if they have not all been received."""
    *events, _ = received.split(b"\n\n")
    end = sum(len(event) + 2 for event in events[:EVENTS]) + PART
    return end if len(events) >= EVENTS and len(received) >= end else None


def pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)

"""A TCP peer that carries out a script: see `client_faults.json` in tests/fixtures."""

from __future__ import annotations

import base64
import contextlib
import socket
import struct
import threading
import time
from collections.abc import Iterator
from typing import Any

from servers import PATIENCE

HEAD = {"send": "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"}
OPEN = {
    "send": 'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'
    'data: {"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}\n\n'
    'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}\n\n'
}
END = {
    "send": 'data: {"type":"TEXT_MESSAGE_END","messageId":"m"}\n\n'
    'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}\n\n'
}
HANG = {"hang": True}
CLOSE = {"close": True}
WHOLE = [HEAD, OPEN, END, CLOSE]


class Peer:
    """Serves one connection per script, one after the other."""

    def __init__(self, scripts: list[list[dict[str, Any]]]) -> None:
        self.requests: list[bytes] = []
        self.left = threading.Event()
        """The client has closed a connection that hangs, or to which something was sent."""
        self._scripts = scripts
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/"

    @property
    def is_at_work(self) -> bool:
        """True until its scripts have ended."""
        return self._thread.is_alive()

    def stop(self) -> None:
        self._stopped.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        for script in self._scripts:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                connection.settimeout(PATIENCE)
                self.requests.append(read_request(connection))
                for step in script:
                    self._do(connection, step)

    def _do(self, connection: socket.socket, step: dict[str, Any]) -> None:
        pause = step.get("pause_ms", 0) / 1000
        pieces = [bytes([byte]) for byte in step.get("each_byte", "").encode()]
        for name, encode in (("send", str.encode), ("send_base64", base64.b64decode)):
            if name in step:
                pieces = [encode(step[name])] * step.get("repeat", 1)
        if not pieces:
            self._stopped.wait(pause)
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                self.left.set()
                raise
            if pause:
                self._stopped.wait(pause)
            elif "each_byte" in step:
                time.sleep(0)
        if "hang" in step:
            self._hang(connection)
        if "reset" in step:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

    def _hang(self, connection: socket.socket) -> None:
        connection.settimeout(0.05)
        while not self._stopped.is_set():
            try:
                if not connection.recv(1024):
                    self.left.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                self.left.set()
                return


def read_request(connection: socket.socket) -> bytes:
    """A request with a body of known length."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _some(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    while lengths and len(body) < int(lengths[0].split(b":")[1]):
        piece = _some(connection)
        body += piece
        received += piece
    return received


def _some(connection: socket.socket) -> bytes:
    piece = connection.recv(1 << 16)
    if not piece:
        raise OSError("the client has gone")
    return piece


@contextlib.contextmanager
def peer(*scripts: list[dict[str, Any]]) -> Iterator[Peer]:
    """A peer, for as long as it is needed."""
    made = Peer(list(scripts))
    try:
        yield made
    finally:
        made.stop()


@contextlib.contextmanager
def silent_port() -> Iterator[int]:
    """A port at which no server listens: it is taken, and connections to it are refused."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield int(taken.getsockname()[1])

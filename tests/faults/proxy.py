"""A proxy that cuts the responses of a server."""

from __future__ import annotations

import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Literal

How = Literal["reset", "clean", "hang"]
"""A cut is a connection that breaks, a response that ends as if it were whole, or a connection without another byte."""


@dataclass
class Cut:
    at: int
    """The bytes of the body that come before the cut. With -1 the head does not come either."""
    how: How = "reset"


@dataclass
class Proxy:
    """Passes requests on, one a connection. The responses of the next ones are cut as `cuts` says; the others are whole."""

    port: int
    target: int
    cuts: deque[Cut] = field(default_factory=deque)
    done: list[float] = field(default_factory=list)
    """The times of cuts."""
    asked: list[float] = field(default_factory=list)
    """The times of requests."""
    hanging: list[socket.socket] = field(default_factory=list)

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        # A client that goes away, a server that is killed.
        with suppress(OSError, HTTPException):
            request = _request(client)
            if not request:
                return client.close()
            self.asked.append(time.monotonic())
            cut = self.cuts.popleft() if self.cuts else None
            with socket.create_connection(("127.0.0.1", self.target)) as upstream:
                upstream.sendall(request)
                response = HTTPResponse(upstream)
                response.begin()
                if self._copy(response, client, cut):
                    return self.hanging.append(client)
        client.close()

    def _copy(self, response: HTTPResponse, client: socket.socket, cut: Cut | None) -> bool:
        """Returns true if the connection stays open."""
        left = cut.at if cut else 1 << 40
        if left >= 0:
            lines = [f"{name}: {value}" for name, value in response.getheaders() if name.lower() not in _OWN]
            head = [
                f"HTTP/1.1 {response.status} {response.reason}",
                *lines,
                "connection: close",
                "transfer-encoding: chunked",
            ]
            has_body = response.status not in (204, 304)
            client.sendall("\r\n".join([*(head if has_body else head[:-1]), "", ""]).encode("latin-1"))
        while left > 0 and (piece := response.read1(min(left, 65536))):
            client.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
            left -= len(piece)
        if cut is None or left > 0:
            if response.status not in (204, 304):
                client.sendall(b"0\r\n\r\n")
            return False
        self.done.append(time.monotonic())
        if cut.how == "clean" and cut.at >= 0:
            client.sendall(b"0\r\n\r\n")
        return cut.how == "hang"


_OWN = ("connection", "transfer-encoding", "content-length", "keep-alive")


def _request(client: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        piece = client.recv(65536)
        if not piece:
            return b""
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or b"0")
    while len(body) < length:
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def proxied(target: int) -> Iterator[Proxy]:
    """A proxy before the port of a server."""
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        proxy = Proxy(listener.getsockname()[1], target)
        thread = threading.Thread(target=proxy.serve, args=(listener,), daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for client in proxy.hanging:
                client.close()

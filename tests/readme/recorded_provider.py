"""A provider of models on loopback, which answers with the recorded bodies of tests/fixtures/adapters."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from example_files import ROOT

STREAMS: list[dict[str, Any]] = json.loads((ROOT / "tests/fixtures/adapters/model_streams.json").read_text("utf-8"))


def body(api: str, name: str) -> str:
    """The recorded body of a case."""
    (found,) = (case["body"] for case in STREAMS if (case["api"], case["name"]) == (api, name))
    return str(found)


@contextmanager
def provider(*bodies: str) -> Iterator[tuple[str, list[Any]]]:
    """Answers each request with the next body. Yields the address, and the bodies of the requests."""
    requests: list[Any] = []
    answers = iter(bodies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(next(answers).encode())

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", requests
        finally:
            server.shutdown()

"""What a server with a log tells its application by ``on_log``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import wsgi_app
from engines import ForwardingLog
from logged_servers import RESUMES, Gate, begin, body_of, frames, greet, read, served, types
from servers import PATIENCE, until, wsgi_server

RUN = {"scope": "", "thread_id": "t", "run_id": "r"}


def listener() -> tuple[list[tuple[str, dict[str, Any]]], Callable[[str, dict[str, Any]], None]]:
    told: list[tuple[str, dict[str, Any]]] = []
    return told, lambda name, fields: told.append((name, fields))


def test_a_run_is_opened_joined_resumed_and_ended() -> None:
    told, on_log = listener()
    with served(greet, on_log=on_log) as client:
        whole = client.post("", json=body_of()).content
        count = len(frames(whole))
        until(lambda: len(told) == 2)
        read(client)
        read(client, frames(whole)[1][0])
        assert told == [
            ("opened", RUN),
            ("ended", {**RUN, "number": count}),
            ("joined", {**RUN, "number": 0, "resumed": False}),
            ("joined", {**RUN, "number": 2, "resumed": True}),
        ]
        assert "Hello" not in repr(told)


def test_a_run_is_cancelled_and_requests_are_refused() -> None:
    told, on_log = listener()
    with served(Gate(), on_log=on_log, cors="*") as client:
        begin(client, b"before", body_of(), RESUMES)
        assert client.post("", json=body_of("q")).status_code == 409
        assert client.post("", params={"thread": "t", "cancel": "r"}, json={}).status_code == 202
        assert types(read(client).content)[-1] == "RUN_FINISHED"
        assert read(client, run_id="unknown").status_code == 404
        until(lambda: len(told) == 6)
        names = [(name, fields.get("reason") or fields.get("code"), fields.get("run_id")) for name, fields in told]
        assert sorted(names, key=str) == sorted(
            [
                ("opened", None, "r"),
                ("refused", "thread_busy", "q"),
                ("joined", None, "r"),
                ("cancelled", "cancelled", "r"),
                ("ended", None, "r"),
                ("refused", "run_unknown", "unknown"),
            ],
            key=str,
        )


def test_an_engine_that_fails_is_told() -> None:
    told, on_log = listener()
    log, gate = ForwardingLog(), Gate()
    with served(gate, log, lease=0.5, on_log=on_log) as client:
        _, received = begin(client, b"before", body_of(), RESUMES)
        log.fails = lambda operation: operation in ("append", "renew")
        gate.opened.set()
        read(client, frames(received)[-1][0])
        until(lambda: ("unavailable", RUN) in told and ("lost", RUN) in told)
        log.fails = lambda operation: True
        assert read(client).status_code == 503
        assert told[-1] == ("unavailable", {**RUN, "code": "log_unavailable"})


def test_a_function_that_raises_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def on_log(name: str, fields: dict[str, Any]) -> None:
        raise ValueError("the metrics are down")

    with served(greet, on_log=on_log) as client:
        assert types(client.post("", json=body_of()).content)[-1] == "RUN_FINISHED"
        until(lambda: sum("on_log failed" in record.message for record in caplog.records) == 2)


def test_servers_of_wsgi_tell_the_same() -> None:
    told, on_log = listener()
    app = wsgi_app(greet, log=MemoryLog(), authorize="public", on_log=on_log)
    with wsgi_server(app) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:
        client.post("", json=body_of())
        read(client)
        assert read(client, run_id="unknown").status_code == 404
        until(lambda: {name for name, _ in told} == {"opened", "ended", "joined", "refused"})

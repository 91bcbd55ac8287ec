"""What a server with a log tells its application by ``on_log``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from ag_ui_native.durable import MemoryLog, SQLiteLog
from ag_ui_native.server import asgi_app, wsgi_app
from engines import ForwardingLog
from logged_servers import RESUMES, Gate, begin, body_of, frames, greet, read, served, types
from servers import PATIENCE, asgi_server, until, wsgi_server

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


@pytest.mark.parametrize("act", ["opens a run", "cancels the run", "drains the log", "closes the log"])
def test_a_function_calls_back_into_its_server(act: str, tmp_path: Path) -> None:
    log, gate, asked = SQLiteLog(tmp_path / "runs.db"), Gate(), list[asyncio.Task[None]]()

    async def ask(**request: Any) -> None:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here/") as client:
            await client.post("", **request)

    def on_log(name: str, fields: dict[str, Any]) -> None:
        if (name, fields["run_id"]) == ("opened", "inner"):
            gate.opened.set()
        if (name, fields["run_id"]) != ("opened", "r"):
            return
        loop = asyncio.get_running_loop()
        if act == "opens a run":
            asked.append(loop.create_task(ask(json=body_of("inner", "other"))))
        elif act == "cancels the run":
            asked.append(loop.create_task(ask(json={}, params={"thread": "t", "cancel": "r"})))
        elif act == "drains the log":
            draining = log.drain()
            draining.send(None)  # Up to its first wait, within this call.
            draining.close()
        else:
            log.close()
        raise ValueError("behind it")

    app = asgi_app(gate, log=log, authorize="public", on_log=on_log, drain=0.2, lease=1)
    with asgi_server(app) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:
        answer = client.post("", json=body_of(), headers=RESUMES)
        if act == "closes the log":
            assert answer.json()["code"] == "log_unavailable"
            return
        end = frames(answer.content)[-1][1]
        until(lambda: all(task.done() for task in asked))
        assert not any(task.exception() for task in asked)
        assert (end.get("code") or end.get("outcome", {}).get("type", "success")) == {
            "opens a run": "success",
            "cancels the run": "cancelled",
            "drains the log": "producer_lost",
        }[act]


def test_servers_of_wsgi_tell_the_same() -> None:
    told, on_log = listener()
    app = wsgi_app(greet, log=MemoryLog(), authorize="public", on_log=on_log)
    with wsgi_server(app) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:
        client.post("", json=body_of())
        read(client)
        assert read(client, run_id="unknown").status_code == 404
        until(lambda: {name for name, _ in told} == {"opened", "ended", "joined", "refused"})

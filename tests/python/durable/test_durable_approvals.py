"""Interrupts that wait in a thread: their answers are checked by the log, in whatever process they arrive."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from ag_ui_native.core import Interrupt
from ag_ui_native.durable import Log, MemoryLog
from ag_ui_native.server import Run, asgi_app, respond, wsgi_app
from logged_servers import body_of, frames, served, types
from servers import PATIENCE, asgi_server, wsgi_server
from test_durable_faults import place_of, worker


def asks(run_id: str, *answers: str) -> dict[str, Any]:
    """The input of a run that answers these interrupts."""
    resume = [{"interruptId": answer, "status": "resolved", "payload": {"approved": True}} for answer in answers]
    return {**body_of(run_id), "resume": resume}


async def approval(run: Run) -> None:
    """Asks, and then says which interrupts were answered."""
    if run.run_id == "fails":
        raise RuntimeError("no")
    if not run.resume:
        run.interrupt(Interrupt(id=f"i-{run.run_id}", reason="tool_call"))
    for answer in run.resume:
        await run.write(f"answered {answer.interrupt_id}")


def waiting(client: httpx.Client) -> list[str]:
    return [interrupt["id"] for interrupt in client.get("", params={"thread": "t"}).json()["interrupts"]]


def refused(client: httpx.Client, body: dict[str, Any]) -> tuple[int, str]:
    response = client.post("", json=body)
    return response.status_code, response.json()["code"]


def check_approval(one: httpx.Client, other: httpx.Client) -> None:
    """A run asks at the first server, and is answered at the second one, once."""
    asked = one.post("", json=asks("asks"))
    assert frames(asked.content)[-1][1]["outcome"]["type"] == "interrupt"
    assert waiting(other) == ["i-asks"]
    assert refused(other, asks("no answer")) == (422, "sequence_broken")
    assert refused(other, asks("foreign", "i-other")) == (422, "sequence_broken")
    assert refused(other, asks("more", "i-asks", "i-other")) == (422, "unknown_interrupt")
    answered = other.post("", json=asks("answers", "i-asks"))
    assert answered.status_code == 200 and b"answered i-asks" in answered.content
    assert waiting(one) == []
    for client in (one, other):
        assert refused(client, asks("second", "i-asks")) == (422, "unknown_interrupt")
        # The requests of runs that have begun join them, whatever waits now.
        for body in (asks("asks"), asks("answers", "i-asks")):
            assert types(client.post("", json=body).content)[-1] == "RUN_FINISHED"


@pytest.mark.parametrize("engine", ["redis", "sqlite"])
def test_an_interrupt_of_one_process_is_answered_in_another(engine: str) -> None:
    with place_of(engine) as place, worker(engine, place) as (_, one), worker(engine, place) as (_, other):
        check_approval(one, other)


@contextmanager
def by_asgi(log: Log) -> Iterator[int]:
    with asgi_server(asgi_app(approval, log=log, authorize="public")) as port:
        yield port


@contextmanager
def by_wsgi(log: Log) -> Iterator[int]:
    with wsgi_server(wsgi_app(approval, log=log, authorize="public")) as port:
        yield port


@contextmanager
def by_respond(log: Log) -> Iterator[int]:
    app = FastAPI()

    @app.api_route("/", methods=["GET", "POST"])
    async def agent(request: Request) -> Any:
        return respond(request, approval, log=log, authorize="public")

    with asgi_server(app) as port:
        yield port


@pytest.mark.parametrize("entrance", [by_asgi, by_wsgi, by_respond])
def test_every_entrance_checks_answers(entrance: Callable[[Log], Any]) -> None:
    log = MemoryLog()
    with ExitStack() as stack:
        one, other = (
            stack.enter_context(
                httpx.Client(base_url=f"http://127.0.0.1:{stack.enter_context(serve(log))}/", timeout=PATIENCE)
            )
            for serve in (entrance, by_asgi)
        )
        check_approval(one, other)
    with entrance(log) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}/", timeout=PATIENCE) as client:
        assert refused(client, asks("stale", "i-asks")) == (422, "unknown_interrupt")


def test_a_websocket_checks_answers() -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    log = MemoryLog()
    with by_asgi(log) as port:

        def converse(body: dict[str, Any]) -> tuple[str, tuple[int, str]]:
            with connect(f"ws://127.0.0.1:{port}/") as socket:
                socket.send(json.dumps(body))
                said = ""
                with suppress(ConnectionClosed):
                    while True:
                        said += str(socket.recv())
                return said, (socket.close_code or 0, socket.close_reason or "")

        assert converse(asks("asks"))[1] == (1000, "")
        assert converse(asks("none")) == ("", (1008, "sequence_broken"))
        said, closed = converse(asks("answers", "i-asks"))
        assert "answered i-asks" in said and closed == (1000, "")
        assert converse(asks("second", "i-asks")) == ("", (1008, "unknown_interrupt /resume/0/interruptId"))


def test_interrupts_wait_on_while_the_runs_that_answer_them_fail() -> None:
    with served(approval) as client:
        client.post("", json=asks("asks"))
        for run in ("fails", "answers"):
            assert waiting(client) == ["i-asks"]
            assert client.post("", json=asks(run, "i-asks")).status_code == 200
        assert waiting(client) == []


def test_the_function_of_an_application_takes_the_place_of_the_thread() -> None:
    with served(approval, pending_interrupts=lambda input: []) as client:
        client.post("", json=asks("asks"))
        assert client.post("", json=asks("next")).status_code == 200
        assert client.post("", json=asks("stale", "i-stale")).status_code == 200

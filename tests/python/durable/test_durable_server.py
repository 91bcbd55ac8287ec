"""Servers with a log, over sockets: runs are started, cut, resumed, joined, cancelled, and refused."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import threading
import weakref
from typing import Any

import httpx
import pytest

from ag_ui_native.durable import MemoryLog
from ag_ui_native.errors import AGUIValidationError
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.stream import decode_events
from engines import ForwardingLog, shared_logs
from logged_servers import RESUMES, Gate, begin, body_of, frames, greet, read, reduced, served, types
from servers import until

WITHOUT_A_LOG = """
import asyncio, json, sys
from ag_ui_native.server import asgi_app

async def agent(run):
    await run.write("Hello")

async def main():
    input = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}
    asked = [{"type": "http.request", "body": json.dumps(input).encode(), "more_body": False}]
    sent = []
    async def receive():
        return asked.pop() if asked else await asyncio.Event().wait()
    async def send(message):
        sent.append(message)
    headers = [(b"content-type", b"application/json"), (b"ag-ui-resume", b"1")]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    await asgi_app(agent)(scope, receive, send)
    print([name.decode() for name, _ in sent[0]["headers"] if name.startswith(b"ag-ui") or name == b"content-location"])
    print(b"id:" in b"".join(message.get("body", b"") for message in sent[1:]), sent[0]["status"])

asyncio.run(main())
print([name for name in sys.modules if name.startswith("ag_ui_native.durable") or name == "redis"])
"""


def test_without_a_log_nothing_of_it_is_loaded_or_sent() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_A_LOG], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "False 200", "[]"]


def test_a_run_is_stored_and_sent_with_ids() -> None:
    with served(greet) as client:
        response = client.post("", json=body_of())
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/event-stream"
        assert response.headers["ag-ui-run"] == "r"
        assert response.headers["ag-ui-heartbeat"] == "15"
        assert response.headers["content-location"] == "?thread=t&run=r"
        log, _, number = response.headers["ag-ui-cursor"].rpartition("-")
        assert (len(log), number) == (22, "0")
        found = frames(response.content)
        assert [ident for ident, _ in found] == [f"{log}-{number}" for number in range(1, len(found) + 1)]
        assert (found[0][1]["type"], found[-1][1]["type"]) == ("RUN_STARTED", "RUN_FINISHED")
        assert found[-1][1]["result"] == "done"


@pytest.mark.parametrize("name", ["memory", "sqlite", "redis", "custom"])
def test_a_run_is_resumed_behind_every_event(name: str) -> None:
    with shared_logs(name) as make, served(greet, make()) as client:
        whole = client.post("", json=body_of()).content
        blocks = [block + b"\n\n" for block in whole.split(b"\n\n")[:-1]]
        for number, (ident, _) in enumerate(frames(whole)[:-1], 1):
            rest = read(client, ident)
            assert rest.content == b"".join(blocks[number:]), number
            assert rest.headers["ag-ui-cursor"] == ident
            assert "ag-ui-prefix" not in rest.headers
        assert read(client, frames(whole)[-1][0]).status_code == 204
        location = client.base_url.copy_with(
            path="/agent/threads/t/runs/r", query=b"after=" + frames(whole)[0][0].encode()
        )
        assert client.get(location).content == b"".join(blocks[1:])


def test_a_run_goes_on_behind_a_cut_inside_a_frame() -> None:
    gate = Gate()
    with served(gate) as client:
        response, received = begin(client, b"before", body_of(), RESUMES)
        cut = received[: received.rindex(b"before")]
        last = [ident for ident, _ in frames(cut[: cut.rindex(b"\n\n") + 2])][-1]
        gate.opened.set()
        rest = read(client, last).content
        whole = cut[: cut.rindex(b"\n\n") + 2] + rest
        assert whole == read(client, response.headers["ag-ui-cursor"]).content
        assert types(whole)[-1] == "RUN_FINISHED" and gate.ends == ["returned"]


def test_a_client_joins_while_the_run_goes_on_and_behind_its_end() -> None:
    gate = Gate()
    with served(gate) as client:
        begin(client, b"before", body_of(), RESUMES)
        with client.stream("GET", "", params={"thread": "t", "run": "r"}) as response:
            pieces = response.iter_raw()
            first = next(pieces)
            count, through = response.headers["ag-ui-prefix"].split(";through=")
            found = frames(first)
            assert len(found) == int(count)
            log = response.headers["ag-ui-cursor"].rpartition("-")[0]
            assert [ident for ident, _ in found] == [None] * (len(found) - 1) + [f"{log}-{through}"]
            gate.opened.set()
            joined = first + b"".join(pieces)
        whole = read(client, f"{log}-0").content
        assert reduced(joined) == reduced(whole)
        late = read(client)
        assert reduced(late.content) == reduced(whole) and len(late.content) < len(whole)


def test_the_same_request_at_once_runs_the_agent_once() -> None:
    gate, bodies = Gate(), []
    with served(gate) as client:
        threads = [
            threading.Thread(target=lambda: bodies.append(client.post("", json=body_of()).content)) for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        until(lambda: gate.begun)
        gate.opened.set()
        for thread in threads:
            thread.join()
        assert gate.begun == 1
        assert len(bodies) == 20 and len({str(reduced(body)) for body in bodies}) == 1


def test_refusals_of_a_run() -> None:
    gate = Gate()

    def authorize(request: Any, action: str, thread_id: str, run_id: str | None) -> str | None:
        names = dict(request["headers"])
        return names[b"user"].decode() if b"user" in names else None

    with served(gate, authorize=authorize) as client:
        ada, bob = {"user": "ada"}, {"user": "bob"}
        begin(client, b"before", body_of(), {**ada, **RESUMES})

        def refused(response: httpx.Response) -> tuple[int, str]:
            return response.status_code, response.json()["code"]

        assert refused(client.post("", json=body_of(text="other"), headers=ada)) == (409, "run_conflict")
        busy = client.post("", json=body_of("q"), headers=ada)
        assert refused(busy) == (409, "thread_busy") and busy.json()["activeRunId"] == "r"
        unknown = (404, "run_unknown")
        assert refused(read(client, **bob)) == unknown
        assert refused(read(client)) == unknown
        assert refused(read(client, run_id="q", **ada)) == unknown
        cancel = client.post("", params={"thread": "t", "cancel": "r"}, json={}, headers=bob)
        assert refused(cancel) == unknown
        assert refused(client.post("", json=body_of())) == unknown
        assert refused(read(client, "x", **ada)) == (400, "cursor_invalid")
        assert refused(read(client, "CAgICAgICAgICAgICAgICA-1", **ada)) == (410, "log_replaced")
        cursor = read_head(client, ada)
        assert refused(read(client, cursor.replace("-0", "-99"), **ada)) == (409, "cursor_ahead")
        gate.opened.set()
        until(lambda: gate.ends)


def read_head(client: httpx.Client, headers: dict[str, str]) -> str:
    with client.stream("GET", "", params={"thread": "t", "run": "r"}, headers=headers) as response:
        cursor: str = response.headers["ag-ui-cursor"]
        return cursor


def test_a_new_run_interrupts_the_active_one() -> None:
    gate = Gate()

    async def agent(run: Run) -> None:
        await (gate(run) if run.run_id == "r" else greet(run))

    with served(agent, on_busy="interrupt") as client:
        begin(client, b"before", body_of(), RESUMES)
        assert types(client.post("", json=body_of("q")).content)[-1] == "RUN_FINISHED"
        assert gate.ends == ["cancelled"]
        assert types(read(client).content)[-1] == "RUN_FINISHED"


@pytest.mark.parametrize("name", ["memory", "sqlite", "redis"])
def test_a_run_is_cancelled_from_another_process(name: str) -> None:
    gate = Gate()
    with shared_logs(name) as make, served(gate, make()) as one, served(gate, make()) as other:
        response, _ = begin(one, b"before", body_of(), RESUMES)
        for _ in range(2):
            assert other.post("", params={"thread": "t", "cancel": "r"}, json={}).status_code == 202
        form = other.post("", params={"thread": "t", "cancel": "r"}, data={"a": "b"})
        assert form.status_code == 415, "a form of another origin cancels nothing"
        whole = read(other, response.headers["ag-ui-cursor"]).content
        assert [kind for kind in types(whole) if kind in ("RUN_FINISHED", "RUN_ERROR")] == ["RUN_FINISHED"]
        assert frames(whole)[-1][1]["outcome"]["type"] == "cancelled"
        assert gate.ends == ["cancelled"]
        assert other.post("", params={"thread": "t", "cancel": "r"}, json={}).status_code == 202
        assert other.post("", params={"thread": "t", "cancel": "q"}, json={}).status_code == 404


@pytest.mark.parametrize(
    ("on_disconnect", "headers", "end"),
    [
        ("resume", {}, "cancelled"),
        ("resume", RESUMES, "returned"),
        ("continue", {}, "returned"),
        ("cancel", RESUMES, "cancelled"),
    ],
)
def test_runs_without_readers(on_disconnect: Any, headers: dict[str, str], end: str) -> None:
    gate = Gate()
    with served(gate, on_disconnect=on_disconnect, grace=0.3) as client:
        begin(client, b"before", body_of(), headers)
        if end == "cancelled":
            until(lambda: gate.ends)
        else:
            threading.Event().wait(1)  # Longer than the grace time, in which nothing may happen.
            gate.opened.set()
            until(lambda: gate.ends)
        assert gate.ends == [end]


def test_a_thread_is_read() -> None:
    gate = Gate()

    async def agent(run: Run) -> None:
        if run.run_id == "q":
            await gate(run)
        await run.write("Hello")
        run.state["step"] = 1
        await run.interrupt({"id": "i", "reason": "input_required", "message": "Which one?"})

    with served(agent) as client:
        empty = client.get("", params={"thread": "t"})
        assert empty.status_code == 200 and empty.json() == {"threadId": "t", "version": 0}
        client.post("", json=body_of())
        thread = client.get("/threads/t").json()
        assert [message["role"] for message in thread["messages"]] == ["user", "assistant"]
        assert thread["state"] == {"step": 1} and thread["lastRunId"] == "r" and "activeRunId" not in thread
        assert [interrupt["id"] for interrupt in thread["interrupts"]] == ["i"]
        answered = {**body_of("q"), "resume": [{"interruptId": "i", "status": "resolved"}]}
        begin(client, b"before", answered, RESUMES)
        assert client.get("", params={"thread": "t"}).json()["activeRunId"] == "q"
        gate.opened.set()
        until(lambda: gate.ends)


def test_authorize_that_fails(caplog: pytest.LogCaptureFixture) -> None:
    answers: list[Any] = [ValueError("a secret"), 1, None, "ada"]

    async def authorize(*_: Any) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with served(greet, authorize=authorize) as client:
        responses = [client.post("", json=body_of()) for _ in range(4)]
    assert [response.status_code for response in responses] == [500, 500, 404, 200]
    assert not any("secret" in response.text for response in responses)
    assert [record.levelno for record in caplog.records if "authorize" in record.message] == [logging.ERROR] * 2


def test_a_log_needs_authorize() -> None:
    with pytest.raises(AGUIValidationError, match="the scope of a request"):
        asgi_app(greet, log=MemoryLog())
    with pytest.raises(AGUIValidationError, match="expected a Log"):
        asgi_app(greet, log=object(), authorize="public")  # type: ignore[typeddict-item]
    with pytest.raises(AGUIValidationError, match="on_busy"):
        asgi_app(greet, log=MemoryLog(), authorize="public", on_busy="wait")  # type: ignore[typeddict-item]


def test_an_engine_that_fails_before_the_run() -> None:
    log = ForwardingLog()
    log.fails = lambda operation: True
    with served(greet, log) as client:
        response = client.post("", json=body_of())
        assert response.status_code == 503 and response.headers["retry-after"] == "1"
        assert client.get("", params={"thread": "t"}).status_code == 503


def test_an_engine_that_fails_in_the_run(caplog: pytest.LogCaptureFixture) -> None:
    log, gate = ForwardingLog(), Gate()
    with served(gate, log, lease=0.5) as client:
        _, received = begin(client, b"before", body_of(), RESUMES)
        log.fails = lambda operation: operation in ("append", "renew")
        gate.opened.set()
        rest = read(client, frames(received)[-1][0]).content
        assert types(rest) == ["RUN_ERROR"] and frames(rest)[0][1]["code"] == "producer_lost"
        until(lambda: any("the log has failed" in record.message for record in caplog.records))
        log.fails = lambda operation: False
        assert client.post("", json=body_of("q")).status_code == 200, "the thread is free"


def test_cancels_and_reads_of_threads_are_repeated_until_the_engine_replies() -> None:
    log = ForwardingLog()
    with served(Gate(), log) as client:
        begin(client, b"before", body_of(), RESUMES)
        operations = ("cancel", "readThread")
        log.fails = lambda operation: operation in operations and log.operations.count(operation) == 1
        assert client.get("", params={"thread": "t"}).json()["activeRunId"] == "r"
        assert client.post("", params={"thread": "t", "cancel": "r"}, json={}).status_code == 202
        assert [log.operations.count(operation) for operation in operations] == [2, 2]


def test_hints_may_be_lost() -> None:
    log, gate = ForwardingLog(), Gate()
    log.has_hints = False
    with served(gate, log) as client, client.stream("POST", "", json=body_of()) as response:
        pieces = response.iter_raw()
        received = next(pieces)
        gate.opened.set()
        assert types(received + b"".join(pieces))[-1] == "RUN_FINISHED"


def test_a_log_has_a_limit() -> None:
    async def agent(run: Run) -> None:
        while True:
            await run.write("x" * 100)

    with served(agent, log_bytes=20_000) as client:
        found = frames(client.post("", json=body_of()).content)
        assert found[-1][1]["code"] == "limit_exceeded"


def test_connections_end_and_are_resumed() -> None:
    gate = Gate()
    with served(gate, max_connection=1) as client:
        first = client.post("", json=body_of(), headers=RESUMES).content
        assert types(first)[-1] == "TEXT_MESSAGE_END"
        gate.opened.set()
        assert types(read(client, frames(first)[-1][0]).content)[-1] == "RUN_FINISHED"


def test_heartbeats_fill_silence() -> None:
    gate = Gate()
    with served(gate, heartbeat=0.05) as client, client.stream("POST", "", json=body_of()) as response:
        received = b""
        for piece in response.iter_raw():
            received += piece
            if b": \n\n" in received:
                gate.opened.set()
        assert types(received)[-1] == "RUN_FINISHED"


def test_methods_and_origins() -> None:
    with served(greet, cors=["https://a.example"]) as client:
        origin = {"origin": "https://a.example"}
        preflight = client.options("", headers={**origin, "access-control-request-method": "GET"})
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-methods"] == "GET, POST"
        response = client.post("", json=body_of(), headers=origin)
        assert "AG-UI-Cursor" in response.headers["access-control-expose-headers"]
        assert response.headers["access-control-allow-origin"] == "https://a.example"
        assert client.options("").status_code == 405
        assert client.head("", params={"thread": "t"}).status_code == 405
        assert client.get("").status_code == 405
        assert client.get("", params={"run": "r"}).status_code == 404


def test_ids_have_a_longest_length() -> None:
    with served(greet) as client:
        assert client.post("", json=body_of("r" * 256)).status_code == 200
        for body in (body_of("r" * 257), body_of(thread_id="ä" * 129)):
            response = client.post("", json=body)
            assert response.status_code == 400 and response.json()["code"] == "limit_exceeded"


def test_a_plain_function_is_cancelled() -> None:
    ends: list[bool] = []

    def agent(run: Run) -> None:
        run.write("before")
        until(lambda: run.cancelled)
        ends.append(run.cancelled)

    with served(agent) as client:
        response, _ = begin(client, b"before", body_of(), RESUMES)
        client.post("", params={"thread": "t", "cancel": "r"}, json={})
        whole = read(client, response.headers["ag-ui-cursor"]).content
        assert types(whole)[-1] == "RUN_FINISHED" and ends == [True]


def test_the_end_of_the_server_ends_its_runs() -> None:
    log, gate = MemoryLog(), Gate()
    with served(gate, log) as client:
        _, received = begin(client, b"before", body_of(), RESUMES)
    assert gate.ends == ["cancelled"]
    with served(gate, log) as client:
        assert types(read(client, frames(received)[-1][0]).content)[-1] in ("RUN_ERROR", "RUN_FINISHED")


def test_runs_that_have_ended_leave_nothing_behind() -> None:
    runs: list[Any] = []

    async def agent(run: Run) -> None:
        runs.append(weakref.ref(run))
        await run.write("Hello")

    with served(agent) as client:
        for number in range(5):
            client.post("", json=body_of(f"r{number}"))
        until(lambda: gc.collect() >= 0 and not any(run() for run in runs))


@pytest.mark.parametrize("name", ["sqlite", "redis"])
def test_the_same_request_at_two_servers_runs_the_agent_once(name: str) -> None:
    gate, bodies = Gate(), []
    with shared_logs(name) as make, served(gate, make()) as one, served(gate, make()) as other:
        threads = [
            threading.Thread(target=lambda client=client: bodies.append(client.post("", json=body_of()).content))
            for client in (one, other) * 10
        ]
        for thread in threads:
            thread.start()
        until(lambda: gate.begun)
        gate.opened.set()
        for thread in threads:
            thread.join()
        assert gate.begun == 1
        assert len(bodies) == 20 and len({str(reduced(body)) for body in bodies}) == 1


def test_one_log_serves_two_event_loops_at_once() -> None:
    gate = Gate()
    with shared_logs("redis") as make:
        log = make()
        with served(gate, log) as one, served(gate, log) as other:
            _, received = begin(one, b"before", body_of(), RESUMES)
            with other.stream("GET", "", params={"thread": "t", "run": "r"}) as response:
                pieces = response.iter_raw()
                joined = next(pieces)
                gate.opened.set()
                joined += b"".join(pieces)
            whole = received + read(one, frames(received)[-1][0]).content
            assert reduced(joined) == reduced(whole)


def test_protobuf_has_the_same_events() -> None:
    proto = {"accept": "application/vnd.ag-ui.event+proto"}
    with served(greet) as client:
        text = client.post("", json=body_of())
        binary = read(client, text.headers["ag-ui-cursor"], **proto)
        assert binary.headers["content-type"] == proto["accept"]
        found = list(decode_events([binary.content], proto["accept"], as_dicts=True))
        assert found == [event for _, event in frames(text.content)]
        behind = read(client, frames(text.content)[2][0], **proto)
        assert list(decode_events([behind.content], proto["accept"], as_dicts=True)) == found[3:]
        joined = read(client, **proto)
        count = joined.headers["ag-ui-prefix"].partition(";")[0]
        assert len(list(decode_events([joined.content], proto["accept"]))) == int(count)

"""Threads of a server with a log: branches that are stale, requests of older versions, threads that are deleted."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from ag_ui_native.durable import Log, delete_thread
from ag_ui_native.errors import AGUIError
from ag_ui_native.server import Run
from engines import ENGINES, ForwardingLog, shared_logs
from logged_servers import RESUMES, Gate, begin, body_of, frames, greet, read, served, types
from servers import until


def follows(run_id: str, parent: str) -> dict[str, Any]:
    return {**body_of(run_id), "parentRunId": parent}


@pytest.mark.parametrize("name", ENGINES)
def test_a_request_that_follows_another_run_than_the_last_is_stale(name: str) -> None:
    with shared_logs(name) as make, served(greet, make()) as client:
        # Before the first run of a thread there is none to follow.
        for body in (follows("a", "unknown"), body_of("b"), follows("c", "b")):
            assert types(client.post("", json=body).content)[-1] == "RUN_FINISHED"
        stale = client.post("", json=follows("d", "b"))
        assert (stale.status_code, stale.json()["code"], stale.json()["lastRunId"]) == (409, "thread_stale", "c")
        # A run that exists is joined, whatever came after it. Without a parent, the messages of the request count.
        assert client.post("", json=follows("c", "b")).status_code == 200
        assert client.post("", json=body_of("d", text="Other")).status_code == 200
        messages = client.get("", params={"thread": "t"}).json()["messages"]
        assert [message["content"] for message in messages] == ["Other", "Hello", " ", "world", "!"]


def test_a_request_with_a_place_resumes() -> None:
    with served(greet) as client:
        whole = client.post("", json=body_of()).content
        for number, (ident, _) in enumerate(frames(whole)[:-1], 1):
            rest = client.post("", json=body_of(), headers={"last-event-id": ident or ""})
            assert rest.content == b"\n\n".join(whole.split(b"\n\n")[number:])
        ended = client.post("", json=body_of(), headers={"last-event-id": frames(whole)[-1][0] or ""})
        assert (ended.status_code, ended.content) == (204, b"")


def with_picture(part: dict[str, Any]) -> dict[str, Any]:
    return {**body_of(), "messages": [{"id": "m", "role": "user", "content": [part]}]}


def test_a_request_of_an_older_version_joins_that_of_the_newest() -> None:
    """The digest is that of the translated input, and the thread has the translated messages."""
    source = {"type": "data", "value": "AAAA", "mimeType": "image/png"}
    new = with_picture({"type": "image", "source": source})
    old = with_picture({"type": "binary", "mimeType": "image/png", "data": "AAAA"})
    for first, second in ((new, old), (old, new)):
        with served(greet) as client:
            whole = client.post("", json=first).content
            joined = client.post("", json=second, headers={"last-event-id": frames(whole)[0][0] or ""})
            assert joined.status_code == 200 and joined.content == b"\n\n".join(whole.split(b"\n\n")[1:])
            asked, *_ = client.get("", params={"thread": "t"}).json()["messages"]
            assert asked["content"] == [{"type": "image", "source": source}]


async def delete(log: Log, *about: str) -> None:
    try:
        await delete_thread(log, *about)
    finally:
        await log.aclose()


def user(scope: Any, *about: object) -> str:
    return str(dict(scope["headers"])[b"user"].decode())


@pytest.mark.parametrize("name", ENGINES)
def test_a_thread_is_deleted(name: str) -> None:
    with shared_logs(name) as make, served(greet, make(), authorize=user) as client:
        ada, bob = {"user": "ada"}, {"user": "bob"}
        for headers in (ada, bob):
            whole = client.post("", json=body_of(), headers=headers).content
        for _ in range(2):
            asyncio.run(delete(make(), "ada", "t"))
            thread = client.get("", params={"thread": "t"}, headers=ada)
            assert thread.json() == {"threadId": "t", "version": 0}
            assert read(client, **ada).json()["code"] == "run_unknown"
        # The thread of another scope stays.
        assert read(client, frames(whole)[-2][0], **bob).status_code == 200
        again = client.post("", json=body_of(), headers=ada)
        assert types(again.content)[-1] == "RUN_FINISHED"


@pytest.mark.parametrize("name", ENGINES)
def test_a_thread_is_deleted_with_its_active_run(name: str) -> None:
    gate = Gate()
    with shared_logs(name) as make, served(gate, make(), lease=0.6) as client:
        begin(client, b"before", body_of(), RESUMES)
        asyncio.run(delete(make(), "", "t"))
        until(lambda: gate.ends == ["cancelled"])
        assert read(client).json()["code"] == "run_unknown"


def test_a_thread_that_cannot_be_deleted() -> None:
    log = ForwardingLog()
    with pytest.raises(AGUIError, match="threadId") as caught:
        asyncio.run(delete_thread(log, "", "t" * 257))
    assert caught.value.code == "limit_exceeded"
    log.fails = lambda operation: True
    with pytest.raises(ConnectionError, match="the engine is down"):
        asyncio.run(delete_thread(log, "", "t"))


@pytest.mark.parametrize("name", ["memory", "sqlite", "redis"])
def test_an_answer_is_used_up_by_a_run_that_the_log_ends(name: str) -> None:
    """What was approved may have been done, so no other run gets the answer: the thread waits for none."""
    gate = Gate()

    async def agent(run: Run) -> None:
        if not run.resume:
            await run.interrupt({"id": "i", "reason": "tool_call"})
        else:
            await gate(run)

    def answers(run_id: str) -> dict[str, Any]:
        return {
            **body_of(run_id),
            "resume": [{"interruptId": "i", "status": "resolved", "payload": {"approved": True}}],
        }

    def interrupts(client: httpx.Client) -> list[Any]:
        return list(client.get("", params={"thread": "t"}).json()["interrupts"])

    with shared_logs(name) as make, served(agent, make()) as client, served(agent, make(), max_age=1) as hurried:
        asked = frames(client.post("", json=body_of("asks")).content)
        assert asked[-1][1]["outcome"]["type"] == "interrupt" and len(interrupts(client)) == 1
        ended = frames(hurried.post("", json=answers("answers")).content)
        assert ended[-1][1]["code"] == "limit_exceeded" and gate.begun == 1
        assert interrupts(client) == []
        again = client.post("", json=answers("again"))
        assert (again.status_code, again.json()["code"]) == (422, "unknown_interrupt")
        # The same request reads its run, and a run without answers may begin.
        assert client.post("", json=answers("answers")).status_code == 200
        assert client.post("", json=body_of("next")).status_code == 200
        assert gate.begun == 1

"""The surroundings of a run: frameworks, threads, slow transports, other tasks, memory."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import weakref
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

import pytest
from fastapi import Depends, FastAPI, Request
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from ag_ui_native import AGUIError
from ag_ui_native.core import RunAgentInput
from ag_ui_native.run_writer import RunWriter
from ag_ui_native.server import Run, StateTracker, asgi_app, respond
from ag_ui_native.stream import decode_events
from ag_ui_native.testing import arun_agent, run_agent
from servers import eventually

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}


async def greet(run: Run) -> str:
    await run.write("Hello")
    return "done"


def results(answer: Any) -> Any:
    """Returns the result of the run of an answer."""
    assert answer.status_code == 200, answer.text
    (*_, last) = decode_events([answer.content], answer.headers["content-type"], as_dicts=True)
    return last.get("result", last)


# Frameworks.


closed: list[int] = []


async def resource() -> AsyncIterator[str]:
    yield "Ada"
    closed.append(1)


def test_fastapi() -> None:
    app = FastAPI()
    closed.clear()

    @app.post("/request")
    async def with_request(request: Request, name: Annotated[str, Depends(resource)]) -> Response:
        async def agent(run: Run) -> str:
            return name

        return respond(request, agent)

    @app.post("/read")
    async def with_body_read(request: Request) -> Response:
        await request.json()
        return respond(request, greet, show_errors=True)

    @app.post("/input")
    async def with_input(input: RunAgentInput) -> Response:
        return respond(input, greet)

    app.mount("/mounted", asgi_app(greet))
    app.add_route("/routed", asgi_app(greet))
    with TestClient(app) as client:
        assert results(client.post("/request", json=INPUT)) == "Ada" and closed == [1]
        assert results(client.post("/read", json=INPUT)) == "done"
        assert results(client.post("/input", json=INPUT)) == "done"
        assert results(client.post("/mounted/", json=INPUT)) == "done"
        assert results(client.post("/routed", json=INPUT)) == "done"
        refused = client.post("/request", json={})
        assert refused.status_code == 400 and refused.json()["issues"]
        accepts = {"accept": "application/vnd.ag-ui.event+proto"}
        assert results(client.post("/input", json=INPUT, headers=accepts)) == "done"


def test_starlette_with_middleware() -> None:
    done: list[int] = []

    class Passing(BaseHTTPMiddleware):
        async def dispatch(self, request: Request, call_next: Any) -> Any:
            return await call_next(request)

    async def endpoint(request: Request) -> Response:
        response = respond(request, greet)
        response.background = BackgroundTask(lambda: done.append(1))
        return response

    app = Starlette(
        routes=[Route("/", endpoint, methods=["POST"]), Mount("/mounted", asgi_app(greet))],
        middleware=[Middleware(Passing), Middleware(Passing)],
    )
    with TestClient(app) as client:
        assert results(client.post("/", json=INPUT)) == "done" and done == [1]
        assert results(client.post("/mounted/", json=INPUT)) == "done"


def test_headers_of_a_response_are_sent() -> None:
    async def endpoint(request: Request) -> Response:
        response = respond(request, greet)
        response.headers["X-Request-Id"] = "7"
        response.headers["Content-Type"] = response.headers["Cache-Control"] = "mine"
        response.set_cookie("a", "1")
        response.set_cookie("b", "2")
        response.status_code = 202
        return response

    with TestClient(Starlette(routes=[Route("/", endpoint, methods=["POST"])])) as client:
        for input, status, content_type in ((INPUT, 200, "text/event-stream"), ({}, 400, "application/json")):
            answer = client.post("/", json=input)
            assert answer.status_code == status and answer.headers["content-type"].startswith(content_type)
            assert answer.headers["x-request-id"] == "7" and dict(answer.cookies) == {"a": "1", "b": "2"}
            assert status == 400 or answer.headers["cache-control"] == "no-cache, no-transform"


def asked(app: Any, receive: Any) -> list[Any]:
    """Returns the messages that an application sends to a client that behaves as `receive` says."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "root_path": "", "app": None}
    asyncio.run(app({**scope, "headers": [(b"content-type", b"application/json")]}, receive, send))
    return sent


@pytest.mark.parametrize("fails", [True, False])
def test_middleware_that_tells_no_disconnects(fails: bool) -> None:
    count = 0

    async def receive() -> Any:
        nonlocal count
        count += 1
        if count > 1 and fails:
            raise RuntimeError("the request has been read")
        return {"type": "http.request", "body": json.dumps(INPUT).encode()}

    assert asked(asgi_app(greet), receive)[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


def test_clients_that_go_before_they_have_asked() -> None:
    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def endpoint(request: Request) -> Response:
        return respond(request, greet)

    assert asked(asgi_app(greet), receive) == []
    assert asked(Route("/", endpoint, methods=["POST"]).app, receive) == []


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError):
        asgi_app(greet, no_such_option=1)  # type: ignore[call-arg]


def test_a_hook_that_fails_is_the_server_s_fault() -> None:
    async def pending(input: RunAgentInput) -> Any:
        raise ValueError("the database is gone")

    with TestClient(asgi_app(greet, pending_interrupts=pending)) as client:
        answer = client.post("/", json=INPUT)
    assert answer.status_code == 500 and answer.json()["code"] == "internal" and "database" not in answer.text


# State.


class Plan(BaseModel):
    steps: list[str] = []


def state_events(agent: Any, **options: Any) -> list[Any]:
    run = run_agent(
        agent, {"state": {"steps": ["a long first step, so that " + "patches are shorter " * 5]}}, **options
    )
    assert run.outcome == "success", run.error
    return [event for event in run.events if event.type.startswith("STATE")]


@pytest.mark.parametrize(("state_flush", "count"), [("await", 2), ("end", 1), ("manual", 0)])
def test_state_is_sent_when_it_is_to_be(state_flush: str, count: int) -> None:
    async def agent(run: Run) -> None:
        run.state["steps"].append("look")
        await run.write("Hello")
        await run.write("Hello")
        run.state["steps"].append("leap")

    assert [event.type for event in state_events(agent, state_flush=state_flush)] == ["STATE_DELTA"] * count


def test_state_that_is_a_model() -> None:
    async def agent(run: Run[Plan]) -> None:
        plan = run.state = Plan.model_validate(run.state)
        await run.flush_state()
        plan.steps.append("look")
        await run.flush_state()
        await run.state_snapshot()

    kinds = [event.type for event in state_events(agent)]
    assert kinds == ["STATE_DELTA", "STATE_SNAPSHOT"]


def test_state_that_is_never_looked_at_costs_nothing() -> None:
    """The state is compared by a tracker, which is made when it is first looked at."""

    def trackers() -> int:
        return sum(isinstance(held, StateTracker) for held in gc.get_objects())

    made: list[int] = []

    async def agent(run: Run) -> None:
        gc.collect()
        before = trackers()
        await run.write("Hello")
        made.append(trackers() - before)
        assert run.state is not None
        made.append(trackers() - before)

    assert state_events(agent) == []
    assert made == [0, 1]


def test_state_that_is_no_json() -> None:
    async def at_the_end(run: Run) -> None:
        run.state["x"] = float("nan")

    async def at_an_await(run: Run) -> None:
        run.state["x"] = object()
        with pytest.raises(AGUIError):
            await run.write("Hello")
        run.state["x"] = 1

    failed = run_agent(at_the_end)
    assert failed.outcome == "error" and isinstance(failed.error, AGUIError)
    assert run_agent(at_an_await).state == {"x": 1}


# Subagents and their exceptions.


def test_subagents_fail_with_what_is_raised() -> None:
    async def agent(run: Run) -> None:
        with pytest.raises(ValueError):
            async with run.subagent("one") as one:
                one.text_message()
                raise ValueError("secret")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                async with run.subagent("two"):
                    await asyncio.sleep(10)
        with run.subagent("three") as three, three.step("s"):
            three.write("Hi")

    run = run_agent(agent)
    ends = [event for event in run.events if event.type in ("SUBAGENT_ERROR", "SUBAGENT_FINISHED")]
    assert [event.type for event in ends] == ["SUBAGENT_ERROR", "SUBAGENT_FINISHED", "SUBAGENT_FINISHED"]
    assert "secret" not in json.dumps([event.model_dump(mode="json") for event in run.events])


# Threads and tasks.


def test_many_threads_write_to_one_run() -> None:
    async def agent(run: Run) -> None:
        def work(number: int) -> None:
            with run.text_message(f"m{number}") as message:
                for _ in range(200):
                    message.write("x" * 100)

        await asyncio.gather(*(asyncio.to_thread(work, number) for number in range(4)))

    run = run_agent(agent)
    assert sorted(len(message.content) for message in run.messages) == [20_000] * 4


def test_what_is_not_awaited_is_one_piece() -> None:
    async def main() -> list[int]:
        counts: list[int] = []
        requests = [{"type": "http.request", "body": json.dumps(INPUT).encode()}]

        async def receive() -> Any:
            return requests.pop() if requests else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            counts.append(message.get("body", b"").count(b"data: "))

        async def agent(run: Run) -> None:
            await eventually(lambda: sum(counts) == 1)
            message = run.text_message()
            for _ in range(100):
                message.write("x")
            await eventually(lambda: sum(counts) > 1)

        headers = [(b"content-type", b"application/json")]
        await asgi_app(agent)({"type": "http", "method": "POST", "headers": headers}, receive, send)
        return counts

    assert [count for count in asyncio.run(main()) if count] == [1, 101, 2]


def test_an_agent_that_awaits_what_never_waits_gives_others_their_turn() -> None:
    async def main() -> int:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        async def agent(run: Run) -> None:
            message = run.text_message()
            for _ in range(1000):
                await message.write("x")

        counting = asyncio.ensure_future(count())
        await arun_agent(agent)
        counting.cancel()
        return turns

    assert asyncio.run(main()) > 5


def test_runs_are_collected() -> None:
    gone: list[Any] = []

    async def agent(run: Run) -> None:
        message = run.text_message()
        await message.write("Hello")
        message.self, run.me, run.state["x"] = message, run, 1  # type: ignore[attr-defined]
        gone.extend([weakref.ref(run), weakref.ref(message)])

    def writers() -> int:
        gc.collect()
        return sum(isinstance(held, RunWriter) for held in gc.get_objects())

    before = writers()
    run_agent(agent)
    assert writers() <= before
    assert [reference() for reference in gone] == [None] * 2


@pytest.mark.skipif(not hasattr(sys, "getallocatedblocks"), reason="no count of blocks here")
@pytest.mark.parametrize("is_async", [True, False], ids=["async", "plain"])
def test_no_references_are_left(is_async: bool) -> None:
    def plain(run: Run) -> dict[str, object]:
        message = run.text_message()
        with suppress(AGUIError):
            message.write("\ud800")
        with suppress(AGUIError):
            run.text_message(message.id)
        with suppress(AGUIError):
            run.custom("c", plain)
        run.state["list"] = [message.id]
        run.tool_call("look", {"a": 1}).result("ok")
        run.subagent("s").write("Hi")
        return {"a": [message.id]}

    async def agent(run: Run) -> dict[str, object]:
        result = plain(run)
        await run.write("Hello")
        return result

    def runs(count: int) -> int:
        async def main() -> None:
            for _ in range(count):
                assert (await arun_agent(agent if is_async else plain)).outcome == "success"

        asyncio.run(main())
        gc.collect()
        return sys.getallocatedblocks()

    runs(300)
    before = runs(300)
    assert runs(300) - before < 300


def test_a_writer_is_entered_from_its_own_calls() -> None:
    """Code that runs within a writing call may write, too."""

    async def agent(run: Run) -> None:
        class Odd:
            def model_dump_json(self, **named: Any) -> str:
                run.write("within")
                return '{"type":"CUSTOM","name":"odd","value":1}'

        run.event(Odd())  # type: ignore[arg-type]

    run = run_agent(agent)
    assert run.text == "within" and run.events[-2].type == "CUSTOM"


def test_a_plain_agent_outlives_its_server() -> None:
    """Its writes are dropped; no task hangs."""
    begun, go, ended = threading.Event(), threading.Event(), threading.Event()

    def agent(run: Run) -> None:
        begun.set()
        go.wait(30)
        try:
            run.write("late")
        finally:
            ended.set()

    async def main() -> None:
        task = asyncio.ensure_future(arun_agent(agent))
        await asyncio.to_thread(begun.wait, 30)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(outlive(main))
    go.set()
    assert ended.wait(30)


async def outlive(main: Any) -> None:
    await main()
    raise asyncio.CancelledError

"""Ways to end a run, and what the agent does afterwards: the answer ends with the run in every combination."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

from ag_ui_native.client import LocalAgent, SyncLocalAgent
from ag_ui_native.core import Event
from ag_ui_native.proto import AGUI_MEDIA_TYPE
from ag_ui_native.server import Run, asgi_app, guard, respond, wsgi_app
from ag_ui_native.stream import decode_events
from ag_ui_native.testing import run_agent
from servers import PATIENCE, asgi_server, connect, eventually, read_answer, wsgi_server

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}


def own(kind: str, **members: Any) -> Callable[[Run], Any]:
    ids = {} if kind == "RUN_ERROR" else {"threadId": True, "runId": True}

    def end(run: Run) -> Any:
        known = {"threadId": run.thread_id, "runId": run.run_id}
        return run.event({"type": kind, **{name: known[name] for name in ids}, **members})

    return end


def relayed(run: Run) -> None:
    upstream = [{"type": "CUSTOM", "name": "n", "value": 1}, {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}]
    begun, *events = guard(upstream, input=run.input)
    assert begun["type"] == "RUN_STARTED"  # This server has begun it.
    for event in events:
        run.event({**event, **({"threadId": run.thread_id, "runId": run.run_id} if "runId" in event else {})})


CANCELLED = {"type": "cancelled"}

ENDINGS: dict[str, tuple[Callable[[Run], Any], str]] = {
    "own event": (own("RUN_FINISHED"), "RUN_FINISHED"),
    "own error": (own("RUN_ERROR", message="no"), "RUN_ERROR"),
    "own outcome": (own("RUN_FINISHED", outcome=CANCELLED), "RUN_FINISHED"),
    "relay": (relayed, "RUN_FINISHED"),
    "finish": (lambda run: run.finish("done"), "RUN_FINISHED"),
    "interrupt": (lambda run: run.interrupt({"id": "i", "reason": "confirmation"}), "RUN_FINISHED"),
    "cancel": (lambda run: run.cancel(), "RUN_FINISHED"),
    "fail": (lambda run: run.fail("no"), "RUN_ERROR"),
    "time limit": (lambda run: None, "RUN_ERROR"),
}


def fails(*_: Any) -> None:
    raise ValueError("after the end")


AFTER: dict[str, Callable[[Run, threading.Event], Any]] = {
    "returns": lambda run, go: None,
    "returns a value": lambda run, go: 5,
    "raises": fails,
    "writes": lambda run, go: run.write("after the end"),
    "ends again": lambda run, go: run.finish(),
    "hangs": lambda run, go: go,
}


def agent_of(ending: str, afters: list[str], is_async: bool, go: threading.Event) -> Any:
    """An agent that does something else after the end of each of its runs."""
    end, left = ENDINGS[ending][0], iter(afters)

    async def waits(run: Run) -> object:
        end(run)
        if ending == "time limit":
            await asyncio.sleep(PATIENCE)
        result = AFTER[next(left)](run, go)
        if result is go:
            await eventually(go.is_set)
        return None if result is go else result

    def plain(run: Run) -> object:
        end(run)
        while ending == "time limit":
            run.write("on")  # Where a plain function is stopped.
            go.wait(0.005)
        result = AFTER[next(left)](run, go)
        if result is go:
            go.wait(PATIENCE)
        return None if result is go else result

    return waits if is_async else plain


Ask = Callable[[], list[Event]]


@contextmanager
def served(make: Any, serve: Any, agent: Any, accept: str, **options: Any) -> Iterator[Ask]:
    headers = {"content-type": "application/json", "accept": accept}
    request = {"method": "POST", "headers": headers, "body": json.dumps(INPUT)}

    def ask() -> list[Event]:
        with connect(port, request) as client:
            answer = read_answer(client)
        return list(decode_events([answer.body], answer.headers["content-type"], profile="strict"))

    with serve(make(agent, **options)) as port:
        yield ask


def endpoint(agent: Any, **options: Any) -> Any:
    async def answer(request: Request) -> Any:
        return respond(request, agent, **options)

    return Starlette(routes=[Route("/", answer, methods=["POST"])])


@contextmanager
def local(agent: Any, **options: Any) -> Iterator[Ask]:
    async def ask() -> list[Event]:
        async with LocalAgent(agent, server=options).run() as events:  # type: ignore[arg-type]  # A plain dictionary of options.
            return [event async for event in events]

    loop = asyncio.new_event_loop()
    yield lambda: loop.run_until_complete(ask())
    loop.run_until_complete(eventually(lambda: len(asyncio.all_tasks()) == 1))
    loop.close()


@contextmanager
def blocking(agent: Any, **options: Any) -> Iterator[Ask]:
    def ask() -> list[Event]:
        with SyncLocalAgent(agent, server=options).run() as events:  # type: ignore[arg-type]  # A plain dictionary of options.
            return list(events)

    yield ask


@contextmanager
def directly(agent: Any, **options: Any) -> Iterator[Ask]:
    yield lambda: run_agent(agent, INPUT, **options).events


TEXT = "text/event-stream"
FACES: dict[str, Callable[..., Any]] = {
    "asgi": lambda agent, **options: served(asgi_app, asgi_server, agent, TEXT, **options),
    "asgi, protobuf": lambda agent, **options: served(asgi_app, asgi_server, agent, AGUI_MEDIA_TYPE, **options),
    "wsgi": lambda agent, **options: served(wsgi_app, wsgi_server, agent, TEXT, **options),
    "wsgi, protobuf": lambda agent, **options: served(wsgi_app, wsgi_server, agent, AGUI_MEDIA_TYPE, **options),
    "respond": lambda agent, **options: served(endpoint, asgi_server, agent, TEXT, **options),
    "local": local,
    "local, blocking": blocking,
    "testing": directly,
}


@pytest.mark.parametrize("is_async", [True, False], ids=["async", "plain"])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("face", FACES)
def test_the_answer_ends_with_the_run(face: str, ending: str, is_async: bool) -> None:
    options = {"time_limit": 0.05} if ending == "time limit" else {}
    afters = ["returns"] if options else list(AFTER)
    go = threading.Event()
    answers: list[list[str]] = []

    def ask_each(ask: Ask) -> None:
        for _ in afters:
            answers.append([event.type.value for event in ask()])

    with FACES[face](agent_of(ending, afters, is_async, go), **options) as ask:
        asking = threading.Thread(target=ask_each, args=(ask,), daemon=True)
        asking.start()
        asking.join(PATIENCE / 2)
        # Hanging agents have not been released yet.
        is_answered = not asking.is_alive()
        go.set()
        asking.join(PATIENCE)
    assert is_answered and len(answers) == len(afters), answers
    for kinds in answers:
        assert kinds[-1] == ENDINGS[ending][1]
        assert len([kind for kind in kinds if kind in ("RUN_FINISHED", "RUN_ERROR")]) == 1


@pytest.mark.parametrize("ending", ["own event", "own error", "finish", "fail"])
@pytest.mark.parametrize(("state_flush", "states"), [("await", 1), ("end", 1), ("manual", 0)])
def test_the_state_goes_before_the_end(ending: str, state_flush: Any, states: int) -> None:
    def agent(run: Run) -> None:
        run.state = {"at": 1}
        ENDINGS[ending][0](run)

    kinds = [event.type.value for event in run_agent(agent, state_flush=state_flush).events]
    assert kinds[1:] == ["STATE_SNAPSHOT"] * states + [ENDINGS[ending][1]]

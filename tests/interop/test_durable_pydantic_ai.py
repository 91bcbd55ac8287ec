"""pydantic-ai's adapter, unchanged, at a server with a log: what its runs survive, and who reads them."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, aclosing, contextmanager
from pathlib import Path
from typing import Any

import ag_ui.core
import ag_ui.encoder
import httpx
import pytest
import serve_pydantic_ai
from normalize import normalize
from pydantic import TypeAdapter
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.ui import StateDeps
from pydantic_ai.ui.ag_ui import AGUIAdapter
from scenarios import CONFIRM, request, resumed
from starlette.requests import Request
from test_clients import told

TESTS = Path(__file__).parents[1]
sys.path += [str(TESTS / "python"), str(TESTS / "python" / "durable")]

import ag_ui_native
from ag_ui_native.client import SyncHttpAgent
from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app, guard
from ag_ui_native.stream import EventDecoder
from logged_servers import RESUMES, begin, read
from servers import PATIENCE, asgi_server, until
from test_durable_clients import QUICK, proxied

Bridge = Callable[["Assistant", Run], AsyncIterator[Any]]
official_events: TypeAdapter[Any] = TypeAdapter(ag_ui.core.Event)
ASKED = request("What is the weather?")
RUN = {"run_id": "run-1", "thread_id": "thread-1"}
SAID = "It is sunny ☀ in Zürich.\n"


class Assistant:
    """The agent of tests/frameworks. Its model waits behind its first piece of text until it is opened."""

    def __init__(self, bridge: Bridge, is_open: bool) -> None:
        self.bridge = bridge
        self.agent = serve_pydantic_ai.make_agent()
        self.model = FunctionModel(stream_function=self.answer)
        self.opened = threading.Event()
        if is_open:
            self.opened.set()
        self.asked = 0
        self.ends: list[str] = []

    async def answer(self, messages: Any, info: Any) -> AsyncIterator[Any]:
        self.asked += 1
        try:
            async for piece in serve_pydantic_ai.model(messages, info):
                yield piece
                while isinstance(piece, str) and not self.opened.is_set():
                    await asyncio.sleep(0.002)
        except (asyncio.CancelledError, GeneratorExit):
            self.ends.append("closed")
            raise
        self.ends.append("said")

    async def __call__(self, run: Run) -> None:
        async with aclosing(self.bridge(self, run)) as events:  # type: ignore[type-var]
            async for event in events:
                if event.type != "RUN_STARTED":
                    await run.event(event)


async def events_of(assistant: Assistant, run: Run) -> AsyncIterator[Any]:
    """The adapter's events: objects of the official package."""
    adapter = AGUIAdapter(
        agent=assistant.agent, run_input=AGUIAdapter.build_run_input(ag_ui_native.to_json(run.input).encode())
    )
    stream = adapter.run_stream(deps=StateDeps(serve_pydantic_ai.Facts()), model=assistant.model)
    async with aclosing(stream) as events:  # type: ignore[type-var]
        async for event in events:
            yield event


async def events_of_response(assistant: Assistant, run: Run) -> AsyncIterator[Any]:
    """The events in the text of the response that the adapter makes for an endpoint."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": ag_ui_native.to_json(run.input).encode()}

    head = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    deps = StateDeps(serve_pydantic_ai.Facts())
    response: Any = await AGUIAdapter.dispatch_request(
        Request(head, receive), agent=assistant.agent, deps=deps, model=assistant.model
    )
    decoder = EventDecoder(response.media_type, profile="strict")
    async with aclosing(response.body_iterator) as texts:
        async for text in texts:
            for event in decoder.feed(text.encode()):
                yield event


async def guarded_events_of(assistant: Assistant, run: Run) -> AsyncIterator[Any]:
    """The adapter's events, checked."""
    async with aclosing(guard(events_of(assistant, run), input=run.input)) as events:
        async for event in events:
            yield event


BRIDGES: dict[str, Bridge] = {"events": events_of, "guarded": guarded_events_of, "response": events_of_response}
each_bridge = pytest.mark.parametrize("bridge", BRIDGES.values(), ids=BRIDGES)


@contextmanager
def served(bridge: Bridge = events_of, *, is_open: bool = True) -> Iterator[tuple[Assistant, httpx.Client]]:
    """The assistant at a server with a log, and a client of its address."""
    assistant = Assistant(bridge, is_open)
    app = asgi_app(assistant, log=MemoryLog(), authorize="public", grace=3600)
    with (
        asgi_server(app) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}/agent", timeout=PATIENCE) as client,
    ):
        try:
            yield assistant, client
        finally:
            assistant.opened.set()


@contextmanager
def without_log() -> Iterator[str]:
    """The address of the same agent behind the adapter's own endpoint."""
    with asgi_server(serve_pydantic_ai.app()) as port:
        yield f"http://127.0.0.1:{port}/"


def texts(body: bytes) -> list[str]:
    """The JSON texts of the events."""
    return [line.removeprefix("data: ") for line in body.decode().split("\n") if line.startswith("data: ")]


@each_bridge
@pytest.mark.parametrize("text", ["hello", "What is the weather?", "remember this", "please confirm", "delete", "fail"])
def test_a_run_is_what_the_adapter_answers(bridge: Bridge, text: str) -> None:
    asked = request(text, tools=[CONFIRM], state={"facts": ["grass is green"]})
    with without_log() as url, served(bridge) as (_, client):
        alone, logged = (texts(answer.content) for answer in (httpx.post(url, json=asked), client.post("", json=asked)))
    assert len(logged) > 1
    # The server begins the run itself, and names its own version of the protocol.
    begun = [json.loads(first) for first in (alone[0], logged[0])]
    assert [(event["type"], event["threadId"], event["runId"]) for event in begun] == [
        ("RUN_STARTED", "thread-1", "run-1")
    ] * 2
    assert json.loads(normalize(f"[{','.join(logged[1:])}]")) == json.loads(normalize(f"[{','.join(alone[1:])}]"))
    # The official classes read and write the same text.
    encoder = ag_ui.encoder.EventEncoder()
    assert [encoder.encode(official_events.validate_json(text)) for text in logged] == [
        f"data: {text}\n\n" for text in logged
    ]


@each_bridge
def test_a_run_that_is_cut_is_resumed_byte_for_byte(bridge: Bridge) -> None:
    with served(bridge, is_open=False) as (assistant, client):
        response, received = begin(client, b"It is ", ASKED, RESUMES)
        first = received[: received.rindex(b"\n\n") + 2]
        last = first[first.rindex(b"id: ") + 4 :].split(b"\n")[0].decode()
        assistant.opened.set()
        rest = read(client, last, **RUN).content
        whole = read(client, response.headers["ag-ui-cursor"], **RUN).content
        assert first + rest == whole
        # And behind each of its events.
        at = 0
        while (end := whole.find(b"\n\n", at)) >= 0:
            id, at = whole[at:end].split(b"id: ")[1].split(b"\n")[0].decode(), end + 2
            assert read(client, id, **RUN).content == whole[at:]
    assert (assistant.asked, assistant.ends) == (2, ["said", "said"])


@pytest.mark.parametrize("lengths", [[700], [1, 500, 900], [1200, 450, 450, 800]], ids=str)
def test_a_client_reads_on_over_cuts(lengths: list[int]) -> None:
    with (
        served() as (assistant, client),
        proxied(client.base_url.port or 0, lengths) as address,
        SyncHttpAgent(address, reconnect=QUICK) as agent,
    ):
        reply = agent.ask("What is the weather?")
    assert reply.text == SAID
    assert [message.role for message in agent.messages] == ["user", "assistant", "tool", "assistant"]
    assert assistant.asked == 2


@each_bridge
def test_a_second_client_joins_and_cancels(bridge: Bridge) -> None:
    with served(bridge, is_open=False) as (assistant, client), ExitStack() as stack:
        address = str(client.base_url).rstrip("/")
        asking, joining = (stack.enter_context(SyncHttpAgent(address, thread_id="thread-1")) for _ in range(2))
        events = iter(stack.enter_context(asking.ask_stream("What is the weather?", run_id="run-1")))
        assert next(events) == "It is "
        opened = stack.enter_context(joining.connect())
        seen = []
        for event in opened:
            seen.append(event.type)
            if event.type == "TEXT_MESSAGE_CONTENT":
                assert assistant.ends == ["said"]
                joining.cancel("run-1")
        assert "TOOL_CALL_RESULT" in seen and seen[-1] == "RUN_FINISHED"
        assert list(events) == []
        assert opened.result.outcome == "cancelled"
        until(lambda: assistant.ends == ["said", "closed"])
        # The thread is free.
        assistant.opened.set()
        assert joining.ask("hello").result.outcome == "success"
    assert [message.role for message in asking.messages] == ["user", "assistant", "tool", "assistant"]
    assert asking.messages == joining.messages[:4]


@each_bridge
def test_an_approval_is_checked_against_the_thread(bridge: Bridge) -> None:
    with served(bridge) as (_, client):
        client.post("", json=request("please delete everything"))
        (waiting,) = client.get("", params={"thread": "thread-1"}).json()["interrupts"]
        assert waiting["id"] == "int-call-1"
        assert client.post("", json=request("hello", runId="other")).json()["rule"] == "L01"
        answer = resumed(waiting["id"], "resolved", payload={"approved": True})
        answered = [json.loads(text) for text in texts(client.post("", json=answer).content)]
        assert [event["content"] for event in answered if event["type"] == "TOOL_CALL_RESULT"] == ["deleted"]
        again = client.post("", json={**answer, "runId": "again"})
        assert (again.status_code, again.json()["code"]) == (422, "unknown_interrupt")


@pytest.mark.parametrize(
    "client",
    [
        "official JavaScript",
        "official JavaScript, ours underneath",
        "our JavaScript",
        "our Python",
        "our blocking Python",
        "our Python, protobuf",
    ],
)
def test_clients_see_what_they_see_without_a_log(client: str) -> None:
    names = ["hello", "weather", "remember this", "delete", "fail"]
    with without_log() as url, served() as (_, logged):
        seen = told(client, str(logged.base_url), names)
        assert seen == told(client, url, names)
    outcomes = [[run["outcome"] for run in runs] for runs in seen.values()]
    assert outcomes == [["success"], ["success"], ["success"], ["interrupt", "success"], ["error"]]

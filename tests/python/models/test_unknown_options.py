"""A misspelt name is refused by name, and a text that cannot be a URL is refused when the agent is made; errors about
missing extras say how to install them.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from ag_ui_native import AGUIError, Limits
from ag_ui_native.client import (
    Agent,
    AgentStateMutation,
    AgentSubscriber,
    FrontendTool,
    HttpAgent,
    LocalAgent,
    Retry,
    SyncAgent,
    SyncHttpAgent,
    SyncLocalAgent,
    SyncWebSocketAgent,
    Timeouts,
    ToolCallFilter,
    WebSocketAgent,
)
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.patch import apply_patch
from ag_ui_native.proto import encode
from ag_ui_native.server import Run, StateTracker, asgi_app, guard, respond, wsgi_app
from ag_ui_native.stream import EventDecoder, EventPipeline, Reducer, apply_events, decode_events, verify_events
from ag_ui_native.testing import run_agent
from client_scripts import Script
from conftest import fixture_cases


def agent(run: Run) -> None:
    """Does nothing."""


def within(work: Callable[[Run], object]) -> None:
    """Does it with a run, and raises what that raises."""
    error = run_agent(lambda run: (work(run), None)[1]).error
    if error is not None:
        raise error


TAKERS: dict[str, Callable[..., object]] = {
    "asgi_app": lambda **options: asgi_app(agent, **options),
    "wsgi_app": lambda **options: wsgi_app(agent, **options),
    "respond": lambda **options: respond(None, agent, **options),  # type: ignore[arg-type]
    "run_agent": lambda **options: run_agent(agent, **options),
    "server": lambda **options: LocalAgent(agent, server=options),  # type: ignore[arg-type]  # Any names are given.
    "guard": lambda **options: guard([], **options),
    "StateTracker": lambda **options: StateTracker({}, **options),
    "text_message": lambda **options: within(lambda run: run.text_message(**options)),
    "reasoning": lambda **options: within(lambda run: run.reasoning(**options)),
    "tool_call": lambda **options: within(lambda run: run.tool_call("f", **options)),
    "tool_result": lambda **options: within(lambda run: run.tool_result("c", "ok", **options)),
    "subagent": lambda **options: within(lambda run: run.subagent("s", **options)),
    "activity": lambda **options: within(lambda run: run.activity("PLAN", {}, **options)),
    "interrupt": lambda **options: within(lambda run: run.interrupt(**options)),
    "Agent": lambda **options: Agent(Script(), **options),
    "SyncAgent": lambda **options: SyncAgent(Script(), **options),
    "HttpAgent": lambda **options: HttpAgent("http://localhost/", **options),
    "SyncHttpAgent": lambda **options: SyncHttpAgent("http://localhost/", **options),
    "WebSocketAgent": lambda **options: WebSocketAgent("ws://localhost/", **options),
    "SyncWebSocketAgent": lambda **options: SyncWebSocketAgent("ws://localhost/", **options),
    "LocalAgent": lambda **options: LocalAgent(agent, **options),
    "SyncLocalAgent": lambda **options: SyncLocalAgent(agent, **options),
    "a run": lambda **parameters: SyncAgent(Script()).run_agent(**parameters),
    "ask": lambda **parameters: SyncAgent(Script()).ask("Hi", **parameters),
    "tool": lambda **options: SyncAgent(Script()).tool(lambda: 1, **options),
    "Timeouts": Timeouts,
    "Retry": Retry,
    "Limits": Limits,
    "AgentStateMutation": AgentStateMutation,
    "FrontendTool": lambda **options: FrontendTool(lambda: 1, **options),
    "ToolCallFilter": ToolCallFilter,
    "EventEncoder": EventEncoder,
    "encode": lambda **options: encode({"type": "STEP_STARTED", "stepName": "s"}, **options),
    "EventDecoder": EventDecoder,
    "decode_events": lambda **options: decode_events([], **options),
    "EventPipeline": EventPipeline,
    "Reducer": Reducer,
    "apply_events": lambda **options: apply_events([], **options),
    "verify_events": lambda **options: verify_events([], **options),
    "apply_patch": lambda **options: apply_patch({}, [], **options),
}


@pytest.mark.parametrize("name", TAKERS)
def test_options_that_there_are_not(name: str) -> None:
    with pytest.raises(TypeError, match="nothing") as caught:
        TAKERS[name](nothing=1)
    # The caller knows no class of ours that is not public.
    assert "Settings" not in str(caught.value) and not str(caught.value).startswith("_")


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda **options: HttpAgent("http://localhost/", **options), "state, client, thread_id, .*headers"),
        (lambda **options: SyncHttpAgent("http://localhost/", **options), "state, client, thread_id, .*headers"),
        (lambda **options: WebSocketAgent("ws://localhost/", **options), "state, thread_id, .*connection"),
        (lambda **options: LocalAgent(agent, **options), "state, server, thread_id"),
        (lambda **options: asgi_app(agent, **options), "time_limit, .*cors"),
    ],
)
def test_options_are_listed_with_those_of_the_class(make: Callable[..., object], names: str) -> None:
    with pytest.raises(TypeError, match=rf"has no option 'header': use one of {names}"):
        make(header=1)


class Misspelt(AgentSubscriber):
    def on_text_message_contents_event(self, params: object) -> None:
        raise AssertionError


class Foreign:
    """Is no AgentSubscriber, and spells as Node does."""

    online = True

    def on_event(self, params: object) -> None:
        raise AssertionError

    def onNewMessage(self, params: object) -> None:
        raise AssertionError


@pytest.mark.parametrize(
    ("subscriber", "name"), [(Misspelt(), "on_text_message_contents_event"), (Foreign(), "onNewMessage")]
)
def test_callbacks_that_there_are_not(subscriber: Any, name: str) -> None:
    ways: dict[str, Callable[[], object]] = {
        f"/subscribers/0/{name}": lambda: SyncAgent(Script(), subscribers=[subscriber]),
        f"/{name}": lambda: SyncAgent(Script()).subscribe(subscriber),
        f"/subscriber/{name}": lambda: SyncAgent(Script()).run_agent(subscriber=subscriber),
    }
    for path, way in ways.items():
        with pytest.raises(
            AGUIError, match=rf"no callback '{name}': use one of on_run_initialized, .*, on_state_changed"
        ) as caught:
            way()
        assert (caught.value.code, caught.value.path) == ("unknown_field", path)


class Async(AgentSubscriber):
    async def on_event(self, params: object) -> None:
        raise AssertionError


async def headers() -> dict[str, str]:
    raise AssertionError


async def between(input: Any, ask: Any) -> Any:
    raise AssertionError
    yield


@pytest.mark.parametrize(
    "make",
    [
        lambda: SyncAgent(Script(), subscribers=[Async()]),
        lambda: SyncAgent(Script()).subscribe(Async()),
        lambda: SyncAgent(Script(), middleware=[between]),
        lambda: SyncAgent(Script()).use(between),
        lambda: SyncHttpAgent("http://localhost/", headers=headers),
        lambda: setattr(SyncHttpAgent("http://localhost/"), "headers", headers),
    ],
)
def test_sync_agents_refuse_what_is_async_when_it_is_declared(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="is async: give a sync agent plain functions"):
        make()


URLS: Any = fixture_cases("urls")


def test_what_can_be_no_url_is_refused_when_the_agent_is_made() -> None:
    makers: dict[str, list[Callable[[str], object]]] = {
        "http": [HttpAgent, SyncHttpAgent],
        "websocket": [WebSocketAgent, SyncWebSocketAgent],
    }
    for group, makes in makers.items():
        for make in makes:
            for url in URLS[group]["taken"]:
                make(url)
            for url in URLS[group]["refused"]:
                with pytest.raises(AGUIError) as caught:
                    make(url)
                assert (caught.value.code, caught.value.path) == ("wrong_type", "/url"), url


@pytest.mark.parametrize(
    ("package", "code", "extra"),
    [
        ("starlette", "from ag_ui_native.server import respond; respond(None, print)", "server"),
        ("httpx", "from ag_ui_native.client import HttpAgent; HttpAgent('http://localhost/')", "client"),
        ("httpx", "from ag_ui_native.client import SyncHttpAgent; SyncHttpAgent('http://localhost/')", "client"),
        ("websockets", "from ag_ui_native.client import WebSocketAgent; WebSocketAgent('ws://x/')", "websocket"),
        ("websockets", "from ag_ui_native.client import SyncWebSocketAgent as A; A('ws://x/')", "websocket"),
    ],
)
def test_missing_extras_say_how_to_get_them(package: str, code: str, extra: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; {code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ") and f'pip install "ag-ui-native[{extra}]"' in last


@pytest.mark.parametrize("name", ["idle", "first_byte", "total"])
def test_what_takes_too_long_names_the_timeout_and_its_seconds(name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url, timeouts = f"http://127.0.0.1:{server.getsockname()[1]}/", Timeouts(**{name: 0.1})
        said = f"timed_out: .*{name}_timeout is 0.1 s"
        with pytest.raises(AGUIError, match=said):
            SyncHttpAgent(url, timeouts=timeouts).run_agent()
        with pytest.raises(AGUIError, match=said):
            asyncio.run(HttpAgent(url, timeouts=timeouts).run_agent())

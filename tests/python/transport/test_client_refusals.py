"""The arguments of an agent of the client are checked when it is made."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path
from typing import Any

import httpx
import pytest

from ag_ui_native import AGUIConnectionError, AGUIValidationError, Limits
from ag_ui_native.client import (
    Agent,
    AgentSubscriber,
    HttpAgent,
    HttpOptions,
    Reconnect,
    Retry,
    SyncAgent,
    SyncHttpAgent,
    SyncWebSocketAgent,
    Timeouts,
    WebSocketAgent,
)
from client_scripts import Script, run_of, says
from raw_peer import HANG, WHOLE, peer

TABLE = json.loads((Path(__file__).parents[2] / "fixtures/client/client_options.json").read_text())
CLASSES: dict[str, Any] = {"timeouts": Timeouts, "reconnect": Reconnect, "retry": Retry, "limits": Limits}
STANDS_FOR: dict[str, Any] = {"<nan>": math.nan, "<infinity>": math.inf, "<function>": lambda *given: None}


def meant(value: Any) -> Any:
    """Returns the value that a value of the table stands for."""
    if isinstance(value, list):
        return [meant(item) for item in value]
    if isinstance(value, dict):
        return {name: meant(item) for name, item in value.items()}
    if value == "<subscriber>":
        return AgentSubscriber[Any]()
    return STANDS_FOR.get(value, value) if isinstance(value, str) else value


def agents(part: str) -> list[Any]:
    over_http = [lambda **options: HttpAgent("http://localhost/", **options)]
    over_http += [lambda **options: SyncHttpAgent("http://localhost/", **options)]
    anywhere = [lambda **options: Agent(Script(), **options), lambda **options: SyncAgent(Script(), **options)]
    return over_http + ([] if part == "http" else anywhere)


ROWS = [(part, name, case) for part in ("any", "http") for name, case in TABLE[part].items()]


@pytest.mark.parametrize(("part", "name", "case"), ROWS, ids=[row[1] for row in ROWS])
def test_options(part: str, name: str, case: dict[str, Any]) -> None:
    for value in case["takes"]:
        for make in agents(part):
            given = meant(value)
            make(**{name: CLASSES[name](**given) if name in CLASSES else given})
    for value, *rest in case["refuses"]:
        pointer, code = [*rest, "", "wrong_type"][:2] if len(rest) != 1 else [rest[0], "wrong_type"]
        for make in agents(part):
            given = meant(value)
            own = name in CLASSES and isinstance(given, dict)
            if own and code == "unknown_field":
                with pytest.raises(TypeError, match=next(iter(given))):
                    CLASSES[name](**given)
                continue
            with pytest.raises(AGUIValidationError) as caught:
                make(**{name: CLASSES[name](**given) if own else given})
            error = caught.value
            # An option with a class of its own reports paths within itself.
            path = pointer if own and name != "limits" else f"/{name}{pointer}"
            assert (error.code, error.path) == (code, path), value
            assert [(issue.code, issue.path) for issue in error.issues] == [(code, path)]


def test_every_option_is_in_the_table() -> None:
    tested = TABLE["any"].keys() | TABLE["http"].keys()
    assert HttpOptions.__annotations__.keys() - tested == {"pending_interrupts"}


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"pending_interrupts": 5}, "/pending_interrupts"),
        ({"pending_interrupts": [{"id": "i", "reason": "r"}, {"id": 5}]}, "/pending_interrupts/1/id"),
        ({"state": {1}}, "/state"),
        ({"state": {"a": [object()]}}, "/state"),
        ({"timeouts": None}, "/timeouts"),
        ({"subscribers": [AgentSubscriber]}, "/subscribers/0"),
    ],
    ids=str,
)
def test_others_are_checked_too(options: dict[str, Any], path: str) -> None:
    for make in (Agent, SyncAgent):
        with pytest.raises(AGUIValidationError) as caught:
            make(Script(), **options)
        assert caught.value.path.startswith(path)


def test_an_option_that_there_is_not() -> None:
    unknown: Any = {"timeout": 3}
    for make in (Agent, SyncAgent):
        with pytest.raises(TypeError, match="no option 'timeout': use one of state, thread_id,"):
            make(Script(), **unknown)
    with pytest.raises(TypeError, match="no option 'timeout'"):
        HttpAgent("http://localhost/", **unknown)


@pytest.mark.parametrize("kind", [WebSocketAgent, SyncWebSocketAgent])
@pytest.mark.parametrize("option", ["redirects", "reconnect"])
def test_options_of_another_transport_are_refused(kind: Any, option: str) -> None:
    with pytest.raises(TypeError, match=f"has no option '{option}': use one of state, "):
        kind("ws://127.0.0.1:1/", **{option: None})


@pytest.mark.parametrize("kind", [HttpAgent, SyncHttpAgent])
def test_options_of_websockets_are_refused(kind: Any) -> None:
    with pytest.raises(TypeError, match="has no option 'connection'"):
        kind("http://127.0.0.1:1/", connection={})


@pytest.mark.parametrize("url", [None, 5, "", "junk", "http://", "ftp://x/", "http://a:99999/"])
def test_addresses_that_are_none(url: Any) -> None:
    for make in (HttpAgent, SyncHttpAgent, WebSocketAgent, SyncWebSocketAgent):
        given = (
            url.replace("http", "ws") if isinstance(url, str) and make in (WebSocketAgent, SyncWebSocketAgent) else url
        )
        with pytest.raises(AGUIValidationError) as caught:
            make(given)
        assert caught.value.path == "/url"


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({"run_id": 5}, "/run_id"),
        ({"parent_run_id": ["r"]}, "/parent_run_id"),
        ({"tools": None}, "/tools"),
        ({"tools": "ab"}, "/tools"),
        ({"context": None}, "/context"),
        ({"resume": {"a": 1}}, "/resume"),
        ({"subscriber": 5}, "/subscriber"),
    ],
    ids=str,
)
def test_parameters_of_the_wrong_kind(parameters: dict[str, Any], path: str) -> None:
    script = Script(run_of(*says("Hi")))
    agent = SyncAgent(script)
    for ask in (agent.run, agent.stream, agent.run_agent, lambda **given: agent.ask("Hi", **given)):
        with pytest.raises(AGUIValidationError) as caught:
            ask(**parameters)
        assert (caught.value.code, caught.value.path) == ("wrong_type", path)
    assert (script.asked, agent.messages, agent.is_running) == ([], [], False)


def test_what_is_added_later_is_checked_too() -> None:
    agent: Any = SyncAgent(Script(run_of()))
    for wrong in (
        lambda: agent.subscribe(5),
        lambda: agent.use(5),
        lambda: agent.add_message(5),
        lambda: agent.set_state({1}),
        lambda: agent.set_state({"a": math.nan}),
    ):
        with pytest.raises(AGUIValidationError):
            wrong()
    assert (agent.subscribers, agent.messages, agent.state) == ([], [], {})
    assert agent.run_agent().outcome == "success"


@pytest.mark.parametrize("wrong", [None, "data", b"data", 5, ["data"], [run_of()[0], None], [5]], ids=repr)
def test_a_transport_gives_bytes(wrong: Any) -> None:
    for made in (SyncAgent, Agent):
        agent: Any = made(lambda request: wrong)
        with pytest.raises(TypeError, match=r"transport.* bytes"):
            outcome = agent.run_agent()
            if made is Agent:
                asyncio.run(outcome)
        assert not agent.is_running


def test_for_ever_may_be_said_with_numbers() -> None:
    for seconds in (math.inf, 1e300):
        times = Timeouts(connect=seconds, first_byte=seconds, idle=seconds, total=seconds)
        assert SyncAgent(Script(run_of()), timeouts=times).run_agent().outcome == "success"
        with peer(WHOLE) as server, SyncHttpAgent(server.url, timeouts=times) as agent:
            assert agent.run_agent().outcome == "success"


@pytest.mark.parametrize("face", [HttpAgent, SyncHttpAgent])
def test_headers_are_latin_1_and_checked_when_they_are_asked_for(face: Any) -> None:
    def outcome(agent: Any) -> Any:
        return asyncio.run(agent.run_agent()) if face is HttpAgent else agent.run_agent()

    with peer(WHOLE) as server:
        assert outcome(face(server.url, headers={"X-Name": "Zo\u00eb"})).outcome == "success"
        assert b"Zo\xeb" in server.requests[0]
        for wrong, path in ((None, "/headers"), ({"a": 5}, "/headers/a"), ({"a": "\u20ac"}, "/headers/a")):
            with pytest.raises(AGUIValidationError) as caught:
                outcome(face(server.url, headers=lambda wrong=wrong: wrong))
            assert caught.value.path == path
        assert len(server.requests) == 1


@pytest.mark.parametrize("to", ["javascript:x", "http://[", "http://127.0.0.1:99999/"])
@pytest.mark.parametrize("face", [HttpAgent, SyncHttpAgent])
def test_a_redirect_to_no_address(face: Any, to: str) -> None:
    head = {"send": f"HTTP/1.1 307 Elsewhere\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"}
    with peer([head]) as server, pytest.raises(AGUIConnectionError) as caught:
        agent = face(server.url)
        if face is HttpAgent:
            asyncio.run(agent.run_agent())
        else:
            agent.run_agent()
    assert caught.value.code == "redirect_refused"


@pytest.mark.parametrize("to", ["http://[::1", "http://127.0.0.1:99999/"])
def test_a_redirect_to_an_invalid_url_is_the_same_error_with_a_given_client(to: str) -> None:
    """Such a client parses the target, and raises before there is a response."""

    async def message(**given: Any) -> str:
        head = {"send": f"HTTP/1.1 307 Elsewhere\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"}
        with peer([head]) as server, pytest.raises(AGUIConnectionError) as caught:
            await HttpAgent(server.url, **given).run_agent()
        return str(caught.value)

    async def work() -> None:
        async with httpx.AsyncClient() as client:
            assert await message(client=client) == await message()

    asyncio.run(work())


def test_a_refusal_whose_body_stalls_has_its_status() -> None:
    head = {"send": "HTTP/1.1 500 No\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nwhy"}
    trickle = {"repeat": 3000, "send": "x", "pause_ms": 10}
    for script in ([head, HANG], [head, trickle]):
        for face in (HttpAgent, SyncHttpAgent):
            with peer(script) as server, pytest.raises(AGUIConnectionError) as caught:
                agent: Any = face(server.url, timeouts=Timeouts(first_byte=30, idle=0.3))
                if face is HttpAgent:
                    asyncio.run(agent.run_agent())
                else:
                    agent.run_agent()
            assert (caught.value.code, caught.value.status) == ("http_error", 500)

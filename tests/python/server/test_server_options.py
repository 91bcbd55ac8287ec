"""Options of servers: each is checked when a server is made; and the effects of the options."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from ag_ui_native import AGUIError, AGUIValidationError, Limits
from ag_ui_native.client import LocalAgent
from ag_ui_native.core import RunAgentInput
from ag_ui_native.encoder import AGUI_MEDIA_TYPE
from ag_ui_native.ids import UuidGenerator
from ag_ui_native.server import Run, RunOptions, asgi_app, respond, wsgi_app
from ag_ui_native.stream import EventDecoder
from ag_ui_native.testing import arun_agent, run_agent
from servers import eventually

INPUT = {"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": []}


async def greet(run: Run) -> None:
    await run.write("Hello")


class Agreeable:
    """Says that it equals anything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    @staticmethod
    def text(text: str) -> str:
        return type("Text", (str,), {"__eq__": Agreeable.__eq__, "__hash__": str.__hash__})(text)  # type: ignore[no-any-return]


OPTIONS: dict[str, tuple[list[Any], list[tuple[str, Any]]]] = {
    "time_limit": ([None, 0, 1.5, float("inf")], [("", -1), ("", float("nan")), ("", "1"), ("", True), ("", 10**400)]),
    "heartbeat": ([None, 0, 1.5], [("", -1), ("", float("nan")), ("", "1")]),
    "body_timeout": ([None, 0, 1.5], [("", -1), ("", float("nan")), ("", "1")]),
    "max_waiting": ([1 << 10, 1 << 40], [("", 0), ("", -1), ("", 1.5), ("", "1"), ("", None), ("", True)]),
    "echo_input": ([True, False], [("", 1), ("", "no"), ("", None)]),
    "show_errors": ([True, False], [("", 1), ("", "no"), ("", None)]),
    "accept_wildcards": ([True, False], [("", 1), ("", "no"), ("", None)]),
    "state_flush": (["await", "end", "manual"], [("", "never"), ("", 1), ("", None), ("", ["end"]), ("", Agreeable())]),
    "ids": ([None, UuidGenerator()], [("", UuidGenerator), ("", object()), ("", lambda: "id")]),
    "limits": (
        [None, Limits(), Limits(depth=9)],
        [("", {"depth": 9}), ("", Limits), ("", 9)]
        + [("/depth", Limits(depth=depth)) for depth in (-1, "9", None, 1.5, 1 << 70)],  # type: ignore[arg-type]
    ),
    "cors": (
        [None, "*", [], ["https://a.example"], ("https://a.example",), {"https://a.example"}],
        [
            *[("", given) for given in ("https://a.example", b"*", 1, {"https://a.example": 1}, Agreeable())],
            *[("", Agreeable.text("a")), ("/1", ["a", 1]), ("/1", ["a", "*"]), ("/0", ["\ud800"]), ("/0", [None])],
        ],
    ),
    "pending_interrupts": ([None, lambda input: []], [("", []), ("", "ask")]),
}
WRONG = [(name, path, value) for name, (_, wrong) in OPTIONS.items() for path, value in wrong]


def test_every_option_is_checked() -> None:
    assert OPTIONS.keys() == RunOptions.__annotations__.keys()


@pytest.mark.parametrize("name", OPTIONS)
def test_options_take_what_they_say(name: str) -> None:
    for value in OPTIONS[name][0]:
        asgi_app(greet, **{name: value})
        assert run_agent(greet, **{name: value}).outcome == (
            "error" if (name, value) == ("time_limit", 0) else "success"
        )


@pytest.mark.parametrize(("name", "path", "value"), WRONG, ids=lambda given: str(given)[:20])
def test_options_of_the_wrong_kind_are_refused_where_the_server_is_made(name: str, path: str, value: Any) -> None:
    for entrance in (asgi_app, wsgi_app, run_agent, partial(respond, RunAgentInput(**INPUT))):
        with pytest.raises(AGUIValidationError, match=f"the option {name}: expected ") as raised:
            entrance(greet, **{name: value})
        (issue,) = raised.value.issues
        assert (raised.value.code, raised.value.path) == ("wrong_type", f"/{name}{path}") == (issue.code, issue.path)


def test_an_option_that_there_is_not() -> None:
    unknown: Any = {"heartbeats": 3}
    for entrance in (asgi_app, wsgi_app, run_agent, partial(respond, RunAgentInput(**INPUT))):
        with pytest.raises(TypeError, match="a server has no option 'heartbeats': use one of time_limit,"):
            entrance(greet, **unknown)
    with pytest.raises(TypeError, match="no option 'heartbeats'"):
        LocalAgent(greet, server=unknown)


def asked(app: Any, origin: str, body: bytes = b"", accept: str = "*/*") -> tuple[int, dict[str, str], bytes]:
    """Returns the answer of an application to a page of this origin."""
    sent: list[Any] = []

    async def receive() -> Any:
        if sent:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": body or json.dumps(INPUT).encode()}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"origin", origin.encode()), (b"accept", accept.encode())]
    asyncio.run(app({"type": "http", "method": "POST", "headers": headers}, receive, send))
    said = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], said, b"".join(message["body"] for message in sent[1:])


def test_options_that_change_later_change_nothing() -> None:
    origins = ["https://a.example"]
    options: Any = {"cors": origins}
    before = asgi_app(greet, **options)
    origins[0] = "https://b.example"
    after = asgi_app(greet, **options)
    for app, origin, other in ((before, "a", "b"), (after, "b", "a")):
        assert asked(app, f"https://{origin}.example")[1]["access-control-allow-origin"] == f"https://{origin}.example"
        assert "access-control-allow-origin" not in asked(app, f"https://{other}.example")[1]


def test_origins_are_asked_for_once() -> None:
    class Lying(list[str]):
        asked = 0

        def __iter__(self) -> Iterator[str]:
            Lying.asked += 1
            return iter(["https://a.example"] if Lying.asked == 1 else ["*", "https://b.example"])

    app = asgi_app(greet, cors=Lying())
    assert "access-control-allow-origin" not in asked(app, "https://b.example")[1]
    assert (asked(app, "https://a.example")[1]["access-control-allow-origin"], Lying.asked) == ("https://a.example", 1)

    class Failing(list[str]):
        def __iter__(self) -> Iterator[str]:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        asgi_app(greet, cors=Failing())


def test_a_page_hears_of_a_server_that_fails() -> None:
    def pending(input: RunAgentInput) -> Any:
        raise ValueError("secret")

    status, headers, body = asked(
        asgi_app(greet, cors=["https://a.example"], pending_interrupts=pending), "https://a.example"
    )
    assert (status, headers["access-control-allow-origin"]) == (500, "https://a.example")
    assert json.loads(body)["code"] == "internal" and b"secret" not in body


@pytest.mark.parametrize("accept", ["text/event-stream", AGUI_MEDIA_TYPE])
def test_larger_limits_reach_every_event(accept: str) -> None:
    text = "x" * (17 << 20)
    limits = Limits(event_bytes=64 << 20)

    async def agent(run: Run) -> str:
        assert run.state == {"text": text}
        await run.activity("plan", {}).update({"text": text})
        run.state = {"other": text}
        return text

    body = json.dumps({**INPUT, "state": {"text": text}}).encode()
    app = asgi_app(agent, limits=limits, echo_input=True, pending_interrupts=lambda input: [])
    status, headers, answer = asked(app, "x", body, accept)
    assert (status, headers["content-type"]) == (200, accept)
    decoder = EventDecoder(headers["content-type"], profile="strict", limits=limits, as_dicts=True)
    events = decoder.feed(answer) + decoder.close()
    kinds = ["RUN_STARTED", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "STATE_SNAPSHOT", "RUN_FINISHED"]
    assert [event["type"] for event in events] == kinds
    assert (events[-1]["result"], events[0]["input"]["state"]) == (text, {"text": text})


def test_one_application_in_two_loops_at_once() -> None:
    async def agent(run: Run) -> str:
        await asyncio.sleep(0.001)
        await run.write("Hello")
        return run.thread_id

    app = asgi_app(agent, cors=["https://a.example"])
    found: list[bytes] = []

    def ask(name: str) -> None:
        for _ in range(20):
            body = json.dumps({**INPUT, "threadId": name}).encode()
            found.append(asked(app, "https://a.example", body)[2])
            assert f'"result":"{name}"'.encode() in found[-1]

    threads = [threading.Thread(target=ask, args=(f"t{index}",)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80


@pytest.mark.parametrize("kind", ["task", "thread"])
def test_what_goes_on_writing_after_the_end_is_told(kind: str) -> None:
    """Every call is refused by the rule, and nothing of it is seen."""
    refused: list[tuple[str, object]] = []
    over = threading.Event()

    def write(run: Run, opened: Any, activity: Any) -> None:
        def state() -> None:
            run.state["steps"] = [1]
            run.flush_state()

        calls: list[Any] = [
            lambda: run.write("late"), run.text_message, lambda: opened[0].write("late"), lambda: opened[1].write("{"),
            lambda: opened[1].result("late"), lambda: opened[2].write("late"), lambda: opened[3].write("late"),
            lambda: run.step("late"), lambda: run.tool_call("late"), lambda: run.custom("late", 1),
            lambda: activity.update({"a": 2}), lambda: activity.patch([]), lambda: activity.snapshot({}), state,
            run.state_snapshot, lambda: run.messages_snapshot([]), run.finish, run.cancel, lambda: run.fail("late"),
            lambda: run.interrupt({"id": "i", "reason": "confirmation"}),
        ]  # fmt: skip
        for call in calls:
            try:
                call()
                refused.append(("", call))
            except AGUIError as error:
                refused.append((error.code, type(error).__name__))
        activity.update({"a": 1})
        opened[0].end()

    async def main() -> None:
        tasks: list[Any] = []

        async def agent(run: Run) -> None:
            opened = run.text_message(), run.tool_call("f"), run.reasoning(), run.subagent("n")
            activity = run.activity("plan", {"a": 1})
            if kind == "thread":
                tasks.append(
                    asyncio.ensure_future(asyncio.to_thread(lambda: (over.wait(), write(run, opened, activity))))
                )
            else:

                async def later() -> None:
                    await eventually(over.is_set)
                    write(run, opened, activity)

                tasks.append(asyncio.ensure_future(later()))

        run = await arun_agent(agent)
        over.set()
        await asyncio.gather(*tasks)
        assert run.outcome == "success" and run.events[-1].type == "RUN_FINISHED"

    asyncio.run(main())
    assert refused == [("sequence_broken", "AGUISequenceError")] * 20

"""Random agents that may fail at any place, with clients that are slow or disconnect: every stream is legal and ends
once.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ag_ui_native import AGUIError
from ag_ui_native.core import RunAgentInput
from ag_ui_native.server import Run, asgi_app
from ag_ui_native.stream import EventVerifier, apply_events, decode_events
from servers import asgi_server, connect, read_answer

INPUT = RunAgentInput.model_validate(
    {"threadId": "t", "runId": "r", "messages": [{"id": "u", "role": "user", "content": "?"}], "state": {"n": 0}}
)
ids = st.sampled_from("abc")
calls = st.one_of(
    st.tuples(st.just("text_message"), ids),
    st.tuples(st.just("reasoning"), ids),
    st.tuples(st.just("tool_call"), ids),
    st.tuples(st.just("subagent"), ids),
    st.tuples(st.just("step"), ids),
    st.tuples(st.just("whole_call"), ids),
    st.tuples(st.just("activity"), ids),
    st.tuples(st.just("write"), st.integers(0, 5), st.text(max_size=4)),
    st.tuples(st.just("write"), st.integers(0, 5), st.just("\ud800")),
    st.tuples(st.just("end"), st.integers(0, 5)),
    st.tuples(st.just("result"), st.integers(0, 5)),
    st.tuples(st.just("custom"), st.sampled_from([None, {"a": [1, 2.5, "é"]}, float("nan"), object()])),
    st.tuples(st.just("state"), st.integers(0, 3)),
    st.tuples(st.just("await")),
    st.tuples(st.just("sleep")),
    st.tuples(st.just("child"), st.sampled_from(["await", "cancel"])),
    st.tuples(st.just("snapshot")),
)
endings = st.one_of(
    st.tuples(st.just("return"), st.sampled_from([None, {"a": 1}, object(), float("inf")])),
    st.tuples(st.just("raise"), st.sampled_from([ValueError("no"), asyncio.CancelledError(), GeneratorExit()])),
    st.tuples(st.just("finish")),
    st.tuples(st.just("interrupt")),
    st.tuples(st.just("cancel")),
    st.tuples(st.just("fail")),
    st.tuples(st.just("hang")),
)


class Script:
    """An agent from a list of calls."""

    def __init__(self, calls: list[Any], ending: Any) -> None:
        self.calls = calls
        self.ending = ending
        self.run: Any = None

    async def __call__(self, run: Run) -> object:
        self.run = run
        scopes, open_ones = [run], []
        try:
            for call in self.calls:
                # After a refusal the run goes on.
                with suppress(AGUIError, TypeError, ValueError):
                    await self.step(run, scopes, open_ones, call)
            name, *arguments = self.ending
            if name == "return":
                return arguments[0]
            if name == "raise":
                raise arguments[0]
            if name == "hang":
                await asyncio.sleep(3600)
            elif name == "interrupt":
                run.interrupt({"id": "i", "reason": "input"})
            elif name == "fail":
                run.fail("no")
            else:
                getattr(run, name)()
        finally:
            # Cleanup may write, also after the end of the run.
            with suppress(AGUIError):
                run.write("Bye.")
        return None

    async def step(self, run: Any, scopes: list[Any], open_ones: list[Any], call: Any) -> None:
        name, *arguments = call
        scope = scopes[-1]
        if name in ("text_message", "reasoning", "step"):
            open_ones.append(getattr(scope, name)(arguments[0]))
        elif name == "tool_call":
            open_ones.append(scope.tool_call("look", id=arguments[0]))
        elif name == "whole_call":
            await scope.tool_call("look", {"a": 1}, id=arguments[0]).result("ok")
        elif name == "subagent":
            scopes.append(scope.subagent("sub", arguments[0]))
        elif name == "activity":
            scope.activity("PLAN", {"a": 1}, arguments[0]).update({"a": 2})
        elif name == "write" and arguments[0] < len(open_ones):
            open_ones[arguments[0]].write(arguments[1])
        elif name == "end":
            if len(scopes) > 1 and arguments[0] == 0:
                scopes.pop().finish()
            elif arguments[0] < len(open_ones):
                open_ones[arguments[0]].end()
        elif name == "result" and arguments[0] < len(open_ones):
            open_ones[arguments[0]].result("ok")
        elif name == "custom":
            scope.custom("c", arguments[0])
        elif name == "state" and hasattr(run, "state"):
            run.state["n"] += arguments[0]
            run.state.setdefault("list", []).append({"x": arguments[0]})
        elif name == "await":
            await run.custom("awaited", 1)
        elif name == "sleep":
            await asyncio.sleep(0)
        elif name == "snapshot":
            run.messages_snapshot(run.messages)
        elif name == "child":
            # A task of the agent's own, cancelled while it sends.
            async def work() -> None:
                for _ in range(3):
                    await scope.custom("child", 1)

            task = asyncio.ensure_future(work())
            await asyncio.sleep(0)
            if arguments[0] == "cancel":
                task.cancel()
            await asyncio.wait({task})


class Client:
    """An ASGI server with a client that is slow, disconnects or fails."""

    def __init__(self, delays: list[int], gone_after: int | None, breaks_after: int | None) -> None:
        self.delays = delays
        self.gone_after = gone_after
        self.breaks_after = breaks_after
        self.sent: list[Any] = []
        self.gone = asyncio.Event()
        self.requests = [
            {"type": "http.request", "body": INPUT.model_dump_json(by_alias=True).encode(), "more_body": False}
        ]

    async def receive(self) -> Any:
        if self.requests:
            return self.requests.pop()
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        count = len(self.sent)
        if self.gone_after is not None and count >= self.gone_after:
            self.gone.set()
            return
        if self.breaks_after is not None and count >= self.breaks_after:
            raise ConnectionResetError
        # As servers do: they wait until there is room, and write then.
        for _ in range(self.delays[count % len(self.delays)] if self.delays else 0):
            await asyncio.sleep(0)
        self.sent.append(message)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def is_whole(self) -> bool:
        return bool(self.sent) and self.sent[-1].get("more_body") is False


def judge(script: Script, body: bytes) -> list[Any]:
    """Checks that a whole stream is legal, ends once, and leaves the client with the agent's state."""
    events = list(decode_events([body], "text/event-stream", profile="strict"))
    verifier = EventVerifier()
    for event in events:
        verifier.check(event)
    verifier.finish()
    assert [event.type for event in events if event.type in ("RUN_FINISHED", "RUN_ERROR")] == [events[-1].type]
    applied = apply_events(events, INPUT.messages, INPUT.state)
    assert applied.state_in_sync
    if hasattr(script.run, "state"):
        assert applied.state == script.run.state
    return events


@settings(max_examples=int(os.environ.get("EXAMPLES", "300")), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(calls, max_size=20),
    endings,
    st.lists(st.integers(0, 3), max_size=4),
    st.none() | st.integers(0, 8),
    st.none() | st.integers(0, 8),
    st.none() | st.integers(0, 30),
)
def test_every_stream_is_legal_and_ends_once(
    calls: list[Any],
    ending: Any,
    delays: list[int],
    gone_after: int | None,
    breaks_after: int | None,
    cancel_after: int | None,
) -> None:
    script = Script(calls, ending)

    async def main() -> Client:
        client = Client(delays, gone_after, breaks_after)
        options: Any = {"time_limit": 0.02} if ending[0] == "hang" and cancel_after is None else {}
        app = asgi_app(script, **options)
        headers = [(b"content-type", b"application/json")]
        task = asyncio.ensure_future(
            app({"type": "http", "method": "POST", "headers": headers}, client.receive, client.send)
        )
        if cancel_after is not None:
            # The server goes down.
            for _ in range(cancel_after):
                await asyncio.sleep(0)
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(task, 20)
        return client

    client = asyncio.run(main())
    assert script.run is None or not script.run.is_running
    assert client.is_whole or (gone_after, breaks_after, cancel_after) != (None, None, None)
    if client.is_whole and client.body:
        keep(judge(script, client.body))


def keep(events: list[Any]) -> None:
    """Keeps the streams for other verifiers if `STREAMS` names a file."""
    path = os.environ.get("STREAMS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write("[" + ",".join(event.model_dump_json(by_alias=True) for event in events) + "]\n")


def test_over_a_socket() -> None:
    """A sample of the same with a real server."""
    scripts: list[Script] = []

    async def agent(run: Run) -> object:
        return await scripts[-1](run)

    with asgi_server(asgi_app(agent)) as port:

        @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(calls, max_size=20), endings.filter(lambda ending: ending[0] != "hang"))
        def ask(calls: list[Any], ending: Any) -> None:
            scripts.append(Script(calls, ending))
            request = {
                "method": "POST",
                "headers": {"content-type": "application/json"},
                "body": INPUT.model_dump_json(by_alias=True),
            }
            with connect(port, request) as client:
                keep(judge(scripts[-1], read_answer(client).body))

        ask()

"""The events that the methods of a run write."""

from __future__ import annotations

import asyncio
import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from ag_ui_native import AGUIError
from ag_ui_native.core import CustomEvent, Interrupt, RunAgentInput, TextPart, TokenUsage, UserMessage
from ag_ui_native.server import Run, asgi_app
from conftest import fixture_cases

INPUT = RunAgentInput(thread_id="t", run_id="r", messages=[UserMessage(id="u", content="Hello?")])


class Ids:
    """Ids that a test knows."""

    def __init__(self) -> None:
        self.count = 0

    def _next(self) -> str:
        self.count += 1
        return str(self.count)

    thread_id = run_id = message_id = tool_call_id = step_id = _next


async def asked(
    agent: Any,
    *,
    input: RunAgentInput = INPUT,
    accept: str | None = None,
    sent: list[Any] | None = None,
    **options: Any,
) -> bytes:
    """The body that an ASGI application answers with. Its messages are appended to `sent` when they are sent."""
    options.setdefault("ids", Ids())
    headers = [(b"content-type", b"application/json")] + ([(b"accept", accept.encode())] if accept else [])
    body = input.model_dump_json(by_alias=True).encode()
    requests = [{"type": "http.request", "body": body, "more_body": False}]
    sent = [] if sent is None else sent

    async def receive() -> Any:
        if requests:
            return requests.pop()
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    await asgi_app(agent, **options)({"type": "http", "method": "POST", "headers": headers}, receive, send)
    assert sent[0]["status"] == 200 and sent[-1]["more_body"] is False
    return b"".join(message.get("body", b"") for message in sent)


def events(agent: Any, **options: Any) -> list[Any]:
    """The events between the start of the run and its end, and the end."""
    body = asyncio.run(asked(agent, **options))
    made = [json.loads(line[6:]) for line in body.decode().split("\n\n") if line.startswith("data: ")]
    assert made[0] == {"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1"}
    return made[1:]


END = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


def test_the_program_of_ten_lines() -> None:
    async def agent(run: Run) -> dict[str, bool]:
        async with run.text_message() as message:
            for word in ("Hello ", "there."):
                message.write(word)
                await asyncio.sleep(0)
        return {"done": True}

    assert events(agent) == [
        {"type": "TEXT_MESSAGE_START", "messageId": "1", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "1", "delta": "Hello "},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "1", "delta": "there."},
        {"type": "TEXT_MESSAGE_END", "messageId": "1"},
        {**END, "result": {"done": True}},
    ]


def reason(run: Run) -> None:
    reasoning = run.reasoning()
    reasoning.write("Hm")
    reasoning.end()
    reasoning.encrypted_value("x")


def call_in_pieces(run: Run) -> None:
    call = run.tool_call("look", parent_message_id="m")
    call.write('{"a"')
    call.write(delta=":1}")
    call.result([TextPart(text="ok")])


def show_activity(run: Run) -> None:
    activity = run.activity("PLAN", {"a": 1}, replace=True)
    activity.update({"a": 2})
    activity.update({"a": 2})
    activity.patch([{"op": "add", "path": "/b", "value": 1}])
    activity.update({"a": 3})


def ask_subagents(run: Run) -> None:
    outer = run.subagent("outer", description="d", parent_tool_call_id="c", parent_message_id="m")
    outer.subagent("inner").write("Hi")
    outer.finish({"a": 1})


CALLS: dict[str, tuple[Callable[[Run], object], list[dict[str, Any]]]] = {
    "a whole message": (
        lambda run: run.write("Hi"),
        [
            {"type": "TEXT_MESSAGE_START", "messageId": "1", "role": "assistant"},
            {"type": "TEXT_MESSAGE_CONTENT", "messageId": "1", "delta": "Hi"},
            {"type": "TEXT_MESSAGE_END", "messageId": "1"},
            END,
        ],
    ),
    "a message with everything": (
        lambda run: run.text_message("m", role="user", name="n", metadata={"a": 1}).end(),
        [
            {
                "type": "TEXT_MESSAGE_START",
                "messageId": "m",
                "role": "user",
                "name": "n",
                "metadata": {"a": 1},
            },
            {"type": "TEXT_MESSAGE_END", "messageId": "m"},
            END,
        ],
    ),
    "reasoning": (
        reason,
        [
            {"type": "REASONING_START", "messageId": "1"},
            {"type": "REASONING_MESSAGE_START", "messageId": "1", "role": "reasoning"},
            {"type": "REASONING_MESSAGE_CONTENT", "messageId": "1", "delta": "Hm"},
            {"type": "REASONING_MESSAGE_END", "messageId": "1"},
            {"type": "REASONING_END", "messageId": "1"},
            {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "1", "encryptedValue": "x"},
            END,
        ],
    ),
    "a call in pieces": (
        call_in_pieces,
        [
            {"type": "TOOL_CALL_START", "toolCallId": "1", "toolCallName": "look", "parentMessageId": "m"},
            {"type": "TOOL_CALL_ARGS", "toolCallId": "1", "delta": '{"a"'},
            {"type": "TOOL_CALL_ARGS", "toolCallId": "1", "delta": ":1}"},
            {"type": "TOOL_CALL_END", "toolCallId": "1"},
            {
                "type": "TOOL_CALL_RESULT",
                "messageId": "2",
                "toolCallId": "1",
                "content": [{"type": "text", "text": "ok"}],
                "role": "tool",
            },
            END,
        ],
    ),
    "a whole call": (
        lambda run: run.tool_call("look", {"at": UserMessage(id="u", content="é")}, id="c").encrypted_value("x", "p.t"),
        [
            {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look"},
            {
                "type": "TOOL_CALL_ARGS",
                "toolCallId": "c",
                "delta": '{"at":{"id":"u","role":"user","content":"é"}}',
            },
            {"type": "TOOL_CALL_END", "toolCallId": "c"},
            {
                "type": "REASONING_ENCRYPTED_VALUE",
                "subtype": "tool-call",
                "entityId": "c",
                "encryptedValue": "x",
                "encryptedValueType": "p.t",
            },
            {**END, "outcome": {"type": "success", "pendingToolCallIds": ["c"]}},
        ],
    ),
    "the result of an earlier call": (
        lambda run: run.tool_result("c", "ok", "m", metadata={"a": 1}),
        [
            {
                "type": "TOOL_CALL_RESULT",
                "messageId": "m",
                "toolCallId": "c",
                "content": "ok",
                "role": "tool",
                "metadata": {"a": 1},
            },
            END,
        ],
    ),
    "a step": (
        lambda run: run.step("s").end(),
        [{"type": "STEP_STARTED", "stepName": "s"}, {"type": "STEP_FINISHED", "stepName": "s"}, END],
    ),
    "an activity": (
        show_activity,
        [
            {
                "type": "ACTIVITY_SNAPSHOT",
                "messageId": "1",
                "activityType": "PLAN",
                "content": {"a": 1},
                "replace": True,
            },
            {
                "type": "ACTIVITY_DELTA",
                "messageId": "1",
                "activityType": "PLAN",
                "patch": [{"op": "replace", "path": "/a", "value": 2}],
            },
            {
                "type": "ACTIVITY_DELTA",
                "messageId": "1",
                "activityType": "PLAN",
                "patch": [{"op": "add", "path": "/b", "value": 1}],
            },
            {
                "type": "ACTIVITY_DELTA",
                "messageId": "1",
                "activityType": "PLAN",
                "patch": [{"op": "replace", "path": "", "value": {"a": 3}}],
            },
            END,
        ],
    ),
    "events of the application's own": (
        lambda run: (run.custom("n", None), run.custom("n", INPUT.messages), run.raw({"x": None}, "vendor")),
        [
            {"type": "CUSTOM", "name": "n", "value": None},
            {"type": "CUSTOM", "name": "n", "value": [{"id": "u", "role": "user", "content": "Hello?"}]},
            {"type": "RAW", "event": {"x": None}, "source": "vendor"},
            END,
        ],
    ),
    "any event": (
        lambda run: (run.event(CustomEvent(name="a", value=1)), run.event({"type": "CUSTOM", "name": "b", "value": 2})),
        [{"type": "CUSTOM", "name": "a", "value": 1}, {"type": "CUSTOM", "name": "b", "value": 2}, END],
    ),
    "messages": (
        lambda run: run.messages_snapshot([*run.messages, {"id": "a", "role": "assistant", "content": "Hi"}]),
        [
            {
                "type": "MESSAGES_SNAPSHOT",
                "messages": [
                    {"id": "u", "role": "user", "content": "Hello?"},
                    {"id": "a", "role": "assistant", "content": "Hi"},
                ],
            },
            END,
        ],
    ),
    "usage": (
        lambda run: (run.usage(TokenUsage(input_tokens=1)), run.usage([{"inputTokens": 2}, {"outputTokens": 3}])),
        [{**END, "usage": [{"inputTokens": 3, "outputTokens": 3}]}],
    ),
    "a result": (
        lambda run: run.finish({"messages": INPUT.messages}),
        [{**END, "result": {"messages": [{"id": "u", "role": "user", "content": "Hello?"}]}}],
    ),
    "interrupts": (
        lambda run: run.interrupt(Interrupt(id="i", reason="confirmation"), {"id": "j", "reason": "input"}),
        [
            {
                **END,
                "outcome": {
                    "type": "interrupt",
                    "interrupts": [{"id": "i", "reason": "confirmation"}, {"id": "j", "reason": "input"}],
                },
            }
        ],
    ),
    "cancelled": (lambda run: run.cancel(), [{**END, "outcome": {"type": "cancelled"}}]),
    "failed": (
        lambda run: (run.text_message(), run.fail("no", "sorry")),
        [
            {"type": "TEXT_MESSAGE_START", "messageId": "1", "role": "assistant"},
            {"type": "TEXT_MESSAGE_END", "messageId": "1"},
            {"type": "RUN_ERROR", "message": "no", "code": "sorry"},
        ],
    ),
    "subagents": (
        ask_subagents,
        [
            {
                "type": "SUBAGENT_STARTED",
                "subagentRunId": "1",
                "name": "outer",
                "description": "d",
                "parentToolCallId": "c",
                "parentMessageId": "m",
            },
            {"type": "SUBAGENT_STARTED", "subagentRunId": "2", "name": "inner", "parentSubagentRunId": "1"},
            {"type": "TEXT_MESSAGE_START", "subagentRunId": "2", "messageId": "3", "role": "assistant"},
            {"type": "TEXT_MESSAGE_CONTENT", "subagentRunId": "2", "messageId": "3", "delta": "Hi"},
            {"type": "TEXT_MESSAGE_END", "subagentRunId": "2", "messageId": "3"},
            {"type": "SUBAGENT_FINISHED", "subagentRunId": "2"},
            {"type": "SUBAGENT_FINISHED", "subagentRunId": "1", "result": {"a": 1}},
            END,
        ],
    ),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("is_async", [True, False], ids=["async", "plain"])
def test_what_calls_write(name: str, is_async: bool) -> None:
    call, expected = CALLS[name]

    async def agent(run: Run) -> None:
        call(run)

    def plain(run: Run) -> None:
        call(run)

    assert events(agent if is_async else plain) == expected


def test_a_run_knows_its_input() -> None:
    answer = {"interruptId": "i", "status": "resolved", "payload": {"approved": True}}
    input = RunAgentInput.model_validate({**INPUT.model_dump(by_alias=True), "resume": [answer]})

    async def agent(run: Run) -> None:
        assert (run.thread_id, run.run_id, run.messages, run.warnings) == ("t", "r", input.messages, [])
        assert run.resume == input.resume and run.answer("j") is None and run.is_running and not run.cancelled
        found = run.answer("i")
        assert found is not None and found.payload == {"approved": True}
        assert repr(run) == "Run(thread_id='t', run_id='r', is_running=True)"

    assert events(agent, input=input) == [END]


class Free(BaseModel):
    value: Any


NO_JSON: list[tuple[Any, str, str]] = [
    ({"a": [1, float("nan")]}, "/a/1", "wrong_type"),
    ({"a": [1, {"b/c": object()}]}, "/a/1/b~1c", "wrong_type"),
    ({"a": [{1: 2}]}, "/a/0", "wrong_type"),
    ({"a": [Free(value=1), Free(value={"b": {object()}}).value]}, "/a/1/b", "wrong_type"),
    ({"a": ["\ud800"]}, "/a/0", "lone_surrogate"),
]

TAKERS: dict[str, tuple[Callable[[Run, Any], object], str]] = {
    "custom": (lambda run, value: run.custom("c", value), "/value"),
    "raw": (lambda run, value: run.raw(value), "/event"),
    "arguments": (lambda run, value: run.tool_call("t", value), "/arguments"),
    "metadata": (lambda run, value: run.text_message(metadata=value), "/metadata"),
    "an activity": (lambda run, value: run.activity("p", value), "/content"),
    "an activity's update": (lambda run, value: run.activity("p", {}).update(value), "/content"),
    "an activity's patch": (
        lambda run, value: run.activity("p", {}).patch([{"op": "add", "path": "/x", "value": value}]),
        "/patch/0/value",
    ),
    "a tool's result": (lambda run, value: run.tool_result("c", [value]), "/content/0"),
    "messages": (lambda run, value: run.messages_snapshot([value]), "/messages/0"),
    "a subagent's result": (lambda run, value: run.subagent("s").finish(value), "/result"),
    "the result": (lambda run, value: run.finish(value), "/result"),
    "an interrupt": (
        lambda run, value: run.interrupt({"id": "i", "reason": "r", "metadata": value}),
        "/outcome/interrupts/0/metadata",
    ),
    "usage": (lambda run, value: run.usage(value), "/usage"),
    "the state": (lambda run, value: (setattr(run, "state", value), run.flush_state()), ""),
    "an event": (lambda run, value: run.event({"type": "CUSTOM", "name": "n", "value": value}), "/value"),
}


@pytest.mark.parametrize("name", TAKERS)
def test_values_that_are_no_json_are_refused_with_their_place(name: str) -> None:
    call, place = TAKERS[name]
    codes: list[Any] = []

    async def agent(run: Run) -> None:
        for value, path, code in NO_JSON:
            with pytest.raises(AGUIError) as raised:
                call(run, value)
            assert (raised.value.code, raised.value.path) == (code, place + path)
            codes.append(raised.value.code)
        run.state = {}

    assert events(agent)[-1] == END and len(codes) == len(NO_JSON)


def test_models_that_hold_what_is_no_json_say_where() -> None:
    async def agent(run: Run) -> None:
        with pytest.raises(AGUIError) as raised:
            run.event(CustomEvent(name="n", value={"a": [object()]}))
        assert (raised.value.code, raised.value.path) == ("wrong_type", "/value/a/0")
        assert raised.value.__cause__ is not None

    assert events(agent) == [END]


def test_exceptions(caplog: pytest.LogCaptureFixture) -> None:
    async def agent(run: Run) -> None:
        run.text_message()
        raise ValueError("secret \ud800")

    opened = [
        {"type": "TEXT_MESSAGE_START", "messageId": "1", "role": "assistant"},
        {"type": "TEXT_MESSAGE_END", "messageId": "1"},
    ]
    hidden = {"type": "RUN_ERROR", "message": "the agent failed; see the server's log", "code": "agent_failed"}
    assert events(agent) == [*opened, hidden]
    assert "ValueError: secret" in caplog.text
    assert events(agent, show_errors=True) == [*opened, {**hidden, "message": "secret \ufffd"}]


def test_what_breaks_the_order_is_refused_where_it_is_written() -> None:
    async def agent(run: Run) -> None:
        message = run.text_message("m")
        for call in (
            lambda: run.text_message("m"),
            lambda: message.write("\ud800"),
            lambda: message.write(1),  # type: ignore[arg-type]
            lambda: message.write(),  # type: ignore[call-arg]
            lambda: run.event({"type": "TOOL_CALL_END", "toolCallId": "c"}),
            lambda: run.event({"type": "NONE"}),
            lambda: run.custom("c", float("nan")),
            lambda: run.custom("c", object()),
            lambda: run.custom("c", "\ud800"),
            lambda: run.tool_call("t", {"a": object()}),
            lambda: run.interrupt(),
        ):
            with pytest.raises((AGUIError, TypeError, ValueError)):
                call()
        run.finish()
        with pytest.raises(AGUIError) as raised:
            message.write("late")
        assert raised.value.rule == "V02"
        message.end()

    assert [event["type"] for event in events(agent)] == ["TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_FINISHED"]


def test_the_same_program_writes_the_same_bytes_in_every_language() -> None:
    async def agent(run: Run[dict[str, Any]]) -> dict[str, bool]:
        async with run.step("look"):
            async with run.reasoning() as reasoning:
                reasoning.write("Hm.")
            async with run.tool_call("search") as call:
                call.write('{"q":')
                call.write('"é"}')
            run.tool_result(call.id, "found")
        async with run.subagent("helper") as helper:
            async with helper.text_message() as message:
                message.write("Hello\n")
            helper.tool_call("note", {"a": [1, None]})
        run.state["seen"] = True
        run.flush_state()
        run.custom("c", 1e21)
        run.usage({"inputTokens": 3})
        return {"done": True}

    program: Any = fixture_cases("server_program")
    body = asyncio.run(asked(agent, input=RunAgentInput.model_validate(program["input"]), ids=None))
    numbers: dict[str, str] = {}
    text = re.sub(r"(?<=\w-)[0-9a-f-]{36}", lambda id: numbers.setdefault(id[0], str(len(numbers))), body.decode())
    assert text.split("\n\n")[:-1] == program["frames"]


@pytest.mark.parametrize("case", fixture_cases("state_events"), ids=lambda case: case["name"])
def test_events_of_the_state_that_an_agent_makes_itself_change_it(case: dict[str, Any]) -> None:
    failures: list[str] = []

    def agent(run: Run) -> Any:
        for step in copy.deepcopy(case["steps"]):
            if "set" in step:
                run.state = step["set"]
            elif "flush" in step:
                run.flush_state()
            else:
                try:
                    run.event(step["send"])
                except AGUIError as error:
                    failures.append(error.code)
        return run.state

    given = RunAgentInput(thread_id="t", run_id="r", messages=[], state=case.get("given"))
    frames = asyncio.run(asked(agent, input=given)).decode().split("\n\n")[:-1]
    assert [frame for frame in frames if '"STATE_' in frame] == case["frames"]
    assert failures == [step["error"] for step in case["steps"] if "error" in step]
    assert json.loads(frames[-1].removeprefix("data: "))["result"] == case["after"]

"""The end of a run: which replies and results there are, and which of them are errors."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import pytest

from ag_ui_native import AGUIConnectionError, AGUIError, AGUIStreamError
from ag_ui_native.client import Agent, AgentSubscriber, Reply, RunResult, SyncAgent
from client_scripts import Script, frame, run_of, says

STARTED = frame({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
ERROR = {"type": "RUN_ERROR", "message": "The key sk-123 is wrong", "code": "rate_limit"}
ENDS = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
SAYS = [frame(event) for event in says("Hel")]
SCRIPTS = {
    "success": [STARTED, *SAYS, frame(ENDS)],
    "interrupt": [
        STARTED,
        *SAYS,
        frame(ENDS | {"outcome": {"type": "interrupt", "interrupts": [{"id": "i", "reason": "ask"}]}}),
    ],
    "cancelled": [STARTED, *SAYS, frame(ENDS | {"outcome": {"type": "cancelled"}})],
    "error": [STARTED, *SAYS, frame(ERROR)],
}
CODES = {"cancelled": "run_cancelled", "error": "run_failed"}


@pytest.mark.parametrize("outcome", ["success", "interrupt"])
def test_an_answer_or_a_question_is_no_error(outcome: str) -> None:
    reply = SyncAgent(Script(SCRIPTS[outcome])).ask("Hi")
    assert reply.raise_for_outcome() is reply and reply.result.raise_for_outcome() is reply.result
    assert (reply.result.outcome, str(reply)) == (outcome, "Hel")


@pytest.mark.parametrize("outcome", CODES)
@pytest.mark.parametrize("face", ["async", "sync"])
def test_anything_else_is_one(outcome: str, face: str) -> None:
    script = Script(SCRIPTS[outcome])
    reply = SyncAgent(script).ask("Hi") if face == "sync" else asyncio.run(Agent(script).ask("Hi"))
    for judged in (reply, reply.result):
        with pytest.raises(AGUIStreamError) as caught:
            judged.raise_for_outcome()
        assert caught.value.code == CODES[outcome] and caught.value.run is reply.result
        assert pickle.loads(pickle.dumps(caught.value)).code == CODES[outcome]
        assert "sk-123" not in str(caught.value)
    assert str(reply) == f"Hel\n[{caught.value}]" and reply.text == "Hel"
    assert ("rate_limit" in str(reply)) == (outcome == "error")


def test_a_reply_without_text_says_it_too() -> None:
    reply = SyncAgent(Script([STARTED, frame({"type": "RUN_ERROR", "message": "No"})])).ask("Hi")
    assert str(reply).startswith("[run_failed: ") and str(reply).endswith("]") and reply.text == ""


def test_what_was_aborted_is_one() -> None:
    with SyncAgent(Script(SCRIPTS["success"])).ask_stream("Hi") as stream:
        next(stream)
    with pytest.raises(AGUIConnectionError) as caught:
        stream.reply.raise_for_outcome()
    assert caught.value.code == "run_aborted" and "run_aborted" in str(stream.reply)


def test_a_failure_that_a_subscriber_has_taken_on_is_raised() -> None:
    class Calm(AgentSubscriber[Any]):
        def on_run_failed(self, params: Any) -> Any:
            return {"stop_propagation": True}

    agent = SyncAgent(Script([STARTED, *SAYS]), subscribers=[Calm()])
    reply = agent.ask("Hi")
    with pytest.raises(AGUIStreamError) as caught:
        reply.raise_for_outcome()
    assert caught.value is reply.result.failure and caught.value.run is reply.result
    assert caught.value.code == "stream_truncated" and "[run_failed: " in str(reply)


def test_the_result_of_a_failure_is_one_as_well() -> None:
    with pytest.raises(AGUIError) as raised:
        SyncAgent(Script([STARTED, *SAYS])).ask("Hi")
    run = raised.value.run
    assert run is not None and run.outcome == "failed"
    with pytest.raises(AGUIStreamError) as caught:
        run.raise_for_outcome()
    assert caught.value.code == "run_failed" and str(Reply(run)).startswith("Hel\n[run_failed: ")
    with pytest.raises(AGUIStreamError):
        RunResult(thread_id="t", run_id="r").raise_for_outcome()


def test_each_run_is_among_the_runs() -> None:
    result = SyncAgent(Script(run_of(*says("Hi")))).run_agent()
    assert [(each.run_id, each.text, each.runs) for each in result.runs] == [(result.run_id, "Hi", [])]

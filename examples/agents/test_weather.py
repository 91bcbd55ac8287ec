"""Tests of the agent of `weather.py`, without a server: `python -m pytest test_weather.py`"""

# --8<-- [start:whole]
from weather import agent

from ag_ui_native.testing import assert_events, run_agent


def test_the_conversation_afterwards() -> None:
    run = run_agent(agent, "Rome")
    assert run.outcome == "success", run.error
    assert run.text == "It is sunny in Rome."
    assert [message.role for message in run.messages] == ["user", "assistant", "tool", "assistant"]
    # --8<-- [end:whole]


# --8<-- [start:events]
def test_the_call() -> None:
    calls = [event for event in run_agent(agent, "Rome").events if event.type.startswith("TOOL_CALL")]
    arguments = ['{"city":', ' "Rome",', ' "unit":', ' "C"}']
    assert_events(
        calls,
        [
            {"type": "TOOL_CALL_START", "toolCallName": "get_weather"},
            *({"type": "TOOL_CALL_ARGS", "delta": piece} for piece in arguments),
            "TOOL_CALL_END",
            {"type": "TOOL_CALL_RESULT", "content": "sunny, 24"},
        ],
    )
    # --8<-- [end:events]


# --8<-- [start:clients]
def test_a_client_without_its_server() -> None:
    from ag_ui_native.client import SyncLocalAgent
    from ag_ui_native.testing import scripted_agent

    with SyncLocalAgent(scripted_agent(["Hello!", ValueError("on purpose")])) as client:
        result = client.run_agent()
    assert (result.text, result.outcome) == ("Hello!", "error")
    # --8<-- [end:clients]

"""A hand-written agent with events that frameworks rarely send: state, reasoning, an activity, metadata and an
interrupt.
"""

from collections.abc import Iterator

from ag_ui_native import PROTOCOL_VERSION
from ag_ui_native.core import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    BaseEvent,
    CustomEvent,
    Interrupt,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunAgentInput,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    TokenUsage,
)
from ag_ui_native.core.types import AddOperation, ReplaceOperation


def plan(run: RunAgentInput) -> Iterator[BaseEvent]:
    """Plans a trip, and asks before booking it."""
    yield RunStartedEvent(thread_id=run.thread_id, run_id=run.run_id, protocol_version=PROTOCOL_VERSION)
    yield StateSnapshotEvent(snapshot={"city": "Paris", "days": [], "budget": 2**50, "confirmed": None})
    yield StepStartedEvent(step_name="think")
    yield ReasoningStartEvent(message_id="span-1")
    yield ReasoningMessageStartEvent(message_id="thought-1")
    for piece in ("Two days are enough ", "for the Louvre ", "and the Marais."):
        yield ReasoningMessageContentEvent(message_id="thought-1", delta=piece)
    yield ReasoningMessageEndEvent(message_id="thought-1")
    yield ReasoningEndEvent(message_id="span-1")
    yield StepFinishedEvent(step_name="think")
    yield ActivitySnapshotEvent(message_id="search-1", activity_type="SEARCH", content={"found": 0, "sites": []})
    for count, day in enumerate(("Louvre", "Marais"), start=1):
        yield StateDeltaEvent(delta=[AddOperation(path="/days/-", value=day)])
        yield ActivityDeltaEvent(
            message_id="search-1",
            activity_type="SEARCH",
            patch=[ReplaceOperation(path="/found", value=count), AddOperation(path="/sites/-", value=day)],
        )
    yield CustomEvent(name="weather", value={"Paris": None})
    yield TextMessageStartEvent(message_id="answer-1", metadata={"model": "scripted", "ag-ui": {}})
    for piece in ("Your plan is ready ", "— 2 days in Paris 🗼.\n", "Shall I book it?"):
        yield TextMessageContentEvent(message_id="answer-1", delta=piece)
    yield TextMessageEndEvent(message_id="answer-1")
    question = Interrupt(
        id="book-1", reason="confirmation", message="Book the trip?", response_schema={"type": "boolean"}
    )
    yield RunFinishedEvent(
        thread_id=run.thread_id,
        run_id=run.run_id,
        outcome=RunFinishedInterruptOutcome(interrupts=[question]),
        usage=[TokenUsage(provider="demo", model="scripted", input_tokens=12, output_tokens=34)],
    )

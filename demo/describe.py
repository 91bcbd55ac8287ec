"""Formats an event for people. Deltas are pieces of a line, so no line break follows them."""

from ag_ui_native.core import BaseEvent, RunFinishedInterruptOutcome, RunFinishedOutcome

DIM = "\x1b[2m"
OFF = "\x1b[0m"


def describe(event: BaseEvent) -> str:
    """Returns the text that shows `event`."""
    match event.type:
        case "TEXT_MESSAGE_START":
            return f"  {event.role or 'assistant'}: "
        case "REASONING_MESSAGE_START":
            return f"  {DIM}thinks: "
        case "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" | "TOOL_CALL_ARGS":
            return event.delta.replace("\n", "\n    ")
        case "TOOL_CALL_START":
            return f"  calls {event.tool_call_name} with "
        case "TEXT_MESSAGE_END" | "TOOL_CALL_END":
            return "\n"
        case "REASONING_MESSAGE_END":
            return f"{OFF}\n"
        case "TOOL_CALL_RESULT":
            return f"  gets {event.content}\n"
        case "STATE_SNAPSHOT":
            return f"  state is {event.snapshot}\n"
        case "STATE_DELTA":
            return f"  state changes: {[operation.model_dump() for operation in event.delta]}\n"
        case "ACTIVITY_SNAPSHOT":
            return f"  activity {event.activity_type} is {event.content}\n"
        case "ACTIVITY_DELTA":
            changes = [operation.model_dump() for operation in event.patch]
            return f"  activity {event.activity_type} changes: {changes}\n"
        case "CUSTOM":
            return f"  custom {event.name}: {event.value}\n"
        case "RUN_FINISHED":
            return f"  run finished: {describe_outcome(event.outcome)}\n"
        case "RUN_ERROR":
            return f"  run failed: {event.message}\n"
        case _:
            return ""


def describe_outcome(outcome: RunFinishedOutcome | None) -> str:
    match outcome:
        case RunFinishedInterruptOutcome():
            return ", ".join(f"asks {interrupt.message!r}" for interrupt in outcome.interrupts)
        case None:
            return "success"
        case _:
            return outcome.type

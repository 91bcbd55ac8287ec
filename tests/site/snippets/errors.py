"""A snippet of docs/concepts/errors.md: the members of an error, and the events before it."""

# --8<-- [start:errors]
from ag_ui_native import AGUISequenceError
from ag_ui_native.stream import verify_events

events = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "other", "delta": "Hello"},
]
try:
    verify_events(events)
except AGUISequenceError as error:
    print(error.code, error.rule, error.event_index, error)
    print(len(error.partial))  # the events before it
    # --8<-- [end:errors]
    assert (error.code, error.rule, error.event_index, len(error.partial)) == ("sequence_broken", "V13", 2, 2)
else:
    raise AssertionError("it was verified")

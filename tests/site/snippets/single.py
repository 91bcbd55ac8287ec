"""Snippets of docs/guides/single-events.md: one event is written, checked and read."""

# --8<-- [start:write]
from ag_ui_native import to_json
from ag_ui_native.core import TextMessageContentEvent
from ag_ui_native.encoder import EventEncoder

event = TextMessageContentEvent(message_id="m1", delta="Hello")
print(EventEncoder().encode(event))  # data: {"type":"TEXT_MESSAGE_CONTENT",...} and an empty line
print(to_json(event))  # the JSON alone
# --8<-- [end:write]
assert EventEncoder().encode(event) == f"data: {to_json(event)}\n\n"
assert to_json(event) == '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}'

# --8<-- [start:check]
from ag_ui_native import AGUIValidationError
from ag_ui_native.stream import decode_event

TEXT = '{"type":"TEXT_MESSAGE_CONTENT","messageId":3,"color":"red"}'
try:
    decode_event(TEXT, profile="strict")
except AGUIValidationError as error:
    for issue in error.issues:
        print(issue.code, issue.path, issue.message)
# --8<-- [end:check]
else:
    raise AssertionError("the event was accepted")
try:
    decode_event(TEXT, profile="strict")
except AGUIValidationError as error:
    assert [(issue.code, issue.path) for issue in error.issues] == [
        ("unknown_field", "/color"),
        ("wrong_type", "/messageId"),
        ("missing_field", "/delta"),
    ]

# --8<-- [start:object]
from ag_ui_native import validate

validate(event)  # returns nothing; raises AGUIValidationError with all issues
validate(event, non_empty=True)  # ids, names, texts, patches and states must not be empty either
# --8<-- [end:object]
try:
    validate(TextMessageContentEvent(message_id="", delta=""), non_empty=True)
except AGUIValidationError as error:
    assert [issue.path for issue in error.issues] == ["/messageId", "/delta"]

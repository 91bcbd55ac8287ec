"""A snippet of docs/concepts/profiles.md: one event, read in three ways."""

# --8<-- [start:profiles]
from ag_ui_native import AGUIValidationError, ProtocolWarning
from ag_ui_native.core import StepStartedEvent
from ag_ui_native.stream import decode_event

TEXT = '{"type":"STEP_STARTED","stepName":"plan","color":"red"}'

try:
    decode_event(TEXT, profile="strict")
except AGUIValidationError as error:
    print(error.code, error.path)  # unknown_field /color

warnings: list[ProtocolWarning] = []
event = decode_event(TEXT, profile="tolerant", on_warning=warnings.append)
assert isinstance(event, StepStartedEvent)
print(event.step_name, warnings[0].code, warnings[0].path)  # plan unknown_field /color

print(decode_event(TEXT, profile="relay"))  # {'type': 'STEP_STARTED', 'stepName': 'plan', 'color': 'red'}
# --8<-- [end:profiles]
assert [warning.code for warning in warnings] == ["unknown_field"] and "color" not in event.model_dump()
relayed = decode_event(TEXT, profile="relay")
assert relayed is not None and relayed["color"] == "red"

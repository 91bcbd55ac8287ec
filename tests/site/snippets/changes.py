"""A snippet of docs/concepts/change-sets.md: the content of each change of a conversation."""

# --8<-- [start:changes]
from ag_ui_native.stream import EventPipeline

STREAM = b"""\
data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}

data: {"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}

data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"On my way."}

data: {"type":"TEXT_MESSAGE_END","messageId":"m"}

data: {"type":"STATE_DELTA","delta":[{"op":"add","path":"/steps/-","value":"look"}]}

data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}

"""

state: dict[str, list[str]] = {"steps": []}
pipeline = EventPipeline(state=state)
for change in pipeline.feed(STREAM):
    print(change.kind, change.value)
pipeline.close()
print(pipeline.messages[0].content, pipeline.state)
# --8<-- [end:changes]
assert pipeline.messages[0].content == "On my way." and pipeline.state == {"steps": ["look"]}
pipeline = EventPipeline(state=state)
kinds = [change.kind for change in pipeline.feed(STREAM)]
assert kinds == [
    "message_inserted",
    "text_appended",
    "message_ended",
    "state_patched",
    "interrupts_set",
    "run_finished",
], kinds

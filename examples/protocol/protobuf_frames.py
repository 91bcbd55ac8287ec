"""Encodes events as frames of protobuf, to store them or to send them by other means than HTTP, and decodes them:
`python protobuf_frames.py`
"""

from ag_ui_native.core import Event, StateSnapshotEvent, TextMessageContentEvent
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.errors import AGUIValidationError
from ag_ui_native.stream import decode_events

events: list[Event] = [
    TextMessageContentEvent(message_id="m", delta="Hi"),
    StateSnapshotEvent(snapshot={"seen": 2**53 - 1}),
]
encoder = EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)
frames = b"".join(encoder.encode_binary(event) for event in events)
print(len(frames), "bytes")
assert list(decode_events([frames], AGUI_MEDIA_TYPE)) == events

try:
    encoder.encode_binary(StateSnapshotEvent(snapshot={"seen": 2**53 + 1}))
except AGUIValidationError as error:
    print(error)

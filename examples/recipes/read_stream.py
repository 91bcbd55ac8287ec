"""Says what a client makes of a recorded answer: `python read_stream.py answer.txt`"""

import sys
from pathlib import Path

from ag_ui_native import AGUIError, ProtocolWarning
from ag_ui_native.stream import EventPipeline


def warn(warning: ProtocolWarning) -> None:
    print("!", warning)


pipeline = EventPipeline(on_warning=warn)  # profile="strict" makes an error of each warning
try:
    for line in Path(sys.argv[1]).read_bytes().splitlines(keepends=True):
        for change in pipeline.feed(line):
            reason = f": {change.value.message}" if change.kind == "run_failed" else ""
            print(change.kind + reason)
    pipeline.close()  # raises if the run has not ended
except AGUIError as error:
    print(f"error: {error}")
for message in pipeline.messages:
    print(f"{message.role}: {message.content}")
print(f"state: {pipeline.state}")

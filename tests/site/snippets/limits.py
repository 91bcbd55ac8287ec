"""A snippet of docs/concepts/limits.md: a limit that is met."""

# --8<-- [start:limits]
from ag_ui_native import AGUILimitError, Limits
from ag_ui_native.stream import decode_event

try:
    decode_event('{"type":"STATE_SNAPSHOT","snapshot":[[[1]]]}', limits=Limits(depth=3))
except AGUILimitError as error:
    print(error.code, error.limit, error.path)
    # --8<-- [end:limits]
    assert (error.code, error.limit) == ("limit_exceeded", "depth")
else:
    raise AssertionError("it was read")

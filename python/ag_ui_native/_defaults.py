"""What holds where nobody has said otherwise. Times are in seconds.

Generated from core/src/defaults.rs: `make generate`.
"""

from typing import Final

HEARTBEAT: Final = 15.0
"""After how long a silence a server sends a comment."""

BODY_TIMEOUT: Final = 30.0
"""How long the body of a request for a run may take to arrive."""

END_GRACE: Final = 5.0
"""How long a client may take to read the end of a run that was stopped: by its time limit or by the server's shutdown."""

MAX_WAITING: Final = 16777216
"""Most bytes that may wait to be sent where an agent does not await."""

COALESCE_BYTES: Final = 4096
"""Most bytes of text that adjacent deltas are joined to."""

COALESCE_DELAY: Final = 0.05
"""How long a delta waits to be joined."""

CONNECT_TIMEOUT: Final = 10.0
"""How long a client waits for a connection."""

IDLE_TIMEOUT: Final = 60.0
"""How long it waits for the next piece of an answer."""

RETRY_ATTEMPTS: Final = 3
"""How often a request is sent at most that is to be sent again."""

RETRY_FIRST: Final = 0.5
"""The pause before it is sent for the second time."""

RETRY_LONGEST: Final = 30.0
"""The longest pause before it is sent again."""

RETRY_JITTER: Final = 0.5
"""Which part of a pause is left to chance."""

MAX_REDIRECTS: Final = 5
"""Most redirects that are followed."""

MAX_ROUNDS: Final = 10
"""How often in a row an agent may be answered by tools."""

REMEMBERED_RUNS: Final = 1000
"""How many of an agent's last runs are remembered, to warn of an id that is used twice."""

MOST_PAYLOAD: Final = 65536
"""Most bytes of a refusal's body that are read: it is for people."""

LONGEST_PAYLOAD: Final = 5.0
"""How long they may take: the status says more."""

LEFT_GRACE: Final = 1.0
"""How long those are waited for whose end changes nothing any more."""

CLOSE_GRACE: Final = 1.0
"""How long the other side of a WebSocket may take to close it."""

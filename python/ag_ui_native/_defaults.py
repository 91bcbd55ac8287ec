"""The default of every time, size and count. Times are in seconds.

Generated from core/src/defaults.rs: `make generate`.
"""

from typing import Final

LARGEST_COUNT: Final = 9007199254740991
"""The largest count that an option takes."""

LONGEST_TIME: Final = 9007199254740.99
"""The longest time that an option of runs with a log takes."""

HEARTBEAT: Final = 15.0
"""Silence after which a server sends a comment."""

BODY_TIMEOUT: Final = 30.0
"""The longest time that the body of a request for a run may take to arrive."""

END_GRACE: Final = 5.0
"""Time that a client has to read the end of a run that was stopped by its time limit or by the server's shutdown."""

DRAIN: Final = 10.0
"""Time that runs with a log have to end when their process shuts down."""

DRAIN_READING: Final = 1.0
"""Time behind that in which clients read the ends of those runs. Then their connections end, whatever they read."""

LOG_PATIENCE: Final = 5.0
"""The longest time to wait for the reply of an engine that keeps logs."""

SUBSCRIBE_PAUSE: Final = 1.0
"""The pause before a subscription to hints that has failed is made again. Readers look at their logs meanwhile."""

MAX_WAITING: Final = 16777216
"""The maximum number of bytes that may wait to be sent while an agent does not await."""

COALESCE_BYTES: Final = 4096
"""The maximum length, in bytes of text, of a delta that is joined from adjacent ones."""

COALESCE_DELAY: Final = 0.05
"""The longest time that a delta waits to be joined."""

CONNECT_TIMEOUT: Final = 10.0
"""The longest time that a client waits for a connection."""

IDLE_TIMEOUT: Final = 60.0
"""The longest time that a client waits for the next piece of an answer."""

RETRY_ATTEMPTS: Final = 3
"""The maximum number of attempts to send a request that may be repeated."""

RETRY_FIRST: Final = 0.5
"""The pause before the second attempt."""

RETRY_LONGEST: Final = 30.0
"""The longest pause before an attempt."""

RETRY_JITTER: Final = 0.5
"""The part of a pause that is random."""

RECONNECT_ATTEMPTS: Final = 8
"""The maximum number of attempts without progress to go on with a run whose connection is lost."""

RECONNECT_FIRST: Final = 0.25
"""The pause before the second attempt; the first one does not wait."""

RECONNECT_LONGEST: Final = 10.0
"""The longest pause before an attempt."""

RECONNECT_JITTER: Final = 0.5
"""The part of a pause that is random."""

MAX_REDIRECTS: Final = 5
"""The maximum number of redirects that are followed."""

MAX_RUNS: Final = 10
"""The maximum number of times that one call runs the agent, which is run again after functions have answered its tool calls."""

REMEMBERED_RUNS: Final = 1000
"""Number of an agent's last runs whose ids are remembered, to warn of an id that is used
 twice."""

MOST_PAYLOAD: Final = 65536
"""The maximum number of bytes that are read of a refusal's body. The body is for people."""

LONGEST_PAYLOAD: Final = 5.0
"""The longest time that reading a refusal's body may take. The status matters more."""

CALLBACK_GRACE: Final = 1.0
"""Time that abandoned callbacks and background work get to return."""

YIELD_INTERVAL: Final = 0.01
"""The longest time for which a client reads what has arrived without a turn for other tasks."""

CLOSE_GRACE: Final = 1.0
"""The longest time that the peer of a WebSocket may take to close it."""

"""The native machines of runs with a log."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, final

from ag_ui_native.core.types import RunAgentInput
from ag_ui_native.limits import Limits

__all__ = [
    "Hint",
    "LogCase",
    "LogKey",
    "LogOptions",
    "LogRefusal",
    "LogRequest",
    "LogStart",
    "LogStream",
    "Machine",
    "MemoryStore",
    "Occupancy",
    "Operation",
    "Place",
    "PrefixCache",
    "Recorder",
    "RedisKeyspace",
    "RedisOperation",
    "Reply",
    "SqliteStore",
    "SqliteWatch",
    "Ticket",
    "accept_log_request",
    "check_log_options",
    "log_cases",
    "refused_notice",
]

_Command: TypeAlias = tuple[str, Any, Any]
_Notice: TypeAlias = tuple[str, dict[str, Any]]

@final
class LogKey:
    """The name of a log: of a run in a thread, in the scope of a request."""

    def __new__(cls, scope: str, thread_id: str, run_id: str) -> LogKey: ...
    def to_json(self) -> dict[str, Any]:
        """The key as it stands in operations."""

    @staticmethod
    def from_json(form: dict[str, Any]) -> LogKey:
        """The key of a JSON object."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Operation:
    """An operation of an engine."""

    def to_json(self) -> dict[str, Any]:
        """The operation as a JSON object."""

    @staticmethod
    def from_json(form: dict[str, Any]) -> Operation:
        """The operation of a JSON object. Raises AGUIValidationError for another form."""

    @staticmethod
    def delete_thread(scope: str, thread_id: str) -> Operation:
        """Deletes a thread: its snapshot and the logs of its runs. Raises AGUILimitError for an id that is too long."""

@final
class Reply:
    """The reply to an operation."""

    def to_json(self) -> dict[str, Any]:
        """The reply as a JSON object."""

    @staticmethod
    def from_json(form: dict[str, Any]) -> Reply:
        """The reply of a JSON object. Raises AGUIValidationError for another form."""

@final
class Hint:
    """News of a log: it has new frames, or a cancel was requested."""

    def to_json(self) -> dict[str, Any]:
        """The hint as a JSON object."""

    @staticmethod
    def from_json(form: dict[str, Any]) -> Hint:
        """The hint of a JSON object. Raises AGUIValidationError for another form."""

@final
class Ticket:
    """The number of an operation that was sent. It is given back with the reply."""

@final
class MemoryStore:
    """The logs of one process. Any thread may use them. None is the default of a limit."""

    def __new__(
        cls, max_logs: int | None = None, max_threads: int | None = None, max_bytes: int | None = None
    ) -> MemoryStore: ...
    def execute(self, now: float, operation: Operation) -> tuple[Reply, list[tuple[LogKey, Hint]]]:
        """Executes an operation at a time of one monotonic clock. Returns the reply, and the hints to those who watch."""

@final
class SqliteStore:
    """The logs of the processes of one machine, in a file. Raises AGUIError for a file that is none of ours."""

    def __new__(cls, path: str) -> SqliteStore: ...
    def execute(self, operation: Operation, callback: Callable[[Reply | None, str | None], object]) -> None:
        """Executes an operation. The callback is called from another thread with the reply, or with None and the reason."""

    def watch(self, key: LogKey, callback: Callable[[Hint], object]) -> SqliteWatch:
        """Calls back from another thread when the log changes."""

    @staticmethod
    def before_fork() -> None:
        """Waits for the callbacks and transactions of all stores, and holds the next ones, until `after_fork` is called on
        the same thread.
        """

    @staticmethod
    def after_fork() -> None:
        """Lets callbacks and transactions go on, in the parent and in the child."""

    @staticmethod
    def before_exit() -> None:
        """The interpreter ends: waits for the callbacks that are called now, and calls no others."""

    def close(self) -> None:
        """Ends the store when its operations are done."""

@final
class SqliteWatch:
    """A log that is watched until `close`."""

    def close(self) -> None:
        """Ends the watch: `callback` is not called any more. A call that has begun goes on."""

@final
class RedisKeyspace:
    """The names of the keys in Redis, which begin with a prefix."""

    def __new__(cls, prefix: str) -> RedisKeyspace: ...
    def channel(self, key: LogKey) -> str:
        """The channel of a log's hints."""

    def hint(self, message: bytes | str) -> Hint | None:
        """The hint of a message on such a channel; None for other messages."""

    def begin(self, operation: Operation) -> RedisOperation:
        """Begins an operation."""

@final
class RedisOperation:
    """An operation on its way. Each step is the words of a command, or the reply to the operation."""

    def start(self) -> list[str] | Reply:
        """The first step."""

    def reply(self, value: object) -> list[str] | Reply:
        """Takes the reply to a command, as a client gives it. Returns the next step. Raises AGUIError if the
        operation has failed."""

    def error(self, message: str) -> list[str] | Reply:
        """Takes the error that Redis reports for a command; its first word is its code. Returns the next step, or raises."""

    def warning(self) -> str | None:
        """A warning for the application; None if there is none."""

@final
class LogOptions:
    """The options of a server with a log. None is the default of an option."""

    def __new__(
        cls,
        *,
        on_disconnect: str | None = None,
        grace: float | None = None,
        on_busy: str | None = None,
        lease: float | None = None,
        log_bytes: int | None = None,
        keep: float | None = None,
        keep_thread: float | None = None,
        max_connection: float | None = None,
        max_age: float | None = None,
        max_active_runs: int | None = None,
        max_readers: int | None = None,
        drain: float | None = None,
    ) -> LogOptions: ...

@final
class LogRequest:
    """The thing that a client asks for."""

    @property
    def kind(self) -> str:
        """`run`, `read`, `cancel` or `thread`."""

    @property
    def action(self) -> str:
        """The action to be authorized: `start`, `read` or `cancel`."""

    @property
    def thread_id(self) -> str | None:
        """The id of the thread; None if it is in the body."""

    @property
    def run_id(self) -> str | None:
        """The id of the run; None if it is in the body, or if there is none."""

    @property
    def after(self) -> str | None:
        """The cursor behind which the run is resumed; None joins."""

    @property
    def is_binary(self) -> bool:
        """True if the response uses the binary transport."""

    @property
    def cors(self) -> list[tuple[str, str]]:
        """The CORS headers of every response."""

    @property
    def address(self) -> str:
        """The path of the agent's address."""

    def log(self, scope: str) -> LogKey:
        """The log that is asked for. Raises Refused for an id that is too long."""

    def single(self, scope: str) -> Machine | None:
        """The machine of a cancel or of a read of a thread; None for a run. Its decision is `response` with its status, its
        headers and its body, or `refused`. Raises Refused for an id that is too long.
        """

@final
class LogRefusal:
    """The refusal of a request."""

    @staticmethod
    def of(code: str) -> LogRefusal:
        """The refusal with this code."""

    def refuse(self) -> NoReturn:
        """Raises Refused."""

@final
class Machine:
    """A machine that sends operations to an engine. Its owner says what its commands are."""

    def poll(self, now: float) -> _Command | None:
        """The next command, with two values: `send` with a ticket and an operation, or one that its owner describes. None until
        the next input or the deadline.
        """

    def reply(self, now: float, ticket: Ticket, reply: Reply | None) -> None:
        """Takes the reply to an operation; None stands for none."""

    def hint(self, hint: Hint) -> None:
        """Takes a hint of the log."""

    def deadline(self) -> float | None:
        """The time of the next call of `poll`; None at the end."""

    def notice(self) -> _Notice | None:
        """The next notice for the application. Asked behind each command."""

@final
class LogStart:
    """A request that starts a run, unless the run has been started before. If `checks_answers` is true, its input has to
    answer the interrupts that wait in the thread. If `is_draining` is true, no run begins. Raises Refused for an id that is too long.
    """

    def __new__(
        cls,
        scope: str,
        input: RunAgentInput,
        options: LogOptions,
        occupancy: Occupancy,
        resume: str | None,
        limits: Limits | None,
        checks_answers: bool,
        is_draining: bool,
    ) -> LogStart: ...
    @property
    def key(self) -> LogKey:
        """The log."""

    @property
    def machine(self) -> Machine:
        """Its machine. The decision is `begun`, with the cursor of the beginning and true if this request has begun the run, or
        `refused`.
        """

    def recorder(self) -> Recorder | None:
        """The recorder of a run that this request has begun, once; else None."""

@final
class Recorder:
    """Stores what an agent writes."""

    def write(self, now: float, data: bytes) -> tuple[int, bool, bool]:
        """Takes the next bytes of the event stream. Returns the number of the last frame, true if a frame has to be stored
        before the agent goes on, and true if there is room for more.
        """

    def drain(self, now: float) -> None:
        """The process shuts down: the run ends within its time to drain."""

    def close(self) -> None:
        """The run counts no longer. Called when no more commands are carried out."""

    def has_room(self) -> bool:
        """True if an awaited write may return before its frame is stored."""

    @property
    def machine(self) -> Machine:
        """Its machine. The commands are `stored` with a number, `stop` with a reason and true if the end of the run is still
        stored, and `closed`.
        """

    def renewal(self) -> Machine:
        """A machine that renews the lease, too: for a thread that renews it while the event loop is blocked. It has no commands."""

@final
class Occupancy:
    """Counts the runs and the readers of each scope in this process."""

    def __new__(cls) -> Occupancy: ...
    def reader(self, scope: str, options: LogOptions) -> Place:
        """Counts a reader of a scope, until its `LogStream` is closed. Raises Refused if the scope has too many."""

@final
class Place:
    """A reader that is counted."""

@final
class PrefixCache:
    """The beginnings of runs that clients joined last."""

    def __new__(cls) -> PrefixCache: ...

@final
class LogStream:
    """Reads a log for one client: behind a cursor, or from the beginning, compacted."""

    def __new__(
        cls,
        key: LogKey,
        ids: tuple[str, str],
        after: str | None,
        is_new: bool,
        options: LogOptions,
        prefixes: PrefixCache,
        place: Place,
        binary: bool,
        address: str,
        heartbeat: float,
        is_websocket: bool,
    ) -> LogStream: ...
    @property
    def machine(self) -> Machine:
        """Its machine. The commands are `opened` with the headers of the response, or `refused` with the refusal, or with None if
        nothing is behind the cursor; then `bytes` and, at last, `end` with the code that closes a WebSocket.
        """

    def close(self) -> None:
        """The client counts no longer. Called when no more commands are carried out."""

    def drain(self, now: float) -> None:
        """The process shuts down: the stream ends soon."""

def accept_log_request(
    method: str,
    path: str,
    query: str,
    headers: Mapping[str, str],
    cors: Sequence[str] | None,
    accept_wildcards: bool,
    limits: Limits | None,
) -> LogRequest:
    """Checks the head of a request; names of headers are in lower case. Raises Refused with the answer to a preflight, and
    for a request that is refused before its body is received.
    """

def check_log_options(names: list[str]) -> None:
    """Checks which options a server was given, by their names. Raises AGUIValidationError for an option of runs with a log
    without one, and for a log without `authorize`.
    """

def refused_notice(
    code: str, scope: str | None, thread_id: str | None, run_id: str | None
) -> tuple[str, dict[str, Any]]:
    """The notice of a request that was refused with this code."""

@final
class LogCase:
    """A case of the suite that every engine passes."""

    def step(self) -> str | float | None:
        """The next step: an operation as JSON text, or a number of seconds to wait; None behind the last one."""

    def difference(self, reply: str) -> str | None:
        """The difference between a reply, as JSON text, and the one that the last step expects; None if there is none, or
        if the case begins again.
        """

def log_cases(scope: str) -> list[LogCase]:
    """The cases of the suite, for logs of this scope. Raises AGUILimitError for a scope that is too long."""

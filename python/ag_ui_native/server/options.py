"""The options of servers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from typing_extensions import TypedDict

from ag_ui_native._defaults import BODY_TIMEOUT, HEARTBEAT, LONGEST_TIME, MAX_WAITING
from ag_ui_native._native import check_log_options
from ag_ui_native._option_reader import (
    OptionReader,
    is_flag,
    is_list,
    is_text,
    is_whole,
    limit_faults,
    one,
    one_of,
)
from ag_ui_native.ids import IdGenerator
from ag_ui_native.limits import Limits

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.durable.log import Log
    from ag_ui_native.typing import InterruptLike

    Interrupts = Iterable[InterruptLike | dict[str, object]]
    PendingInterrupts = Callable[[RunAgentInput], Interrupts | Awaitable[Interrupts]]

    Authorize = Callable[[Any, Literal["start", "read", "cancel"], str, str | None], str | Awaitable[str | None] | None]

__all__ = ["OnBusy", "OnDisconnect", "RunOptions", "ServerOptions", "StateFlush"]

StateFlush = Literal["await", "end", "manual"]
"""The times at which changes of ``run.state`` are sent automatically."""

OnDisconnect = Literal["resume", "continue", "cancel"]
"""The runs with a log that go on when no client reads them: those of clients that resume, all, or none."""

OnBusy = Literal["reject", "interrupt"]
"""The treatment of a request whose thread has an active run."""


class RunOptions(TypedDict, total=False):
    """The options of a server. Times are in seconds.

    Examples:
        >>> from ag_ui_native.server import RunOptions
        >>> from ag_ui_native.testing import run_agent, scripted_agent
        >>> options: RunOptions = {"time_limit": 60, "show_errors": True}
        >>> run_agent(scripted_agent(["Hello!"]), "Hi", **options).text
        'Hello!'
    """

    time_limit: float | None
    """The maximum time of a run. A longer run is cancelled and ends with RUN_ERROR ``run_timeout``. Default None: no
    limit."""
    echo_input: bool
    """Puts the run's input into RUN_STARTED. Default False."""
    show_errors: bool
    """Puts the text of the agent's exception into RUN_ERROR. Default False: it is only logged."""
    ids: IdGenerator | None
    """Generates ids. Default: the generator of ``ag_ui_native.ids``."""
    state_flush: StateFlush
    """Sends changes of ``run.state`` whenever a write is awaited and at the end of the run (``await``, the default),
    only at the end (``end``), or only when ``flush_state`` is called (``manual``). With ``await``, a state of more
    values than ``Limits.state_values`` is sent when something has ended: a message, a call, a step."""
    max_waiting: int
    """The maximum number of bytes that may wait to be sent while the agent does not await its writes. Default 16 MiB."""
    heartbeat: float | None
    """The time of silence after which a comment is sent, so that no proxy closes the connection. Default 15; None:
    never."""
    body_timeout: float | None
    """The time limit for receiving a request's body. Default 30."""
    limits: Limits | None
    """Limits on requests, and on the open entities of a run."""
    accept_wildcards: bool
    """Sends protobuf to clients that accept any type. Default False: only to clients that name it."""
    cors: Literal["*"] | Sequence[str] | None
    """The origins of web pages that may send requests. Default None: no CORS headers are sent."""
    pending_interrupts: PendingInterrupts | None
    """Returns the interrupts of the thread that wait for an answer. A request that does not answer them is refused.
    May be async."""


class ServerOptions(RunOptions, total=False):
    """The options of a server that can keep the events of runs in a log. Times are in seconds.

    Examples:
        >>> from ag_ui_native.durable import MemoryLog
        >>> from ag_ui_native.server import ServerOptions, asgi_app
        >>> from ag_ui_native.testing import scripted_agent
        >>> options: ServerOptions = {"log": MemoryLog(), "authorize": "public", "grace": 60}
        >>> app = asgi_app(scripted_agent(["Hello!"]), **options)
    """

    log: Log | None
    """The engine that keeps the events of runs, so that clients resume and join them. Default None: a run lives as long
    as its connection. The options below are those of servers with a log."""
    authorize: Literal["public"] | Authorize | None
    """Returns the scope of a request, such as the id of a user: runs of other scopes are unknown to it. Takes the request (in
    ``asgi_app`` the ASGI scope, in ``wsgi_app`` the environ, in ``respond`` the request), the action ``start``, ``read`` or ``cancel``, the id of
    the thread, and the id of the run or None. None refuses the request. May be async. ``public`` gives all requests the same
    scope. Needed with a log."""
    on_disconnect: OnDisconnect
    """The runs that go on when no client reads them: those whose clients have said that they resume (``resume``, the
    default), all (``continue``), or none (``cancel``). Others are cancelled after ``grace``."""
    grace: float
    """The time for which a run goes on without a client that reads it. Default 30."""
    on_busy: OnBusy
    """The treatment of a request whose thread has an active run: it is refused (``reject``, the default), or that run is
    cancelled first (``interrupt``)."""
    lease: float
    """The time after which a run whose process has died ends for its readers. Default 30."""
    log_bytes: int
    """The maximum number of bytes of a run's events. Default 16 MiB."""
    keep: float
    """The time for which the events of a run are kept behind its end. Default 900."""
    keep_thread: float
    """The time for which the messages and the state of a thread are kept behind its last run. Default 7 days."""
    max_connection: float
    """The longest duration of a connection: a client that resumes is authorized again. Default 900."""
    max_age: float
    """The longest duration of a run: a longer one ends with RUN_ERROR ``limit_exceeded``. Default 3600."""
    max_active_runs: int | None
    """The maximum number of runs of one scope that this process executes: another one is refused with status 429. Default
    None: no limit."""
    max_readers: int | None
    """The maximum number of connections of one scope that read runs in this process. Default None: no limit."""
    on_log: Callable[[str, dict[str, Any]], object] | None
    """Called with the name and the fields of what happens to runs and requests (``opened``, ``joined``, ``refused`` and others), for
    metrics; never with contents. It is called in the event loop, so it should be fast. An exception is logged."""
    drain: float
    """The time that runs have to end when the process shuts down. Others end with RUN_ERROR ``producer_lost``. Default
    10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The options of a server, with their defaults."""

    time_limit: float | None = None
    echo_input: bool = False
    show_errors: bool = False
    ids: IdGenerator | None = None
    state_flush: StateFlush = "await"
    max_waiting: int = MAX_WAITING
    heartbeat: float | None = HEARTBEAT
    body_timeout: float | None = BODY_TIMEOUT
    limits: Limits | None = None
    accept_wildcards: bool = False
    cors: Literal["*"] | Sequence[str] | None = None
    pending_interrupts: PendingInterrupts | None = None
    log: Log | None = None
    authorize: Literal["public"] | Authorize | None = None
    # Core has the defaults of these.
    on_disconnect: OnDisconnect | None = None
    grace: float | None = None
    on_busy: OnBusy | None = None
    lease: float | None = None
    log_bytes: int | None = None
    keep: float | None = None
    keep_thread: float | None = None
    max_connection: float | None = None
    max_age: float | None = None
    max_active_runs: int | None = None
    max_readers: int | None = None
    drain: float | None = None
    on_log: Callable[[str, dict[str, Any]], object] | None = None

    def __post_init__(self) -> None:
        """Checks the options. Raises AGUIValidationError for the first invalid one."""
        # A server loads the classes of inputs before its first request.
        import ag_ui_native.core  # noqa: F401

        if is_list(self.cors):
            # Copied: the caller's list may change later.
            object.__setattr__(self, "cors", tuple(self.cors))
        for name, reader in _READERS.items():
            reader.check(name, getattr(self, name))


def _is_duration(value: object) -> bool:
    return is_whole(value) or (isinstance(value, float) and value >= 0)


def _is_finite(value: object) -> bool:
    return _is_duration(value) and value <= LONGEST_TIME  # type: ignore[operator] # It is a number.


def _is_size(value: object) -> bool:
    return is_whole(value) and value != 0


def _is_log(value: object) -> bool:
    from ag_ui_native.durable.log import Log

    return isinstance(value, Log)


def _makes_ids(value: object) -> bool:
    return isinstance(value, IdGenerator) and not isinstance(value, type)


def _origin_faults(value: object) -> Iterator[str]:
    if not isinstance(value, tuple):
        if not (is_text(value) and str.__eq__(value, "*")):
            yield ""
        return
    # ``*`` in a list would be an origin that does not exist.
    for index, origin in enumerate(value):
        if not is_text(origin) or str.__eq__(origin, "*"):
            yield f"/{index}"


_FLAG = OptionReader("a bool", one(is_flag), optional=False)
_DURATION = OptionReader("a number of seconds, 0 or more", one(_is_duration))
_FINITE = OptionReader("a finite number of seconds, 0 or more", one(_is_finite))

_READERS = {
    "time_limit": _DURATION,
    "echo_input": _FLAG,
    "show_errors": _FLAG,
    "ids": OptionReader("an IdGenerator", one(_makes_ids)),
    "state_flush": OptionReader("'await', 'end' or 'manual'", one_of(*get_args(StateFlush)), optional=False),
    "max_waiting": OptionReader("a whole number of bytes, 1 or more", one(_is_size), optional=False),
    "heartbeat": _DURATION,
    "body_timeout": _DURATION,
    "limits": OptionReader("Limits of whole numbers, 0 or more", limit_faults),
    "accept_wildcards": _FLAG,
    "cors": OptionReader("'*' or a list of origins", _origin_faults),
    "pending_interrupts": OptionReader("a function that takes the input of a run", one(callable)),
}
"""The check of every option."""

_LOG_READERS = {
    "log": OptionReader("a Log, such as MemoryLog()", one(_is_log)),
    "authorize": OptionReader(
        "'public' or a function that returns a scope", one(lambda value: callable(value) or value == "public")
    ),
    "on_disconnect": OptionReader("'resume', 'continue' or 'cancel'", one_of(*get_args(OnDisconnect))),
    "grace": _FINITE,
    "on_busy": OptionReader("'reject' or 'interrupt'", one_of(*get_args(OnBusy))),
    "lease": _FINITE,
    "log_bytes": OptionReader("a whole number of bytes, 1 or more", one(_is_size)),
    "keep": _FINITE,
    "keep_thread": _FINITE,
    "max_connection": _FINITE,
    "max_age": _FINITE,
    "max_active_runs": OptionReader("a whole number of runs, 1 or more", one(_is_size)),
    "max_readers": OptionReader("a whole number of connections, 1 or more", one(_is_size)),
    "drain": _FINITE,
    "on_log": OptionReader("a function that takes a name and fields", one(callable)),
}
"""The check of every option of a server with a log."""


def settings_of(options: RunOptions) -> ServerSettings:
    """Returns the options with their defaults. Raises TypeError for an unknown option."""
    for name in options:
        if name not in _READERS:
            raise TypeError(f"a server has no option {name!r}: use one of {', '.join(_READERS)}")
    return ServerSettings(**options)


def settings_with_log(options: ServerOptions) -> ServerSettings:
    """Returns the options with their defaults; there may be a log. Raises TypeError for an unknown option, and AGUIValidationError
    for one that means nothing without a log.
    """
    for name, value in options.items():
        if name in _LOG_READERS:
            _LOG_READERS[name].check(name, value)
        elif name not in _READERS:
            raise TypeError(f"a server has no option {name!r}: use one of {', '.join((*_READERS, *_LOG_READERS))}")
    of_logs = [name for name in options if name in _LOG_READERS and options.get(name) is not None]
    if of_logs:
        check_log_options(of_logs)
    return ServerSettings(**options)

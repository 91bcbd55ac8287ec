"""The options of servers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from typing_extensions import TypedDict

from ag_ui_native._defaults import BODY_TIMEOUT, HEARTBEAT, MAX_WAITING
from ag_ui_native._option_reader import OptionReader, is_flag, is_list, is_text, is_whole, limit_faults, one, one_of
from ag_ui_native.ids import IdGenerator
from ag_ui_native.limits import Limits

if TYPE_CHECKING:
    from ag_ui_native.core import RunAgentInput
    from ag_ui_native.typing import InterruptLike

    Interrupts = Iterable[InterruptLike | dict[str, object]]
    PendingInterrupts = Callable[[RunAgentInput], Interrupts | Awaitable[Interrupts]]

__all__ = ["RunOptions", "StateFlush"]

StateFlush = Literal["await", "end", "manual"]
"""The times at which changes of ``run.state`` are sent automatically."""


class RunOptions(TypedDict, total=False):
    """The options of a server. Times are in seconds."""

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

    def __post_init__(self) -> None:
        """Checks the options. Raises AGUIValidationError for the first invalid one."""
        if is_list(self.cors):
            # Copied: the caller's list may change later.
            object.__setattr__(self, "cors", tuple(self.cors))
        for name, reader in _READERS.items():
            reader.check(name, getattr(self, name))


def _is_duration(value: object) -> bool:
    return is_whole(value) or (isinstance(value, float) and value >= 0)


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

_READERS = {
    "time_limit": _DURATION,
    "echo_input": _FLAG,
    "show_errors": _FLAG,
    "ids": OptionReader("an IdGenerator", one(_makes_ids)),
    "state_flush": OptionReader("'await', 'end' or 'manual'", one_of(*get_args(StateFlush)), optional=False),
    "max_waiting": OptionReader(
        "a whole number of bytes, 1 or more", one(lambda value: is_whole(value) and value > 0), optional=False
    ),
    "heartbeat": _DURATION,
    "body_timeout": _DURATION,
    "limits": OptionReader("Limits of whole numbers, 0 or more", limit_faults),
    "accept_wildcards": _FLAG,
    "cors": OptionReader("'*' or a list of origins", _origin_faults),
    "pending_interrupts": OptionReader("a function that takes the input of a run", one(callable)),
}
"""The check of every option."""


def settings_of(options: RunOptions) -> ServerSettings:
    """Returns the options with their defaults. Raises TypeError for an unknown option."""
    for name in options:
        if name not in _READERS:
            raise TypeError(f"a server has no option {name!r}: use one of {', '.join(_READERS)}")
    return ServerSettings(**options)

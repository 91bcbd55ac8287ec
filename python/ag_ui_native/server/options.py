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
"""The times at which changes of ``run.state`` are sent without a call."""


class RunOptions(TypedDict, total=False):
    """The options of a server. Times are in seconds."""

    time_limit: float | None
    """A run that takes longer is cancelled, and ends with RUN_ERROR ``run_timeout``. None, the default: no limit."""
    echo_input: bool
    """RUN_STARTED carries the run's input. Default False."""
    show_errors: bool
    """RUN_ERROR carries the text of the agent's exception. Default False: it only goes to the log."""
    ids: IdGenerator | None
    """Makes ids. Default: the generator of ``ag_ui_native.ids``."""
    state_flush: StateFlush
    """Changes of ``run.state`` are sent whenever something written is awaited, and at the end (``await``, the default), only at
    the ``end``, or when ``flush_state`` is called (``manual``). With ``await``, a state of more values than ``Limits.state_values`` is
    sent when something has ended: a message, a call, a step."""
    max_waiting: int
    """Most bytes that wait to be sent, because the agent does not await what it writes. Default 16 MiB."""
    heartbeat: float | None
    """After so long without a byte a comment is sent, so that no proxy closes the connection. Default 15; None: never."""
    body_timeout: float | None
    """The time limit for receiving a request's body. Default 30."""
    limits: Limits | None
    """Limits on requests, and on what is open in a run."""
    wildcards: bool
    """Clients that accept anything get protobuf. Default False: those that name it do."""
    cors: Literal["*"] | Sequence[str] | None
    """Origins whose pages may ask. Default None: nothing is said about it."""
    pending_interrupts: PendingInterrupts | None
    """The interrupts of a thread that wait for an answer: a request that does not answer them is refused. May be async."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options with their defaults."""

    time_limit: float | None = None
    echo_input: bool = False
    show_errors: bool = False
    ids: IdGenerator | None = None
    state_flush: StateFlush = "await"
    max_waiting: int = MAX_WAITING
    heartbeat: float | None = HEARTBEAT
    body_timeout: float | None = BODY_TIMEOUT
    limits: Limits | None = None
    wildcards: bool = False
    cors: Literal["*"] | Sequence[str] | None = None
    pending_interrupts: PendingInterrupts | None = None

    def __post_init__(self) -> None:
        """Raises AGUIValidationError for the first option that is not what it must be."""
        if is_list(self.cors):
            # The caller's list may change later, or be another one the next time.
            object.__setattr__(self, "cors", tuple(self.cors))
        for name, wanted in _WANTED.items():
            wanted.check(name, getattr(self, name))


def _is_duration(value: object) -> bool:
    return is_whole(value) or (isinstance(value, float) and value >= 0)


def _makes_ids(value: object) -> bool:
    return isinstance(value, IdGenerator) and not isinstance(value, type)


def _origin_faults(value: object) -> Iterator[str]:
    if not isinstance(value, tuple):
        if not (is_text(value) and str.__eq__(value, "*")):
            yield ""
        return
    # ``*`` within a list would name an origin that does not exist.
    for index, origin in enumerate(value):
        if not is_text(origin) or str.__eq__(origin, "*"):
            yield f"/{index}"


_FLAG = OptionReader("a bool", one(is_flag), optional=False)
_DURATION = OptionReader("a number of seconds from 0", one(_is_duration))

_WANTED = {
    "time_limit": _DURATION,
    "echo_input": _FLAG,
    "show_errors": _FLAG,
    "ids": OptionReader("an IdGenerator", one(_makes_ids)),
    "state_flush": OptionReader("await, end or manual", one_of(*get_args(StateFlush)), optional=False),
    "max_waiting": OptionReader(
        "a whole number of bytes from 1", one(lambda value: is_whole(value) and value > 0), optional=False
    ),
    "heartbeat": _DURATION,
    "body_timeout": _DURATION,
    "limits": OptionReader("Limits of whole numbers from 0", limit_faults),
    "wildcards": _FLAG,
    "cors": OptionReader("'*' or a list of origins", _origin_faults),
    "pending_interrupts": OptionReader("a function of an input", one(callable)),
}
"""Every option."""


def settings_of(options: RunOptions) -> Settings:
    """The options with their defaults. Raises TypeError for one that there is not."""
    for name in options:
        if name not in _WANTED:
            raise TypeError(f"a server has no option {name!r}: it has {', '.join(_WANTED)}")
    return Settings(**options)

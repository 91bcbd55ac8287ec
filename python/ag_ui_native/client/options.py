"""The options of a client's agents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard, cast

from typing_extensions import TypedDict

from ag_ui_native._defaults import (
    CONNECT_TIMEOUT,
    IDLE_TIMEOUT,
    MAX_RUNS,
    RECONNECT_ATTEMPTS,
    RECONNECT_FIRST,
    RECONNECT_JITTER,
    RECONNECT_LONGEST,
    RETRY_ATTEMPTS,
    RETRY_FIRST,
    RETRY_JITTER,
    RETRY_LONGEST,
)
from ag_ui_native._option_reader import (
    OptionReader,
    is_flag,
    is_text,
    is_whole,
    items_of,
    limit_faults,
    one,
    one_of,
    refused,
)
from ag_ui_native.client.subscriber import check_subscriber
from ag_ui_native.limits import Limits
from ag_ui_native.pipeline.pipeline import EventPipeline

if TYPE_CHECKING:
    from ag_ui_native.client.middleware import Middleware
    from ag_ui_native.client.subscriber import AgentSubscriber
    from ag_ui_native.client.tools import FrontendTool
    from ag_ui_native.core import Context, Interrupt, Message, ResumeEntry, Tool
    from ag_ui_native.errors import ProtocolWarning

__all__ = [
    "AgentOptions",
    "Headers",
    "HttpOptions",
    "Reconnect",
    "Redirects",
    "Retry",
    "RunParameters",
    "Timeouts",
    "WebSocketOptions",
]

Headers: TypeAlias = "Mapping[str, str] | Callable[[], Mapping[str, str] | Awaitable[Mapping[str, str]]]"
"""Headers of each request, or a function that returns them before each request (tokens expire); it may be async in an async agent.

Examples:
    >>> from ag_ui_native.client import Headers, HttpAgent
    >>> def sign_in() -> dict[str, str]:
    ...     return {"Authorization": "Bearer secret"}
    >>> headers: Headers = sign_in
    >>> agent = HttpAgent("http://127.0.0.1:8000/", headers=headers)
"""

Redirects: TypeAlias = Literal["same-origin", "any", "none"]
"""The redirects that are followed. `Authorization` and `Cookie` are not sent to another origin.

Examples:
    >>> from ag_ui_native.client import HttpAgent, Redirects
    >>> redirects: Redirects = "none"
    >>> agent = HttpAgent("http://127.0.0.1:8000/", redirects=redirects)
"""


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_pause(value: object) -> bool:
    return _is_number(value) and 0 <= value < inf


_SECONDS = OptionReader("a number of seconds above 0", one(lambda value: _is_number(value) and value > 0))
_RETRY = {
    "attempts": OptionReader(
        "a whole number, 1 or more", one(lambda value: is_whole(value) and value > 0), optional=False
    ),
    "first": OptionReader("a number of seconds, 0 or more", one(_is_pause), optional=False),
    "longest": OptionReader("a number of seconds, 0 or more", one(_is_pause), optional=False),
    "jitter": OptionReader("a number from 0 to 1", one(lambda value: _is_pause(value) and value <= 1), optional=False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """The timeouts of a client, in seconds; None means no limit.

    Examples:
        >>> from ag_ui_native.client import HttpAgent, Timeouts
        >>> agent = HttpAgent("http://127.0.0.1:8000/", timeouts=Timeouts(connect=5, idle=60, total=None))
    """

    connect: float | None = CONNECT_TIMEOUT
    """For the connection."""
    first_byte: float | None = None
    """For the head of the answer. None: silence counts as `idle`."""
    idle: float | None = IDLE_TIMEOUT
    """For the next piece of the answer. A heartbeat is one."""
    total: float | None = None
    """For the whole run."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            _SECONDS.check(name, getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """The retries of a request that has begun no run. After the first event a request is never sent again.

    Examples:
        >>> from ag_ui_native.client import HttpAgent, Retry
        >>> agent = HttpAgent("http://127.0.0.1:8000/", retry=Retry(attempts=3, first=0.5, longest=10))
    """

    attempts: int = RETRY_ATTEMPTS
    """The maximum number of attempts to send a request."""
    first: float = RETRY_FIRST
    """The pause before the second attempt, in seconds; each further one is twice as long."""
    longest: float = RETRY_LONGEST
    """The longest pause. A server that asks for a longer one by `Retry-After` is not asked again."""
    jitter: float = RETRY_JITTER
    """The random part of a pause, from 0 to 1."""

    def __post_init__(self) -> None:
        for name, reader in _RETRY.items():
            reader.check(name, getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnect:
    """The attempts to go on with a run of a server with a log, whose connection is lost.

    Examples:
        >>> from ag_ui_native.client import HttpAgent, Reconnect
        >>> agent = HttpAgent("http://127.0.0.1:8000/", reconnect=Reconnect(attempts=5))
    """

    attempts: int = RECONNECT_ATTEMPTS
    """The maximum number of attempts in a row that bring no event."""
    first: float = RECONNECT_FIRST
    """The pause before the second attempt, in seconds; each further one is twice as long. The first does not wait."""
    longest: float = RECONNECT_LONGEST
    """The longest pause, unless the server asks for a longer one."""
    jitter: float = RECONNECT_JITTER
    """The random part of a pause, from 0 to 1."""

    def __post_init__(self) -> None:
        for name, reader in _RETRY.items():
            reader.check(name, getattr(self, name))


class AgentOptions(TypedDict, total=False):
    """The options of every agent.

    Examples:
        >>> from ag_ui_native.client import AgentOptions, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> options: AgentOptions = {"thread_id": "t1", "max_runs": 3}
        >>> SyncLocalAgent(scripted_agent([]), **options).thread_id
        't1'
    """

    thread_id: str | None
    """The id of the conversation. Default: a new id."""
    messages: Iterable[Message | dict[str, Any]]
    """The first messages of the conversation; copied."""
    pending_interrupts: Iterable[Interrupt | dict[str, Any]]
    """Interrupts of an earlier run that wait for an answer; copied."""
    agent_id: str | None
    """The agent's name. Default: a new id."""
    description: str
    """The purpose of the agent."""
    profile: Literal["strict", "tolerant"]
    """The profile that reads events. Default `tolerant`."""
    limits: Limits | None
    """The limits of events."""
    peer: str | None
    """The version of AG-UI that the server speaks, if it is older, such as `0.0.39`."""
    timeouts: Timeouts
    """The timeouts."""
    subscribers: Iterable[AgentSubscriber[Any]]
    """The subscribers of each run."""
    middleware: Iterable[Middleware]
    """The middleware; the first is the outermost."""
    tools: Iterable[FrontendTool | Callable[..., object]]
    """Functions that the agent may call; they run in this process."""
    max_runs: int
    """The maximum number of times that one call runs the agent, which is run again after tools have answered. Default
    10."""
    debug: bool
    """Logs each request, event and end to `ag_ui_native.client`. Default False."""
    on_warning: Callable[[ProtocolWarning], object] | None
    """Called with each warning about repaired or dropped input. Warnings also go to the log `ag_ui_native` and into the result."""


class HttpOptions(AgentOptions, total=False):
    """The further options of agents over HTTP.

    Examples:
        >>> from ag_ui_native.client import HttpAgent, HttpOptions, Retry
        >>> options: HttpOptions = {"headers": {"Authorization": "Bearer secret"}, "retry": Retry()}
        >>> agent = HttpAgent("http://127.0.0.1:8000/", **options)
    """

    headers: Headers | None
    """Headers of each request, or the function that returns them."""
    protobuf: bool
    """True to ask for the binary transport; the content type of the answer decides. Default False."""
    retry: Retry | None
    """The retries of a request that has begun no run. Default: none."""
    redirects: Redirects
    """The redirects that are followed. Default `same-origin`."""
    reconnect: Reconnect | None
    """The attempts to go on with a run of a server with a log, whose connection is lost. A run that is left before its end is
    cancelled. Default `Reconnect()`; None: a run ends with its connection."""


class WebSocketOptions(AgentOptions, total=False):
    """The further options of agents over WebSockets.

    Examples:
        >>> from ag_ui_native.client import WebSocketAgent, WebSocketOptions
        >>> options: WebSocketOptions = {"protobuf": True, "connection": {"ping_interval": 10}}
        >>> agent = WebSocketAgent("ws://127.0.0.1:8000/", **options)
    """

    headers: Headers | None
    """Headers of each connection, or the function that returns them."""
    protobuf: bool
    """True to ask for binary messages; the kind of each message decides. Default False."""
    retry: Retry | None
    """The retries of a connection that has begun no run. Default: none."""
    connection: Mapping[str, Any] | None
    """Further arguments for `websockets.asyncio.client.connect`."""


class RunParameters(TypedDict, total=False):
    """The parameters of one run.

    Examples:
        >>> from ag_ui_native.client import RunParameters, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> parameters: RunParameters = {"run_id": "r1", "forwarded_props": {"user": "ada"}}
        >>> SyncLocalAgent(scripted_agent([])).run_agent(**parameters).run_id
        'r1'
    """

    run_id: str | None
    """The id of the run. Default: a new id."""
    parent_run_id: str | None
    """The earlier run from which it branches. Default: the agent's `parent_run_id`."""
    tools: Iterable[Tool | dict[str, Any]]
    """Further tools that the agent may call, besides the functions of this process."""
    context: Iterable[Context | dict[str, Any]]
    """The context of the run."""
    forwarded_props: Any
    """Any JSON value, for the agent."""
    resume: Iterable[ResumeEntry | dict[str, Any]]
    """Answers to the pending interrupts, as `build_resume` makes them."""
    subscriber: AgentSubscriber[Any] | None
    """A subscriber of this run only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """The options of an agent that never change, with their defaults."""

    profile: Literal["strict", "tolerant"] = "tolerant"
    limits: Limits | None = None
    peer: str | None = None
    timeouts: Timeouts = Timeouts()
    max_runs: int = MAX_RUNS
    debug: bool = False
    on_warning: Callable[[ProtocolWarning], object] | None = None

    def __post_init__(self) -> None:
        for name, reader in _SETTINGS.items():
            reader.check(name, getattr(self, name))
        if self.peer is not None:
            try:
                EventPipeline("text/event-stream", peer=self.peer)
            except ValueError:
                raise refused("/peer", "peer: expected a version such as 0.0.39", "invalid_value") from None


_SETTINGS = {
    "profile": OptionReader("'strict' or 'tolerant'", one_of("strict", "tolerant"), optional=False),
    "limits": OptionReader("Limits of whole numbers, 0 or more", limit_faults),
    "peer": OptionReader("a version such as 0.0.39", one(is_text)),
    "timeouts": OptionReader("Timeouts", one(lambda value: isinstance(value, Timeouts)), optional=False),
    "max_runs": OptionReader("a whole number, 0 or more", one(is_whole), optional=False),
    "debug": OptionReader("a bool", one(is_flag), optional=False),
    "on_warning": OptionReader("a function", one(callable)),
}
_NAMES = {
    "thread_id": OptionReader("a string", one(is_text)),
    "agent_id": OptionReader("a string", one(is_text)),
    "description": OptionReader("a string", one(is_text), optional=False),
}
"""The options that name an agent."""
HTTP = {
    "protobuf": OptionReader("a bool", one(is_flag), optional=False),
    "retry": OptionReader("a Retry", one(lambda value: isinstance(value, Retry))),
    "reconnect": OptionReader("a Reconnect", one(lambda value: isinstance(value, Reconnect))),
    "redirects": OptionReader("'same-origin', 'any' or 'none'", one_of("same-origin", "any", "none"), optional=False),
}
_PARAMETERS = {
    "run_id": OptionReader("a string", one(is_text)),
    "parent_run_id": OptionReader("a string", one(is_text)),
}


RetryNumbers: TypeAlias = "tuple[int, float, float, float]"
"""Attempts, first and longest pause, jitter."""


def retry_numbers(retry: Retry | Reconnect | None) -> RetryNumbers | None:
    """The numbers of a retry or of reconnecting, as core takes them."""
    return None if retry is None else (retry.attempts, retry.first, retry.longest, retry.jitter)


def agent_options(options: HttpOptions | WebSocketOptions, kind: type[HttpOptions | WebSocketOptions]) -> AgentOptions:
    """The options without those of the transport, which has the options of `kind`. The agent refuses names that neither has."""
    own = kind.__annotations__.keys() - AgentOptions.__annotations__.keys()
    return cast("AgentOptions", {name: value for name, value in options.items() if name not in own})


def check_names(options: Mapping[str, Any]) -> None:
    """Raises AGUIValidationError for names of the agent that are not strings."""
    for name, reader in _NAMES.items():
        reader.check(name, options.get(name, ""))


def check_parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parameters of a run. Raises AGUIValidationError for a wrong value, TypeError for an unknown name."""
    for name in given:
        if name not in RunParameters.__annotations__:
            raise TypeError(f"a run has no parameter {name!r}: use one of {', '.join(RunParameters.__annotations__)}")
    for name, reader in _PARAMETERS.items():
        reader.check(name, given.get(name), "parameter")
    lists: dict[str, list[Any]] = {
        name: items_of(name, given[name], what="parameter") for name in ("tools", "context", "resume") if name in given
    }
    subscriber = given.get("subscriber")
    if subscriber is not None:
        check_subscriber(subscriber, "/subscriber")
    return {**given, **lists}

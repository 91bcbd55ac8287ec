"""The native rules of the client: requests, answers, retries, deliveries, runs."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, Self, TypeAlias, final

from ag_ui_native.changes import Change, RunEnd, RunFailure
from ag_ui_native.client.notification import Step
from ag_ui_native.client.result import Outcome
from ag_ui_native.core.events import TokenUsage
from ag_ui_native.core.types import Interrupt, Message, ResumeEntry, RunAgentInput, ToolMessage
from ag_ui_native.errors import AGUIConnectionError, AGUIError, ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.typing import EventLike, InterruptLike, Profile, ResumeLike

__all__ = [
    "NO_JSON_RESULT",
    "BodyDecoder",
    "Delivery",
    "Exchange",
    "Intake",
    "RequestCommand",
    "Runs",
    "ToolCalls",
    "address_of",
    "answer_tool",
    "body_decoder",
    "build_resume",
    "check_request_header",
    "client_error",
    "close_failure",
    "event_content_type",
    "frame_message",
    "invalid_location",
    "limit_within",
    "misfit",
    "no_active_run",
    "outcome_error",
    "over_http_only",
    "read_arguments",
    "read_input",
    "read_message",
    "read_thread",
    "refusal_error",
    "timeout_error",
]

NO_JSON_RESULT: Final[str]
"""The error text for the agent if JSON cannot express a tool's result."""

def address_of(url: str, before: str | None = None, same_origin: bool = False) -> tuple[str, str | None]:
    """Splits an address into the URL to request and the header `authorization` with its credentials; a header of the
    application takes precedence. `before` is the header of the address that redirected to this one. `same_origin`
    is true if the origin has stayed.
    """

def body_decoder(content_encoding: str) -> BodyDecoder | None:
    """Makes the decoder of an answer's body, by the header `Content-Encoding`; None if it is not encoded. Raises AGUIStreamError
    `unsupported_content_encoding`.
    """

def client_error(code: str, detail: str = "", limit: str | None = None) -> AGUIError:
    """Returns the error with one of the client's codes."""

def invalid_location() -> AGUIError:
    """Returns the error of a redirect whose target is no valid URL."""

def outcome_error(outcome: str, agent_code: str | None = None) -> AGUIError | None:
    """Returns the error for an outcome; None if the outcome is no failure. `agent_code` is the agent's own code of the
    failure.
    """

def limit_within(
    passed: float, total: float, timeout: str, seconds: float | None
) -> tuple[float | None, str, float | None]:
    """The limit of a wait that begins `passed` seconds after the beginning of a call: this timeout, or `total` if less is left of that.
    Returns the seconds that are left, and the name and the seconds of the timeout.
    """

def timeout_error(timeout: str, seconds: float | None = None) -> AGUIConnectionError:
    """Returns the error for a timeout, by the name of its setting and the setting's value in seconds."""

def check_request_header(name: str, value: str) -> bool:
    """Returns True if the application may set this header. Headers about the content and the accepted formats belong
    to the client. Raises AGUIValidationError for a header that cannot be sent.
    """

def read_input(json: str, limits: Limits | None = None) -> RunAgentInput:
    """Reads the input that `Runs.prepare` has made, for the application. Its length is not limited.

    Raises AGUIValidationError, AGUILimitError.
    """

def over_http_only() -> AGUIConnectionError:
    """Makes the error of a client that asks for a run or a thread over another transport than HTTP."""

def no_active_run() -> AGUIConnectionError:
    """Makes the error of a client that cancels its active run while it has none."""

def read_thread(
    json: bytes, thread_id: str, profile: Profile, limits: Limits | None = None
) -> tuple[list[Message] | None, str | None, list[Interrupt], str | None, str | None]:
    """Reads the answer of a server about a thread: its messages (None if it keeps none), the JSON of its state, its
    pending interrupts, the ids of the active run and of the last one.

    Raises AGUIStreamError `wrong_content_type`, AGUIValidationError.
    """

def read_message(json: str, limits: Limits | None = None) -> Message:
    """Reads a message of the application strictly from its JSON, since it will be sent.

    Raises AGUIValidationError, AGUILimitError.
    """

def build_resume(
    pending: Iterable[InterruptLike | dict[str, Any]],
    answers: Iterable[ResumeLike | dict[str, Any]],
    now: int | None = None,
) -> list[ResumeEntry]:
    """Returns the answers, in the order of the pending interrupts.

    Raises AGUISequenceError with rule L01 or L02, AGUIValidationError `unknown_interrupt`.
    """

def answer_tool(tool_call_id: str, text: str, failed: bool, limits: Limits | None = None) -> ToolMessage:
    """Makes the message that answers a tool call, with its content or its error. An answer that is too long becomes an
    error.
    """

def read_arguments(text: str, limits: Limits | None = None, schema: str | None = None) -> str:
    """Returns the JSON of a call's arguments, which must be an object that `schema` allows. Otherwise it raises
    ValueError with the text for the agent.
    """

def misfit(issues: list[tuple[str, str]]) -> str:
    """Returns the error text for the agent about arguments that a tool's schema does not allow, from places and
    reasons.
    """

def frame_message(message: bytes, is_binary: bool, is_first_binary: bool, limits: Limits | None = None) -> bytes:
    """Returns a message of a WebSocket as a piece of the stream."""

def close_failure(code: int, reason: str) -> AGUIConnectionError | None:
    """Returns the error of a server that has refused a WebSocket by closing it before its first message; None if it
    has not.
    """

def event_content_type(content_type: str | None) -> str:
    """Returns the content type by which an answer is decoded."""

def refusal_error(status: int, content_type: str | None, body: bytes) -> AGUIConnectionError:
    """Returns the error for an answer without events, with `status` and `payload`."""

@final
class BodyDecoder:
    """Decodes the body of an answer in steps of bounded length."""

    def feed(self, piece: bytes) -> None:
        """Takes the next piece of the body. `step` must have returned None before."""

    def step(self) -> bytes | None:
        """Returns the next decoded bytes; None if the next piece is needed.

        Raises AGUIConnectionError `connection_lost` for data that is not gzip.
        """

_When: TypeAlias = tuple[float, int, float]
"""A moment: seconds of a monotonic clock, milliseconds since the Unix epoch, and a random number from 0 to 1."""

@final
class Exchange:
    """The state machine of a request, from its preparation to the events or a failure. Each input returns the next
    command. An input that comes too late changes nothing: the command is `wait`.
    """

    def __new__(
        cls,
        *,
        begun: float = 0.0,
        protobuf: bool = False,
        redirects: Literal["same-origin", "any", "none"] = "same-origin",
        retry: tuple[int, float, float, float] | None = None,
        connect: float | None = None,
        first_byte: float | None = None,
        idle: float | None = None,
        total: float | None = None,
        purpose: Literal["start", "join", "cancel", "thread"] = "start",
        thread_id: str = "",
        run_id: str = "",
        reconnect: tuple[int, float, float, float] | None = None,
    ) -> Self:
        """Makes the machine of a request. `begun` is the time at which its run has begun. Times are in seconds;
        `retry` and `reconnect` are attempts, first and longest pause, jitter. With `reconnect`, a run whose answer is lost
        before its head is looked for. `purpose` is to `start` or to `join` a run, to `cancel` it, or to read its `thread`.
        """

    def prepared(self, when: _When, url: str, names: list[str]) -> RequestCommand:
        """Reports the address of the attempt, and the names of the application's headers."""

    def connected(self, when: _When) -> RequestCommand:
        """Reports that the connection is open: the wait for the head begins."""

    def head(
        self,
        when: _When,
        status: int,
        content_type: str | None = None,
        content_encoding: str | None = None,
        location: str | None = None,
        retry_after: str | None = None,
        cursor: str | None = None,
    ) -> RequestCommand:
        """Reports the head of the answer. `location` is an absolute URL, or empty if it is invalid."""

    def piece(self, piece: bytes) -> RequestCommand:
        """Reports a decoded piece of a refusal."""

    def end(self) -> RequestCommand:
        """Reports that the refusal is complete."""

    def failed(self, when: _When, code: str, limit: str | None = None, status: int | None = None) -> RequestCommand:
        """Reports that the last command has failed, with an error of the host."""

    def late(self, when: _When, connecting: bool) -> RequestCommand:
        """Reports that a library with its own timer has waited too long: for the connection, or else for the head."""

    def closed(self, when: _When) -> RequestCommand:
        """Reports that the answer is closed."""

    def tick(self, when: _When) -> RequestCommand:
        """Reports the time; a deadline may have passed."""

    def aborted(self, when: _When) -> RequestCommand:
        """Reports that the request is aborted."""

@final
class RequestCommand:
    """The next command of a request."""

    @property
    def name(self) -> Literal["prepare", "send", "refusal", "wait", "close", "sleep", "events", "fail"]:
        """The name of the command."""

    @property
    def until(self) -> float | None:
        """The deadline of the wait, in seconds of the clock; None for no deadline."""

    @property
    def timeout(self) -> str | None:
        """The limit that the deadline belongs to; None if passing it is no failure."""

    @property
    def method(self) -> str:
        """For `send`: the method."""

    @property
    def has_input(self) -> bool:
        """For `send`: True if the body is the input of the run; False for no body."""

    @property
    def url(self) -> str:
        """For `send`: the URL without credentials."""

    @property
    def headers(self) -> dict[str, str]:
        """For `send`: headers that replace the application's headers of the same names."""

    @property
    def left_behind(self) -> list[str]:
        """For `send`: the application's headers that are not sent. If there are any, other credentials are not sent
        either.
        """

    @property
    def connect(self) -> tuple[float | None, str | None]:
        """For `send`: the longest time for the connection in seconds, and the name of its limit."""

    @property
    def head(self) -> tuple[float | None, str | None]:
        """For `send`: the longest time for the head after the connection in seconds, and the name of its limit."""

    @property
    def encoding(self) -> str:
        """For `refusal` and `events`: the encoding of the body."""

    @property
    def content_type(self) -> str:
        """For `events`: the content type by which the body is decoded."""

    @property
    def error(self) -> AGUIConnectionError | None:
        """For `fail`: the error; None if it is the host's own error, which `failed` has reported."""

@final
class ToolCalls:
    """Filters the events of one run, one at a time. `ToolCallFilter` is its public form."""

    def __new__(cls, names: list[str], allows: bool) -> Self:
        """Makes a filter that keeps the calls of the named tools, or removes them."""

    def push(self, event: EventLike | dict[str, Any]) -> list[Any]:
        """Returns the events that replace `event`: itself, the events of a chunk, or none.

        Raises AGUISequenceError (a C rule).
        """

@final
class Intake:
    """Takes the events of the outermost middleware, one at a time: enforces the profile, expands chunks, verifies the
    order.
    """

    def __new__(
        cls,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    def ask(self, thread_id: str, run_id: str) -> None:
        """Sets the ids with which the stream was requested."""

    def push(self, event: EventLike | dict[str, Any]) -> list[Any]:
        """Returns the events that replace `event`, as instances. An instance that needs no change is returned itself.

        Raises AGUIError, whose `partial` has the events before the failure.
        """

    def idle_time(self, now: float, idle: float | None) -> float | Literal[False] | None:
        """The seconds to wait for the next event from `now` on, with `idle` as the limit; None is as long as the run may take. False means
        that the stream is at its end."""

    def tolerates_loss(self, code: str) -> bool:
        """Reports that middleware has failed, with this code (empty for an exception of the application). Returns True
        if the run ends as finished.
        """

    def finish(self) -> None:
        """Ends the stream.

        Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
        """

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """The warnings about repaired, dropped and ignored parts so far."""

@final
class Delivery:
    """The state machine that delivers the events of one run to its subscribers. Each input returns the steps that
    follow if every callback returns None.
    """

    def __new__(cls, subscribers: list[list[str]]) -> Self:
        """`subscribers` has the names of the callbacks of each subscriber. Raises ValueError for an unknown name."""

    @property
    def wants_events(self) -> bool:
        """True if a subscriber has a callback for events or for their changes."""

    def initialized(self) -> tuple[Step, ...]:
        """Reports that the run will be requested."""

    def failed(self) -> tuple[Step, ...]:
        """Reports that the run has failed or was aborted. Only subscribers that were notified of the run are
        notified."""

    def finalized(self) -> tuple[Step, ...]:
        """Reports that the run is over. Only subscribers that were notified of the run are notified."""

    def event(self, kind: str) -> tuple[Step, ...]:
        """Reports an event of this type."""

    def changed(self, messages: bool, state: bool, kinds: list[str]) -> tuple[Step, ...]:
        """Reports that the application has changed messages or state. `kinds` are the kinds of the changes that
        complete a message or call.
        """

    def reduced(self, messages: bool, changes: list[Change]) -> tuple[Step, ...]:
        """Reports that the event was reduced to these changes."""

    def answered(self, ticket: int, stop: bool, messages: bool, state: bool) -> tuple[Step, ...]:
        """Reports that a callback has returned a value: it stops the delivery, or has replaced the messages or the
        state.
        """

    def raised(self, ticket: int) -> tuple[Step, ...]:
        """Reports that a callback has failed."""

    def absent(self, ticket: int) -> tuple[Step, ...]:
        """Reports that the subject of a callback does not exist."""

    def left(self, ticket: int) -> tuple[Step, ...]:
        """Reports that the run ends here, so it no longer waits for a callback."""

    def cut(self) -> None:
        """Ends the current delivery early."""

@final
class Runs:
    """The state machine of a call, which may have several runs. Inputs report events of the call; outputs are the next
    steps.
    """

    def __new__(cls) -> Self:
        """Makes the machine of an agent that has not run."""

    def __copy__(self) -> Self:
        """Makes the machine of an agent's copy."""

    def next(self, max_runs: int) -> Runs:
        """Makes the machine of the agent's next call, which may run the agent `max_runs` times."""

    def observe(self) -> None:
        """Makes it the call of a client that reads a run which was started elsewhere: no interrupts are answered and no
        tools called.
        """

    def opened(self, last_run_id: str | None, waits_for_answers: bool) -> None:
        """Reports that a thread without an active run was opened: the call has the outcome of its last run, as far as it
        is known.
        """

    def prepare(
        self,
        members: str,
        agent: tuple[str | None, str],
        pending: Iterable[object],
        new_id: Callable[[], str],
        peer: str | None = None,
        limits: Limits | None = None,
    ) -> tuple[str, str, list[ProtocolWarning]]:
        """Prepares the input of the next run. Returns its id, its JSON, and the warnings, each once. A repeated call
        before the run begins prepares the same run. `members` come from the call. `agent` has the run to branch
        from, and the JSON of the agent's tools. `new_id` makes an id if one is needed.
        """

    def prepare_from_middleware(
        self, members: str, peer: str | None = None, limits: Limits | None = None
    ) -> tuple[str, list[ProtocolWarning]]:
        """Prepares the input that middleware has passed on. Returns its JSON, and the new warnings."""

    def __len__(self) -> int:
        """The number of runs."""

    def ended(self, end: RunEnd | RunFailure) -> None:
        """Records the end of the run, by the agent."""

    def end(self, error: str | None, aborted: bool, has_changes: bool) -> tuple[bool, bool, bool, bool]:
        """Ends the call early: by an error with this code (empty if the error has none), or because the call was aborted. `has_changes`: the run
        has changed something. Returns four flags: the call's own message is removed; subscribers are notified of a
        failure; the error is raised unless a subscriber handles it; the error is only reported."""

    def late(self) -> AGUIConnectionError | None:
        """Reports that a callback has missed the deadline that callbacks share at an end. Returns the error to report;
        None if it was reported before.
        """

    def callback_deadline(self, now: float, of_end: bool) -> float:
        """Returns the deadline of callbacks from `now` on. All callbacks that are notified of the end of the call
        (`of_end`) share one.
        """

    def is_handled(self, stops: bool) -> bool:
        """Returns True if a subscriber has handled the failure. `stops`: one of the subscribers that were notified of
        the end has returned `stop_propagation`."""

    @property
    def pending(self) -> list[str]:
        """The ids of the pending calls."""

    def calls(self, named: list[tuple[str, str]], functions: list[str]) -> list[str]:
        """Sets the calls, as ids and names, that functions with these names answer. Returns their ids; `next_step`
        returns them one by one.
        """

    def answered(self, tool_call_id: str) -> None:
        """Records that a call is answered."""

    def next_step(self, stopped: bool) -> tuple[Literal["answer", "ask", "finish", "stop"], str]:
        """Returns the next step: `answer` the call of a tool with this id, `ask` the agent again, `finish`, or `stop`
        with the error that has `stopped` the call. Raises AGUILimitError `too_many_runs`.
        """

    def name_later(self, run_ids: list[str]) -> None:
        """Names the runs that have begun so far after the first of the last answer."""

    def all(self) -> list[tuple[str, Outcome, list[TokenUsage], list[str]]]:
        """All runs: for each its id, its outcome, its usage, and the pending calls."""

    def usage(self) -> list[TokenUsage]:
        """The token usage of all runs, one entry for each model."""

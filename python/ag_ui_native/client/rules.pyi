"""The rules of the client: what is sent, which answers are events, what is tried again."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, Self, TypeAlias, final

from ag_ui_native.changes import Change, RunEnd, RunFailure
from ag_ui_native.client.notification import Step
from ag_ui_native.client.result import Outcome
from ag_ui_native.core.events import TokenUsage
from ag_ui_native.core.types import Message, ResumeEntry, RunAgentInput, ToolMessage
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
    "misfit",
    "outcome_error",
    "prepare_input",
    "read_arguments",
    "read_input",
    "read_message",
    "refusal_error",
    "timeout_error",
]

NO_JSON_RESULT: Final[str]
"""The error text for the agent if JSON cannot express a tool's result."""

def address_of(url: str, before: str | None = None, same_origin: bool = False) -> tuple[str, str | None]:
    """Splits an address: the URL to request, and the header `authorization` of its credentials. A header of the application counts more.
    `before` is the same of the address that has led to it, and `same_origin` whether the origin has stayed.
    """

def body_decoder(content_encoding: str) -> BodyDecoder | None:
    """Makes the decoder of an answer's body, by the header `Content-Encoding`; None if it is not encoded. Raises AGUIStreamError
    `unsupported_content_encoding`.
    """

def client_error(code: str, detail: str = "", limit: str | None = None) -> AGUIError:
    """The failure with one of the client's codes."""

def outcome_error(outcome: str, agent_code: str | None = None) -> AGUIError | None:
    """The failure that an outcome is; None if it is none. `agent_code` is what the agent has called its failure."""

def timeout_error(timeout: str, seconds: float | None = None) -> AGUIConnectionError:
    """The failure that a timeout is, by the name of its setting and what that is, in seconds."""

def check_request_header(name: str, value: str) -> bool:
    """True if the application may send this header itself: those that say what is sent and understood are the client's. Raises
    AGUIValidationError for one that cannot be sent.
    """

def prepare_input(
    members: str,
    pending: Iterable[InterruptLike | dict[str, Any]],
    peer: str | None = None,
    limits: Limits | None = None,
    now: int | None = None,
) -> tuple[str, list[ProtocolWarning]]:
    """The input of a run, from members as an application gives them: its JSON, and what was lost. They are read strictly.

    Raises AGUISequenceError with rule L01 or L02, AGUIValidationError, AGUILimitError.
    """

def read_input(json: str, limits: Limits | None = None) -> RunAgentInput:
    """The input that `prepare_input` has made, for the application. However long it is, it is the application's own.

    Raises AGUIValidationError, AGUILimitError.
    """

def read_message(json: str, limits: Limits | None = None) -> Message:
    """A message of the application's, from its JSON: what will be sent is read strictly.

    Raises AGUIValidationError, AGUILimitError.
    """

def build_resume(
    pending: Iterable[InterruptLike | dict[str, Any]],
    answers: Iterable[ResumeLike | dict[str, Any]],
    now: int | None = None,
) -> list[ResumeEntry]:
    """The answers in the order of the interrupts that wait.

    Raises AGUISequenceError with rule L01 or L02, AGUIValidationError `unknown_interrupt`.
    """

def answer_tool(tool_call_id: str, text: str, failed: bool, limits: Limits | None = None) -> ToolMessage:
    """The message that answers a tool call: with its content, or with what went wrong; that it is too long, for example."""

def read_arguments(text: str, limits: Limits | None = None, schema: str | None = None) -> str:
    """The JSON of a call's arguments, which are an object. Raises ValueError with what the agent is told of anything else."""

def misfit(issues: list[tuple[str, str]]) -> str:
    """The error text for the agent about arguments that a tool's schema does not allow, by places and reasons."""

def frame_message(message: bytes, is_binary: bool, limits: Limits | None = None) -> bytes:
    """A message of a socket as a piece of the stream."""

def close_failure(code: int, reason: str) -> AGUIConnectionError | None:
    """Why a server has closed a socket before its first message, if it has refused what it was asked."""

def event_content_type(content_type: str | None) -> str:
    """The content type to decode an answer by."""

def refusal_error(status: int, content_type: str | None, body: bytes) -> AGUIConnectionError:
    """The failure that an answer without events is, with `status` and `payload`."""

@final
class BodyDecoder:
    """Decodes the body of an answer in steps of bounded length."""

    def feed(self, piece: bytes) -> None:
        """Takes the next piece of the body, when `step` has nothing more."""

    def step(self) -> bytes | None:
        """The next bytes that were decoded; None if the next piece is needed.

        Raises AGUIConnectionError `connection_lost` for what is no gzip.
        """

_When: TypeAlias = tuple[float, int, float]
"""Seconds of a clock that stays the same, milliseconds since the Unix epoch, and a number from 0 to 1 that chance has given."""

@final
class Exchange:
    """A request on its way, from its preparation to events or a failure: each input has the next command as its answer. What comes too
    late changes nothing: the answer is `wait`.
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
    ) -> Self:
        """A request of a run that has begun at that moment. Times are in seconds; `retry` is attempts, first and longest pause, jitter."""

    def prepared(self, when: _When, url: str, names: list[str]) -> RequestCommand:
        """The attempt is made at this address, and with headers of the application of these names."""

    def connected(self, when: _When) -> RequestCommand:
        """There is a connection: the wait for the head begins."""

    def head(
        self,
        when: _When,
        status: int,
        content_type: str | None = None,
        content_encoding: str | None = None,
        location: str | None = None,
        retry_after: str | None = None,
    ) -> RequestCommand:
        """The head of the answer has come. `location` is an absolute URL; empty for what is none."""

    def piece(self, piece: bytes) -> RequestCommand:
        """A piece of a refusal has come, decoded."""

    def end(self) -> RequestCommand:
        """All of a refusal has come."""

    def failed(self, when: _When, code: str, limit: str | None = None, status: int | None = None) -> RequestCommand:
        """The last command has failed, with an error of the host."""

    def late(self, when: _When, connecting: bool) -> RequestCommand:
        """A library that watches the time itself has waited too long: for the connection, or else for the head."""

    def closed(self, when: _When) -> RequestCommand:
        """The answer has been closed."""

    def tick(self, when: _When) -> RequestCommand:
        """So late it is: perhaps a deadline has passed."""

    def aborted(self, when: _When) -> RequestCommand:
        """Nobody wants it any more."""

@final
class RequestCommand:
    """The next step."""

    @property
    def name(self) -> Literal["prepare", "send", "refusal", "wait", "close", "sleep", "events", "fail"]:
        """Which command it is."""

    @property
    def until(self) -> float | None:
        """Until when what is asked for is waited for, in seconds of the clock; None: for ever."""

    @property
    def timeout(self) -> str | None:
        """The limit that is over then; None if that is no failure."""

    @property
    def url(self) -> str:
        """Of `send`: where to, without credentials."""

    @property
    def headers(self) -> dict[str, str]:
        """Of `send`: headers in the place of what the application says by these names."""

    @property
    def left_behind(self) -> list[str]:
        """Of `send`: headers that do not go along. Where there are any, nor does anything else that says who asks."""

    @property
    def connect(self) -> tuple[float | None, str | None]:
        """Of `send`: how long the connection may take, in seconds, and the limit that says so."""

    @property
    def head(self) -> tuple[float | None, str | None]:
        """Of `send`: the same of the head once there is a connection."""

    @property
    def encoding(self) -> str:
        """Of `refusal` and `events`: how the body is encoded."""

    @property
    def content_type(self) -> str:
        """Of `events`: the content type to decode by."""

    @property
    def error(self) -> AGUIConnectionError | None:
        """Of `fail`: the error; None if it is that of the host's which `failed` has told of."""

@final
class ToolCalls:
    """Takes the events of one run, one at a time, and hands on those that pass. `ToolCallFilter` is the way to use it."""

    def __new__(cls, names: list[str], allows: bool) -> Self:
        """Those of the tools named pass, or all but those."""

    def push(self, event: EventLike | dict[str, Any]) -> list[Any]:
        """Returns the events that `event` becomes: itself, the events of a chunk, or none.

        Raises AGUISequenceError (a C rule).
        """

@final
class Intake:
    """Takes what the outermost middleware gives, an event at a time: enforces the profile, expands chunks, verifies the order."""

    def __new__(
        cls,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
    ) -> Self: ...
    def ask(self, thread_id: str, run_id: str) -> None:
        """The stream was asked for with these ids."""

    def push(self, event: EventLike | dict[str, Any]) -> list[Any]:
        """The events that `event` stands for, as instances: itself where it is one that nothing is to be done to.

        Raises AGUIError, whose `partial` has what came before the failure.
        """

    def idle_time(self, now: float, idle: float | None) -> float | Literal[False] | None:
        """The seconds to wait for the next event from `now` on, with `idle` as the limit; None is as long as the run may take. False means
        that the stream is at its end."""

    def tolerates_loss(self, code: str) -> bool:
        """Middleware has failed, with this code (empty for an exception of the application). Returns True if the run ends as finished."""

    def finish(self) -> None:
        """Ends the stream.

        Raises AGUIStreamError `stream_truncated` if no run has begun or one has not ended.
        """

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """The warnings so far: what was repaired, left out or ignored."""

@final
class Delivery:
    """Tells the subscribers of one run whom, of what, in which order. What comes of an input is all that is to be done as long as every
    callback returns None.
    """

    def __new__(cls, subscribers: list[list[str]]) -> Self:
        """Of each subscriber the names of the callbacks that it has. Raises ValueError for a name that there is not."""

    @property
    def wants_events(self) -> bool:
        """True if somebody wants to know of events, or what comes of them."""

    def initialized(self) -> tuple[Step, ...]:
        """A run is about to be asked for."""

    def failed(self) -> tuple[Step, ...]:
        """The run has failed, or was aborted. Nobody is told who does not know of the run."""

    def finalized(self) -> tuple[Step, ...]:
        """The run is over. The same."""

    def event(self, kind: str) -> tuple[Step, ...]:
        """An event of this type has come."""

    def changed(self, messages: bool, state: bool, kinds: list[str]) -> tuple[Step, ...]:
        """The application has changed something: `kinds` are those of the changes that say what is complete."""

    def reduced(self, messages: bool, changes: list[Change]) -> tuple[Step, ...]:
        """The event was reduced, to these changes."""

    def answered(self, ticket: int, stop: bool, messages: bool, state: bool) -> tuple[Step, ...]:
        """A callback has returned something: it stops what it is about, or has put other messages or another state there."""

    def raised(self, ticket: int) -> tuple[Step, ...]:
        """A callback has failed."""

    def absent(self, ticket: int) -> tuple[Step, ...]:
        """The subject of a callback does not exist."""

    def left(self, ticket: int) -> tuple[Step, ...]:
        """Nobody waits for a callback any longer, since the run ends here."""

    def cut(self) -> None:
        """Gives up the current delivery."""

@final
class Runs:
    """The machine of a call, run by run: inputs are what happens, outputs what comes next."""

    def __new__(cls) -> Self:
        """Those of an agent that was never asked."""

    def __copy__(self) -> Self:
        """The state with which a copy of the agent begins."""

    def next(self, max_rounds: int) -> Runs:
        """The next call of the same agent, which may be asked `max_rounds` times."""

    def prepare(
        self,
        members: str,
        agent: tuple[str | None, str],
        pending: Iterable[object],
        new_id: Callable[[], str],
        peer: str | None = None,
        limits: Limits | None = None,
    ) -> tuple[str, str, list[ProtocolWarning]]:
        """Makes the input of the next run ready, and asks for it: its id, its JSON, and the warnings, each once. Again before the next
        one, it is the same run. `members` are what the call says, `agent` is what its agent has: the run to branch from, and the JSON of
        its tools. `new_id` makes an id if one is needed."""

    def prepare_passed(
        self, members: str, peer: str | None = None, limits: Limits | None = None
    ) -> tuple[str, list[ProtocolWarning]]:
        """The same of what middleware asks for: its JSON, and the warnings that are new."""

    def __len__(self) -> int:
        """The number of runs."""

    def ended(self, end: RunEnd | RunFailure) -> None:
        """The agent says that the run has ended."""

    def end(self, error: str | None, aborted: bool, has_changes: bool) -> tuple[bool, bool, bool, bool]:
        """Ends the call early: by an error with this code (empty if the error has none), or because the call was aborted. `has_changes`: the run
        has changed something. Returns four flags: the call's own message is removed; subscribers are told of a failure; the error is raised
        unless a subscriber handles it; the error is only reported."""

    def late(self) -> AGUIConnectionError | None:
        """A callback has not returned within the time that callbacks share at an end. The error to be reported; None if it was."""

    def callback_deadline(self, now: float, of_end: bool) -> float:
        """The moment until which callbacks are waited for from `now` on. All that are told of the end of the call (`of_end`) share one."""

    def is_handled(self, stops: bool) -> bool:
        """Subscribers were told of the end, and one of them returned `stop_propagation` (`stops`). Returns True if that handles the failure."""

    @property
    def pending(self) -> list[str]:
        """The calls that wait."""

    def calls(self, named: list[tuple[str, str]], functions: list[str]) -> list[str]:
        """Of calls, as ids and names, those that are answered here, if there are functions of these names: `next_step` says when."""

    def answered(self, tool_call_id: str) -> None:
        """A call waits no longer."""

    def next_step(self, stopped: bool) -> tuple[Literal["answer", "ask", "finish", "stop"], str]:
        """The next step: `answer` the call of a tool with this id, `ask` the agent again, `finish`, or `stop` with the error that has
        `stopped` the call. Raises AGUILimitError `too_many_rounds`."""

    def name_later(self, run_ids: list[str]) -> None:
        """These runs have begun behind the first of the last answer, as far as has come."""

    def all(self) -> list[tuple[str, Outcome, list[TokenUsage], list[str]]]:
        """All runs: of each its id, its outcome, its usage, and the calls that wait."""

    def usage(self) -> list[TokenUsage]:
        """The tokens of all, one entry a model."""

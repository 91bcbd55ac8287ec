"""The types of `RunWriter`, `EntityWriter` and `ActivityWriter`."""

from asyncio import AbstractEventLoop, Task
from collections.abc import Awaitable, Callable, Generator, Mapping
from typing import Any, Literal, Self, final

from typing_extensions import disjoint_base

from ag_ui_native.limits import Limits
from ag_ui_native.server.state import StateTracker
from ag_ui_native.typing import EventLike, RunInputLike

__all__ = ["ActivityWriter", "EntityWriter", "FirstStep", "RunWriter"]

@disjoint_base
class RunWriter:
    """Writes the events of one run as frames of a transport.

    Every call that writes returns the writer itself: a subclass can make it awaitable for its callers. `wake` is called
    when frames wait that were not reported yet; `attend` before a call that writes, if more bytes wait than `attend_at`
    allows.
    """

    def __new__(
        cls,
        binary: bool = False,
        limits: Limits | None = None,
        *_args: object,
        state_flush: Literal["await", "end", "manual"] = "await",
        show_errors: bool = False,
        **_named: object,
    ) -> Self: ...
    def wake(self) -> object:
        """Frames wait. Called once until `tick`."""

    def wake_from_thread(self) -> object:
        """Frames wait, written by another thread than the one that created this."""

    def attend(self) -> object:
        """So much waits that a writer must wait or be refused."""

    def over(self) -> object:
        """The run has ended. Called once."""

    def start(self, input: RunInputLike, echo: bool = False) -> None:
        """Begins the run that `input` asks for. With `echo`, RUN_STARTED carries the input."""

    def send(
        self,
        event: EventLike | Mapping[str, Any],
        tag: str | None = None,
        always: bool = False,
        tracker: StateTracker[Any] | None = None,
    ) -> Self:
        """Writes an event of any form, validated by the strict profile. `tag` names its subagent, unless the event
        does. With `always`, the call does not wait for room: see `make_room`. Before an event that ends the run, the
        state of the tracker is sent, as by `end_run`.

        Raises AGUIValidationError, AGUISequenceError with the rule, AGUILimitError; then nothing is written.
        """

    def send_state(self, tracker: StateTracker[Any], whole: bool = False, at_await: bool = False) -> Self:
        """Brings the client to the state that a tracker follows, by STATE_DELTA or STATE_SNAPSHOT, whichever is
        shorter; with `whole` always by the snapshot. Several threads may call it at once: the comparison and the write
        are one step, which does not wait for room. With `at_await`, it sends only if that is due, before the event
        written last; `warn` is called the first time that it is not.
        """

    def send_delta(
        self,
        event: EventLike | Mapping[str, Any],
        tracker: StateTracker[Any],
        tag: str | None = None,
        flush: bool = False,
    ) -> Self:
        """Writes a STATE_DELTA of the agent itself. It changes the state of the client and the state that the tracker
        follows. With `flush`, the state is sent before, if that is due. A delta that does not apply then is sent again
        behind the state, on plain JSON values. Raises AGUIPatchError if it does not apply to both, and the errors of
        `send`; then nothing has changed.
        """

    def as_one_call(self, is_one_call: bool) -> None:
        """Treats the following writes as one call, or ends that: `send_state` at an await writes before all of them."""

    def warn(self, message: str) -> object:
        """Logs a message about something that is no failure: a code, and advice."""

    def make_room(self) -> None:
        """Calls `attend` if so much waits, before writes that must be one step."""

    def check_room(self, max_waiting: int) -> None:
        """Ends the run as that of a client that is too slow, if so many bytes wait. Then it raises AGUIStreamError
        `client_too_slow`; the run has ended even if the error is caught.
        """

    def open(self, event: EventLike | Mapping[str, Any], tag: str | None = None) -> int:
        """Writes the event that opens an entity, and returns the number of the entity."""

    def open_reasoning(self, message_id: str, tag: str | None = None) -> int:
        """Opens a span of reasoning and its message, and returns their number."""

    def end(
        self,
        entity: int,
        ending: Literal["success", "interrupt", "cancelled", "error", "raised", "called_off"] = "success",
        value: object | None = None,
        code: str | None = None,
    ) -> Self:
        """Closes an open entity; does nothing if it is closed. A subagent ends as given: `success` with a result,
        `error` with a message and a code; or its agent has `raised`, with an optional text, or `called_off` itself.
        """

    def end_run(
        self,
        ending: Literal["success", "interrupt", "cancelled", "error"],
        value: object | None = None,
        code: str | None = None,
        tracker: StateTracker[Any] | None = None,
    ) -> Self:
        """Ends the run: `success` with a result, `interrupt` with a list of interrupts, `cancelled`, or `error` with a
        message and a code. The state of the tracker is sent, and open entities are closed first. If the state cannot be
        sent, a success or an interrupt raises; the other ends leave it out, and `note` is called.
        """

    def decide(self, cause: Literal["timed_out", "stopped"]) -> None:
        """Notes why the run will end, before its agent is told to stop. The agent cannot change that any more."""

    def conclude(
        self,
        cause: Literal["returned", "raised", "called_off"],
        value: object | None = None,
        text: str | None = None,
        tracker: StateTracker[Any] | None = None,
    ) -> None:
        """Ends the run, unless it has ended, by the first cause that was given: the agent has `returned` a value, has
        `raised` an exception with a text, or `called_off` itself. The state of the tracker is sent first. `note` is
        called with messages about the end.
        """

    def note(self, text: str, is_failure: bool, error: BaseException | None) -> object:
        """Receives a message about the run: a text, whether its agent has failed, and the error behind it."""

    @property
    def is_decided(self) -> bool:
        """True if the end of the run is decided, or the run has ended."""

    @property
    def wants_state_at_awaits(self) -> bool:
        """True if the state must be sent at every await of a write."""

    @property
    def grace(self) -> float | None:
        """Longest time that the client may take to read the end of the run, in seconds; None for no limit."""

    def add_usage(self, entry: object) -> None:
        """Adds to the tokens that the end of the run reports."""

    @property
    def is_running(self) -> bool:
        """True if the run has begun and not ended."""

    @property
    def content_type(self) -> str:
        """The value of the header `Content-Type`."""

    @property
    def close_code(self) -> int:
        """The code by which a WebSocket is closed behind the run."""

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers of the answer."""

    def keep_alive(self, pause: float, now: float) -> None:
        """Begins to watch for silence, which a comment fills after `pause` seconds, if there are any."""

    @property
    def next_look(self) -> float | None:
        """The time of the next check for silence; None for no check."""

    def look(self, now: float) -> bool:
        """Checks for silence. Returns whether a comment was written."""

    @property
    def waiting(self) -> int:
        """Number of bytes that wait to be sent."""

    def take(self) -> bytes:
        """Takes the frames that wait."""

    def tick(self) -> None:
        """Confirms `wake`: the waiting frames are being sent, and `wake` will be called again."""

    def __await__(self) -> Generator[Any]:
        """Sends what waits. Awaiting it waits until it is sent; in other threads than the writer's own, writing itself
        waits.
        """

    def push(self) -> bool:
        """Sends the waiting frames, unless some are being sent. Returns whether nothing must be waited for."""

    def begin(self, piece: bytes) -> bool:
        """Sends a piece. Returns whether it is sent."""

    def sent(self) -> None:
        """The piece of `begin` is sent, or will never be."""

    def failed(self, error: BaseException) -> object:
        """`begin` has raised this."""

    def expect_room(self) -> None:
        """Requests one call of `let_go`, after the next piece is sent."""

    def precede_awaits(self, is_preceded: bool) -> None:
        """Switches the call of `before_await` before awaits on or off."""

    @property
    def is_sending(self) -> bool:
        """True if something is being sent."""

    @property
    def is_lost(self) -> bool:
        """True if the transport takes no more frames."""

    def attend_at(self, bytes: int) -> None:
        """Requests calls of `attend` while more than so many bytes wait."""

    def drop_frames(self) -> None:
        """Drops frames from now on: later writes are judged and not kept."""

@disjoint_base
class EntityWriter:
    """An open entity: a message, a tool call, a step, a subagent. Its classes derive from this."""

    def __new__(cls, writer: RunWriter, entity: int, *_args: object) -> Self: ...
    def write(self, delta: str) -> Awaitable[None]:
        """Appends text. Awaiting the result waits until the text is sent. What it returns can be awaited: then the text
        is sent.

        Raises AGUISequenceError if it is not open any more, AGUIValidationError `lone_surrogate`.
        """

@disjoint_base
class ActivityWriter:
    """An activity of a run, with the client's state of it. Its class derives from this."""

    def __new__(cls, writer: RunWriter, *_args: object) -> Self: ...
    def show(self, event: object, tag: str | None = None, is_update: bool = False) -> RunWriter:
        """Writes an event about the activity in one step: events of other threads come before or after. The call does
        not wait for room. For an update, which is a snapshot, only the changes are sent. Raises AGUIPatchError for a
        patch that does not apply to the client's state, and the errors of `send`; then nothing is written.
        """

@final
class FirstStep:
    """Takes the first step of each sending at once, as if its task did so, with its context. The task is needed only if
    that step waits.
    """

    def __new__(
        cls,
        send: Callable[[dict[str, Any]], Awaitable[object]],
        event_loop: AbstractEventLoop,
        task: Task[None],
        run: Callable[..., Any],
        on_wait: Callable[[Generator[Any, Any, Any], object], object],
        current: object,
    ) -> Self: ...
    def begin(self, piece: bytes) -> bool:
        """Sends a piece of a body. Returns whether it is sent; exceptions are passed on."""

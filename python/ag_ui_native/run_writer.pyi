"""The types of `RunWriter`, `EntityWriter` and `ActivityWriter`."""

from asyncio import AbstractEventLoop, Task
from collections.abc import Awaitable, Callable, Generator, Mapping
from typing import Any, Literal, Self, final

from typing_extensions import disjoint_base

from ag_ui_native.limits import Limits
from ag_ui_native.server.state import StateTracker
from ag_ui_native.typing import EventLike, RunInputLike

__all__ = ["ActivityWriter", "EntityWriter", "RunWriter"]

@disjoint_base
class RunWriter:
    """Writes the events of one run as frames of a transport.

    Every method that writes returns the writer itself, so that a subclass can make it awaitable for its callers.
    The writer calls `wake` when new frames are waiting. It calls `attend` before a write, if more bytes are waiting
    than `attend_at` allows.

    Examples:
        >>> from ag_ui_native.core import RunAgentInput
        >>> from ag_ui_native.run_writer import RunWriter
        >>> writer = RunWriter()
        >>> writer.start(RunAgentInput(thread_id="t1", run_id="r1", messages=[], tools=[], context=[]))
        >>> writer = writer.end_run("success")
        >>> writer.take().count(b"data: "), writer.content_type
        (2, 'text/event-stream')
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
        """Called when frames are waiting. It is not called again before `tick`."""

    def wake_from_thread(self) -> object:
        """Called in place of `wake` if the frames were written by another thread than the one that created this
        writer.
        """

    def attend(self) -> object:
        """Called before a write if more bytes are waiting than allowed: the caller must wait, or is refused."""

    def over(self) -> object:
        """Called once, when the run has ended."""

    def start(self, input: RunInputLike, echo: bool = False) -> None:
        """Begins the run that `input` asks for. With `echo`, RUN_STARTED carries the input."""

    def send(
        self,
        event: EventLike | Mapping[str, Any],
        tag: str | None = None,
        always: bool = False,
        tracker: StateTracker[Any] | None = None,
    ) -> Self:
        """Writes an event of any form, validated by the strict profile. `tag` is its `subagent_run_id`, unless the
        event has one. With `always`, `attend` is not called: see `make_room`. Before an event that ends the run,
        the state of the tracker is sent, as `end_run` does.

        Raises AGUIValidationError, AGUISequenceError with the rule, AGUILimitError; then nothing is written.
        """

    def send_state(self, tracker: StateTracker[Any], whole: bool = False, at_await: bool = False) -> Self:
        """Sends the state of a tracker to the client, as STATE_DELTA or STATE_SNAPSHOT, whichever is shorter; with
        `whole` always as the snapshot. Several threads may call it at the same time: comparing and writing are one
        step; waiting for room comes before it. With `at_await`, the state is sent only if it is due, before the
        event that was written last; the first time that it is not due, `warn` is called.
        """

    def send_delta(
        self,
        event: EventLike | Mapping[str, Any],
        tracker: StateTracker[Any],
        tag: str | None = None,
        flush: bool = False,
    ) -> Self:
        """Writes a STATE_DELTA that the agent has made. It changes the state of the client and the state of the
        tracker. With `flush`, the tracker's state is sent first, if it is due. If the delta does not apply, the
        state is sent and the delta is tried again, on plain JSON values. Raises AGUIPatchError if it does not apply
        to both states, and the errors of `send`; then nothing has changed.
        """

    def as_one_call(self, is_one_call: bool) -> None:
        """Begins or ends a group of writes that count as one call: `send_state` at an await writes before the whole
        group.
        """

    def warn(self, message: str) -> object:
        """Called with a warning to log: a code, and advice."""

    def make_room(self) -> None:
        """Calls `attend` if too many bytes are waiting. It is called before a group of writes that must be one step."""

    def check_room(self, max_waiting: int) -> None:
        """Ends the run with the error `client_too_slow` if this number of bytes is waiting, and raises
        AGUIStreamError of this code. The run has ended even if the caller catches the error.
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
        """Closes an open entity; does nothing if it is closed. For a subagent, `ending` is `success` with a result,
        `error` with a message and a code, `raised` with an optional text if its agent has raised an exception, or
        `called_off` if its agent was cancelled.
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
        """Fixes the cause of the run's end, before the agent is told to stop. The agent cannot change it any more."""

    def conclude(
        self,
        cause: Literal["returned", "raised", "called_off"],
        value: object | None = None,
        text: str | None = None,
        tracker: StateTracker[Any] | None = None,
    ) -> None:
        """Ends the run if it has not ended, by the first cause that was given: the agent has `returned` a value, has
        `raised` an exception with a text, or was cancelled (`called_off`). The state of the tracker is sent first.
        `note` is called with messages about the end.
        """

    def note(self, text: str, is_failure: bool, error: BaseException | None) -> object:
        """Called with a message about the run to log. `is_failure` is true if the agent has failed; `error` is the
        exception, if there is one.
        """

    @property
    def is_decided(self) -> bool:
        """True if the cause of the run's end is fixed, or the run has ended."""

    @property
    def wants_state_at_awaits(self) -> bool:
        """True if the state must be sent whenever a write is awaited."""

    @property
    def grace(self) -> float | None:
        """The longest time that the client may take to read the end of the run, in seconds; None for no limit."""

    def add_usage(self, entry: object) -> None:
        """Adds tokens to the sums that the end of the run reports."""

    @property
    def is_running(self) -> bool:
        """True if the run has begun and not ended."""

    @property
    def content_type(self) -> str:
        """The value of the header `Content-Type`."""

    @property
    def close_code(self) -> int:
        """The code that closes a WebSocket after the run."""

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers of the response."""

    def keep_alive(self, pause: float, now: float) -> None:
        """Begins to watch for silence: after `pause` seconds without a write, a comment is sent. A `pause` of 0 sends
        none.
        """

    @property
    def next_check(self) -> float | None:
        """The time of the next check for silence; None for no check."""

    def check_silence(self, now: float) -> bool:
        """Checks for silence. Returns true if a comment was written."""

    @property
    def waiting(self) -> int:
        """Number of bytes that are waiting to be sent."""

    def take(self) -> bytes:
        """Removes and returns the waiting frames."""

    def tick(self) -> None:
        """Answers `wake`: sends the waiting frames. The next write calls `wake` again."""

    def __await__(self) -> Generator[Any]:
        """Sends the waiting frames, and waits until they are sent. In threads other than the one that created this
        writer, the write itself waits.
        """

    def push(self) -> bool:
        """Sends the waiting frames, unless others are being sent. Returns false if the caller must wait for that."""

    def begin(self, piece: bytes) -> bool:
        """Called with a piece of the body to send. Returns true if it is sent at once."""

    def sent(self) -> None:
        """Called when the piece of `begin` has been sent, or never will be."""

    def failed(self, error: BaseException) -> object:
        """Called with the exception that `begin` has raised."""

    def expect_room(self) -> None:
        """Requests one call of `let_go` after the next piece is sent."""

    def precede_awaits(self, is_preceded: bool) -> None:
        """Switches the call of `before_await` before awaits on or off."""

    @property
    def is_sending(self) -> bool:
        """True while a piece is being sent."""

    @property
    def is_lost(self) -> bool:
        """True if the transport takes no more frames."""

    def attend_at(self, bytes: int) -> None:
        """Requests calls of `attend` while this number of bytes waits."""

    def drop_frames(self) -> None:
        """Drops frames from now on: later writes are checked, and not stored."""

@disjoint_base
class EntityWriter:
    """An open entity: a message, a tool call, a step or a subagent. Classes of entities derive from this.

    Examples:
        >>> from ag_ui_native.core import RunAgentInput, TextMessageStartEvent
        >>> from ag_ui_native.run_writer import EntityWriter, RunWriter
        >>> writer = RunWriter()
        >>> writer.start(RunAgentInput(thread_id="t1", run_id="r1", messages=[], tools=[], context=[]))
        >>> message = EntityWriter(writer, writer.open(TextMessageStartEvent(message_id="m1")))
        >>> waiting = message.write("Hello!")
        >>> b"Hello!" in writer.take()
        True
    """

    def __new__(cls, writer: RunWriter, entity: int, *_args: object) -> Self: ...
    def write(self, delta: str) -> Awaitable[None]:
        """Appends text. The result can be awaited: then the text is sent.

        Raises AGUISequenceError if the entity is closed, and AGUIValidationError `lone_surrogate`.
        """

@disjoint_base
class ActivityWriter:
    """An activity of a run, with the content that the client has. The class of activities derives from this.

    Examples:
        >>> from ag_ui_native.core import ActivitySnapshotEvent, RunAgentInput
        >>> from ag_ui_native.run_writer import ActivityWriter, RunWriter
        >>> writer = RunWriter()
        >>> writer.start(RunAgentInput(thread_id="t1", run_id="r1", messages=[], tools=[], context=[]))
        >>> event = ActivitySnapshotEvent(message_id="m4", activity_type="search", content={"found": 0})
        >>> waiting = ActivityWriter(writer).show(event)
        >>> b"found" in writer.take()
        True
    """

    def __new__(cls, writer: RunWriter, *_args: object) -> Self: ...
    def show(self, event: object, tag: str | None = None, is_update: bool = False) -> RunWriter:
        """Writes an event about the activity in one step: no event of another thread comes between. Waiting for room
        comes before it. An update is a snapshot of which only the changes are sent. Raises AGUIPatchError for a
        patch that does not apply to the content that the client has, and the errors of `send`; then nothing is
        written.
        """

@final
class FirstStep:
    """Runs the first step of each sending at once, as if its task did it, in the task's context. The task is needed
    only if that step waits.
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
        """Sends a piece of a body. Returns true if it is sent; exceptions are passed on."""

"""The types of `RunWriter`, `EntityWriter` and `ActivityWriter`."""

from asyncio import AbstractEventLoop, Task
from collections.abc import Awaitable, Callable, Generator, Mapping
from typing import Any, Literal, Self, final

from typing_extensions import disjoint_base

from ag_ui_native.limits import Limits
from ag_ui_native.server.state import StateTracker
from ag_ui_native.typing import EventLike, RunInputLike

__all__ = ["ActivityWriter", "AgentSteps", "EntityWriter", "FirstStep", "RunWriter"]

@disjoint_base
class RunWriter:
    """Writes the events of one run as frames of a transport.

    Every call that writes returns the writer itself: what a subclass makes awaitable, its callers can await. `wake` is
    called when something waits of which nobody knows yet; `attend` before a call that writes, if more waits than
    `attend_at` says.
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
        """Something waits. Called once until `tick`."""

    def wake_from_thread(self) -> object:
        """The same, called where another thread writes than the one that has made this."""

    def attend(self) -> object:
        """So much waits that a writer has to wait, or to be refused."""

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
        """Writes an event of any form, read by the strict profile. `tag` says whose it is, unless it says so itself.
        With `always` nobody waits for room first: see `make_room`. Before an event that ends the run the state is sent that
        the tracker follows, as by `end_run`.

        Raises AGUIValidationError, AGUISequenceError with the rule, AGUILimitError; nothing is written then.
        """

    def send_state(
        self, tracker: StateTracker[Any], whole: bool = False, at_await: bool = False, if_due: bool = False
    ) -> Self:
        """Brings the client to the state that a tracker follows, by STATE_DELTA or STATE_SNAPSHOT, whichever is shorter;
        with `whole` by the snapshot in any case. Threads may do so at once: the tracker compares and this writes in one
        step, and nobody waits for room within it. With `if_due` only if that is due: `warn` is called the first time that
        it is not. With `at_await`, too, and the event goes before what was written last."""

    def send_delta(
        self, event: EventLike | Mapping[str, Any], tracker: StateTracker[Any], tag: str | None = None
    ) -> Self:
        """Writes a STATE_DELTA of the agent's own. What the client has and the state that the tracker follows change by it.

        Raises AGUIPatchError if it does not apply to both, and as `send`; nothing has changed then.
        """

    def as_one_call(self, is_one_call: bool) -> None:
        """Has the calls that write be one call, from now on or no longer: what `send_state` writes at an await goes before
        all of it."""

    def warn(self, message: str) -> object:
        """Something that is no failure, for readers of the log: a code, and what to do."""

    def make_room(self) -> None:
        """Calls `attend` if so much waits: before what is to be written in one step with something else."""

    def check_room(self, max_waiting: int) -> None:
        """Ends the run as that of a client that is too slow, if so many bytes wait, whatever becomes of the error.

        Raises AGUIStreamError `client_too_slow` then.
        """

    def open(self, event: EventLike | Mapping[str, Any], tag: str | None = None) -> int:
        """Writes the event that opens something, and returns the number of what is open."""

    def open_reasoning(self, message_id: str, tag: str | None = None) -> int:
        """Opens a span of reasoning and its message, and returns their number."""

    def end(
        self,
        entity: int,
        ending: Literal["success", "interrupt", "cancelled", "error", "raised", "called_off"] = "success",
        value: object | None = None,
        code: str | None = None,
    ) -> Self:
        """Closes what has been opened, unless it is closed. A subagent ends as told: `success` with a result, `error` with
        a message and a code; its agent has `raised`, which a text may say more about, or `called_off` itself."""

    def end_run(
        self,
        ending: Literal["success", "interrupt", "cancelled", "error"],
        value: object | None = None,
        code: str | None = None,
        tracker: StateTracker[Any] | None = None,
    ) -> Self:
        """Ends the run: `success` with a result, `interrupt` with a list of interrupts, `cancelled`, or `error` with a
        message and a code. The state that the tracker follows is sent, and what is open is closed first. A state that
        cannot be sent is raised by a success and by questions; the other ends leave it out, and `note` is called."""

    def decide(self, cause: Literal["timed_out", "stopped"]) -> None:
        """Notes why the run is going to end, before its agent is told to stop. It ends so, whatever the agent does then."""

    def conclude(
        self,
        cause: Literal["returned", "raised", "called_off"],
        value: object | None = None,
        text: str | None = None,
        tracker: StateTracker[Any] | None = None,
    ) -> None:
        """Ends the run, unless it has ended, as the first cause says that was given: the agent has `returned` a value, has
        `raised` an exception with a text, or `called_off` itself. The state that the tracker follows is sent first. `note`
        is called with what is to be told."""

    def note(self, text: str, is_failure: bool, error: BaseException | None) -> object:
        """What is to be told of the run: a text, whether its agent has failed, and the error behind it."""

    @property
    def is_decided(self) -> bool:
        """True if it is known how the run ends, or it has."""

    @property
    def wants_state_at_awaits(self) -> bool:
        """True if the state is to be sent where something written is awaited."""

    @property
    def grace(self) -> float | None:
        """How long the client may take to read the end of the run, in seconds; None: any time."""

    def add_usage(self, entry: object) -> None:
        """Adds to the tokens that the end of the run reports."""

    @property
    def is_running(self) -> bool:
        """True if the run has begun and not ended."""

    @property
    def content_type(self) -> str:
        """The value of the header `Content-Type`."""

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers of the answer."""

    def keep_alive(self, pause: float, now: float) -> None:
        """Begins to look for silence, which a comment fills after so many seconds, if there are any."""

    @property
    def next_look(self) -> float | None:
        """When to look for silence next; None: never."""

    def look(self, now: float) -> bool:
        """Looks for silence. Whether a comment waits that fills it."""

    @property
    def waiting(self) -> int:
        """How many bytes wait to be sent."""

    def take(self) -> bytes:
        """Takes the frames that wait."""

    def tick(self) -> None:
        """What `wake` has been called for: from now on it is called again, and what waits is sent."""

    def __await__(self) -> Generator[Any]:
        """Sends what waits. Awaiting it waits until it is sent; in other threads than the writer's own, writing itself
        waits."""

    def push(self) -> bool:
        """Sends what waits, unless something is being sent. Whether nobody has to wait for anything."""

    def begin(self, piece: bytes) -> bool:
        """Sends a piece. Whether that is done."""

    def sent(self) -> None:
        """What `begin` has begun is sent, or will never be."""

    def failed(self, error: BaseException) -> object:
        """`begin` has raised this."""

    def expect_room(self) -> None:
        """Has `let_go` called, once, when something has been sent."""

    def precede_awaits(self, is_preceded: bool) -> None:
        """Has `before_await` called by who awaits, or no longer."""

    @property
    def is_sending(self) -> bool:
        """True if something is being sent."""

    @property
    def is_lost(self) -> bool:
        """True if nobody takes frames any more."""

    def attend_at(self, bytes: int) -> None:
        """Has `attend` called from so many waiting bytes on."""

    def drop_frames(self) -> None:
        """Nobody takes frames any more: what is written from now on is judged and forgotten."""

@disjoint_base
class EntityWriter:
    """What has been opened: a message, a tool call, a step, a subagent. Its classes derive from this."""

    def __new__(cls, writer: RunWriter, entity: int, *_args: object) -> Self: ...
    def write(self, delta: str) -> Awaitable[None]:
        """Appends text. What it returns can be awaited: then the text is sent.

        Raises AGUISequenceError if it is not open any more, AGUIValidationError `lone_surrogate`.
        """

@disjoint_base
class ActivityWriter:
    """An activity of a run, of which it is known what the client has. Its class derives from this."""

    def __new__(cls, writer: RunWriter, *_args: object) -> Self: ...
    def show(self, event: object, tag: str | None = None, is_update: bool = False) -> RunWriter:
        """Writes an event that shows it, in one step: what another thread sends comes before or after. Nobody waits for room within
        it. Of an update, which is a snapshot, only goes out what has changed.

        Raises AGUIPatchError for a patch that does not apply to what the client has, and as `send`; nothing is written then.
        """

@final
class FirstStep:
    """Takes the first step of each sending, at once, in the name of a task and in its context: only if it waits the task is
    needed."""

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
        """Sends a piece of a body. Whether that is done; what it raises is raised."""

@final
class AgentSteps:
    """The steps of an agent's coroutine. While it takes one nobody need be woken for what it writes: mostly it is awaited,
    and sent."""

    def __new__(cls, writer: RunWriter, agent: Awaitable[object]) -> Self: ...
    def __await__(self) -> Generator[Any, None, Any]: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...
    def throw(self, *error: Any) -> Any:
        """Raises something in the agent."""

    def close(self) -> None:
        """Ends the agent."""

"""The type of `EventPipeline`: generic in the state, and in the form of its results, messages and interrupts."""

from collections.abc import Iterable
from types import GenericAlias
from typing import Any, Generic, Literal, final, overload

from pydantic import BaseModel
from typing_extensions import TypeVar, Unpack

from ag_ui_native.changes import Change, ChangeOf, DictChange
from ag_ui_native.core.events import Event
from ag_ui_native.core.types import Interrupt, Message
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.partial import PartialArguments
from ag_ui_native.pipeline.options import PipelineOptions
from ag_ui_native.typing import MessageLike, PlainState, Profile

__all__ = ["EventPipeline"]

_StateT = TypeVar("_StateT", bound=PlainState, default=Any)
_MadeT = TypeVar("_MadeT", default=Change)
_MessageT = TypeVar("_MessageT", default=Message)
_InterruptT = TypeVar("_InterruptT", default=Interrupt)

@final
class EventPipeline(Generic[_StateT, _MadeT, _MessageT, _InterruptT]):
    r"""Turns the bytes of a stream into changes of a conversation: decodes, translates 0.x, enforces, expands, verifies
    and reduces.

    `messages` and `state` are the start of the conversation, as of `Reducer`; `profile` and `as_dicts` are those of
    `EventDecoder`. With `reduce=False` the pipeline returns events instead of changes. The other options are
    `PipelineOptions`. A failure ends the stream: everything before it has been applied, and the exception's `partial`
    holds the results of the failing call.

    Examples:
        >>> from ag_ui_native.stream import EventPipeline
        >>> pipeline = EventPipeline("text/event-stream")
        >>> changes = pipeline.feed(b'data: {"type": "RUN_STARTED", "threadId": "t1", "runId": "r1"}\n\n')
        >>> changes = pipeline.feed(b'data: {"type": "STATE_SNAPSHOT", "snapshot": {"tasks": 2}}\n\n')
        >>> [change.kind for change in changes], pipeline.state, pipeline.messages
        (['state_set'], {'tasks': 2}, [])
        >>> changes = pipeline.feed(b'data: {"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1"}\n\n')
        >>> pipeline.close(), pipeline.pending_interrupts
        ([], [])
    """

    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[Message] | None = None,
        state: _StateT | None = ...,
        profile: Literal["strict", "tolerant"] = "tolerant",
        reduce: Literal[True] = True,
        as_dicts: Literal[False] = False,
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, Change, Message, Interrupt]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        profile: Literal["relay"],
        reduce: Literal[True] = True,
        as_dicts: bool = False,
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        profile: Profile = "tolerant",
        reduce: Literal[True] = True,
        as_dicts: Literal[True],
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[dict[str, Any]],
        state: _StateT | None = ...,
        profile: Literal["strict", "tolerant"] = "tolerant",
        reduce: Literal[True] = True,
        as_dicts: Literal[False] = False,
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(  # type: ignore[overload-overlap]  # The last one is for flags that are not known before.
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike],
        state: _StateT | None = ...,
        profile: Literal["strict", "tolerant"] = "tolerant",
        reduce: Literal[True] = True,
        as_dicts: Literal[False] = False,
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, ChangeOf[BaseModel, BaseModel], BaseModel, BaseModel]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[Message] | None = None,
        state: _StateT | None = ...,
        profile: Literal["strict", "tolerant"] = "tolerant",
        reduce: Literal[False],
        as_dicts: Literal[False] = False,
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, Event, Message, Interrupt]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        profile: Literal["relay"],
        reduce: Literal[False],
        as_dicts: bool = False,
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, dict[str, Any], dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        profile: Profile = "tolerant",
        reduce: Literal[False],
        as_dicts: Literal[True],
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[_StateT, dict[str, Any], dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        profile: Profile = "tolerant",
        reduce: bool = True,
        as_dicts: bool = False,
        **options: Unpack[PipelineOptions],
    ) -> EventPipeline[
        _StateT, Change | DictChange | Event | dict[str, Any], Message | dict[str, Any], Interrupt | dict[str, Any]
    ]: ...
    def feed(self, data: bytes | bytearray | memoryview) -> list[_MadeT]:
        """Reads a piece of the stream and returns its changes."""

    def close(self) -> list[_MadeT]:
        """Ends the stream and returns the last changes.

        Raises AGUIStreamError `stream_truncated` if the stream ends inside an event or before its run does.
        """

    def partial_arguments(self, tool_call_id: str) -> PartialArguments | None:
        """A `PartialArguments` that follows the arguments of a tool call while they arrive; None if no call has this
        id.

        Raises AGUIValidationError if the text so far is not JSON.
        """

    @property
    def messages(self) -> list[_MessageT]:
        """The messages: always the same list of live objects. Items that other code adds or removes stay so, until a
        snapshot rearranges the list.
        """

    @property
    def state(self) -> _StateT:
        """The state, a live object."""

    @property
    def pending_interrupts(self) -> list[_InterruptT]:
        """The pending interrupts."""

    @property
    def state_in_sync(self) -> bool:
        """True if the state follows the agent's: no patch of it has failed since the last snapshot."""

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """The warnings about repaired, dropped and ignored parts so far."""

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream, to resume from; empty if none was."""

    @property
    def retry(self) -> int | None:
        r"""The pause that the server asks for before a new connection, in milliseconds.

        Examples:
            >>> from ag_ui_native.stream import EventPipeline
            >>> pipeline = EventPipeline("text/event-stream")
            >>> pipeline.feed(b"retry: 3000\n\n"), pipeline.retry
            ([], 3000)
        """

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

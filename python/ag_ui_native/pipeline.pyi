"""The type of `EventPipeline`: generic in the state, and in the form of what it makes and keeps."""

from collections.abc import Callable, Iterable
from types import GenericAlias
from typing import Any, Generic, Literal, final, overload

from pydantic import BaseModel
from typing_extensions import TypeVar

from ag_ui_native.changes import Change, ChangeOf, DictChange
from ag_ui_native.core.events import Event
from ag_ui_native.core.types import Interrupt, Message
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.partial import PartialArguments
from ag_ui_native.typing import InterruptLike, MessageLike, OnPatchFailure, PlainState, Profile

__all__ = ["EventPipeline"]

_StateT = TypeVar("_StateT", bound=PlainState, default=Any)
_MadeT = TypeVar("_MadeT", default=Change)
_MessageT = TypeVar("_MessageT", default=Message)
_InterruptT = TypeVar("_InterruptT", default=Interrupt)

@final
class EventPipeline(Generic[_StateT, _MadeT, _MessageT, _InterruptT]):
    """Takes a stream of events from bytes to changes of a conversation: decodes, translates 0.x, enforces, expands,
    verifies and reduces.

    The options are those of `EventDecoder` and `Reducer`. `peer` is the newest version that the peer is taken to speak, if
    that is an older one. `expand`, `verify` and `reduce` switch stages off; without `reduce` the pipeline returns events
    instead of changes. A failure ends the stream: everything before it has been applied, and the exception's `partial`
    holds what the failing call had made.
    """

    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[Message] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Literal["strict", "tolerant"] = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[True] = True,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> EventPipeline[_StateT, Change, Message, Interrupt]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Literal["relay"],
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[True] = True,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> EventPipeline[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[True] = True,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[True],
    ) -> EventPipeline[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[dict[str, Any]],
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Literal["strict", "tolerant"] = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[True] = True,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> EventPipeline[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(  # type: ignore[overload-overlap]  # The last one is for flags that are not known before.
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike],
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Literal["strict", "tolerant"] = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[True] = True,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> EventPipeline[_StateT, ChangeOf[BaseModel, BaseModel], BaseModel, BaseModel]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[Message] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Literal["strict", "tolerant"] = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[False],
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> EventPipeline[_StateT, Event, Message, Interrupt]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Literal["relay"],
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[False],
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> EventPipeline[_StateT, dict[str, Any], dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: Literal[False],
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[True],
    ) -> EventPipeline[_StateT, dict[str, Any], dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        content_type: str | None = None,
        *,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        lossy: bool = False,
        go_names: bool = False,
        peer: str | None = None,
        expand: bool = True,
        verify: bool | None = None,
        reduce: bool = True,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> EventPipeline[
        _StateT, Change | DictChange | Event | dict[str, Any], Message | dict[str, Any], Interrupt | dict[str, Any]
    ]: ...
    def feed(self, data: bytes | bytearray | memoryview) -> list[_MadeT]:
        """Reads a piece of the stream and returns the changes it brings."""

    def close(self) -> list[_MadeT]:
        """Ends the stream and returns the last changes.

        Raises AGUIStreamError `stream_truncated` if the stream ends inside an event or before its run does.
        """

    def partial_arguments(self, tool_call_id: str) -> PartialArguments | None:
        """The arguments of a tool call as they arrive, a `PartialArguments` that follows the call to its end; None if no
        call has this id.

        Raises AGUIValidationError if what has come so far is no JSON.
        """

    @property
    def messages(self) -> list[_MessageT]:
        """The messages: always the same list, of live objects. What somebody else adds or takes out stays so, until the
        list is arranged anew by a snapshot.
        """

    @property
    def state(self) -> _StateT:
        """The state, a live object."""

    @property
    def pending_interrupts(self) -> list[_InterruptT]:
        """The interrupts that wait for an answer."""

    @property
    def state_in_sync(self) -> bool:
        """True if the state is the agent's: no patch of it has failed since the last snapshot."""

    @property
    def warnings(self) -> list[ProtocolWarning]:
        """What was repaired, left out or ignored so far."""

    @property
    def last_event_id(self) -> str:
        """The id last set in the stream, to resume from; empty if none was."""

    @property
    def retry(self) -> int | None:
        """How long the server asks to wait before connecting again, in milliseconds."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

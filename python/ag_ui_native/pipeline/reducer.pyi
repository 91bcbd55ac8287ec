"""The type of `Reducer`: generic in the state, and in the form of its changes, messages and interrupts."""

from collections.abc import Callable, Iterable
from types import GenericAlias
from typing import Any, Generic, Literal, final, overload

from pydantic import BaseModel
from typing_extensions import TypeVar

from ag_ui_native.changes import Change, ChangeOf, DictChange
from ag_ui_native.core.types import Interrupt, Message
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.partial import PartialArguments
from ag_ui_native.typing import EventLike, InterruptLike, MessageLike, OnPatchFailure, PlainState, Profile

__all__ = ["Reducer"]

_StateT = TypeVar("_StateT", bound=PlainState, default=Any)
_ChangeT = TypeVar("_ChangeT", default=Change)
_MessageT = TypeVar("_MessageT", default=Message)
_InterruptT = TypeVar("_InterruptT", default=Interrupt)

@final
class Reducer(Generic[_StateT, _ChangeT, _MessageT, _InterruptT]):
    """Turns events into changes of a conversation.

    `messages`, `state` and `pending_interrupts` are the start of the conversation; they are copied. The default state
    is an empty object; None is null. Messages keep the form in which they are given: instances, dictionaries with the
    keys of the wire, or the official package's instances; `as_dicts` asks for dictionaries. Events are read by
    `profile` within `limits`. `on_patch_failure` is `flag` (a warning, and `state_in_sync` is False until the next
    snapshot; the default) or `error` (the default of the strict profile).

    Examples:
        >>> from ag_ui_native.core import StateDeltaEvent
        >>> from ag_ui_native.stream import Reducer
        >>> state: dict[str, list[str]] = {"tasks": []}
        >>> reducer = Reducer(state=state)
        >>> delta = StateDeltaEvent(delta=[{"op": "add", "path": "/tasks/-", "value": "Buy milk"}])
        >>> [change.kind for change in reducer.apply(delta)], reducer.state
        (['state_patched'], {'tasks': ['Buy milk']})
        >>> reducer.replace_state({"tasks": []})
        >>> reducer.replace_messages([{"id": "m1", "role": "user", "content": "Hello!"}])
        >>> [message.id for message in reducer.messages]
        ['m1']
    """

    @overload
    def __new__(
        cls,
        messages: Iterable[Message] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> Reducer[_StateT, Change, Message, Interrupt]: ...
    @overload
    def __new__(
        cls,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[True],
    ) -> Reducer[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(
        cls,
        messages: Iterable[dict[str, Any]],
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> Reducer[_StateT, DictChange, dict[str, Any], dict[str, Any]]: ...
    @overload
    def __new__(  # type: ignore[overload-overlap]  # The last one is for flags that are not known before.
        cls,
        messages: Iterable[MessageLike],
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: Literal[False] = False,
    ) -> Reducer[_StateT, ChangeOf[BaseModel, BaseModel], BaseModel, BaseModel]: ...
    @overload
    def __new__(
        cls,
        messages: Iterable[MessageLike | dict[str, Any]] | None = None,
        state: _StateT | None = ...,
        pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None = None,
        *,
        profile: Profile = "tolerant",
        limits: Limits | None = None,
        on_patch_failure: OnPatchFailure | None = None,
        on_warning: Callable[[ProtocolWarning], object] | None = None,
        as_dicts: bool = False,
    ) -> Reducer[_StateT, Change | DictChange, Message | dict[str, Any], Interrupt | dict[str, Any]]: ...
    def apply(self, event: EventLike | dict[str, Any]) -> list[_ChangeT]:
        """Applies one event of any form, and returns its changes.

        Raises AGUIValidationError for an invalid event, AGUISequenceError for a chunk, AGUIPatchError under the policy
        `error`.
        """

    def find_message(self, message_id: str) -> _MessageT | None:
        """The message with an id, a live object; None if there is none. The cost does not depend on the number of
        messages.

        Examples:
            >>> from ag_ui_native.core import UserMessage
            >>> from ag_ui_native.stream import Reducer
            >>> message = Reducer([UserMessage(id="m1", content="Hello!")]).find_message("m1")
            >>> message and message.role
            'user'
        """

    def find_call(self, tool_call_id: str) -> Any | None:
        """The tool call with an id, a live object; None if there is none. The cost does not depend on the number of
        calls.

        Examples:
            >>> from ag_ui_native.core import ToolCallStartEvent
            >>> from ag_ui_native.stream import Reducer
            >>> reducer = Reducer()
            >>> changes = reducer.apply(ToolCallStartEvent(tool_call_id="c1", tool_call_name="weather"))
            >>> call = reducer.find_call("c1")
            >>> call and call.function.name
            'weather'
        """

    def replace_messages(self, messages: Iterable[MessageLike | dict[str, Any]]) -> None:
        """Replaces all messages by copies of others, while the run continues."""

    def replace_state(self, state: _StateT) -> None:
        """Replaces the state by a copy of another."""

    def partial_arguments(self, tool_call_id: str) -> PartialArguments | None:
        """A `PartialArguments` that follows the arguments of a tool call while they arrive; None if no call has this
        id.

        Raises AGUIValidationError if the text so far is not JSON.

        Examples:
            >>> from ag_ui_native.core import ToolCallArgsEvent, ToolCallStartEvent
            >>> from ag_ui_native.stream import Reducer
            >>> reducer = Reducer()
            >>> changes = reducer.apply(ToolCallStartEvent(tool_call_id="c1", tool_call_name="weather"))
            >>> changes = reducer.apply(ToolCallArgsEvent(tool_call_id="c1", delta='{"city": "Par'))
            >>> partial = reducer.partial_arguments("c1")
            >>> partial and partial.value
            {'city': 'Par'}
        """

    @property
    def messages_changed(self) -> bool:
        """True if the last event counts as having changed messages, even if nothing differs.

        Examples:
            >>> from ag_ui_native.core import TextMessageStartEvent
            >>> from ag_ui_native.stream import Reducer
            >>> reducer = Reducer()
            >>> changes = reducer.apply(TextMessageStartEvent(message_id="m1"))
            >>> reducer.messages_changed
            True
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

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...

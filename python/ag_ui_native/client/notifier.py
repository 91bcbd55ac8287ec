"""Shows a run to its subscribers, in the order of the protocol, and carries out what they want changed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ag_ui_native.changes import RunEnd
from ag_ui_native.client import callbacks
from ag_ui_native.client.callbacks import UNSET, Mutation, RunContext
from ag_ui_native.client.subscriber import CALLBACKS, EVENTS, RUNS, Subscriber

if TYPE_CHECKING:
    from ag_ui_native.changes import RunFailure
    from ag_ui_native.client.conversation import Conversation
    from ag_ui_native.client.waiting import Waiting
    from ag_ui_native.core import Message
    from ag_ui_native.reducer import Reducer

__all__ = ["Notifier"]

_logger = logging.getLogger("ag_ui_native.client")

Callback = Callable[[Any], object]


class Notifier:
    """Asks the subscribers of one run."""

    def __init__(self, conversation: Conversation[Any], subscribers: Iterable[object], waiting: Waiting) -> None:
        self._conversation = conversation
        self._waiting = waiting
        self._callbacks: dict[str, list[Callback]] = {}
        for subscriber in subscribers:
            for name in CALLBACKS:
                callback = own(subscriber, name)
                if callback is not None:
                    waiting.check(callback)
                    self._callbacks.setdefault(name, []).append(callback)
        self.is_needed: bool = bool(self._callbacks)
        self.wants_events: bool = not self._callbacks.keys() <= set(RUNS)
        self.reducer: Reducer[Any] | None = None
        self.end: RunEnd | RunFailure | None = None
        """How the run has ended, as events say: even where a callback has stopped them."""
        self._context = RunContext(conversation, None)
        self._is_begun = False
        self._messages_changed = self._state_changed = False

    def begin(self, input_json: str) -> None:
        """What the run is asked for with."""
        self._context = RunContext(self._conversation, input_json)
        self._is_begun = True

    # The run as a whole.

    async def initialized(self) -> bool:
        """The run is about to be asked for. Whether the input is another one now."""
        await self._ask("on_run_initialized", callbacks.RunParams(self._context))
        is_changed = self._messages_changed or self._state_changed
        await self._commit()
        return is_changed

    async def failed(self, error: Exception) -> bool:
        """The run has failed. Whether that is no failure to be raised."""
        if not self._is_begun:
            return False
        stopped = await self._ask("on_run_failed", callbacks.FailureParams(self._context, error))
        await self._commit()
        return stopped

    async def finalized(self) -> None:
        """The run is over."""
        if self._is_begun:
            await self._ask("on_run_finalized", callbacks.RunParams(self._context))
            self._waiting.end_if_over()
            await self._commit()

    async def told(self, added: Iterable[Message], *, messages: bool, state: bool) -> None:
        """The application has changed the conversation."""
        for message in added:
            await self._tell_message(message)
            for call in getattr(message, "tool_calls", None) or ():
                await self._tell("on_new_tool_call", callbacks.NewToolCallParams(self._context, call))
        self._messages_changed, self._state_changed = messages, state
        await self._commit()

    # One event.

    async def carry_out(self, event: Any) -> list[Any]:
        """Shows an event, and applies it unless somebody says no. The changes."""
        reducer = self.reducer
        assert reducer is not None
        if not self.wants_events:
            return reducer.apply(event)
        kind = str.__str__(event.type)
        stopped = await self._ask("on_event", callbacks.EventParams(self._context, event))
        # The end of a run changes neither messages nor state, says what its callback is told, and is one even where it is stopped.
        ended: list[Any] | None = None
        if kind in ("RUN_FINISHED", "RUN_ERROR"):
            ended = list[Any](reducer.apply(event))
            self._keep_end(ended, stopped)
        changes: list[Any] = []
        if not stopped:
            changes = await self._carry_out(kind, event, reducer, ended)
        await self._commit()
        return changes

    def _keep_end(self, changes: list[Any], stopped: bool) -> None:
        """How the run has ended. Where nobody is to hear of it, no more than that is said; an error is one all the same."""
        for change in changes:
            if change.kind == "run_finished":
                self.end = RunEnd(change.value.outcome) if stopped else change.value
            elif change.kind == "run_failed":
                self.end = change.value

    async def _carry_out(self, kind: str, event: Any, reducer: Reducer[Any], changes: list[Any] | None) -> list[Any]:
        name = EVENTS[kind]
        stopped = False
        if name in self._callbacks:
            params = self._params(kind, event, reducer, changes)
            if params is not None:
                stopped = await self._ask(name, params)
            del params
        if stopped:
            return await self._skip(kind, event, reducer, changes)
        if changes is None:
            changes = list[Any](reducer.apply(event))
        self._messages_changed |= reducer.messages_changed
        for change in changes:
            if change.kind == "message_ended":
                await self._tell_message(change.target)
            elif change.kind == "call_ended":
                await self._tell("on_new_tool_call", callbacks.NewToolCallParams(self._context, change.target))
            elif change.kind in ("state_set", "state_patched"):
                self._state_changed = True
            elif change.kind == "content_patched":
                # Whether a patch applies is not for the reducer to know.
                self._messages_changed = True
        return changes

    async def _skip(self, kind: str, event: Any, reducer: Reducer[Any], changes: list[Any] | None) -> list[Any]:
        """What happens although a callback has stopped the event."""
        if kind == "RUN_STARTED":
            # The calls that wait are counted anew.
            return reducer.apply(event.model_copy(update={"input": None}))
        if kind in ("TEXT_MESSAGE_END", "REASONING_MESSAGE_END"):
            message = reducer.find_message(event.message_id)
            if message is not None:
                await self._tell_message(message)
        elif kind == "TOOL_CALL_END":
            call = reducer.find_call(event.tool_call_id)
            if call is not None:
                await self._tell("on_new_tool_call", callbacks.NewToolCallParams(self._context, call))
        return [change for change in changes or () if change.kind != "interrupts_set"]

    def _params(
        self, kind: str, event: Any, reducer: Reducer[Any], changes: list[Any] | None
    ) -> callbacks.RunParams[Any] | None:
        """What the callback of an event's type is given; None: it is about nothing that there is."""
        context = self._context
        match kind:
            case "RUN_FINISHED":
                end = next(change.value for change in changes or () if change.kind == "run_finished")
                interrupts = list(reducer.pending_interrupts) if end.outcome == "interrupt" else []
                return callbacks.RunFinishedParams(context, event, end, interrupts)
            case "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_END" | "REASONING_MESSAGE_CONTENT" | "REASONING_MESSAGE_END":
                message = reducer.find_message(event.message_id)
                if message is None or message.role == "activity":
                    return None
                streaming = callbacks.TextParams if kind.startswith("TEXT") else callbacks.ReasoningParams
                return streaming(context, event, message)
            case "TOOL_CALL_ARGS" | "TOOL_CALL_END":
                call = reducer.find_call(event.tool_call_id)
                if call is None:
                    return None
                if kind == "TOOL_CALL_END":
                    return callbacks.CallEndParams(context, event, call)
                return callbacks.ArgumentsParams(context, event, call, reducer)
            case "ACTIVITY_SNAPSHOT":
                return callbacks.ActivityParams(context, event, reducer.find_message(event.message_id))
            case "ACTIVITY_DELTA":
                message = reducer.find_message(event.message_id)
                if message is None or message.role != "activity":
                    return None
                return callbacks.ActivityParams(context, event, message)
        return callbacks.EventParams(context, event)

    # Asking.

    async def _ask(self, name: str, params: callbacks.RunParams[Any]) -> bool:
        """Asks all, one after the other. Whether one says that this is to go no further."""
        for callback in self._callbacks.get(name, ()):
            try:
                wanted = await self._waiting.call(callback, params)
                stopped = wanted is not None and self._mutate(wanted)
            except Exception as error:
                if name == "on_run_finalized":
                    # The others hear of it, too.
                    self._waiting.end_if_over()
                self._waiting.need_time()
                _logger.error("a subscriber failed at %s", name, exc_info=error)
                continue
            if stopped:
                return True
        return False

    async def _tell(self, name: str, params: callbacks.RunParams[Any]) -> None:
        for callback in self._callbacks.get(name, ()):
            await self._waiting.call(callback, params)

    async def _tell_message(self, message: Message) -> None:
        await self._tell("on_new_message", callbacks.NewMessageParams(self._context, message))

    async def _commit(self) -> None:
        messages, state = self._messages_changed, self._state_changed
        self._messages_changed = self._state_changed = False
        if messages:
            await self._tell("on_messages_changed", callbacks.RunParams(self._context))
        if state:
            await self._tell("on_state_changed", callbacks.RunParams(self._context))

    def _mutate(self, wanted: object) -> bool:
        """Carries out what a callback wants. Whether it says that this is to go no further."""
        if isinstance(wanted, Mapping):
            wanted = Mutation(**wanted)
        if not isinstance(wanted, Mutation):
            raise TypeError(
                f"a callback returns a Mutation, a dictionary of its members, or None, not {type(wanted).__name__}"
            )
        conversation = self._conversation
        if wanted.messages is not None and wanted.messages is not conversation.messages:
            conversation.replace_messages(wanted.messages)
            self._messages_changed = True
        if wanted.state is not UNSET and wanted.state is not conversation.plain_state:
            conversation.replace_state(wanted.state)
            self._state_changed = True
        return wanted.stop_propagation is True


def own(subscriber: object, name: str) -> Callback | None:
    """A subscriber's callback, if it has one of its own."""
    callback = getattr(subscriber, name, None)
    if callback is None or getattr(callback, "__func__", None) is getattr(Subscriber, name):
        return None
    if not callable(callback):
        raise TypeError(f"{name} is a function, not {type(callback).__name__}")
    return callback  # type: ignore[no-any-return]

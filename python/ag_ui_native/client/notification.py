"""The subject of callbacks: an event and its changes, the run as a whole, or changes by the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ag_ui_native.client import callbacks
from ag_ui_native.client.callbacks import UNSET, AgentSubscriberParams

if TYPE_CHECKING:
    from collections.abc import Callable

    from ag_ui_native.client.callbacks import RunContext
    from ag_ui_native.client.rules import Delivery
    from ag_ui_native.core import Message
    from ag_ui_native.pipeline.reducer import Reducer

__all__ = ["Notification", "Step"]

Step: TypeAlias = tuple[str, int, int, int]
"""A step of a delivery: its kind, a ticket, and two numbers.

| kind | meaning |
|---|---|
| the name of a callback | call it. The third member is the index of the subscriber. The fourth is the index of the change that completes a message or call, or -1 for the subject of the event |
| `reduce`, `reduce_begin`, `reduce_end` | reduce the event: as a whole; the beginning of a run without its messages; the end of a run only to read its outcome, which takes effect later, or as far as the last step says |
| `whole`, `end`, `bare_end`, `nothing` | the delivery is over; the kind tells which effects of the event count. The third member has flags: 1 if the event was stopped, 2 and 4 if messages and state have changed |
| `raise` | the delivery is over: raise the error of the callback |
| `wait` | the input came too late and changes nothing |

Tickets are given to callbacks only: the first callback of the last returned steps has ticket 1.
"""


class Notification:
    """Applies an event and makes the parameters of callbacks."""

    __slots__ = ("_about", "_complete", "_context", "_error", "_event", "_index", "_is_reduced", "_reducer", "changes")

    def __init__(
        self,
        context: RunContext,
        *,
        event: Any = None,
        index: int = 0,
        reducer: Reducer[Any] | None = None,
        error: Exception | None = None,
        complete: list[Any] | None = None,
    ) -> None:
        self._context = context
        self._event = event
        self._index = index
        """The index of the event in its stream."""
        self._reducer: Any = reducer
        self._error = error
        self._complete = complete
        """The messages and calls that the application has added; None if the subject is an event."""
        self._about: Any = UNSET
        self._is_reduced = False
        self.changes: list[Any] = []
        """The changes of the event."""

    def reduce(self, how: str) -> None:
        """Applies the event, once."""
        if not self._is_reduced:
            bare = how == "reduce_begin"
            event = self._event.model_copy(update={"input": None}) if bare else self._event
            self.changes = self._reducer._apply_at(event, self._index)
            self._is_reduced = True

    def reduced(self, delivery: Delivery) -> tuple[Step, ...]:
        """Reports the changes of the event to core. Returns the next steps."""
        return delivery.reduced(self._reducer.messages_changed, self.changes)

    def params(self, callback: str, subject: int) -> AgentSubscriberParams[Any] | None:
        """Makes the parameters of a callback; None if its subject does not exist."""
        if callback == "on_event":
            return callbacks.EventParams(self._context, self._event)
        if not callback.endswith("_event"):
            return self._of_no_type(callback, subject)
        if self._about is UNSET:
            # Kept for later subscribers, even if an earlier one removes it.
            self._about = self._of_type(callback)
        about: AgentSubscriberParams[Any] | None = self._about
        return about

    def _of_no_type(self, callback: str, subject: int) -> AgentSubscriberParams[Any] | None:
        match callback:
            case "on_new_message" | "on_new_tool_call":
                return self._of_complete(callback, subject)
            case "on_run_failed":
                assert self._error is not None
                return callbacks.FailureParams(self._context, self._error)
        return AgentSubscriberParams(self._context)

    def _of_type(self, callback: str) -> AgentSubscriberParams[Any] | None:
        context, event, reducer = self._context, self._event, self._reducer
        match callback:
            case "on_text_message_content_event" | "on_text_message_end_event":
                return self._of_text(callbacks.TextParams)
            case "on_reasoning_message_content_event" | "on_reasoning_message_end_event":
                return self._of_text(callbacks.ReasoningParams)
            case "on_run_finished_event":
                end = next(change.value for change in self.changes if change.kind == "run_finished")
                return callbacks.RunFinishedParams(context, event, end)
            case "on_tool_call_args_event" | "on_tool_call_end_event":
                call = reducer.find_call(event.tool_call_id)
                if call is None:
                    return None
                if callback == "on_tool_call_end_event":
                    return callbacks.CallEndParams(context, event, call)
                return callbacks.ArgumentsParams(context, event, call, reducer)
            case "on_activity_snapshot_event":
                return callbacks.ActivityParams(context, event, reducer.find_message(event.message_id))
            case "on_activity_delta_event":
                message = reducer.find_message(event.message_id)
                if message is None or message.role != "activity":
                    return None
                return callbacks.ActivityParams(context, event, message)
        return callbacks.EventParams(context, event)

    def _of_text(
        self, make: Callable[[RunContext, Any, Message], AgentSubscriberParams[Any]]
    ) -> AgentSubscriberParams[Any] | None:
        event = self._event
        message = self._reducer.find_message(event.message_id)
        return None if message is None or message.role == "activity" else make(self._context, event, message)

    def _of_complete(self, callback: str, subject: int) -> AgentSubscriberParams[Any] | None:
        is_message = callback == "on_new_message"
        if self._complete is not None:
            target = self._complete[subject]
        elif subject >= 0:
            target = self.changes[subject].target
        else:
            # A stopped event ends the message or call all the same.
            event, find = self._event, self._reducer
            target = find.find_message(event.message_id) if is_message else find.find_call(event.tool_call_id)
        if target is None:
            return None
        make = callbacks.NewMessageParams if is_message else callbacks.NewToolCallParams
        return make(self._context, target)

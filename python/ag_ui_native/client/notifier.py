"""Notifies the subscribers of a run in the order that core decides, and applies the changes that they return."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ag_ui_native.changes import RunEnd
from ag_ui_native.client import rules
from ag_ui_native.client.callbacks import UNSET, AgentStateMutation, RunContext
from ag_ui_native.client.notification import Notification, Step
from ag_ui_native.client.notification_queue import NotificationQueue
from ag_ui_native.client.scope.cancel_scope import Aborted, DeadlineReached, call_plainly
from ag_ui_native.client.subscriber import CALLBACKS, CHANGES, AgentSubscriber

if TYPE_CHECKING:
    from ag_ui_native.changes import RunFailure
    from ag_ui_native.client.conversation import Conversation
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.core import Message
    from ag_ui_native.pipeline.reducer import Reducer

__all__ = ["Notifier"]

_logger = logging.getLogger("ag_ui_native.client")

Callback = Callable[[Any], object]
STOPPED, MESSAGES, STATE = 1, 2, 4


class Notifier:
    """Notifies the subscribers of one run."""

    def __init__(
        self,
        conversation: Conversation[Any],
        subscribers: Iterable[object],
        scope: CancelScope,
        queue: NotificationQueue | None = None,
    ) -> None:
        self._conversation = conversation
        self._scope = scope
        self._queue = NotificationQueue() if queue is None else queue
        self._callbacks = [
            {name: callback for name in CALLBACKS if (callback := own_callback(subscriber, name)) is not None}
            for subscriber in subscribers
        ]
        for callback in (callback for callbacks in self._callbacks for callback in callbacks.values()):
            scope.check(callback)
        self._delivery = rules.Delivery([list(callbacks) for callbacks in self._callbacks])
        self.is_needed: bool = any(self._callbacks)
        self.wants_events: bool = self._delivery.wants_events
        self.reducer: Reducer[Any] | None = None
        self.end: RunEnd | RunFailure | None = None
        """The end of the run, from an event that a subscriber has stopped before its own callback."""
        self._context = RunContext(conversation, None)
        self._is_left = False
        """True if a callback for an end of the run is no longer awaited."""
        self.ended: BaseException | None = None
        """The exception that ended the task while subscribers were notified of the run's end. `raise_cancellation`
        raises it afterwards."""

    def begin(self, input_json: str) -> None:
        """Sets the input of the run."""
        self._context = RunContext(self._conversation, input_json)

    async def initialized(self) -> bool:
        """Notifies subscribers before the run is requested. Returns True if they have changed the messages or the
        state.
        """
        _, _, flags, _ = await self._deliver(self._delivery.initialized(), Notification(self._context))
        return flags & (MESSAGES | STATE) != 0

    async def failed(self, error: Exception) -> bool:
        """Notifies subscribers that the run has failed. Returns True if one of them has handled the failure. An
        exception that ends the task meanwhile is raised by `finalized`, which follows.
        """
        notification = Notification(self._context, error=error)
        _, _, flags, _ = await self._deliver(self._delivery.failed(), notification, is_end=True)
        return flags & STOPPED != 0

    async def finalized(self) -> None:
        """Notifies subscribers that the run is over."""
        await self._deliver(self._delivery.finalized(), Notification(self._context), is_end=True)
        self.raise_cancellation()

    def raise_cancellation(self) -> None:
        """Raises the exception that ended the task meanwhile."""
        ended, self.ended = self.ended, None
        if ended is not None:
            raise ended

    async def changed(self, added: Iterable[Message], *, messages: bool, state: bool) -> None:
        """Notifies subscribers that the application has changed the conversation."""
        complete: list[Any] = []
        kinds = []
        for message in added:
            calls = getattr(message, "tool_calls", None) or ()
            complete += [message, *calls]
            kinds += ["message_ended", *("call_ended" for _ in calls)]
        await self._deliver(
            self._delivery.changed(messages, state, kinds), Notification(self._context, complete=complete)
        )

    async def carry_out(self, event: Any, index: int, kind: str) -> list[Any]:
        """Notifies subscribers of an event with its type and its index in the stream, and applies it unless one of
        them stops it. Returns the changes.
        """
        reducer: Any = self.reducer
        if not self.wants_events:
            return reducer._apply_at(event, index)  # type: ignore[no-any-return]  # Its stub does not show it.
        notification = Notification(self._context, event=event, index=index, reducer=reducer)
        counts, _, _, _ = await self._deliver(self._delivery.event(kind), notification)
        if self._is_left:
            self._is_left = False
            self._scope.reopen()
        if counts not in ("end", "bare_end"):
            return notification.changes if counts == "whole" else []
        change = counted(notification.changes, is_bare=counts == "bare_end")
        if counts == "end":
            return [change]
        self.end = change.value
        return []

    async def _deliver(self, steps: tuple[Step, ...], notification: Notification, *, is_end: bool = False) -> Step:
        """Carries out the steps of core. Returns the last one."""
        scope, at, queue = self._scope, 0, self._queue
        has_turn = False
        try:
            if queue.current is not None:
                await self._acquire(is_end=is_end)
            if queue.holder is None:
                has_turn, queue.holder = True, self
            while True:
                name, ticket, subscriber, subject = step = steps[at]
                at += 1
                if ticket == 0:
                    if not name.startswith("reduce"):
                        return step
                    notification.reduce(name)
                    if at == len(steps):
                        steps, at = notification.reduced(self._delivery), 0
                    continue
                params = notification.params(name, subject)
                if params is None:
                    steps, at = self._delivery.absent(ticket), 0
                    continue
                try:
                    callback = self._callbacks[subscriber][name]
                    mutation = call_plainly(callback, (params,))
                    # Most callbacks return None: then there is nothing to await.
                    if mutation is not None:
                        mutation = await scope.returned(callback, mutation)
                    if mutation is None or name in CHANGES:
                        continue
                    stop, messages, state = self._mutate(mutation)
                except GeneratorExit:
                    # Nothing can be awaited any more.
                    raise
                except BaseException as error:  # noqa: BLE001 Core decides whether the exception ends the run.
                    steps, at = self._failed(step, error), 0
                else:
                    steps, at = self._delivery.answered(ticket, stop, messages, state), 0
        except BaseException:
            self._delivery.cut()
            raise
        finally:
            if has_turn:
                queue.release(self)

    def _report_late(self) -> None:
        """Reports a callback that has not returned in time."""
        late = self._conversation._runs.late()
        if late is not None:
            _logger.error("a callback of a subscriber did not return in time", exc_info=late)

    async def _acquire(self, *, is_end: bool) -> None:
        """Waits for earlier notifications, up to the deadline of callbacks. Subscribers are notified of an end even
        if that wait fails.
        """
        until = self._conversation._runs.callback_deadline(time.monotonic(), False)
        try:
            while self._queue.must_wait:
                await self._scope.until(self._queue.wait_for_earlier, until)
            self._scope.raise_if_cancelled()
        except DeadlineReached:
            self._queue.overtake()
            self._report_late()
        except GeneratorExit:
            raise
        except BaseException as error:
            if not is_end:
                raise
            if not isinstance(error, Exception):
                self.ended = error

    def _failed(self, step: Step, error: BaseException) -> tuple[Step, ...]:
        """Reports to core that a callback has failed, or is no longer awaited. Returns the next steps. Raises the
        exception that ends the run.
        """
        name, ticket, _, _ = step
        if isinstance(error, DeadlineReached):
            self._report_late()
            return self._delivery.left(ticket)
        over = self._end_cause(error)
        steps = self._delivery.raised(ticket) if over is None else self._delivery.left(ticket)
        if steps[0][0] == "raise":
            if over is None or over is error:
                raise error
            raise over from error
        if over is not None:
            # The other subscribers are told of the end too.
            self._scope.end()
            self._is_left = True
        if over is error:
            self.ended = self.ended or error
        elif not isinstance(error, Aborted):
            _logger.error("a subscriber failed at %s", name, exc_info=error)
        return steps

    def _end_cause(self, error: BaseException) -> BaseException | None:
        """Returns the reason why callbacks are no longer awaited: the task is cancelled, or the time is over. None if
        there is none.
        """
        if not isinstance(error, Exception):
            return error
        try:
            self._scope.raise_if_cancelled()
        except Exception as over:  # noqa: BLE001 Core decides what follows.
            return over
        return None

    def _mutate(self, mutation: object) -> tuple[bool, bool, bool]:
        """Applies the changes that a callback returns. Returns three flags: it stops the event, it has replaced the
        messages, it has replaced the state.
        """
        if isinstance(mutation, Mapping):
            mutation = AgentStateMutation(**mutation)
        if not isinstance(mutation, AgentStateMutation):
            raise TypeError(
                f"the result of a callback: expected an AgentStateMutation, a dictionary of its members, or None, got {type(mutation).__name__}"
            )
        conversation = self._conversation
        messages = None if mutation.messages is conversation.messages else mutation.messages
        state = UNSET if mutation.state is conversation._plain_state else mutation.state
        conversation._replace(messages, state)
        return mutation.stop_propagation is True, messages is not None, state is not UNSET


def counted(changes: Iterable[Any], *, is_bare: bool) -> Any:
    """Returns the change of an end of the run that a subscriber has stopped: it has no interrupts. A bare end has only
    the outcome and the usage; an error stays whole.
    """
    change = next(change for change in changes if change.kind in ("run_finished", "run_failed"))
    end = change.value
    if not isinstance(end, RunEnd):
        return change
    return change._replace(value=RunEnd(end.outcome, usage=end.usage) if is_bare else end._replace(interrupts=None))


def own_callback(subscriber: object, name: str) -> Callback | None:
    """Returns a subscriber's callback, if it overrides the base class."""
    callback = getattr(subscriber, name, None)
    if callback is None or getattr(callback, "__func__", None) is getattr(AgentSubscriber, name):
        return None
    if not callable(callback):
        raise TypeError(f"{name}: expected a function, got {type(callback).__name__}")
    return callback  # type: ignore[no-any-return]

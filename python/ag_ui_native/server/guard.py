"""Guards the events of another producer: repairs, reports or refuses illegal events."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload

from ag_ui_native import _native
from ag_ui_native._exits import is_failure
from ag_ui_native.server.errors import text_of

if TYPE_CHECKING:
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.limits import Limits
    from ag_ui_native.typing import EventLike, RunInputLike

__all__ = ["GuardMode", "guard"]

GuardMode: TypeAlias = Literal["fix", "report", "error", "off"]
"""The reaction of a guard to events that break a rule.

Examples:
    >>> from ag_ui_native import AGUISequenceError
    >>> from ag_ui_native.server import GuardMode, guard
    >>> mode: GuardMode = "error"
    >>> try:
    ...     list(guard([{"type": "TEXT_MESSAGE_END", "messageId": "m1"}], mode))
    ... except AGUISequenceError as error:
    ...     print(error.rule)
    V03
"""

_ItemT = TypeVar("_ItemT", bound="EventLike | dict[str, Any] | bytes | str")

_logger = logging.getLogger("ag_ui_native.server")

_END: Any = object()


@overload
def guard(
    events: Iterable[_ItemT],
    mode: GuardMode = "fix",
    *,
    input: RunInputLike | dict[str, Any] | None = None,
    content_type: str | None = None,
    show_errors: bool = False,
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> Generator[_ItemT, None, None]: ...
@overload
def guard(
    events: AsyncIterable[_ItemT],
    mode: GuardMode = "fix",
    *,
    input: RunInputLike | dict[str, Any] | None = None,
    content_type: str | None = None,
    show_errors: bool = False,
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> AsyncGenerator[_ItemT, None]: ...
def guard(
    events: Iterable[_ItemT] | AsyncIterable[_ItemT],
    mode: GuardMode = "fix",
    *,
    input: RunInputLike | dict[str, Any] | None = None,
    content_type: str | None = None,
    show_errors: bool = False,
    limits: Limits | None = None,
    on_warning: Callable[[ProtocolWarning], object] | None = None,
) -> Generator[_ItemT, None, None] | AsyncGenerator[_ItemT, None]:
    """Passes the events of an agent on to a client, as a generator of the same kind, and checks them.

    Accepts event objects of any form, dictionaries, or the wire format: text or bytes in pieces of any size, of the
    given ``content_type`` (default: server-sent events). Legal events are passed on unchanged; of the wire format,
    as whole frames.

    ``fix`` repairs, each time with a warning. It closes open entities before one is opened twice and before the run
    finishes. It leaves out events that are not allowed, such as a second end of the run. It ends a run that the
    agent leaves open, begins the run of ``input`` if the agent does not, and sets the ids of runs that must be
    given. If the agent raises, or sends what is no event, the run ends with RUN_ERROR (code ``agent_failed``); the
    exception is logged, and its text reaches the client only with ``show_errors``.

    ``report`` changes nothing and warns. ``error`` raises AGUISequenceError for the first event that breaks a rule.
    ``off`` does nothing. What came before a failure is yielded before the failure is raised.

    Examples:
        >>> from ag_ui_native.core import RunStartedEvent, TextMessageStartEvent
        >>> from ag_ui_native.server import guard
        >>> events = [RunStartedEvent(thread_id="t1", run_id="r1"), TextMessageStartEvent(message_id="m1")]
        >>> [event.type.value for event in guard(events)]
        ['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', 'RUN_FINISHED']
    """
    guarding = _Guarding(mode, input, content_type, show_errors, limits, on_warning)
    if isinstance(events, AsyncIterable):
        return _guard_async(events, guarding)
    return _guard_sync(events, guarding)


def _guard_sync(events: Iterable[Any], guarding: _Guarding) -> Generator[Any, None, None]:
    iterator = iter(events)
    try:
        while not guarding.is_over:
            try:
                item = next(iterator, _END)
                passed = guarding.finish() if item is _END else guarding.push(item)
            except BaseException as error:
                if not is_failure(error):
                    raise
                # In the mode `fix` the error becomes an event for the client.
                passed = guarding.fail(error)
            yield from passed
            guarding.check()
    finally:
        if isinstance(iterator, Generator):
            iterator.close()


async def _guard_async(events: AsyncIterable[Any], guarding: _Guarding) -> AsyncGenerator[Any, None]:
    iterator = aiter(events)
    try:
        while not guarding.is_over:
            try:
                item = await anext(iterator, _END)
                passed = guarding.finish() if item is _END else guarding.push(item)
            except BaseException as error:
                if not is_failure(error):
                    raise
                # In the mode `fix` the error becomes an event for the client.
                passed = guarding.fail(error)
            for event in passed:
                yield event
            guarding.check()
    finally:
        if isinstance(iterator, AsyncGenerator):
            await iterator.aclose()


class _Guarding:
    """The native guard, and the failure that ends it."""

    def __init__(
        self,
        mode: GuardMode,
        input: RunInputLike | dict[str, Any] | None,
        content_type: str | None,
        show_errors: bool,
        limits: Limits | None,
        on_warning: Callable[[ProtocolWarning], object] | None,
    ) -> None:
        self._guard = (
            _native.Guard(mode, input=input, content_type=content_type, limits=limits, on_warning=on_warning)
            if mode != "off"
            else None
        )
        self._mode = mode
        self._show_errors = show_errors
        self._raised: BaseException | None = None
        self.is_over = False

    def push(self, item: Any) -> list[Any]:
        return [item] if self._guard is None else self._guard.push(item)

    def finish(self) -> list[Any]:
        self.is_over = True
        return [] if self._guard is None else self._guard.finish()

    def fail(self, error: BaseException) -> list[Any]:
        """Ends the stream because of an error. Returns what is left to send; in the mode `fix`, the end of the run, too."""
        self.is_over = True
        if self._mode == "fix":
            _logger.error("the agent failed", exc_info=error)
        else:
            self._raised = error
        return [] if self._guard is None else self._guard.fail(text_of(error) if self._show_errors else None)

    def check(self) -> None:
        """Raises the error, behind what was sent, if no RUN_ERROR tells of it."""
        if self._raised is not None:
            raise self._raised

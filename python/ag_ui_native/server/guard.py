"""Guards the events of another producer: repairs, reports or refuses illegal events."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload

from ag_ui_native import _native
from ag_ui_native._exits import is_failure
from ag_ui_native.proto import encode
from ag_ui_native.stream import EventDecoder

if TYPE_CHECKING:
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.limits import Limits
    from ag_ui_native.typing import EventLike, RunInputLike

__all__ = ["GuardMode", "guard"]

GuardMode: TypeAlias = Literal["fix", "report", "error", "off"]
"""The reaction of a guard to events that break a rule."""

_ItemT = TypeVar("_ItemT", bound="EventLike | dict[str, Any] | bytes | str")

_logger = logging.getLogger("ag_ui_native.server")


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
    given. If the agent raises, the run ends with RUN_ERROR (code ``agent_failed``); the exception is logged, and
    its text reaches the client only with ``show_errors``.

    ``report`` changes nothing and warns. ``error`` raises AGUISequenceError for the first event that breaks a rule.
    ``off`` does nothing.
    """
    guarding = _Guarding(mode, input, content_type, show_errors, limits, on_warning)
    if isinstance(events, AsyncIterable):
        return _guard_async(events, guarding)
    return _guard_sync(events, guarding)


def _guard_sync(events: Iterable[Any], guarding: _Guarding) -> Generator[Any, None, None]:
    iterator = iter(events)
    try:
        while True:
            try:
                passed = guarding.push(next(iterator))
            except StopIteration:
                break
            except BaseException as error:
                if not is_failure(error):
                    raise
                # The error becomes an event for the client.
                yield from guarding.failed(error)
                return
            yield from passed
        yield from guarding.finish()
    finally:
        if isinstance(iterator, Generator):
            iterator.close()


async def _guard_async(events: AsyncIterable[Any], guarding: _Guarding) -> AsyncGenerator[Any, None]:
    iterator = aiter(events)
    try:
        while True:
            try:
                passed = guarding.push(await anext(iterator))
            except StopAsyncIteration:
                break
            except BaseException as error:
                if not is_failure(error):
                    raise
                # The error becomes an event for the client.
                for event in guarding.failed(error):
                    yield event
                return
            for event in passed:
                yield event
        for event in guarding.finish():
            yield event
    finally:
        if isinstance(iterator, AsyncGenerator):
            await iterator.aclose()


class _Guarding:
    """The native guard, with the conversion between wire and events."""

    def __init__(
        self,
        mode: GuardMode,
        input: RunInputLike | dict[str, Any] | None,
        content_type: str | None,
        show_errors: bool,
        limits: Limits | None,
        on_warning: Callable[[ProtocolWarning], object] | None,
    ) -> None:
        self._mode = mode
        self._guard = None if mode == "off" else _native.Guard(mode, input=input, limits=limits, on_warning=on_warning)
        self._decoder = EventDecoder(content_type, profile="relay", limits=limits)
        self._is_binary = content_type is not None and _native.is_protobuf(content_type)
        self._show_errors = show_errors
        self._wire: type[bytes | str] | None = None

    def push(self, item: Any) -> list[Any]:
        if self._guard is None:
            return [item]
        if not isinstance(item, (bytes, bytearray, memoryview, str)):
            return self._guard.push(item)
        self._wire = str if isinstance(item, str) else bytes
        events = self._decoder.feed(item.encode() if isinstance(item, str) else item)
        return self._framed([passed for event in events for passed in self._guard.push(event)])

    def finish(self) -> list[Any]:
        if self._guard is None:
            return []
        cut = [passed for event in self._decoder.close() for passed in self._guard.push(event)] if self._wire else []
        return self._framed(cut + self._guard.finish())

    def failed(self, error: BaseException) -> list[Any]:
        """Returns the events that end the run. In other modes than `fix` it raises the error."""
        if self._guard is None or self._mode != "fix":
            raise error
        _logger.error("the agent failed", exc_info=error)
        return self._framed(self._guard.fail(str(error) if self._show_errors else None))

    def _framed(self, events: list[Any]) -> list[Any]:
        if self._wire is None:
            return events
        if self._is_binary:
            messages = [encode(event) for event in events]
            return [len(message).to_bytes(4, "big") + message for message in messages]
        frames = ["data: " + json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n\n" for event in events]
        return frames if self._wire is str else [frame.encode() for frame in frames]

"""Middleware stands between an application and its agent: it may change the input and the events."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from ag_ui_native._option_reader import is_text, items_of, refused
from ag_ui_native.client import rules
from ag_ui_native.client.scope.cancel_scope import complete

if TYPE_CHECKING:
    from ag_ui_native.client.event_source import EventSource
    from ag_ui_native.core import Event, RunAgentInput

__all__ = ["AsyncMiddleware", "Middleware", "SyncMiddleware", "ToolCallFilter"]

AsyncMiddleware: TypeAlias = (
    "Callable[[RunAgentInput, Callable[[RunAgentInput], AsyncIterator[Event]]], AsyncIterable[Event]]"
)
"""A function, usually an async generator, that takes the input of a run and `next`, and yields events.

Examples:
    >>> import asyncio
    >>> from collections.abc import AsyncIterator, Callable
    >>> from ag_ui_native.client import AsyncMiddleware, LocalAgent
    >>> from ag_ui_native.core import Event, RunAgentInput
    >>> from ag_ui_native.testing import scripted_agent
    >>> async def show(
    ...     input: RunAgentInput, next: Callable[[RunAgentInput], AsyncIterator[Event]]
    ... ) -> AsyncIterator[Event]:
    ...     async for event in next(input):
    ...         print(event.type.value)
    ...         yield event
    >>> middleware: AsyncMiddleware = show
    >>> result = asyncio.run(LocalAgent(scripted_agent([]), middleware=[middleware]).run_agent())
    RUN_STARTED
    RUN_FINISHED
"""
SyncMiddleware: TypeAlias = "Callable[[RunAgentInput, Callable[[RunAgentInput], Iterator[Event]]], Iterable[Event]]"
"""Middleware of sync agents: a generator.

Examples:
    >>> from collections.abc import Callable, Iterator
    >>> from ag_ui_native.client import SyncLocalAgent, SyncMiddleware
    >>> from ag_ui_native.core import Event, RunAgentInput
    >>> from ag_ui_native.testing import scripted_agent
    >>> def show(input: RunAgentInput, next: Callable[[RunAgentInput], Iterator[Event]]) -> Iterator[Event]:
    ...     for event in next(input):
    ...         print(event.type.value)
    ...         yield event
    >>> middleware: SyncMiddleware = show
    >>> result = SyncLocalAgent(scripted_agent([]), middleware=[middleware]).run_agent()
    RUN_STARTED
    RUN_FINISHED
"""
Middleware: TypeAlias = "AsyncMiddleware | SyncMiddleware | ToolCallFilter"
"""Middleware of an agent. It gets the events as they arrive, translated from 0.x, with unknown events and members.
Chunks are not expanded, and the order is not verified.

Examples:
    >>> from ag_ui_native.client import Middleware, SyncLocalAgent, ToolCallFilter
    >>> from ag_ui_native.testing import scripted_agent
    >>> middleware: list[Middleware] = [ToolCallFilter(allow=["weather"])]
    >>> SyncLocalAgent(scripted_agent(["Hello!"]), middleware=middleware).ask("Hi").text
    'Hello!'
"""


async def aevents(source: EventSource, begin: Callable[[], Awaitable[None]]) -> AsyncIterator[Any]:
    """The events of an answer, for a middleware. Leaving the iteration closes the connection."""
    await begin()
    try:
        while (made := await source.next()) is not None:
            for event in made:
                yield event
    except GeneratorExit:
        # At any other end the run ends, which closes everything, the middleware first.
        with suppress(Exception):
            await source.close()
        raise


def events(source: EventSource, begin: Callable[[], Coroutine[Any, Any, None]]) -> Iterator[Any]:
    """The events of an answer, for a middleware of a sync agent."""
    complete(begin())
    try:
        while (made := complete(source.next())) is not None:
            yield from made
    except GeneratorExit:
        with suppress(Exception):
            complete(source.close())
        raise


def chain(middleware: Iterable[Callable[..., Any]], innermost: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Chains middleware to one function; the first is the outermost."""
    for outer in reversed(list(middleware)):
        innermost = _bound(outer, innermost)
    return innermost


def _bound(outer: Callable[..., Any], inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def ask(input: Any) -> Any:
        events: object = outer(input, inner)
        if hasattr(events, "__aiter__"):
            return aiter(events)
        if isinstance(events, Iterable):
            return iter(events)
        if inspect.iscoroutine(events):
            events.close()
        raise TypeError(
            f"the result of a middleware: expected an iterable of events, got {type(events).__name__}; write the middleware as a generator"
        )

    return ask


def check_middleware(given: Callable[..., Any]) -> Callable[..., Any]:
    """Checks a middleware. Raises AGUIValidationError if it is not a function."""
    if not callable(given):
        raise refused("", f"middleware: expected a function, got {type(given).__name__}")
    return given


class ToolCallFilter:
    """Passes only some tool calls: to the tools in `allow`, or to tools that are not in `deny`. Snapshots are not changed.

    Chunks are expanded. Raises AGUIValidationError unless exactly one of the two is given, as names of tools.

    Examples:
        >>> from ag_ui_native.client import SyncLocalAgent, ToolCallFilter
        >>> from ag_ui_native.server import Run
        >>> async def ask(run: Run) -> None:
        ...     async with run.tool_call("delete_mail") as call:
        ...         await call.write("{}")
        >>> agent = SyncLocalAgent(ask, middleware=[ToolCallFilter(deny=["delete_mail"])])
        >>> [event.type.value for event in agent.run()]
        ['RUN_STARTED', 'RUN_FINISHED']
    """

    def __init__(self, *, allow: Iterable[str] | None = None, deny: Iterable[str] | None = None) -> None:
        if (allow is None) == (deny is None):
            raise refused("", "allow, deny: expected one of the two lists, and not both")
        name, given = ("deny", deny) if allow is None else ("allow", allow)
        self._allows = allow is not None
        self._names = items_of(name, given, tool_name)

    def __call__(self, input: RunAgentInput, next: Callable[[RunAgentInput], Any]) -> Any:
        """The events of a run, as a middleware."""
        events, calls = next(input), rules.ToolCalls(self._names, self._allows)
        return _apassing(events, calls) if hasattr(events, "__aiter__") else _passing(events, calls)


def tool_name(given: object) -> str:
    """Reads the name of a tool. Raises AGUIValidationError if it is not a name."""
    if not is_text(given):
        raise refused("", f"the name of a tool: expected a string, got {type(given).__name__}")
    return given


def _passing(events: Iterable[Event], calls: rules.ToolCalls) -> Iterator[Event]:
    for event in events:
        yield from calls.push(event)


async def _apassing(events: AsyncIterable[Event], calls: rules.ToolCalls) -> AsyncIterator[Event]:
    async for event in events:
        for passed in calls.push(event):
            yield passed

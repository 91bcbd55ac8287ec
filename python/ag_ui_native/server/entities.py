"""The entities that a run opens: messages, tool calls, steps, reasoning, activities."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Generator, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ag_ui_native import _native
from ag_ui_native.run_writer import ActivityWriter, EntityWriter

if TYPE_CHECKING:
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.server.scope import Scope
    from ag_ui_native.typing import OperationLike

__all__ = ["Activity", "Reasoning", "Step", "TextMessage", "ToolCall"]


class Awaited:
    """An entity that can be awaited: ``await`` sends the waiting frames, and returns the entity."""

    _scope: Scope

    def __await__(self) -> Generator[Any, Any, Self]:
        yield from self._scope._outlet.__await__()
        return self


class Entered(Awaited):
    """An entity that ends when its context is left. Leaving an ``async with`` also sends the waiting frames."""

    def _leave(self, error: BaseException | None) -> None:
        # Abstract: each kind of entity defines it.
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(error)
        if error is None:
            await self._scope._outlet


class _Open(Entered):
    """An entity that is open until its context is left."""

    _entity: int

    def end(self) -> Awaitable[None]:
        """Ends the entity. Does nothing if it has ended, or the run has."""
        return self._scope._outlet.end(self._entity)

    def _leave(self, error: BaseException | None) -> None:
        self.end()


class _Entity(EntityWriter, _Open):
    """An entity that text is written to."""

    def __init__(self, outlet: Outlet, entity: int, id: str, scope: Scope) -> None:
        self.id: str = id
        """The id of the entity."""
        self._entity = entity
        self._scope = scope

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r})"

    def _encrypted_value(self, subtype: str, value: str, value_type: str | None) -> Awaitable[None]:
        event: dict[str, Any] = {
            "type": "REASONING_ENCRYPTED_VALUE",
            "subtype": subtype,
            "entityId": self.id,
            "encryptedValue": value,
        }
        if value_type is not None:
            event["encryptedValueType"] = value_type
        return self._scope._send(event)


class TextMessage(_Entity):
    """A message to which text is written.

    Examples:
        >>> from ag_ui_native.server import Run, TextMessage
        >>> from ag_ui_native.testing import run_agent
        >>> async def greet(run: Run) -> None:
        ...     message: TextMessage = await run.text_message("m1")
        ...     await message.write("Hello!")
        ...     await message.end()
        >>> run_agent(greet).messages[-1].id
        'm1'
    """


class Reasoning(_Entity):
    """A reasoning message to which text is written.

    Examples:
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def think(run: Run) -> None:
        ...     async with run.reasoning() as reasoning:
        ...         await reasoning.write("The user greets me.")
        ...         await reasoning.encrypted_value("gAAAAB", "anthropic.signature")
        >>> run_agent(think).messages[-1].role
        'reasoning'
    """

    def encrypted_value(self, value: str, type: str | None = None) -> Awaitable[None]:
        """Writes the provider's encrypted form of the reasoning. The next run receives it back, with the provider's
        name for that kind of value, such as ``anthropic.redacted_thinking``.
        """
        return self._encrypted_value("message", value, type)


class ToolCall(_Entity):
    """A tool call to which arguments are written, as pieces of JSON.

    Examples:
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def look(run: Run) -> None:
        ...     call = run.tool_call("weather")
        ...     await call.write('{"city": "Par')
        ...     await call.write('is"}')
        ...     await call.result("clear")
        >>> run_agent(look).messages[-1].content
        'clear'
    """

    def result(
        self,
        content: object,
        message_id: str | None = None,
        *,
        metadata: Mapping[str, Any] | None = None,
    ) -> Awaitable[None]:
        """Ends the call, and writes the result of the tool: text, a list of content parts, or any other JSON value,
        which is sent as text.
        """
        outlet = self._scope._outlet
        outlet.as_one_call(True)
        try:
            self.end()
            return self._scope.tool_result(self.id, content, message_id, metadata=metadata)
        finally:
            outlet.as_one_call(False)

    def encrypted_value(self, value: str, type: str | None = None) -> Awaitable[None]:
        """Writes the encrypted reasoning that belongs to the call, with the provider's name for that kind of value."""
        return self._encrypted_value("tool-call", value, type)


class Step(_Open):
    """A step of the run.

    Examples:
        >>> from ag_ui_native.server import Run, Step
        >>> from ag_ui_native.testing import run_agent
        >>> async def search(run: Run) -> str:
        ...     step: Step = run.step("search")
        ...     await step.end()
        ...     return step.name
        >>> run_agent(search).result
        'search'
    """

    def __init__(self, scope: Scope, entity: int, name: str) -> None:
        self.name: str = name
        """The name of the step."""
        self._scope = scope
        self._entity = entity

    def __repr__(self) -> str:
        return f"Step(name={self.name!r})"


class Activity(ActivityWriter, Awaited):
    """An activity of the agent, shown as a message of its own.

    Examples:
        >>> from ag_ui_native.server import Activity, Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def search(run: Run) -> None:
        ...     activity: Activity = run.activity("search", {"found": 0, "urls": []})
        ...     await activity.patch([{"op": "replace", "path": "/found", "value": 3}])
        ...     await activity.snapshot({"found": 5, "urls": []})
        ...     await activity.update({"found": 6, "urls": []})
        >>> run_agent(search).messages[-1].content
        {'found': 6, 'urls': []}
    """

    def __init__(self, outlet: Outlet, scope: Scope, id: str, type: str) -> None:
        self.id: str = id
        """The id of its message."""
        self.type: str = type
        """The type of the activity."""
        self._scope = scope

    def snapshot(self, content: Mapping[str, Any], *, replace: bool | None = None) -> Awaitable[None]:
        """Writes the whole content."""
        event = self._event("ACTIVITY_SNAPSHOT", content=_plain(content, "/content"))
        return self.show(event if replace is None else {**event, "replace": replace}, self._scope._tag)

    def patch(self, operations: Iterable[OperationLike | dict[str, Any]]) -> Awaitable[None]:
        """Changes the content by the operations of a JSON Patch.

        Raises AGUIPatchError if they do not apply to the content that has been sent.
        """
        return self.show(self._event("ACTIVITY_DELTA", patch=_plain(list(operations), "/patch")), self._scope._tag)

    def update(self, content: Mapping[str, Any]) -> Awaitable[None]:
        """Replaces the content. If the client's content is known, only the changes are sent. Several threads may call
        this at the same time.
        """
        return self.show(self._event("ACTIVITY_SNAPSHOT", content=_plain(content, "/content")), self._scope._tag, True)

    def _event(self, kind: str, **what: object) -> dict[str, object]:
        return {"type": kind, "messageId": self.id, "activityType": self.type, **what}

    def __repr__(self) -> str:
        return f"Activity(id={self.id!r}, type={self.type!r})"


def _plain(value: object, place: str) -> Any:
    """Returns a copy in plain JSON values; ``place`` is the pointer of the value in its event."""
    return json.loads(_native.json_text(value, place))

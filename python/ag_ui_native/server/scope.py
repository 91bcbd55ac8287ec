"""The methods for writing that a run and a subagent share."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from ag_ui_native import _native
from ag_ui_native._exits import is_failure
from ag_ui_native.ids import IdGenerator, get_default_generator
from ag_ui_native.server.entities import Activity, Entered, Reasoning, Step, TextMessage, ToolCall
from ag_ui_native.server.errors import text_of

if TYPE_CHECKING:
    from ag_ui_native.server.options import ServerSettings
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.server.run_state import RunState
    from ag_ui_native.typing import EventLike

__all__ = ["Scope", "Subagent"]


class Scope:
    """Something that an agent writes to: the run, or a subagent's part of it.

    A call that writes an event which is not allowed now raises the error with the rule, and writes nothing. Every
    call that writes can be awaited: that sends the waiting frames, and waits as long as the client cannot take
    more.

    Examples:
        >>> from ag_ui_native.server import Run, Scope
        >>> from ag_ui_native.testing import run_agent
        >>> async def greet(scope: Scope) -> None:
        ...     await scope.write("Hello!")
        >>> async def answer(run: Run) -> None:
        ...     await greet(run)
        >>> run_agent(answer).text
        'Hello!'
    """

    def __init__(self, outlet: Outlet, settings: ServerSettings, state: RunState[Any], tag: str | None) -> None:
        self._outlet = outlet
        self._settings = settings
        self._state = state
        self._tag = tag

    @property
    def _ids(self) -> IdGenerator:
        return self._settings.ids or get_default_generator()

    # Any event.

    def event(self, event: EventLike | Mapping[str, Any]) -> Awaitable[None]:
        """Writes any event, of any form; it must be legal here. STATE_SNAPSHOT and STATE_DELTA also change the run's
        state.

        Examples:
            >>> from ag_ui_native.core import CustomEvent
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def report(run: Run) -> None:
            ...     await run.event(CustomEvent(name="progress", value=0.5))
            ...     await run.event({"type": "CUSTOM", "name": "progress", "value": 1})
            >>> len(run_agent(report).events)
            4
        """
        kind = event.get("type") if isinstance(event, Mapping) else getattr(event, "type", None)
        if kind == "STATE_SNAPSHOT" or kind == "STATE_DELTA":
            return self._state.send(event, self._tag)
        return self._outlet.send(event, self._tag, tracker=self._state.tracker)

    def _send(self, event: dict[str, Any]) -> Awaitable[None]:
        """Writes an event without the members that are None."""
        return self.event({name: value for name, value in event.items() if value is not None})

    def _open(self, event: dict[str, Any]) -> int:
        return self._outlet.open({name: value for name, value in event.items() if value is not None}, self._tag)

    # Messages.

    def text_message(
        self,
        id: str | None = None,
        *,
        role: Literal["developer", "system", "assistant", "user"] | None = None,
        name: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> TextMessage:
        """Begins a text message. Its role is assistant, unless ``role`` is given.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def greet(run: Run) -> None:
            ...     async with run.text_message(name="Helper") as message:
            ...         for word in ("Hel", "lo!"):
            ...             await message.write(word)
            >>> run_agent(greet).messages[-1].content
            'Hello!'
        """
        id = self._ids.message_id() if id is None else id
        event = {
            "type": "TEXT_MESSAGE_START",
            "messageId": id,
            "role": role or "assistant",
            "name": name,
            "metadata": metadata,
        }
        return TextMessage(self._outlet, self._open(event), id, self)

    def write(self, text: str) -> Awaitable[None]:
        """Writes a whole message of the assistant.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def greet(run: Run) -> None:
            ...     await run.write("Hello!")
            >>> run_agent(greet).text
            'Hello!'
        """
        self._outlet.as_one_call(True)
        try:
            with self.text_message() as message:
                if text:
                    message.write(text)
        finally:
            self._outlet.as_one_call(False)
        return self._outlet

    def reasoning(self, id: str | None = None) -> Reasoning:
        """Begins a reasoning message.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def think(run: Run) -> None:
            ...     async with run.reasoning() as reasoning:
            ...         await reasoning.write("The user greets me.")
            >>> run_agent(think).messages[-1].role
            'reasoning'
        """
        id = self._ids.message_id() if id is None else id
        return Reasoning(self._outlet, self._outlet.open_reasoning(id, self._tag), id, self)

    # Tools.

    def tool_call(
        self,
        name: str,
        arguments: object = None,
        *,
        id: str | None = None,
        parent_message_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> ToolCall:
        """Begins a tool call. With ``arguments`` (any JSON value, or the text of an object), it writes the whole call
        and ends it.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def look(run: Run) -> None:
            ...     async with run.tool_call("weather") as call:
            ...         await call.write('{"city": "Paris"}')
            ...         await call.result({"sky": "clear"})
            >>> [message.role for message in run_agent(look).messages]
            ['assistant', 'tool']
        """
        # Invalid arguments are refused before the call begins.
        text = None if arguments is None else _native.arguments_text(arguments)
        id = self._ids.tool_call_id() if id is None else id
        event = {
            "type": "TOOL_CALL_START",
            "toolCallId": id,
            "toolCallName": name,
            "parentMessageId": parent_message_id,
            "metadata": metadata,
        }
        if text is None:
            return ToolCall(self._outlet, self._open(event), id, self)
        self._outlet.as_one_call(True)
        try:
            call = ToolCall(self._outlet, self._open(event), id, self)
            call.write(text)
            call.end()
        finally:
            self._outlet.as_one_call(False)
        return call

    def tool_result(
        self,
        tool_call_id: str,
        content: object,
        message_id: str | None = None,
        *,
        metadata: Mapping[str, Any] | None = None,
    ) -> Awaitable[None]:
        """Writes the result of a tool call, also of a call in an earlier run: text, a list of content parts, or any
        other JSON value, which is sent as text.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def look(run: Run) -> None:
            ...     async with run.tool_call("weather") as call:
            ...         await call.write("{}")
            ...     await run.tool_result(call.id, "clear")
            >>> run_agent(look).messages[-1].content
            'clear'
        """
        text = content if isinstance(content, str) else _native.result_text(content)
        event = {
            "type": "TOOL_CALL_RESULT",
            "messageId": self._ids.message_id() if message_id is None else message_id,
            "toolCallId": tool_call_id,
            "content": content if text is None else text,
            "role": "tool",
            "metadata": metadata,
        }
        return self._send(event)

    # Other events.

    def step(self, name: str) -> Step:
        """Begins a step.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def search(run: Run) -> None:
            ...     async with run.step("search"):
            ...         await run.write("3 sources.")
            >>> [event.type.value for event in run_agent(search).events][1]
            'STEP_STARTED'
        """
        return Step(self, self._open({"type": "STEP_STARTED", "stepName": name}), name)

    def subagent(
        self,
        name: str,
        id: str | None = None,
        *,
        description: str | None = None,
        parent_tool_call_id: str | None = None,
        parent_message_id: str | None = None,
    ) -> Subagent:
        """Begins the invocation of a subagent. Events that are written to it carry its id.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def research(run: Run) -> None:
            ...     async with run.subagent("researcher") as researcher:
            ...         await researcher.write("3 sources.")
            >>> [event.type.value for event in run_agent(research).events][1]
            'SUBAGENT_STARTED'
        """
        id = self._ids.run_id() if id is None else id
        event = {
            "type": "SUBAGENT_STARTED",
            "subagentRunId": id,
            "name": name,
            "description": description,
            "parentToolCallId": parent_tool_call_id,
            "parentMessageId": parent_message_id,
        }
        return Subagent(self, self._open(event), id, name)

    def activity(
        self, type: str, content: Mapping[str, Any], id: str | None = None, replace: bool | None = None
    ) -> Activity:
        """Shows an activity. Its type is defined by the application, its content is an object.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def search(run: Run) -> None:
            ...     activity = run.activity("search", {"found": 0})
            ...     await activity.update({"found": 3})
            >>> run_agent(search).messages[-1].content
            {'found': 3}
        """
        activity = Activity(self._outlet, self, self._ids.message_id() if id is None else id, type)
        activity.snapshot(content, replace=replace)
        return activity

    def custom(self, name: str, value: object) -> Awaitable[None]:
        """Writes a CUSTOM event; ``value`` is any JSON value.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def report(run: Run) -> None:
            ...     await run.custom("progress", 0.5)
            >>> run_agent(report).events[1].type.value
            'CUSTOM'
        """
        return self.event({"type": "CUSTOM", "name": name, "value": value})

    def raw(self, event: object, source: str | None = None) -> Awaitable[None]:
        """Passes on an event of a provider, any JSON value, unchanged.

        Examples:
            >>> from ag_ui_native.server import Run
            >>> from ag_ui_native.testing import run_agent
            >>> async def pass_on(run: Run) -> None:
            ...     await run.raw({"kind": "ping"}, source="provider")
            >>> run_agent(pass_on).events[1].type.value
            'RAW'
        """
        raw: dict[str, Any] = {"type": "RAW", "event": event}
        return self.event(raw if source is None else {**raw, "source": source})


class Subagent(Scope, Entered):
    """The invocation of a subagent. Leaving its context finishes it, or fails it with the exception.

    Examples:
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def research(run: Run) -> None:
        ...     with run.subagent("researcher") as researcher:
        ...         await researcher.finish("3 sources")
        ...     with run.subagent("critic") as critic:
        ...         await critic.fail("No sources.", code="empty")
        >>> [event.type.value for event in run_agent(research).events][1:-1]
        ['SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'SUBAGENT_STARTED', 'SUBAGENT_ERROR']
    """

    def __init__(self, parent: Scope, entity: int, id: str, name: str) -> None:
        super().__init__(parent._outlet, parent._settings, parent._state, id)
        self._scope = parent
        self.id: str = id
        """The id of the invocation."""
        self.name: str = name
        """The name of the subagent."""
        self._entity = entity

    def finish(self, result: object = None) -> Awaitable[None]:
        """Ends the invocation with success; ``result`` is any JSON value. Its open entities are closed first."""
        return self._outlet.end(self._entity, "success", result)

    def fail(self, message: str, code: str | None = None) -> Awaitable[None]:
        """Ends the invocation with an error. Its open entities are closed first."""
        return self._outlet.end(self._entity, "error", message, code)

    def _leave(self, error: BaseException | None) -> None:
        if error is None:
            self.finish()
        elif is_failure(error):
            self._outlet.end(self._entity, "raised", text_of(error))
        else:
            self._outlet.end(self._entity, "called_off")

    def __repr__(self) -> str:
        return f"Subagent(id={self.id!r}, name={self.name!r})"


def listed(given: Any) -> list[Any]:
    """Returns one entry, or several, as a list."""
    is_one = isinstance(given, (str, Mapping)) or not isinstance(given, Iterable) or hasattr(given, "model_dump")
    return [given] if is_one else list(given)

"""Functions of the application that the agent may call."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NotRequired, Required, get_type_hints

from typing_extensions import TypedDict

from ag_ui_native import _native
from ag_ui_native._option_reader import refused
from ag_ui_native.client import rules
from ag_ui_native.errors import AGUIError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.core import Message, Tool, ToolCall, ToolMessage
    from ag_ui_native.limits import Limits

__all__ = ["FrontendTool"]

_logger = logging.getLogger("ag_ui_native.client")


class FrontendTool:
    """A function, async or not, that an agent may call. Its result is sent back: a string as text, any other value as
    JSON.

    The tool's name, description and schema come from the function's name, docstring and type hints. Arguments are
    checked by pydantic before the call, or by the JSON Schema `parameters` if it is given.

    Examples:
        >>> from ag_ui_native.client import FrontendTool
        >>> def temperature(city: str) -> int:
        ...     '''Tells the temperature of a city.'''
        ...     return 21
        >>> tool = FrontendTool(temperature, name="get_temperature")
        >>> tool.declaration.name, tool.declaration.description
        ('get_temperature', 'Tells the temperature of a city.')
        >>> tool("Paris")
        21
    """

    def __init__(
        self,
        function: Callable[..., object],
        *,
        name: str | None = None,
        description: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        from ag_ui_native.core import Tool

        if not callable(function):
            raise TypeError(f"tool: expected a function, got {type(function).__name__}")
        self.function: Callable[..., object] = function
        """The function."""
        self.name: str = name or str(getattr(function, "__name__", type(function).__name__))
        """The name that the agent uses."""
        self._arguments = None if parameters is not None else arguments_of(function, self.name)
        schema = parameters if self._arguments is None else self._arguments.json_schema()
        self.declaration: Tool = Tool(
            name=self.name,
            description=description if description is not None else inspect.getdoc(function) or "",
            parameters=dict(schema or {}),
        )
        self._schema = None if parameters is None else _native.json_text(dict(parameters))
        """The declaration for the agent."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Calls the function."""
        return self.function(*arguments, **named)

    async def _answer(self, call: ToolCall, scope: CancelScope, limits: Limits | None = None) -> ToolMessage:
        """Runs the tool, and makes the message that answers the call."""
        try:
            named = self._read(call.function.arguments, limits)
            result = await scope.call(partial(self.function, **named))
            return rules.answer_tool(call.id, content_of(result), False, limits)
        except Unfit as error:
            return rules.answer_tool(call.id, reason_of(error), True, limits)
        except Exception as error:
            scope.raise_if_cancelled()
            _logger.error("the tool %r failed", self.name, exc_info=error)
            return rules.answer_tool(call.id, reason_of(error), True, limits)

    def _read(self, text: str, limits: Limits | None) -> dict[str, Any]:
        """Parses the arguments. Raises Unfit."""
        from pydantic import ValidationError

        try:
            text = rules.read_arguments(text, limits, self._schema)
            if self._arguments is not None:
                return self._arguments.validate_json(text)
            return json.loads(text)  # type: ignore[no-any-return]  # It is an object.
        except ValidationError as error:
            raise Unfit(rules.misfit(list(map(_said, error.errors(include_url=False))))) from error
        except ValueError as error:
            raise Unfit(str(error)) from error


class Unfit(Exception):
    """The arguments do not fit the tool; the agent may try again."""


def arguments_of(function: Callable[..., object], name: str) -> TypeAdapter[dict[str, Any]]:
    """Makes the type adapter of a function's arguments. Raises TypeError for positional-only and variadic parameters."""
    from pydantic import ConfigDict, TypeAdapter, with_config

    hints = get_type_hints(function if inspect.isroutine(function) else type(function).__call__, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise TypeError(f"the tool {name!r} takes {parameter}: declare each argument by its name")
        kind = hints.get(parameter.name, Any)
        fields[parameter.name] = Required[kind] if parameter.default is parameter.empty else NotRequired[kind]
    described = with_config(ConfigDict(extra="forbid"))(TypedDict(name, fields))  # type: ignore[operator]
    return TypeAdapter(described)


def tool_of(given: FrontendTool | Callable[..., object]) -> FrontendTool:
    """Makes a tool of a function. Raises AGUIValidationError if it is not callable."""
    if not callable(given):
        raise refused("", f"tool: expected a function, got {type(given).__name__}")
    return given if isinstance(given, FrontendTool) else FrontendTool(given)


def calls_of(ids: list[str], messages: list[Message]) -> list[ToolCall]:
    """Returns the calls with these ids, in this order."""
    requested, found = set(ids), dict[str, "ToolCall"]()
    for message in messages:
        # The application may have added items that are not validated yet.
        for call in (message.tool_calls or ()) if hasattr(message, "id") and message.role == "assistant" else ():
            if call.id in requested:
                found.setdefault(call.id, call)
    return [found[call_id] for call_id in ids if call_id in found]


def content_of(result: object) -> str:
    """Returns a result as text: a string as it is, any other value as JSON. Raises ValueError if the value has no JSON
    form, AGUIValidationError `lone_surrogate`.
    """
    try:
        if not isinstance(result, str):
            return _native.json_text(result)
        result.encode()
    except UnicodeEncodeError:
        raise rules.client_error("lone_surrogate", "the tool's result") from None
    except AGUIError as error:
        if error.code == "lone_surrogate":
            raise
        raise ValueError(rules.NO_JSON_RESULT) from error
    return result


def reason_of(error: Exception) -> str:
    """Returns the message of an exception as text that can be sent, or its type if the message is empty."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 Code of the application may raise anything.
        text = ""
    return text.encode(errors="replace").decode() or type(error).__name__


def _said(error: Any) -> tuple[str, str]:
    return ".".join(map(str, error["loc"])), error["msg"]

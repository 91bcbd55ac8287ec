"""What a model has replied."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ag_ui_native.adapters import rules

if TYPE_CHECKING:
    from ag_ui_native.core import Message, TokenUsage, ToolMessage
    from ag_ui_native.server.scope import Scope

__all__ = ["ModelCall", "Reply"]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of a tool by a model.

    Examples:
        >>> from collections.abc import AsyncIterator
        >>> from typing import Any
        >>> from ag_ui_native.adapters.openai import ModelCall, stream_chat
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def chunks() -> AsyncIterator[dict[str, Any]]:
        ...     call = {"index": 0, "id": "c1", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}
        ...     yield {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
        >>> async def look(run: Run) -> None:
        ...     call: ModelCall = (await stream_chat(run, chunks())).tool_calls[0]
        ...     print(call.name, call.arguments)
        ...     await call.answer("clear")
        >>> run_agent(look).messages[-1].content
        weather {'city': 'Paris'}
        'clear'
    """

    id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    arguments_text: str = field(repr=False)
    """The arguments as the model has written them: JSON text, unless the reply was cut."""
    _scope: Scope = field(repr=False, compare=False)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments. Raises ValueError if they are not a JSON object; its text can be the answer to the model."""
        arguments: dict[str, Any] = json.loads(rules.read_arguments(self.arguments_text))
        return arguments

    async def answer(self, content: object) -> ToolMessage:
        """Writes the result of the tool to the run: text, a list of content parts, or any other JSON value, which is
        sent as text. Returns its message, for the next request.
        """
        from ag_ui_native.core import ToolMessage

        text = content if isinstance(content, str) else rules.result_text(content)
        given: Any = content if text is None else text
        id = self._scope._ids.message_id()
        await self._scope.tool_result(self.id, given, id)
        return ToolMessage(id=id, role="tool", tool_call_id=self.id, content=given)


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole reply of a model.

    Examples:
        >>> from collections.abc import AsyncIterator
        >>> from typing import Any
        >>> from ag_ui_native.adapters.openai import Reply, stream_chat
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def chunks() -> AsyncIterator[dict[str, Any]]:
        ...     yield {"choices": [{"index": 0, "delta": {"content": "Hello!"}, "finish_reason": "stop"}]}
        >>> async def answer(run: Run) -> None:
        ...     reply: Reply = await stream_chat(run, chunks())
        ...     print(reply.text, reply.finish_reason, reply.tool_calls, len(reply.messages))
        >>> run_agent(answer, "Hi").text
        Hello! stop [] 1
        'Hello!'
    """

    text: str = field(repr=False)
    """The text, without reasoning."""
    is_refusal: bool
    """True if the text is the model's refusal to answer."""
    tool_calls: list[ModelCall]
    """The calls of tools, in the order of their starts; without those of tools that the provider has run."""
    finish_reason: str
    """Why the model has stopped: ``stop``, ``length``, ``tool_calls``, ``content_filter``, or another word of the
    provider.
    """
    messages: list[Message] = field(repr=False)
    """The messages of the reply, as the client has them; results of the provider's own tools are among them. Add them
    to the messages of the next request, and the answers of the tools behind them.
    """
    usage: TokenUsage | None
    """The tokens that the provider has counted. They are added to those of the run already."""

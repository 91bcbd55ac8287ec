"""Anthropic's messages for agents.

    stream = await client.messages.create(model=..., max_tokens=..., **message_params(run.messages), stream=True)
    reply = await stream_message(run, stream)

The functions need no SDK at run time: events may be objects of the package ``anthropic``, or dictionaries of the same
form.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NotRequired, Protocol

from typing_extensions import TypedDict

from ag_ui_native.adapters import rules
from ag_ui_native.adapters.reply import ModelCall, Reply
from ag_ui_native.adapters.streaming import stream_reply

if TYPE_CHECKING:
    from anthropic.types import MessageParam, ToolParam

    from ag_ui_native.core import Tool
    from ag_ui_native.server.scope import Scope
    from ag_ui_native.typing import MessageLike

__all__ = [
    "MessageEventLike",
    "MessageParams",
    "ModelCall",
    "Reply",
    "message_params",
    "message_tools",
    "stream_message",
]


class MessageEventLike(Protocol):
    """An event of a message's stream as an object.

    Examples:
        >>> from types import SimpleNamespace
        >>> from ag_ui_native.adapters.anthropic import MessageEventLike
        >>> event: MessageEventLike = SimpleNamespace(type="message_stop")
        >>> event.type
        'message_stop'
    """

    @property
    def type(self) -> str:
        """The type of the event."""


class MessageParams(TypedDict):
    """The members of a request that are a conversation.

    Examples:
        >>> from ag_ui_native.adapters.anthropic import MessageParams, message_params
        >>> from ag_ui_native.core import UserMessage
        >>> params: MessageParams = message_params([UserMessage(id="m1", content="Hello!")])
        >>> params["messages"][0]["role"]
        'user'
    """

    messages: list[MessageParam]
    """What was said: roles alternate."""
    system: NotRequired[str]
    """The instructions of system and developer messages, if there are any."""


def message_params(messages: Iterable[MessageLike | Mapping[str, Any]]) -> MessageParams:
    """Returns a conversation as the ``messages`` of a request, and its instructions as ``system``, if it has any.

    Images and documents are blocks of the request. Thinking goes back with its signature. What the API does not know is
    left out: other reasoning, activities, messages of subagents, and calls without a result.

    Raises AGUIValidationError ``unsupported_part`` with the path, for a part that the API does not take.

    Examples:
        >>> from ag_ui_native.adapters.anthropic import message_params
        >>> from ag_ui_native.core import SystemMessage, UserMessage
        >>> said = [SystemMessage(id="m1", content="Be brief."), UserMessage(id="m2", content="Hello!")]
        >>> params = message_params(said)
        >>> params["system"], len(params["messages"])
        ('Be brief.', 1)
    """
    made: MessageParams = rules.model_messages("anthropic", messages)
    return made


def message_tools(tools: Iterable[Tool | Mapping[str, Any]] | None) -> list[ToolParam]:
    """Returns tools as the ``tools`` of a request.

    Examples:
        >>> from ag_ui_native.adapters.anthropic import message_tools
        >>> from ag_ui_native.core import Tool
        >>> tool = Tool(name="weather", description="Tells the weather.", parameters={"type": "object"})
        >>> [made["name"] for made in message_tools([tool])]
        ['weather']
    """
    made: list[ToolParam] = rules.model_tools("anthropic", tools or ())
    return made


async def stream_message(
    run: Scope, stream: AsyncIterable[MessageEventLike | Mapping[str, Any]], *, provider: str | None = None
) -> Reply:
    """Writes the stream of a message to a run, or to a subagent, and returns the whole reply: text, thinking with its
    signature, calls of tools with their arguments, and token usage, as they arrive.

    ``provider`` is the name that the token usage has; the default is ``anthropic``. Open messages and calls are ended
    and the stream is closed in any case, also if the run is cancelled.

    Raises AGUIStreamError ``model_failed`` for an error of the provider in the stream, and ``model_truncated`` for a
    stream that ends before the reply. Exceptions of the SDK are passed on.

    Examples:
        >>> from collections.abc import AsyncIterator
        >>> from typing import Any
        >>> from ag_ui_native.adapters.anthropic import stream_message
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def events() -> AsyncIterator[dict[str, Any]]:  # As client.messages.create(..., stream=True)
        ...     yield {"type": "message_start", "message": {"model": "large", "usage": {"input_tokens": 3}}}
        ...     yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        ...     yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello!"}}
        ...     yield {"type": "content_block_stop", "index": 0}
        ...     yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}
        ...     yield {"type": "message_stop"}
        >>> async def answer(run: Run) -> str:
        ...     return (await stream_message(run, events())).text
        >>> run_agent(answer, "Hi").result
        'Hello!'
    """
    return await stream_reply(run, stream, "anthropic", provider)

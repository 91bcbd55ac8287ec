"""OpenAI for agents: chat completions, of OpenAI and of servers that speak like it, and responses.

    stream = await client.chat.completions.create(model=..., messages=chat_messages(run.messages), stream=True)
    reply = await stream_chat(run, stream)

The functions need no SDK at run time: chunks may be objects of the package ``openai``, or dictionaries of the same form.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ag_ui_native.adapters import rules
from ag_ui_native.adapters.reply import ModelCall, Reply
from ag_ui_native.adapters.streaming import stream_reply

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionMessageParam
    from openai.types.responses import FunctionToolParam, ResponseInputItemParam

    from ag_ui_native.core import Tool
    from ag_ui_native.server.scope import Scope
    from ag_ui_native.typing import MessageLike

__all__ = [
    "ChatChunkLike",
    "ModelCall",
    "Reply",
    "ResponseEventLike",
    "chat_messages",
    "chat_tools",
    "response_input",
    "response_tools",
    "stream_chat",
    "stream_response",
]


class ChatChunkLike(Protocol):
    """A chunk of a chat completion as an object: of ``openai``, or of another package.

    Examples:
        >>> from types import SimpleNamespace
        >>> from ag_ui_native.adapters.openai import ChatChunkLike
        >>> chunk: ChatChunkLike = SimpleNamespace(choices=[])
        >>> chunk.choices
        []
    """

    @property
    def choices(self) -> Any:
        """The choices."""


class ResponseEventLike(Protocol):
    """An event of a response as an object.

    Examples:
        >>> from types import SimpleNamespace
        >>> from ag_ui_native.adapters.openai import ResponseEventLike
        >>> event: ResponseEventLike = SimpleNamespace(type="response.created")
        >>> event.type
        'response.created'
    """

    @property
    def type(self) -> str:
        """The type of the event."""


def chat_messages(messages: Iterable[MessageLike | Mapping[str, Any]]) -> list[ChatCompletionMessageParam]:
    """Returns a conversation as the ``messages`` of a chat completion.

    Images, documents and sounds are parts of the request. What the API does not know is left out: reasoning,
    activities, messages of subagents, and calls without a result.

    Raises AGUIValidationError ``unsupported_part`` with the path, for a part that the API does not take.

    Examples:
        >>> from ag_ui_native.adapters.openai import chat_messages
        >>> from ag_ui_native.core import UserMessage
        >>> chat_messages([UserMessage(id="m1", content="Hello!")])
        [{'role': 'user', 'content': 'Hello!'}]
    """
    made: list[ChatCompletionMessageParam] = rules.model_messages("openai_chat", messages)
    return made


def chat_tools(tools: Iterable[Tool | Mapping[str, Any]] | None) -> list[ChatCompletionFunctionToolParam]:
    """Returns tools as the ``tools`` of a chat completion.

    Examples:
        >>> from ag_ui_native.adapters.openai import chat_tools
        >>> from ag_ui_native.core import Tool
        >>> tool = Tool(name="weather", description="Tells the weather.", parameters={"type": "object"})
        >>> [made["function"]["name"] for made in chat_tools([tool])]
        ['weather']
    """
    made: list[ChatCompletionFunctionToolParam] = rules.model_tools("openai_chat", tools or ())
    return made


async def stream_chat(
    run: Scope, stream: AsyncIterable[ChatChunkLike | Mapping[str, Any]], *, provider: str | None = None
) -> Reply:
    """Writes the stream of a chat completion to a run, or to a subagent, and returns the whole reply: text, reasoning,
    calls of tools with their arguments, and token usage, as they arrive.

    ``provider`` is the name that the token usage has; the default is ``openai``. Open messages and calls are ended and
    the stream is closed in any case, also if the run is cancelled.

    Raises AGUIStreamError ``model_failed`` for an error of the provider in the stream, ``model_truncated`` for a stream
    that ends before the reply, and ``unsupported_output`` for a part that is not translated and that you would miss.
    Exceptions of the SDK are passed on.

    Examples:
        >>> from collections.abc import AsyncIterator
        >>> from typing import Any
        >>> from ag_ui_native.adapters.openai import stream_chat
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def chunks() -> AsyncIterator[dict[str, Any]]:  # As client.chat.completions.create(..., stream=True)
        ...     yield {"choices": [{"index": 0, "delta": {"content": "Hello!"}}]}
        ...     yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        >>> async def answer(run: Run) -> str:
        ...     return (await stream_chat(run, chunks())).text
        >>> run_agent(answer, "Hi").result
        'Hello!'
    """
    return await stream_reply(run, stream, "openai_chat", provider)


def response_input(messages: Iterable[MessageLike | Mapping[str, Any]]) -> list[ResponseInputItemParam]:
    """Returns a conversation as the ``input`` of a response.

    Images and documents are parts of the request. Reasoning goes back in its encrypted form, if the stream had it: ask
    for it by ``include=["reasoning.encrypted_content"]``. What the API does not know is left out: other reasoning,
    activities, messages of subagents, and calls without a result.

    Raises AGUIValidationError ``unsupported_part`` with the path, for a part that the API does not take.

    Examples:
        >>> from ag_ui_native.adapters.openai import response_input
        >>> from ag_ui_native.core import UserMessage
        >>> len(response_input([UserMessage(id="m1", content="Hello!")]))
        1
    """
    made: list[ResponseInputItemParam] = rules.model_messages("openai_responses", messages)
    return made


def response_tools(tools: Iterable[Tool | Mapping[str, Any]] | None) -> list[FunctionToolParam]:
    """Returns tools as the ``tools`` of a response.

    Examples:
        >>> from ag_ui_native.adapters.openai import response_tools
        >>> from ag_ui_native.core import Tool
        >>> tool = Tool(name="weather", description="Tells the weather.", parameters={"type": "object"})
        >>> [made["name"] for made in response_tools([tool])]
        ['weather']
    """
    made: list[FunctionToolParam] = rules.model_tools("openai_responses", tools or ())
    return made


async def stream_response(
    run: Scope, stream: AsyncIterable[ResponseEventLike | Mapping[str, Any]], *, provider: str | None = None
) -> Reply:
    """Writes the stream of a response to a run, or to a subagent, and returns the whole reply, as ``stream_chat`` does.
    Summaries of the reasoning are written as reasoning, with its encrypted form.

    Examples:
        >>> from collections.abc import AsyncIterator
        >>> from typing import Any
        >>> from ag_ui_native.adapters.openai import stream_response
        >>> from ag_ui_native.server import Run
        >>> from ag_ui_native.testing import run_agent
        >>> async def events() -> AsyncIterator[dict[str, Any]]:  # As client.responses.create(..., stream=True)
        ...     yield {"type": "response.output_text.delta", "item_id": "msg_1", "content_index": 0, "delta": "Hello!"}
        ...     yield {"type": "response.completed", "response": {"status": "completed", "output": []}}
        >>> async def answer(run: Run) -> str:
        ...     return (await stream_response(run, events())).text
        >>> run_agent(answer, "Hi").result
        'Hello!'
    """
    return await stream_reply(run, stream, "openai_responses", provider)

"""Replies to `ask` and `ask_stream`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from ag_ui_native.client.result import outcome_error
from ag_ui_native.client.stream import RunStream, SyncRunStream

if TYPE_CHECKING:
    from ag_ui_native.client.result import RunResult
    from ag_ui_native.client.run import Item
    from ag_ui_native.core import ContentPart, Message

__all__ = ["Content", "Reply", "ReplyStream", "SyncReplyStream"]

Content: TypeAlias = "str | Sequence[ContentPart | Mapping[str, Any]]"
"""The content of a user's message: text, or parts.

Examples:
    >>> from ag_ui_native.client import Content, SyncLocalAgent
    >>> from ag_ui_native.core import ImagePart, TextPart, UrlSource
    >>> from ag_ui_native.testing import scripted_agent
    >>> picture = ImagePart(source=UrlSource(value="https://example.org/cat.png"))
    >>> content: Content = [TextPart(text="What is this?"), picture]
    >>> SyncLocalAgent(scripted_agent(["A cat."])).ask(content).text
    'A cat.'
"""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of an agent.

    Examples:
        >>> from ag_ui_native.client import SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> reply = SyncLocalAgent(scripted_agent(["Hello!"])).ask("Hi", run_id="r1").raise_for_outcome()
        >>> reply.text, reply.response_id, [message.role for message in reply.messages]
        ('Hello!', 'r1', ['assistant'])
    """

    result: RunResult
    """The result of the run."""

    @property
    def text(self) -> str:
        """The text of the new messages of the assistant."""
        return self.result.text

    @property
    def messages(self) -> list[Message]:
        """The new messages."""
        return self.result.new_messages

    @property
    def response_id(self) -> str:
        """The id of the run, for the `parent_run_id` of a run that branches from it."""
        return self.result.run_id

    @property
    def thread_id(self) -> str:
        """The conversation."""
        return self.result.thread_id

    def raise_for_outcome(self) -> Self:
        """Returns itself if the agent has answered or has an interrupt. Raises as `RunResult.raise_for_outcome`."""
        self.result.raise_for_outcome()
        return self

    def __str__(self) -> str:
        """The text, followed by the outcome in brackets if the run has not succeeded."""
        error = outcome_error(self.result)
        if error is None:
            return self.text
        return f"{self.text}\n[{error}]" if self.text else f"[{error}]"


class ReplyStream(RunStream[str]):
    """The text of a reply, piece by piece. Leaving the loop closes the connection.

    Examples:
        >>> import asyncio
        >>> from ag_ui_native.client import LocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> async def main() -> None:
        ...     stream = LocalAgent(scripted_agent(["Hello!"])).ask_stream("Hi")
        ...     async for piece in stream:
        ...         print(piece)
        ...     print(stream.reply.result.outcome)
        >>> asyncio.run(main())
        Hello!
        success
    """

    @property
    def reply(self) -> Reply:
        """The whole reply. Raises RuntimeError before the end."""
        return Reply(self.result)


class SyncReplyStream(SyncRunStream[str]):
    """The text of a reply, piece by piece. Leaving the loop closes the connection.

    Examples:
        >>> from ag_ui_native.client import SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> stream = SyncLocalAgent(scripted_agent(["Hello!"])).ask_stream("Hi")
        >>> list(stream), stream.reply.text
        (['Hello!'], 'Hello!')
    """

    @property
    def reply(self) -> Reply:
        """The whole reply. Raises RuntimeError before the end."""
        return Reply(self.result)


def texts_of(item: Item) -> list[Any]:
    """Returns the assistant's text: all text that has arrived at once, as one piece."""
    texts = [
        change.value
        for change in item[1]
        if change.kind == "text_appended" and getattr(change.target, "role", None) == "assistant"
    ]
    text = texts[0] if len(texts) == 1 else "".join(texts)
    return [text] if text else []

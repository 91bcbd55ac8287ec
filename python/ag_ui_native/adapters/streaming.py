"""Writes the stream of a model to a run."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, TypeAlias

from ag_ui_native.adapters import rules
from ag_ui_native.adapters.reply import ModelCall, Reply

if TYPE_CHECKING:
    from ag_ui_native.server.scope import Scope

__all__ = ["ModelApi", "stream_reply"]

ModelApi: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic"]


CLIENTS: dict[ModelApi, str] = {
    "openai_chat": "AsyncOpenAI",
    "openai_responses": "AsyncOpenAI",
    "anthropic": "AsyncAnthropic",
}
"""The clients of the SDKs whose streams are asynchronous."""


async def stream_reply(scope: Scope, stream: AsyncIterable[object], api: ModelApi, provider: str | None) -> Reply:
    """Writes the events of a stream to a run, or to a subagent's part of it, and returns the whole reply.

    The stream is closed in any case: also if it fails, and if the run is cancelled.
    """
    from ag_ui_native.core import TokenUsage

    if not hasattr(stream, "__aiter__"):
        advice = f"use the client {CLIENTS[api]}, pass stream=True, and await the request"
        raise TypeError(f"stream: expected an asynchronous stream, got {type(stream).__name__}; {advice}")
    outlet, tag = scope._outlet, scope._tag
    machine = rules.ModelStream(api, scope._ids.message_id(), provider)
    try:
        async for chunk in stream:
            machine.write(chunk, outlet, tag)
            await outlet  # A slow client slows the model down.
    finally:
        try:
            if outlet.is_running:
                machine.close(outlet, tag)
        finally:
            await close(stream)
    await outlet
    text, is_refusal, calls, finish_reason, messages, usage = machine.reply()
    return Reply(
        text,
        is_refusal,
        [ModelCall(*call, scope) for call in calls],
        finish_reason,
        messages,
        None if usage is None else TokenUsage.model_validate(usage),
    )


async def close(stream: object) -> None:
    """Closes a stream of an SDK (``close``) or an asynchronous generator (``aclose``). A failure of that does not
    replace the reply, or what has ended the stream.
    """
    with suppress(Exception):
        end = getattr(stream, "aclose", None) or getattr(stream, "close", None)
        closing = None if end is None else end()
        if inspect.isawaitable(closing):
            await closing

"""A comparison of a union's tag lets type checkers narrow the type to one variant."""

from __future__ import annotations

from typing import Any, assert_never, assert_type

from ag_ui_native.core import (
    ActivityMessage,
    AssistantMessage,
    BaseEvent,
    ContentPart,
    CustomEvent,
    DeveloperMessage,
    Event,
    EventType,
    ImagePart,
    Message,
    RawEvent,
    ReasoningMessage,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunStartedEvent,
    SubagentFinishedEvent,
    SubagentFinishedSuspendedOutcome,
    SystemMessage,
    TextMessageContentEvent,
    TextPart,
    ToolMessage,
    UserMessage,
)


def of_event(event: Event) -> str:
    if event.type == EventType.TEXT_MESSAGE_CONTENT:
        return assert_type(event, TextMessageContentEvent).delta
    if event.type is EventType.RUN_ERROR:
        return assert_type(event, RunErrorEvent).message
    match event.type:
        case EventType.RUN_STARTED:
            return assert_type(event, RunStartedEvent).run_id
        case EventType.CUSTOM:
            return assert_type(event, CustomEvent).name
        case _:
            return str(event.type.value)


def of_class(event: Event) -> str:
    match event:
        case TextMessageContentEvent(delta=delta):
            return assert_type(delta, str)
        case RawEvent():
            return ""
        case _:
            return name_of(event.type)


def name_of(kind: EventType) -> str:
    return kind.value


def of_two(first: RawEvent | CustomEvent) -> Any:
    """Every type: both see whether one is missing."""
    if first.type == EventType.RAW:
        return first.event
    if first.type == EventType.CUSTOM:
        return first.value
    assert_never(first)


def counted(events: list[BaseEvent]) -> dict[EventType, int]:
    return {event.type: [other.type for other in events].count(event.type) for event in events}


def of_message(message: Message) -> str:
    if message.role == "user":
        return of_content(assert_type(message, UserMessage))
    if message.role == "assistant":
        return assert_type(message, AssistantMessage).content or ""
    match message.role:
        case "tool":
            return assert_type(message, ToolMessage).tool_call_id
        case "activity":
            return assert_type(message, ActivityMessage).activity_type
        case "reasoning":
            return assert_type(message, ReasoningMessage).content
        case _:
            return assert_type(message, DeveloperMessage | SystemMessage).content


def of_content(message: UserMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    return "".join(map(of_part, message.content))


def of_part(part: ContentPart) -> str:
    if part.type == "text":
        return assert_type(part, TextPart).text
    if part.type == "image":
        source = assert_type(part, ImagePart).source
        return source.mime_type or source.value
    return part.type


def of_outcome(event: RunFinishedEvent, subagent: SubagentFinishedEvent) -> list[str]:
    asked: list[str] = []
    if event.outcome is not None and event.outcome.type == "interrupt":
        asked += [interrupt.id for interrupt in assert_type(event.outcome, RunFinishedInterruptOutcome).interrupts]
    if subagent.outcome is not None and subagent.outcome.type == "suspended":
        asked += assert_type(subagent.outcome, SubagentFinishedSuspendedOutcome).interrupt_ids or []
    return asked


def test_the_types_are_so_at_run_time() -> None:
    content = TextMessageContentEvent(message_id="m", delta="Hi")
    assert of_event(content) == of_class(content) == "Hi"
    assert of_event(RunErrorEvent(message="no")) == "no"
    assert of_event(RunStartedEvent(thread_id="t", run_id="r")) == "r"
    assert of_event(RawEvent(event=1)) == "RAW" and of_two(RawEvent(event=1)) == 1
    assert counted([content, content]) == {EventType.TEXT_MESSAGE_CONTENT: 2}
    assert of_message(UserMessage(id="u", content=[TextPart(text="a")])) == "a"
    assert of_message(SystemMessage(id="s", content="b")) == "b"
    finished = RunFinishedEvent(thread_id="t", run_id="r")
    assert of_outcome(finished, SubagentFinishedEvent(subagent_run_id="s")) == []
    # Text compares as ever; only type checkers know better.
    assert content.type in ("TEXT_MESSAGE_CONTENT", "RAW") and hash(content.type) == hash("TEXT_MESSAGE_CONTENT")

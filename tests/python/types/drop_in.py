"""A program written for `ag_ui`. It has no fault by strict rules, and none with `ag_ui_native` in the import lines."""

from collections.abc import Iterator
from typing import Any

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    Event,
    EventType,
    Interrupt,
    Message,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunStartedEvent,
    State,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    TextPart,
    Tool,
    ToolCall,
    ToolCallResultEvent,
    UserMessage,
)
from ag_ui.core.events import TextMessageRole
from ag_ui.core.types import ConfiguredBaseModel
from ag_ui.encoder import EventEncoder


class Weather(ConfiguredBaseModel):
    city: str


class Logging(EventEncoder):
    """Records the frames that it encodes."""

    def __init__(self, accept: str = "") -> None:
        super().__init__(accept)
        self.frames: list[str] = []

    def encode(self, event: BaseEvent) -> str:
        frame = super().encode(event)
        self.frames.append(frame)
        return frame


class Mended(EventEncoder):
    def _encode_sse(self, event: BaseEvent) -> str:
        return super()._encode_sse(event).replace("\u2028", "")


def text_of(message: Message) -> str:
    if isinstance(message, UserMessage):
        if isinstance(message.content, str):
            return message.content
        return "".join(part.text for part in message.content if isinstance(part, TextPart))
    if isinstance(message, AssistantMessage):
        calls: list[ToolCall] = message.tool_calls or []
        return (message.content or "") + "".join(call.function.arguments for call in calls)
    return ""


def names(tools: list[Tool] | None) -> list[str]:
    return [tool.name for tool in tools or []]


def answer(run: RunAgentInput, role: TextMessageRole = "assistant") -> Iterator[BaseEvent]:
    yield RunStartedEvent(thread_id=run.thread_id, run_id=run.run_id)
    state: State = {"tools": names(run.tools)}
    yield StateSnapshotEvent(snapshot=state)
    yield TextMessageStartEvent(message_id="m", role=role)
    for message in run.messages:
        yield TextMessageContentEvent(message_id="m", delta=text_of(message))
    yield TextMessageEndEvent(message_id="m")
    yield ToolCallResultEvent(message_id="r", tool_call_id="c", content=Weather(city="Berne").model_dump_json())
    question = Interrupt(id="i", reason="ask")
    outcome = RunFinishedInterruptOutcome(interrupts=[question])
    yield RunFinishedEvent(thread_id=run.thread_id, run_id=run.run_id, outcome=outcome)


def served(body: dict[str, Any], accept: str) -> Iterator[str]:
    encoder = EventEncoder(accept=accept)
    try:
        for event in answer(RunAgentInput.model_validate(body)):
            yield encoder.encode(event)
    except ValueError as error:
        yield encoder.encode(RunErrorEvent(message=str(error), code="invalid"))


def told(event: Event) -> str:
    if event.type == EventType.TEXT_MESSAGE_CONTENT:
        return event.delta
    if isinstance(event, RunErrorEvent):
        return event.code or event.message
    return str(event.type.value)


def frames() -> list[str]:
    logging = Logging()
    for encoder in (logging, Mended()):
        encoder.encode(TextMessageStartEvent(message_id="m"))
    return logging.frames

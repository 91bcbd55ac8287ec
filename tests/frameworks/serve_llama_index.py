"""llama-index-protocols-ag-ui: a workflow with a scripted model."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from fastapi import FastAPI
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.workflow import Context
from llama_index.protocols.ag_ui.events import StateSnapshotWorkflowEvent
from llama_index.protocols.ag_ui.router import get_ag_ui_workflow_router
from scenarios import answer

PATH = "/run"


class Scripted(FunctionCallingLLM):
    """The scripted model."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_function_calling_model=True, is_chat_model=True, model_name="scripted")

    async def astream_chat_with_tools(self, *_: Any, chat_history: list[ChatMessage], **__: Any) -> Any:
        users = [message for message in chat_history if message.role.value == "user"]
        said = answer(str(users[-1].content) if users else "", has_result=chat_history[-1].role.value == "tool")

        async def stream() -> AsyncIterator[ChatResponse]:
            if isinstance(said, dict):
                message = ChatMessage(role="assistant", content="", additional_kwargs={"called": said})
                yield ChatResponse(message=message, delta="")
                return
            for at, piece in enumerate(said):
                yield ChatResponse(message=ChatMessage(role="assistant", content="".join(said[: at + 1])), delta=piece)

        return stream()

    def get_tool_calls_from_response(self, response: ChatResponse, **_: Any) -> list[ToolSelection]:
        said = response.message.additional_kwargs.get("called")
        return [ToolSelection(tool_id="call-1", tool_name=said["name"], tool_kwargs=said["arguments"])] if said else []

    def _prepare_chat_with_tools(self, *_: Any, **__: Any) -> dict[str, Any]:
        raise NotImplementedError

    def chat(self, messages: Sequence[ChatMessage], **_: Any) -> Any:
        raise NotImplementedError

    stream_chat = complete = stream_complete = achat = astream_chat = acomplete = astream_complete = chat  # type: ignore[assignment]


async def get_weather(city: str) -> dict[str, Any]:
    """The weather in a city."""
    return {"city": city, "degrees": 21.5}


async def remember(ctx: Context, fact: str) -> str:
    """Notes a fact."""
    state = await ctx.store.get("state", default={})
    state.setdefault("facts", []).append(fact)
    await ctx.store.set("state", state)
    ctx.write_event_to_stream(StateSnapshotWorkflowEvent(snapshot=state))
    return "noted"


def confirm(question: str) -> str:
    """Asks the user."""
    return ""


def app() -> FastAPI:
    """The application."""
    api = FastAPI()
    tools: list[Any] = [get_weather, remember]
    api.include_router(
        get_ag_ui_workflow_router(llm=Scripted(), frontend_tools=[confirm], backend_tools=tools, initial_state={"n": 0})
    )
    return api

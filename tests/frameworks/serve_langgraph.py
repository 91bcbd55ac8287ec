"""ag-ui-langgraph: a graph with a scripted model, tools, state and interrupts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from scenarios import answer, request

PATH = "/agent"
PAUSED = request("ask me first")
SCENARIOS = {
    "interrupt": [PAUSED],
    "interrupt, resumed": [PAUSED, {**PAUSED, "runId": "run-2", "forwardedProps": {"command": {"resume": "go on"}}}],
    "interrupt, cancelled": [PAUSED, request("hello", runId="run-2")],
    "two runs of a thread": [request("hello"), request("remember this", runId="run-2", state={"facts": ["a"]})],
}


class Scripted(BaseChatModel):
    """The scripted model."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any
    ) -> Iterator[ChatGenerationChunk]:
        users = [message for message in messages if message.type == "human"]
        said = answer(str(users[-1].content) if users else "", has_result=isinstance(messages[-1], ToolMessage))
        if isinstance(said, dict):
            import json

            arguments = json.dumps(said["arguments"])
            for name, piece in ((said["name"], arguments[:9]), (None, arguments[9:])):
                call = {
                    "name": name,
                    "args": piece,
                    "id": "call-1" if name else None,
                    "index": 0,
                    "type": "tool_call_chunk",
                }
                yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[call], id="run-model"))
            return
        for piece in said:
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece, id="run-model"))

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        chunks = list(self._stream(messages))
        whole = chunks[0].message
        for chunk in chunks[1:]:
            whole += chunk.message
        return ChatResult(
            generations=[ChatGeneration(message=AIMessage(content=whole.content, tool_calls=whole.tool_calls))]
        )


class State(MessagesState):
    """The state."""

    facts: list[str]


async def chat(state: State) -> dict[str, Any]:
    """Calls the model. If the user's text contains `ask me`, it interrupts the run before."""
    texts = [str(message.content) for message in state["messages"] if message.type == "human"]
    if texts and "ask me" in texts[-1]:
        interrupt({"question": "May I?", "options": ["yes", "no"]})
    return {"messages": [await Scripted().ainvoke(state["messages"])]}


async def tools(state: State) -> dict[str, Any]:
    """Carries calls out."""
    calls = state["messages"][-1].tool_calls
    results = [
        ToolMessage(content=f"{call['name']}: done", tool_call_id=call["id"], id=f"result-{call['id']}")
        for call in calls
    ]
    facts = [call["args"]["fact"] for call in calls if call["name"] == "remember"]
    return {"messages": results, "facts": [*state.get("facts", []), *facts]}


def next_node(state: State) -> str:
    """Returns the next node. A call of `confirm` ends the run, because the client carries it out."""
    calls = getattr(state["messages"][-1], "tool_calls", [])
    return "tools" if calls and calls[0]["name"] != "confirm" else END


def app() -> FastAPI:
    """The application."""
    graph = StateGraph(State)
    graph.add_node("chat", chat)
    graph.add_node("tools", tools)
    graph.add_edge(START, "chat")
    graph.add_conditional_edges("chat", next_node)
    graph.add_edge("tools", "chat")
    api = FastAPI()
    agent = LangGraphAgent(name="agent", graph=graph.compile(checkpointer=MemorySaver()), emit_interrupt_outcome=True)
    add_langgraph_fastapi_endpoint(api, agent, PATH)
    return api
